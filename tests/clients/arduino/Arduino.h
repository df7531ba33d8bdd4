// As much of the Arduino language as the sketch of the pedal box uses, for a computer: an hour of the board in a moment.
#pragma once
#include <cstdio>

enum { LOW, HIGH };
enum { OUTPUT, INPUT, INPUT_PULLUP };
enum { A0 = 14, A1, A2 };

extern unsigned long now;
extern int levels[20];

inline unsigned long millis() { return now; }
inline void pinMode(int, int) {}
inline int analogRead(int pin) { return levels[pin]; }
inline int digitalRead(int pin) { return levels[pin]; }

struct Port {
  void begin(long) {}
  void print(const char *text) { std::printf("%s", text); }
  void print(int number) { std::printf("%d", number); }
  void println() { std::printf("\r\n"); }
};
extern Port Serial;
