/* Feeds its standard input to the core as a line: a byte of time, a byte of the line. For the sanitizers. */
#include <stdio.h>

#include "hb_core.h"

void hb_send(const uint8_t *data, uint8_t length) { while (length--) (void)*(volatile const uint8_t *)data++; }
void hb_attach(uint8_t pin, uint8_t kind) { (void)pin, (void)kind; }
void hb_set(uint8_t pin, uint8_t kind, uint16_t value) { (void)pin, (void)kind, (void)value; }
uint16_t hb_read(uint8_t pin, uint8_t kind) { return (uint16_t)(pin << 8 | kind); }
void hb_lock(void) {}
void hb_unlock(void) {}
void hb_level(uint8_t pin, bool high) { (void)pin, (void)high; }

int main(void)
{
    uint32_t now = 0xFFF00000;
    int wait, byte;
    hb_begin(now);
    while ((wait = getchar()) != EOF && (byte = getchar()) != EOF) {
        now += (uint32_t)wait * (uint32_t)wait * 16;
        hb_byte((uint8_t)byte, now);
        hb_run(now);
        hb_edges(now);
        hb_pulse((uint8_t)byte, wait & 1, now);
    }
    return 0;
}
