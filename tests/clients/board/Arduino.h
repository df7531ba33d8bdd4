// As much of the Arduino language as the sketch of the board uses: declarations, so that it compiles without the core.
#pragma once
#include <avr/interrupt.h>
#include <avr/io.h>
#include <stdint.h>

enum { LOW, HIGH, OUTPUT = 1, INPUT = 0, INPUT_PULLUP = 2, CHANGE = 1 };

void pinMode(uint8_t pin, uint8_t mode);
void digitalWrite(uint8_t pin, uint8_t level);
int digitalRead(uint8_t pin);
int analogRead(uint8_t pin);
void analogWrite(uint8_t pin, int value);
void attachInterrupt(uint8_t number, void (*function)(), int mode);
#define digitalPinToInterrupt(pin) (pin)

struct Port {
    void begin(unsigned long rate);
    int available();
    int availableForWrite();
    int read();
    void write(const uint8_t *data, unsigned length);
};
extern Port Serial;
