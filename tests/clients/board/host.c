/* A board that is a part of the test: it notes its edges and what it sends, and its clock is the test's. */
#include <string.h>

#include "hb_core.h"

#define MOST 4000000

static uint32_t edge_times[MOST];
static uint8_t edge_pins[MOST], edge_levels[MOST], sent[65536];
static uint16_t values[256], readings[256];
static uint8_t levels[256];
static uint32_t edges, sent_length, present, next_edge;

void hb_send(const uint8_t *data, uint8_t length)
{
    if (sent_length + length <= sizeof sent) {
        memcpy(sent + sent_length, data, length);
        sent_length += length;
    }
}

void hb_attach(uint8_t pin, uint8_t kind) { (void)pin, (void)kind; }
void hb_set(uint8_t pin, uint8_t kind, uint16_t value) { (void)kind, values[pin] = value; }
uint16_t hb_read(uint8_t pin, uint8_t kind) { (void)kind; return readings[pin]; }
void hb_lock(void) {}
void hb_unlock(void) { next_edge = present; }

void hb_level(uint8_t pin, bool high)
{
    if (levels[pin] == high || edges == MOST)
        return;
    levels[pin] = high;
    edge_times[edges] = present;
    edge_pins[edges] = pin;
    edge_levels[edges++] = high;
}

void host_begin(uint32_t now)
{
    edges = sent_length = 0;
    present = next_edge = now;
    memset(levels, 0, sizeof levels);
    memset(values, 0, sizeof values);
    hb_begin(now);
}

void host_hear(const uint8_t *data, uint32_t length)
{
    while (length--)
        hb_byte(*data++, present);
}

void host_advance(uint32_t until) /* to a time, with every edge at its own time; hb_run ten times a millisecond or more often */
{
    while (present != until) {
        uint32_t next = present + 200;
        if ((int32_t)(next_edge - next) < 0)
            next = (int32_t)(next_edge - present) > 0 ? next_edge : present;
        if ((int32_t)(next - until) > 0)
            next = until;
        present = next;
        if ((int32_t)(present - next_edge) >= 0)
            next_edge = hb_edges(present);
        hb_run(present);
    }
}

uint32_t host_edges(uint32_t *times, uint8_t *pins, uint8_t *states) /* takes them */
{
    uint32_t count = edges;
    memcpy(times, edge_times, count * sizeof *times);
    memcpy(pins, edge_pins, count);
    memcpy(states, edge_levels, count);
    edges = 0;
    return count;
}

uint32_t host_sent(uint8_t *data) /* takes it */
{
    uint32_t count = sent_length;
    memcpy(data, sent, count);
    sent_length = 0;
    return count;
}

uint16_t host_value(uint8_t pin) { return values[pin]; }
void host_read(uint8_t pin, uint16_t value) { readings[pin] = value; }
void host_pulse(uint8_t pin, bool high) { hb_pulse(pin, high, present); }
