/* An FMU by hand: y' = (k u - y) / tau, solved exactly for an input that is constant over a step.
 *
 *     cc -shared -fPIC -DFMI=2 -DGUID='"one"' -o lag.so fmus.c -lm
 *
 * Variables: 0 u, 1 y, 2 tau, 3 k, 4 steps (an integer, the number of steps so far), 5 on (a boolean: y is held at 0
 * while it is false), 6 bad (an integer input: 1 a step is refused, 2 the process ends, 3 a step never ends, 4 a step
 * takes 50 ms). Declarations by FMI 2.0.4, 2.1 and FMI 3.0, 2.2.
 */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    double u, y, tau, k;
    int steps, on, bad;
    void *environment;
    void (*say)(void *, const char *);
    void *logger;
} Lag;

enum { OK = 0, ERROR = 3 };

static Lag *make(const char *token)
{
    Lag *lag = strcmp(token, GUID) == 0 ? calloc(1, sizeof *lag) : NULL;
    if (lag != NULL)
        lag->tau = lag->k = lag->on = 1;
    return lag;
}

static int step(Lag *lag, double seconds)
{
    if (lag->bad == 2)
        abort();
    while (lag->bad == 3)
        pause();
    if (lag->bad == 4)
        usleep(50000);
    lag->y = lag->on ? lag->k * lag->u + (lag->y - lag->k * lag->u) * exp(-seconds / lag->tau) : 0;
    lag->steps++;
    return lag->bad == 1 ? ERROR : OK;
}

static double *real(Lag *lag, unsigned reference)
{
    double *all[] = {&lag->u, &lag->y, &lag->tau, &lag->k};
    return reference < 4 ? all[reference] : NULL;
}

static int *whole(Lag *lag, unsigned reference)
{
    int *all[] = {&lag->steps, &lag->on, &lag->bad};
    return reference >= 4 && reference < 7 ? all[reference - 4] : NULL;
}

#define EACH(type, place, set)                                                                                         \
    for (size_t i = 0; i < n; i++) {                                                                                   \
        if (place(c, r[i]) == NULL)                                                                                    \
            return ERROR;                                                                                              \
        if (set)                                                                                                       \
            *place(c, r[i]) = v[i];                                                                                    \
        else                                                                                                           \
            ((type *)v)[i] = *place(c, r[i]);                                                                          \
    }                                                                                                                  \
    return OK

#define NONE(name) int name(void) { return ERROR; }

#if FMI == 2
typedef void (*log_t)(void *, const char *, int, const char *, const char *, ...);
typedef struct { log_t logger; void *allocate, *release, *finished, *environment; } Callbacks;

const char *fmi2GetTypesPlatform(void) { return "default"; }
const char *fmi2GetVersion(void) { return "2.0"; }
void *fmi2Instantiate(const char *name, int kind, const char *token, const char *at, const Callbacks *f, int v, int on)
{
    (void)kind, (void)at, (void)v, (void)on;
    Lag *lag = make(token);
    if (lag == NULL)
        f->logger(f->environment, name, ERROR, "error", "the token is of another unit");
    return lag;
}
void fmi2FreeInstance(void *c) { free(c); }
int fmi2SetupExperiment(void *c, int a, double b, double s, int d, double e) { (void)c, (void)a, (void)b, (void)s, (void)d, (void)e; return OK; }
int fmi2EnterInitializationMode(void *c) { (void)c; return OK; }
int fmi2ExitInitializationMode(void *c) { (void)c; return OK; }
int fmi2Terminate(void *c) { (void)c; return OK; }
int fmi2Reset(void *c) { (void)c; return OK; }
int fmi2GetReal(void *c, const unsigned *r, size_t n, double *v) { EACH(double, real, 0); }
int fmi2SetReal(void *c, const unsigned *r, size_t n, const double *v) { EACH(double, real, 1); }
int fmi2GetInteger(void *c, const unsigned *r, size_t n, int *v) { EACH(int, whole, 0); }
int fmi2SetInteger(void *c, const unsigned *r, size_t n, const int *v) { EACH(int, whole, 1); }
int fmi2GetBoolean(void *c, const unsigned *r, size_t n, int *v) { EACH(int, whole, 0); }
int fmi2SetBoolean(void *c, const unsigned *r, size_t n, const int *v) { EACH(int, whole, 1); }
int fmi2DoStep(void *c, double t, double h, int last) { (void)t, (void)last; return step(c, h); }
NONE(fmi2SetDebugLogging) NONE(fmi2GetString) NONE(fmi2SetString) NONE(fmi2GetFMUstate) NONE(fmi2SetFMUstate)
NONE(fmi2FreeFMUstate) NONE(fmi2SerializedFMUstateSize) NONE(fmi2SerializeFMUstate) NONE(fmi2DeSerializeFMUstate)
NONE(fmi2GetDirectionalDerivative) NONE(fmi2SetRealInputDerivatives) NONE(fmi2GetRealOutputDerivatives)
NONE(fmi2CancelStep) NONE(fmi2GetStatus) NONE(fmi2GetRealStatus) NONE(fmi2GetIntegerStatus)
NONE(fmi2GetBooleanStatus) NONE(fmi2GetStringStatus)
#else
const char *fmi3GetVersion(void) { return "3.0"; }
void *fmi3InstantiateCoSimulation(const char *name, const char *token, const char *at, bool visible, bool on, bool events,
                                  bool early, const uint32_t *required, size_t count, void *environment,
                                  void (*logger)(void *, int, const char *, const char *), void *update)
{
    (void)name, (void)at, (void)visible, (void)on, (void)events, (void)early, (void)required, (void)count, (void)update;
    Lag *lag = make(token);
    if (lag == NULL)
        logger(environment, ERROR, "error", "the token is of another unit");
    return lag;
}
void fmi3FreeInstance(void *c) { free(c); }
int fmi3EnterInitializationMode(void *c, bool a, double b, double s, bool d, double e) { (void)c, (void)a, (void)b, (void)s, (void)d, (void)e; return OK; }
int fmi3ExitInitializationMode(void *c) { (void)c; return OK; }
int fmi3Terminate(void *c) { (void)c; return OK; }
int fmi3Reset(void *c) { (void)c; return OK; }
int fmi3GetFloat64(void *c, const uint32_t *r, size_t n, double *v, size_t m) { (void)m; EACH(double, real, 0); }
int fmi3SetFloat64(void *c, const uint32_t *r, size_t n, const double *v, size_t m) { (void)m; EACH(double, real, 1); }
int fmi3GetInt32(void *c, const uint32_t *r, size_t n, int32_t *v, size_t m) { (void)m; EACH(int32_t, whole, 0); }
int fmi3SetInt32(void *c, const uint32_t *r, size_t n, const int32_t *v, size_t m) { (void)m; EACH(int32_t, whole, 1); }
int fmi3GetBoolean(void *c, const uint32_t *r, size_t n, bool *v, size_t m) { (void)m; EACH(bool, whole, 0); }
int fmi3SetBoolean(void *c, const uint32_t *r, size_t n, const bool *v, size_t m) { (void)m; EACH(bool, whole, 1); }
int fmi3DoStep(void *c, double t, double h, bool last, bool *event, bool *end, bool *early, double *reached)
{
    (void)last, *event = *end = *early = false, *reached = t + h;
    return step(c, h);
}
NONE(fmi3ActivateModelPartition) NONE(fmi3CompletedIntegratorStep) NONE(fmi3DeserializeFMUState)
NONE(fmi3EnterConfigurationMode) NONE(fmi3EnterContinuousTimeMode) NONE(fmi3EnterEventMode) NONE(fmi3EnterStepMode)
NONE(fmi3EvaluateDiscreteStates) NONE(fmi3ExitConfigurationMode) NONE(fmi3FreeFMUState)
NONE(fmi3GetAdjointDerivative) NONE(fmi3GetBinary) NONE(fmi3GetClock) NONE(fmi3GetContinuousStateDerivatives)
NONE(fmi3GetContinuousStates) NONE(fmi3GetDirectionalDerivative) NONE(fmi3GetEventIndicators) NONE(fmi3GetFMUState)
NONE(fmi3GetFloat32) NONE(fmi3GetInt16) NONE(fmi3GetInt64) NONE(fmi3GetInt8) NONE(fmi3GetIntervalDecimal)
NONE(fmi3GetIntervalFraction) NONE(fmi3GetNominalsOfContinuousStates) NONE(fmi3GetNumberOfContinuousStates)
NONE(fmi3GetNumberOfEventIndicators) NONE(fmi3GetNumberOfVariableDependencies) NONE(fmi3GetOutputDerivatives)
NONE(fmi3GetShiftDecimal) NONE(fmi3GetShiftFraction) NONE(fmi3GetString) NONE(fmi3GetUInt16) NONE(fmi3GetUInt32)
NONE(fmi3GetUInt64) NONE(fmi3GetUInt8) NONE(fmi3GetVariableDependencies) NONE(fmi3InstantiateModelExchange)
NONE(fmi3InstantiateScheduledExecution) NONE(fmi3SerializeFMUState) NONE(fmi3SerializedFMUStateSize)
NONE(fmi3SetBinary) NONE(fmi3SetClock) NONE(fmi3SetContinuousStates) NONE(fmi3SetDebugLogging) NONE(fmi3SetFMUState)
NONE(fmi3SetFloat32) NONE(fmi3SetInt16) NONE(fmi3SetInt64) NONE(fmi3SetInt8) NONE(fmi3SetIntervalDecimal)
NONE(fmi3SetIntervalFraction) NONE(fmi3SetShiftDecimal) NONE(fmi3SetShiftFraction) NONE(fmi3SetString)
NONE(fmi3SetTime) NONE(fmi3SetUInt16) NONE(fmi3SetUInt32) NONE(fmi3SetUInt64) NONE(fmi3SetUInt8)
NONE(fmi3UpdateDiscreteStates)
#endif
