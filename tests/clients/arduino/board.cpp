// The board: `board THROTTLE BRAKE CLUTCH IGNITION STARTER MILLISECONDS` runs the sketch with these levels.
#include <cstdlib>

#include "Arduino.h"
#include "pedal_box.ino"

unsigned long now = 0;
int levels[20];
Port Serial;

int main(int, char **words) {
  const int pins[] = {A0, A1, A2, 2, 3};
  for (int pin : pins) levels[pin] = std::atoi(*++words);
  const unsigned long end = std::atol(*++words);
  for (setup(); now < end; ++now) loop();
}
