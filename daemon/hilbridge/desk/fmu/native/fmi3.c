/* FMI 3.0 for co-simulation, on the worker of vehicle.h. Declarations by the standard's chapters 2 and 4. */
#include "fmi3.h"

#include <stdlib.h>
#include <string.h>

status_t fail(component_t *component, text_t message)
{
    if (component->logger != NULL)
        component->logger(component->environment, fmi3Error, "logStatusError", message);
    return fmi3Error;
}

status_t ended(component_t *component, int result)
{
    return result ? fail(component, component->vehicle->error) : fmi3OK;
}

API text_t fmi3GetVersion(void) { return "3.0"; }

API status_t fmi3SetDebugLogging(void *self, bool on, size_t count, const text_t *categories)
{
    return (void)self, (void)on, (void)count, (void)categories, fmi3OK;
}

API void fmi3FreeInstance(void *self)
{
    component_t *component = self;
    if (component == NULL)
        return;
    events_close(component);
    vehicle_end(component->vehicle);
    free(component);
}

API void *fmi3InstantiateCoSimulation(text_t name, text_t token, text_t resources, bool visible, bool logging,
                                      bool events, bool early, references_t required, size_t count, void *environment,
                                      logger_t logger, void (*update)(void))
{
    char folder[4096], error[1024];
    (void)name, (void)token, (void)visible, (void)logging, (void)early, (void)required, (void)count;
    (void)update;
    component_t *component = calloc(1, sizeof *component);
    if (component == NULL)
        return NULL;
    component->logger = logger;
    component->environment = environment;
    vehicle_path(resources == NULL ? "" : resources, folder, sizeof folder);
    component->vehicle = vehicle_start(folder, error, sizeof error);
    if (component->vehicle == NULL) {
        fail(component, error);
        free(component);
        return NULL;
    }
    if (events_open(component, events) == fmi3OK)
        return component;
    fmi3FreeInstance(component);
    return NULL;
}

API void *fmi3InstantiateModelExchange(text_t name, text_t token, text_t resources, bool visible, bool logging,
                                       void *environment, logger_t logger)
{
    (void)name, (void)token, (void)resources, (void)visible, (void)logging;
    if (logger != NULL)
        logger(environment, fmi3Error, "logStatusError", "this unit is for co-simulation");
    return NULL;
}

API void *fmi3InstantiateScheduledExecution(text_t name, text_t token, text_t resources, bool visible, bool logging,
                                            void *environment, logger_t logger)
{
    return fmi3InstantiateModelExchange(name, token, resources, visible, logging, environment, logger);
}

API status_t fmi3EnterInitializationMode(void *self, bool has_tolerance, double tolerance, double start, bool has_stop,
                                         double stop)
{
    component_t *component = self;
    (void)has_tolerance, (void)tolerance, (void)has_stop, (void)stop;
    component->vehicle->time = component->vehicle->start = start;
    return fmi3OK;
}

API status_t fmi3ExitInitializationMode(void *self)
{
    component_t *component = self;
    return ended(component, vehicle_apply(component->vehicle));
}

API status_t fmi3EnterConfigurationMode(void *self) { return (void)self, fmi3OK; }
API status_t fmi3ExitConfigurationMode(void *self) { return (void)self, fmi3OK; }
API status_t fmi3Terminate(void *self) { return (void)self, fmi3OK; }

API status_t fmi3Reset(void *self)
{
    component_t *component = self;
    events_reset(component);
    return ended(component, vehicle_reset(component->vehicle));
}

API status_t fmi3DoStep(void *self, double time, double step, bool no_return, bool *events, bool *terminate,
                        bool *early, double *last)
{
    component_t *component = self;
    (void)no_return;
    status_t status = ended(component, vehicle_step(component->vehicle, events_step(component, time, step)));
    *events = *terminate = *early = false;
    *last = component->vehicle->time;
    return status == fmi3OK ? events_stepped(component, events) : status;
}

/* -- values: the reference behind the last one is the time ---------------------------------------------------------- */

#define ACCESS(NAME, TYPE, READ)                                                                                       \
    API status_t fmi3Get##NAME(void *self, references_t references, size_t count, TYPE *values, size_t length)         \
    {                                                                                                                  \
        component_t *component = self;                                                                                 \
        (void)length;                                                                                                  \
        for (size_t place = 0; place < count; place++) {                                                               \
            size_t reference = references[place];                                                                      \
            if (reference > component->vehicle->count)                                                                 \
                return fail(component, "unknown value reference");                                                     \
            double value = reference == component->vehicle->count ? component->vehicle->time                           \
                                                                  : component->vehicle->values[reference];             \
            values[place] = (TYPE)(READ);                                                                              \
        }                                                                                                              \
        return fmi3OK;                                                                                                 \
    }                                                                                                                  \
    API status_t fmi3Set##NAME(void *self, references_t references, size_t count, const TYPE *values, size_t length)   \
    {                                                                                                                  \
        component_t *component = self;                                                                                 \
        (void)length;                                                                                                  \
        for (size_t place = 0; place < count; place++) {                                                               \
            if (references[place] >= component->vehicle->count)                                                        \
                return fail(component, "unknown value reference");                                                     \
            component->vehicle->values[references[place]] = (double)values[place];                                     \
        }                                                                                                              \
        return fmi3OK;                                                                                                 \
    }

typedef bool boolean_t;
ACCESS(Float64, double, value)
ACCESS(Int64, int64_t, value)
ACCESS(Int32, int32_t, value)
ACCESS(Boolean, boolean_t, value != 0.0)

#define NONE(NAME, TYPE)                                                                                               \
    API status_t fmi3Get##NAME(void *self, references_t references, size_t count, TYPE *values, size_t length)         \
    {                                                                                                                  \
        (void)references, (void)values, (void)length;                                                                  \
        return count == 0 ? fmi3OK : fail(self, "there is no variable of this type");                                  \
    }                                                                                                                  \
    API status_t fmi3Set##NAME(void *self, references_t references, size_t count, const TYPE *values, size_t length)   \
    {                                                                                                                  \
        (void)references, (void)values, (void)length;                                                                  \
        return count == 0 ? fmi3OK : fail(self, "there is no variable of this type");                                  \
    }

NONE(Float32, float)
NONE(Int8, int8_t)
NONE(UInt8, uint8_t)
NONE(Int16, int16_t)
NONE(UInt16, uint16_t)
NONE(UInt32, uint32_t)
NONE(UInt64, uint64_t)
NONE(String, text_t)

/* -- state ------------------------------------------------------------------------------------------------------ */

API status_t fmi3FreeFMUState(void *self, void **state)
{
    (void)self;
    if (state != NULL) {
        free(*state);
        *state = NULL;
    }
    return fmi3OK;
}

API status_t fmi3GetFMUState(void *self, void **state)
{
    component_t *component = self;
    vehicle_state_t *saved = vehicle_save(component->vehicle);
    if (saved == NULL)
        return fail(component, component->vehicle->error);
    fmi3FreeFMUState(self, state);
    *state = saved;
    return fmi3OK;
}

API status_t fmi3SetFMUState(void *self, void *state)
{
    component_t *component = self;
    return state == NULL ? fail(component, "no state") : ended(component, vehicle_restore(component->vehicle, state));
}

static size_t size_of(const vehicle_state_t *state) { return sizeof *state + state->length; }

API status_t fmi3SerializedFMUStateSize(void *self, void *state, size_t *size)
{
    if (state == NULL)
        return fail(self, "no state");
    *size = size_of(state);
    return fmi3OK;
}

API status_t fmi3SerializeFMUState(void *self, void *state, uint8_t *bytes, size_t size)
{
    if (state == NULL || size < size_of(state))
        return fail(self, "no state, or no room for it");
    memcpy(bytes, state, size_of(state));
    return fmi3OK;
}

API status_t fmi3DeserializeFMUState(void *self, const uint8_t *bytes, size_t size, void **state)
{
    vehicle_state_t *read = size < sizeof *read ? NULL : malloc(size);
    if (read == NULL)
        return fail(self, "that is no state");
    memcpy(read, bytes, size);
    if (size_of(read) != size) {
        free(read);
        return fail(self, "that is no state");
    }
    fmi3FreeFMUState(self, state);
    *state = read;
    return fmi3OK;
}

/* -- what no unit has: model exchange, partitions, derivatives, fractions of intervals -------------------------------- */

#pragma GCC diagnostic ignored "-Wunused-parameter"
REFUSED(EnterContinuousTimeMode)
REFUSED(EvaluateDiscreteStates)
REFUSED(CompletedIntegratorStep, bool a, bool *b, bool *c)
REFUSED(SetTime, double a)
REFUSED(SetContinuousStates, const double *a, size_t b)
REFUSED(GetContinuousStateDerivatives, double *a, size_t b)
REFUSED(GetEventIndicators, double *a, size_t b)
REFUSED(GetContinuousStates, double *a, size_t b)
REFUSED(GetNominalsOfContinuousStates, double *a, size_t b)
REFUSED(GetNumberOfEventIndicators, size_t *a)
REFUSED(GetNumberOfContinuousStates, size_t *a)
REFUSED(GetNumberOfVariableDependencies, uint32_t a, size_t *b)
REFUSED(GetVariableDependencies, uint32_t a, size_t *b, uint32_t *c, size_t *d, int *e, size_t f)
REFUSED(GetDirectionalDerivative, references_t a, size_t b, references_t c, size_t d, const double *e, size_t f, double *g, size_t h)
REFUSED(GetAdjointDerivative, references_t a, size_t b, references_t c, size_t d, const double *e, size_t f, double *g, size_t h)
REFUSED(GetOutputDerivatives, references_t a, size_t b, const int32_t *c, double *d, size_t e)
REFUSED(GetIntervalFraction, references_t a, size_t b, uint64_t *c, uint64_t *d, int *e)
REFUSED(GetShiftDecimal, references_t a, size_t b, double *c)
REFUSED(GetShiftFraction, references_t a, size_t b, uint64_t *c, uint64_t *d)
REFUSED(SetIntervalDecimal, references_t a, size_t b, const double *c)
REFUSED(SetIntervalFraction, references_t a, size_t b, const uint64_t *c, const uint64_t *d)
REFUSED(SetShiftDecimal, references_t a, size_t b, const double *c)
REFUSED(SetShiftFraction, references_t a, size_t b, const uint64_t *c, const uint64_t *d)
REFUSED(ActivateModelPartition, uint32_t a, double b)
