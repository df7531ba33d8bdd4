/* A network unit of FMI 3.0: events, clocks, and the binary variables of FMI-LS-BUS.
 *
 * Behind the time are the members of a terminal for each bus: Rx_Data, Rx_Clock, Tx_Data, Tx_Clock. What arrives goes to
 * the worker when the event's states are updated. What was sent comes from there when the importer ticks Tx_Clock, which
 * counts down; one that is triggered ticks at the end of a step in which anything was sent.
 */
#include "fmi3.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NEAR 1e-3 /* share of a tick by which a time may differ from it, as in network_worker.py */

enum { RX_DATA, RX_CLOCK, TX_DATA, TX_CLOCK, MEMBERS };
enum { INTERVAL_CHANGED = 2 };

typedef struct {
    bool rx_clock, tx_clock;
    size_t length; /* of what arrives */
    uint8_t *arriving;
    vehicle_state_t *sent;
} terminal_t;

struct events {
    uint32_t count;
    double period; /* [s] of a tick of the bench */
    bool triggered;
    terminal_t terminals[];
};

status_t events_open(component_t *component, bool used)
{
    struct __attribute__((packed)) {
        uint32_t count;
        double period;
        uint8_t triggered;
    } shape;
    if (!used)
        return fail(component, "a network unit needs eventModeUsed: its buses are clocked variables");
    vehicle_state_t *answer = vehicle_ask(component->vehicle, 'n', NULL, NULL, 0);
    if (answer == NULL || answer->length != sizeof shape) {
        free(answer);
        return fail(component, component->vehicle->error);
    }
    memcpy(&shape, answer->bytes, sizeof shape);
    free(answer);
    component->events = calloc(1, sizeof(events_t) + shape.count * sizeof(terminal_t));
    if (component->events == NULL)
        return fail(component, "no memory");
    component->events->count = shape.count;
    component->events->period = shape.period;
    component->events->triggered = shape.triggered != 0;
    return fmi3OK;
}

static void forget_arrived(terminal_t *terminal)
{
    free(terminal->arriving);
    terminal->arriving = NULL;
    terminal->length = 0;
}

static void forget_sent(terminal_t *terminal)
{
    free(terminal->sent);
    terminal->sent = NULL;
}

void events_reset(component_t *component)
{
    events_t *events = component->events;
    for (uint32_t place = 0; events != NULL && place < events->count; place++) {
        forget_arrived(&events->terminals[place]);
        forget_sent(&events->terminals[place]);
        events->terminals[place].rx_clock = events->terminals[place].tx_clock = false;
    }
}

void events_close(component_t *component)
{
    events_reset(component);
    free(component->events);
}

double events_step(component_t *component, double time, double step) { return time + step - component->vehicle->time; }

/* The terminal with this variable, whose member is `member`; NULL: there is none, which is logged. */
static terminal_t *find(component_t *component, uint32_t reference, int member)
{
    size_t first = component->vehicle->count + 1;
    size_t place = reference < first ? component->events->count : (reference - first) / MEMBERS;
    if (place < component->events->count && (int)((reference - first) % MEMBERS) == member)
        return &component->events->terminals[place];
    fail(component, "unknown value reference");
    return NULL;
}

static uint32_t number_of(const component_t *component, const terminal_t *terminal)
{
    return (uint32_t)(terminal - component->events->terminals);
}

API status_t fmi3GetBinary(void *self, references_t references, size_t count, size_t *sizes, const uint8_t **values,
                           size_t length)
{
    static const uint8_t nothing[1];
    if (length < count)
        return fail(self, "there is no room for the values");
    for (size_t place = 0; place < count; place++) {
        terminal_t *terminal = find(self, references[place], TX_DATA);
        if (terminal == NULL)
            return fmi3Error;
        sizes[place] = terminal->sent == NULL ? 0 : terminal->sent->length;
        values[place] = terminal->sent == NULL ? nothing : terminal->sent->bytes;
    }
    return fmi3OK;
}

API status_t fmi3SetBinary(void *self, references_t references, size_t count, const size_t *sizes,
                           const uint8_t *const *values, size_t length)
{
    if (length < count)
        return fail(self, "there are too few values");
    for (size_t place = 0; place < count; place++) {
        terminal_t *terminal = find(self, references[place], RX_DATA);
        if (terminal == NULL)
            return fmi3Error;
        forget_arrived(terminal);
        if (sizes[place] == 0)
            continue;
        terminal->arriving = malloc(sizes[place]);
        if (terminal->arriving == NULL)
            return fail(self, "no memory");
        memcpy(terminal->arriving, values[place], sizes[place]);
        terminal->length = sizes[place];
    }
    return fmi3OK;
}

static status_t fetch(component_t *component, terminal_t *terminal)
{
    uint32_t number = number_of(component, terminal);
    forget_sent(terminal);
    terminal->sent = vehicle_ask(component->vehicle, 'x', &number, NULL, 0);
    return terminal->sent == NULL ? fail(component, component->vehicle->error) : fmi3OK;
}

status_t events_stepped(component_t *component, bool *needed)
{
    for (uint32_t number = 0; component->events->triggered && number < component->events->count; number++) {
        terminal_t *terminal = &component->events->terminals[number];
        if (!terminal->tx_clock && fetch(component, terminal) != fmi3OK) /* what nobody has read waits */
            return fmi3Error;
        terminal->tx_clock = terminal->sent->length > 0;
        *needed |= terminal->tx_clock;
    }
    return fmi3OK;
}

static bool is_tx(const component_t *component, uint32_t reference)
{
    size_t first = component->vehicle->count + 1;
    return reference >= first && (reference - first) % MEMBERS == TX_CLOCK;
}

/* The clock of a reference, of whichever direction. NULL: there is none. */
static bool *clock_of(component_t *component, uint32_t reference)
{
    bool sends = is_tx(component, reference);
    terminal_t *terminal = find(component, reference, sends ? TX_CLOCK : RX_CLOCK);
    return terminal == NULL ? NULL : sends ? &terminal->tx_clock : &terminal->rx_clock;
}

API status_t fmi3GetClock(void *self, references_t references, size_t count, bool *values)
{
    component_t *component = self;
    for (size_t place = 0; place < count; place++) {
        bool *ticks = clock_of(component, references[place]);
        if (ticks == NULL)
            return fmi3Error;
        values[place] = *ticks;
        if (component->events->triggered && is_tx(component, references[place]))
            *ticks = false; /* a tick of an output is told once */
    }
    return fmi3OK;
}

API status_t fmi3SetClock(void *self, references_t references, size_t count, const bool *values)
{
    component_t *component = self;
    for (size_t place = 0; place < count; place++) {
        bool *ticks = clock_of(component, references[place]);
        if (ticks == NULL)
            return fmi3Error;
        bool sends = is_tx(component, references[place]), begins = values[place] && !*ticks;
        if (sends && component->events->triggered)
            return fail(component, "Tx_Clock is an output");
        *ticks = values[place];
        if (sends && begins && fetch(component, find(component, references[place], TX_CLOCK)) != fmi3OK)
            return fmi3Error;
    }
    return fmi3OK;
}

/* Hand on what has arrived with its clock, and stop all clocks. */
static status_t update(component_t *component)
{
    for (uint32_t number = 0; number < component->events->count; number++) {
        terminal_t *terminal = &component->events->terminals[number];
        bool arrives = terminal->rx_clock && terminal->length > 0;
        terminal->rx_clock = false;
        terminal->tx_clock &= component->events->triggered; /* which ends when it is read */
        if (!arrives)
            continue;
        vehicle_state_t *answer =
            vehicle_ask(component->vehicle, 'b', &number, terminal->arriving, terminal->length);
        forget_arrived(terminal);
        if (answer == NULL)
            return fail(component, component->vehicle->error);
        free(answer);
    }
    return fmi3OK;
}

API status_t fmi3EnterEventMode(void *self) { return (void)self, fmi3OK; }

API status_t fmi3UpdateDiscreteStates(void *self, bool *again, bool *terminate, bool *nominals, bool *values,
                                      bool *defined, double *next)
{
    *again = *terminate = *nominals = *values = *defined = false;
    *next = 0.0;
    return update(self);
}

API status_t fmi3EnterStepMode(void *self)
{
    component_t *component = self;
    status_t status = update(component);
    for (uint32_t number = 0; number < component->events->count; number++) {
        terminal_t *terminal = &component->events->terminals[number];
        if (terminal->length > 0 && status == fmi3OK && component->logger != NULL) {
            component->logger(component->environment, fmi3Warning, "logStatusWarning",
                              "Rx_Data was set, and its Rx_Clock did not tick: it is not on the bus");
            status = fmi3Warning;
        }
        forget_arrived(terminal);
        if (!terminal->tx_clock)
            forget_sent(terminal);
    }
    return status;
}

/* A countdown ends with the tick of the bench at hand. */
API status_t fmi3GetIntervalDecimal(void *self, references_t references, size_t count, double *intervals,
                                    int *qualifiers)
{
    component_t *component = self;
    double period = component->events->period, ticks = (component->vehicle->time - component->vehicle->start) / period;
    double rest = ((double)(int64_t)(ticks + NEAR) + 1.0 - ticks) * period;
    for (size_t place = 0; place < count; place++) {
        if (find(component, references[place], TX_CLOCK) == NULL)
            return fmi3Error;
        intervals[place] = rest;
        qualifiers[place] = INTERVAL_CHANGED;
    }
    return fmi3OK;
}
