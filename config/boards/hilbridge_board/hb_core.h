/* The core of a hilbridge board: the protocol of docs/board-protocol.md, version 1, and the generators behind it.
 *
 * Plain C99 without floats, allocation or headers of a board. Times are counts of 0.5 us that wrap at 2^32; angles are
 * fractions of a cycle of two revolutions, 2^32 of them; speeds are 2^-24 cycles a second.
 */
#ifndef HB_CORE_H
#define HB_CORE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HB_VERSION 1
#define HB_CHANNELS 12 /* outputs */
#define HB_MEASURES 6  /* inputs */
#define HB_TRAINS 4    /* of the outputs: frequencies and wheels */
#define HB_BITS 256    /* of a wheel */
#define HB_PACKET 64   /* bytes of a packet without COBS */
#define HB_TICKS 2000000UL /* a second */

enum hb_type { HB_HELLO = 1, HB_SETUP = 2, HB_VALUES = 3, HB_ENGINE = 4, HB_MEASURE = 5, HB_STATUS = 6, HB_WATCH = 7 };

enum hb_kind {
    HB_NONE = 0,
    HB_DIGITAL = 1,   /* 0 or 1 */
    HB_PWM = 2,       /* 0..65535 */
    HB_ANALOG = 3,    /* 0..65535 of the range of a converter */
    HB_RESISTANCE = 4, /* 0..65535 of a digital potentiometer */
    HB_FREQUENCY = 5, /* mHz */
    HB_STEPPER = 6,   /* steps; first: the highest position, second: steps a second */
    HB_WHEEL = 7,     /* follows the engine; first: 1 for a cycle of 720 degrees, second: bits */
    HB_WIDTH = 16,    /* us of the last pulse, 0 after three periods without one */
    HB_PERIOD = 17,   /* us from pulse to pulse, 0 after three periods without one */
    HB_VOLTAGE = 18,  /* 0..65535 of the range of a converter */
    HB_SWITCH = 19    /* 0 or 1 */
};

/* What the board does; the sketch has it, or a test. */
void hb_send(const uint8_t *data, uint8_t length);
void hb_attach(uint8_t pin, uint8_t kind);             /* a channel begins */
void hb_set(uint8_t pin, uint8_t kind, uint16_t value); /* digital, PWM, analogue, resistance */
void hb_level(uint8_t pin, bool high);                 /* an edge: frequency, wheel, stepper */
uint16_t hb_read(uint8_t pin, uint8_t kind);           /* voltage, switch */
void hb_lock(void);                                    /* keeps hb_edges out */
void hb_unlock(void);

void hb_begin(uint32_t now);
void hb_byte(uint8_t byte, uint32_t now); /* a byte of the line */
void hb_run(uint32_t now);                /* as often as possible: steppers, watchdog, reports */
uint32_t hb_edges(uint32_t now);          /* makes the edges that are due; returns the time of the next one */
void hb_pulse(uint8_t pin, bool high, uint32_t now); /* an edge at an input, from an interrupt */

#ifdef __cplusplus
}
#endif
#endif
