// The board of hilbridge's `boards:` for an Arduino Uno, Nano or Mega; what it says on its line stands in
// docs/board-protocol.md. Load it:
//
//     arduino-cli compile --upload --fqbn arduino:avr:uno --port /dev/ttyACM0 hilbridge_board
//
// Pins are Arduino's numbers. A stepper driver has its step input at the pin and its direction at the next one; a digital
// potentiometer (MCP41xxx) has its select input at the pin, and SPI; ANALOG is a PWM that an RC filter makes a voltage.
// Timer 1 makes the edges of frequencies and wheels, so its PWM pins (9 and 10; on a Mega 11 and 12) take no PWM.
// Pulse inputs are the pins with an interrupt: 2 and 3; on a Mega 2, 3, 18 to 21.

#include <Arduino.h>
#include <SPI.h>

#include "hb_core.h"

static volatile uint16_t timer_turns;

static uint32_t now_locked()
{
    uint16_t low = TCNT1, turns = timer_turns;
    if ((TIFR1 & _BV(TOV1)) && low < 0x8000)
        turns++;
    return (uint32_t)turns << 16 | low;
}

static uint32_t now()
{
    uint8_t state = SREG;
    cli();
    uint32_t time = now_locked();
    SREG = state;
    return time;
}

static void plan_edge(uint32_t next)
{
    int32_t left = (int32_t)(next - now_locked());
    OCR1A = TCNT1 + (uint16_t)(left < 16 ? 16 : left > 30000 ? 30000 : left);
}

ISR(TIMER1_OVF_vect) { timer_turns++; }

ISR(TIMER1_COMPA_vect) { plan_edge(hb_edges(now_locked())); }

template <uint8_t PIN> static void on_pulse() { hb_pulse(PIN, digitalRead(PIN), now()); }

static void watch(uint8_t pin)
{
    pinMode(pin, INPUT_PULLUP);
    switch (pin) {
    case 2: attachInterrupt(digitalPinToInterrupt(2), on_pulse<2>, CHANGE); break;
    case 3: attachInterrupt(digitalPinToInterrupt(3), on_pulse<3>, CHANGE); break;
    case 18: attachInterrupt(digitalPinToInterrupt(18), on_pulse<18>, CHANGE); break;
    case 19: attachInterrupt(digitalPinToInterrupt(19), on_pulse<19>, CHANGE); break;
    case 20: attachInterrupt(digitalPinToInterrupt(20), on_pulse<20>, CHANGE); break;
    case 21: attachInterrupt(digitalPinToInterrupt(21), on_pulse<21>, CHANGE); break;
    default: break;
    }
}

extern "C" {

void hb_send(const uint8_t *data, uint8_t length)
{
    if (Serial.availableForWrite() >= length) // a report that does not fit is left out; the loop never waits
        Serial.write(data, length);
}

void hb_attach(uint8_t pin, uint8_t kind)
{
    switch (kind) {
    case HB_WIDTH:
    case HB_PERIOD: watch(pin); break;
    case HB_SWITCH: pinMode(pin, INPUT_PULLUP); break;
    case HB_VOLTAGE: pinMode(pin, INPUT); break;
    case HB_STEPPER: pinMode(pin + 1, OUTPUT); pinMode(pin, OUTPUT); break;
    case HB_RESISTANCE: SPI.begin(); digitalWrite(pin, HIGH); pinMode(pin, OUTPUT); break;
    default: pinMode(pin, OUTPUT); break;
    }
}

void hb_set(uint8_t pin, uint8_t kind, uint16_t value)
{
    if (kind == HB_DIGITAL) {
        digitalWrite(pin, value != 0);
    } else if (kind == HB_RESISTANCE) {
        digitalWrite(pin, LOW);
        SPI.transfer(0x11); // MCP41xxx: write the wiper
        SPI.transfer((uint8_t)(value >> 8));
        digitalWrite(pin, HIGH);
    } else {
        analogWrite(pin, value >> 8);
    }
}

void hb_level(uint8_t pin, bool high) { digitalWrite(pin, high); }

uint16_t hb_read(uint8_t pin, uint8_t kind)
{
    return kind == HB_SWITCH ? digitalRead(pin) == LOW : (uint16_t)analogRead(pin) << 6;
}

static uint8_t locked_state;

void hb_lock(void)
{
    uint8_t state = SREG;
    cli();
    locked_state = state;
}

void hb_unlock(void)
{
    plan_edge(now_locked() + 16); // what is due may have become another
    SREG = locked_state;
}

} // extern "C"

void setup()
{
    Serial.begin(115200);
    cli();
    TCCR1A = 0;
    TCCR1B = _BV(CS11); // 2 MHz at 16 MHz
    TIMSK1 = _BV(TOIE1) | _BV(OCIE1A);
    sei();
    hb_begin(now());
}

void loop()
{
    while (Serial.available() > 0)
        hb_byte((uint8_t)Serial.read(), now());
    hb_run(now());
}
