/* A unit of FMI 3.0 without events, clocks and binary variables. */
#include "fmi3.h"

status_t events_open(component_t *component, bool used) { return (void)component, (void)used, fmi3OK; }
void events_close(component_t *component) { (void)component; }
void events_reset(component_t *component) { (void)component; }
double events_step(component_t *component, double time, double step) { return (void)component, (void)time, step; }
status_t events_stepped(component_t *component, bool *needed) { return (void)component, (void)needed, fmi3OK; }

#pragma GCC diagnostic ignored "-Wunused-parameter"

#define NONE(NAME, ...)                                                                                                \
    API status_t fmi3##NAME(void *self, references_t references, size_t count, ##__VA_ARGS__)                          \
    {                                                                                                                  \
        return count == 0 ? fmi3OK : fail(self, "there is no variable of this type");                                  \
    }

NONE(GetBinary, size_t *a, const uint8_t **b, size_t c)
NONE(SetBinary, const size_t *a, const uint8_t *const *b, size_t c)
NONE(GetClock, bool *a)
NONE(SetClock, const bool *a)

REFUSED(EnterEventMode)
REFUSED(EnterStepMode)
REFUSED(UpdateDiscreteStates, bool *a, bool *b, bool *c, bool *d, bool *e, double *f)
REFUSED(GetIntervalDecimal, references_t a, size_t b, double *c, int *d)
