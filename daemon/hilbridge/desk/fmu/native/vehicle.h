/* The worker of an FMU: a process with the vehicle, and the values of its variables.
 *
 * A message has a head and a body. To the worker: a letter and the length of the body; back: 0 or 1 (a message for
 * people is the body then) and the length. Numbers are little-endian, as is the machine.
 *
 *     's' seconds, all values   advance; all values come back
 *     'v' all values            take the inputs; all values come back
 *     'r'                       begin anew; all values come back
 *     'g'                       the state comes back
 *     'p' a state               take it; all values come back
 *
 * To the worker of a network unit, which has no state to give:
 *
 *     'n'                       the number of buses (4 bytes), the period of a tick [s] (8), and whether clocks are
 *                               triggered (1) come back
 *     'b' bus, operations       what arrives on a bus (its number has 4 bytes)
 *     'x' bus                   the operations that it has sent come back
 */
#ifndef HILBRIDGE_VEHICLE_H
#define HILBRIDGE_VEHICLE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct {
    pid_t worker;
    int socket;
    size_t count;   /* of variables */
    double *values; /* by value reference, in the unit of each */
    double time;    /* [s] */
    double start;   /* [s] */
    char error[1024];
} vehicle_t;

typedef struct {
    double time;
    size_t length;
    unsigned char bytes[];
} vehicle_state_t;

/* Start the worker of the FMU whose resources are in `folder`. NULL: `error` says why. */
vehicle_t *vehicle_start(char *folder, char *error, size_t size);

/* End the worker, and free everything. */
void vehicle_end(vehicle_t *vehicle);

/* 0, or -1 with the reason in `error`. */
int vehicle_step(vehicle_t *vehicle, double seconds);
int vehicle_apply(vehicle_t *vehicle);
int vehicle_reset(vehicle_t *vehicle);
int vehicle_restore(vehicle_t *vehicle, const vehicle_state_t *state);

/* The state, to be freed by the caller. NULL: `error` says why. */
vehicle_state_t *vehicle_save(vehicle_t *vehicle);

/* The answer to a message with the number of a bus, or without one, and a body; as `vehicle_save`. */
vehicle_state_t *vehicle_ask(vehicle_t *vehicle, char letter, const uint32_t *number, const void *body, size_t length);

/* The path of a file URI, or of a path as it stands, without the separator at its end. */
void vehicle_path(const char *uri, char *path, size_t size);

#endif
