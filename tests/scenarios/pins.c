/* Firmware with pins: half of the pedal is its throttle, a lamp shines while the key is on. Its argument is a fault. */
#define HILBRIDGE_LOCKSTEP_IMPLEMENTATION
#include "hilbridge_lockstep.h"

int main(int count, char **words)
{
    const char *mode = count > 1 ? words[1] : "";
    lockstep_frame alive;
    memset(&alive, 0, sizeof alive);
    alive.id = 0x7FF;
    if (lockstep_connect(NULL) == 0)
        return 1;
    int key = lockstep_pin("key"), pedal = lockstep_pin("pedal"), lamp = lockstep_pin("lamp");
    printf("%d %d %d, none %d, not its own %d %d\n", key >= 0, pedal >= 0, lamp >= 0, lockstep_pin("x"),
           lockstep_drive(key, 1), lockstep_drive(-1, 1));
    printf("at first %u %u\n", (unsigned)lockstep_read(key), (unsigned)lockstep_read(pedal));
    while (lockstep_tick()) {
        lockstep_drive(lamp, lockstep_read(key));
        lockstep_drive(lockstep_pin("throttle"), lockstep_read(pedal) / 2);
        if (strcmp(mode, "beyond") == 0)
            lockstep_drive(lamp, 2);
        if (strcmp(mode, "unknown") == 0)
            lockstep_pins_[key].driven = true, lockstep_drive(key, 5);
        if (strcmp(mode, "silent") == 0 && lockstep_time() < 50 * lockstep_interval())
            lockstep_send(0, &alive);
    }
    return 0;
}
