/* An instance of a unit of FMI 3.0, and what units with and without events do each in their way. */
#ifndef HILBRIDGE_FMI3_H
#define HILBRIDGE_FMI3_H

#include "vehicle.h"

#include <stdbool.h>
#include <stdint.h>

#define API __attribute__((visibility("default")))

typedef enum { fmi3OK, fmi3Warning, fmi3Discard, fmi3Error, fmi3Fatal } status_t;
typedef const char *text_t;
typedef const uint32_t *references_t;
typedef void (*logger_t)(void *, status_t, text_t, text_t);

typedef struct events events_t;

typedef struct {
    vehicle_t *vehicle;
    logger_t logger;
    void *environment;
    events_t *events; /* of a network unit */
} component_t;

/* Log a message; fmi3Error. */
status_t fail(component_t *component, text_t message);

/* The status of a call of vehicle.h, whose error is logged. */
status_t ended(component_t *component, int result);

/* fmi3_plain.c and fmi3_network.c have these, and the functions of events, clocks and binary variables. */
status_t events_open(component_t *component, bool used);
void events_close(component_t *component);
void events_reset(component_t *component);

/* The length [s] of the step from `time` on: as it is, or by the importer's clock. */
double events_step(component_t *component, double time, double step);

/* At the end of a step: whether it `needed` an event. */
status_t events_stepped(component_t *component, bool *needed);

#define REFUSED(NAME, ...)                                                                                             \
    API status_t fmi3##NAME(void *self, ##__VA_ARGS__) { return fail(self, "fmi3" #NAME " is not supported"); }

#endif
