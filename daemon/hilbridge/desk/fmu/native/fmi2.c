/* FMI 2.0 for co-simulation, on the worker of vehicle.h. Declarations by the standard's chapters 2 and 4. */
#include "vehicle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define API __attribute__((visibility("default")))

typedef enum { fmi2OK, fmi2Warning, fmi2Discard, fmi2Error, fmi2Fatal, fmi2Pending } status_t;
typedef const char *text_t;
typedef void (*logger_t)(void *, text_t, status_t, text_t, text_t, ...);
typedef struct {
    logger_t logger;
    void *(*allocate)(size_t, size_t);
    void (*free)(void *);
    void (*step_finished)(void *, status_t);
    void *environment;
} callbacks_t;

typedef struct {
    vehicle_t *vehicle;
    logger_t logger;
    void *environment;
    char *name;
} component_t;

static status_t fail(component_t *component, text_t message)
{
    if (component->logger != NULL)
        component->logger(component->environment, component->name, fmi2Error, "logStatusError", "%s", message);
    return fmi2Error;
}

static status_t ended(component_t *component, int result)
{
    return result ? fail(component, component->vehicle->error) : fmi2OK;
}

API text_t fmi2GetTypesPlatform(void) { return "default"; }
API text_t fmi2GetVersion(void) { return "2.0"; }

API status_t fmi2SetDebugLogging(void *self, int on, size_t count, const text_t *categories)
{
    (void)self, (void)on, (void)count, (void)categories;
    return fmi2OK;
}

API void *fmi2Instantiate(text_t name, int kind, text_t guid, text_t resources, const callbacks_t *callbacks,
                          int visible, int logging)
{
    char folder[4096], error[1024];
    (void)guid, (void)visible, (void)logging;
    component_t *component = calloc(1, sizeof *component);
    if (component == NULL)
        return NULL;
    if (callbacks != NULL) {
        component->logger = callbacks->logger;
        component->environment = callbacks->environment;
    }
    component->name = strdup(name == NULL ? "" : name);
    vehicle_path(resources == NULL ? "" : resources, folder, sizeof folder);
    if (kind != 1) {
        fail(component, "this unit is for co-simulation");
    } else if ((component->vehicle = vehicle_start(folder, error, sizeof error)) == NULL) {
        fail(component, error);
    } else {
        return component;
    }
    free(component->name);
    free(component);
    return NULL;
}

API void fmi2FreeInstance(void *self)
{
    component_t *component = self;
    if (component == NULL)
        return;
    vehicle_end(component->vehicle);
    free(component->name);
    free(component);
}

API status_t fmi2SetupExperiment(void *self, int has_tolerance, double tolerance, double start, int has_stop, double stop)
{
    component_t *component = self;
    (void)has_tolerance, (void)tolerance, (void)has_stop, (void)stop;
    component->vehicle->time = component->vehicle->start = start;
    return fmi2OK;
}

API status_t fmi2EnterInitializationMode(void *self) { return (void)self, fmi2OK; }

API status_t fmi2ExitInitializationMode(void *self)
{
    component_t *component = self;
    return ended(component, vehicle_apply(component->vehicle));
}

API status_t fmi2Terminate(void *self) { return (void)self, fmi2OK; }

API status_t fmi2Reset(void *self)
{
    component_t *component = self;
    return ended(component, vehicle_reset(component->vehicle));
}

#define ACCESS(NAME, TYPE, READ)                                                                                       \
    API status_t fmi2Get##NAME(void *self, const unsigned *references, size_t count, TYPE *values)                     \
    {                                                                                                                  \
        component_t *component = self;                                                                                 \
        for (size_t place = 0; place < count; place++) {                                                               \
            if (references[place] >= component->vehicle->count)                                                        \
                return fail(component, "unknown value reference");                                                     \
            double value = component->vehicle->values[references[place]];                                              \
            values[place] = (TYPE)(READ);                                                                              \
        }                                                                                                              \
        return fmi2OK;                                                                                                 \
    }                                                                                                                  \
    API status_t fmi2Set##NAME(void *self, const unsigned *references, size_t count, const TYPE *values)               \
    {                                                                                                                  \
        component_t *component = self;                                                                                 \
        for (size_t place = 0; place < count; place++) {                                                               \
            if (references[place] >= component->vehicle->count)                                                        \
                return fail(component, "unknown value reference");                                                     \
            component->vehicle->values[references[place]] = (double)values[place];                                     \
        }                                                                                                              \
        return fmi2OK;                                                                                                 \
    }

ACCESS(Real, double, value)
ACCESS(Integer, int, value)
typedef int boolean_t;
ACCESS(Boolean, boolean_t, value != 0.0)

API status_t fmi2GetString(void *self, const unsigned *references, size_t count, text_t *values)
{
    (void)references, (void)values;
    return count == 0 ? fmi2OK : fail(self, "there are no strings");
}

API status_t fmi2SetString(void *self, const unsigned *references, size_t count, const text_t *values)
{
    (void)references, (void)values;
    return count == 0 ? fmi2OK : fail(self, "there are no strings");
}

API status_t fmi2DoStep(void *self, double time, double step, int final)
{
    component_t *component = self;
    (void)time, (void)final;
    return ended(component, vehicle_step(component->vehicle, step));
}

API status_t fmi2CancelStep(void *self) { return fail(self, "a step is not asynchronous"); }

/* -- state ------------------------------------------------------------------------------------------------------ */

API status_t fmi2FreeFMUstate(void *self, void **state)
{
    (void)self;
    if (state != NULL) {
        free(*state);
        *state = NULL;
    }
    return fmi2OK;
}

API status_t fmi2GetFMUstate(void *self, void **state)
{
    component_t *component = self;
    vehicle_state_t *saved = vehicle_save(component->vehicle);
    if (saved == NULL)
        return fail(component, component->vehicle->error);
    fmi2FreeFMUstate(self, state);
    *state = saved;
    return fmi2OK;
}

API status_t fmi2SetFMUstate(void *self, void *state)
{
    component_t *component = self;
    return state == NULL ? fail(component, "no state") : ended(component, vehicle_restore(component->vehicle, state));
}

static size_t size_of(const vehicle_state_t *state) { return sizeof *state + state->length; }

API status_t fmi2SerializedFMUstateSize(void *self, void *state, size_t *size)
{
    if (state == NULL)
        return fail(self, "no state");
    *size = size_of(state);
    return fmi2OK;
}

API status_t fmi2SerializeFMUstate(void *self, void *state, char *bytes, size_t size)
{
    if (state == NULL || size < size_of(state))
        return fail(self, "no state, or no room for it");
    memcpy(bytes, state, size_of(state));
    return fmi2OK;
}

API status_t fmi2DeSerializeFMUstate(void *self, const char *bytes, size_t size, void **state)
{
    vehicle_state_t *read = size < sizeof *read ? NULL : malloc(size);
    if (read == NULL)
        return fail(self, "that is no state");
    memcpy(read, bytes, size);
    if (size_of(read) != size) {
        free(read);
        return fail(self, "that is no state");
    }
    fmi2FreeFMUstate(self, state);
    *state = read;
    return fmi2OK;
}

/* -- what this unit does not have --------------------------------------------------------------------------------- */

API status_t fmi2GetDirectionalDerivative(void *self, const unsigned *unknown, size_t unknowns, const unsigned *known,
                                          size_t knowns, const double *seed, double *sensitivity)
{
    (void)unknown, (void)unknowns, (void)known, (void)knowns, (void)seed, (void)sensitivity;
    return fail(self, "there are no derivatives");
}

API status_t fmi2SetRealInputDerivatives(void *self, const unsigned *references, size_t count, const int *order,
                                         const double *values)
{
    (void)references, (void)count, (void)order, (void)values;
    return fail(self, "inputs have no derivatives");
}

API status_t fmi2GetRealOutputDerivatives(void *self, const unsigned *references, size_t count, const int *order,
                                          double *values)
{
    (void)references, (void)count, (void)order, (void)values;
    return fail(self, "outputs have no derivatives");
}

API status_t fmi2GetStatus(void *self, int kind, status_t *value) { return (void)self, (void)kind, *value = fmi2OK, fmi2Discard; }
API status_t fmi2GetIntegerStatus(void *self, int kind, int *value) { return (void)self, (void)kind, *value = 0, fmi2Discard; }
API status_t fmi2GetBooleanStatus(void *self, int kind, int *value) { return (void)self, (void)kind, *value = 0, fmi2Discard; }
API status_t fmi2GetStringStatus(void *self, int kind, text_t *value) { return (void)self, (void)kind, *value = "", fmi2Discard; }

API status_t fmi2GetRealStatus(void *self, int kind, double *value)
{
    component_t *component = self;
    if (kind != 2) /* fmi2LastSuccessfulTime */
        return fmi2Discard;
    *value = component->vehicle->time;
    return fmi2OK;
}
