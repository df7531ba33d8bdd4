/* comma's panda safety firmware as a lockstep client on one bus. Argument: the number of the safety mode. Each 10 ms it
 * sends the frame 7F0 with its state: 1 control allowed, 2 driver brakes, 4 accelerates, 8 car moves, 10 anything invalid.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

uint32_t microsecond_timer_get(void);
#include "opendbc/safety/can.h"
#include "opendbc/safety/safety.h"

#define HILBRIDGE_LOCKSTEP_IMPLEMENTATION
#include "hilbridge_lockstep.h"

enum { MICROSECOND = 1000, MILLISECOND = 1000000, REPORT = 10 * MILLISECOND, TICK = 125 * MILLISECOND };

uint32_t microsecond_timer_get(void) { return (uint32_t)(lockstep_time() / MICROSECOND); }

int main(int count, char **words)
{
    lockstep_frame frame;

    if (count != 2 || lockstep_connect(NULL) != 1 || set_safety_hooks((uint16_t)atoi(words[1]), 0) != 0)
        return 1;
    while (lockstep_tick()) {
        while (lockstep_receive(0, &frame)) {
            CANPacket_t packet = {.addr = frame.id};
            while (dlc_to_len[packet.data_len_code] < frame.length)
                packet.data_len_code++;
            memcpy(packet.data, frame.data, frame.length);
            safety_rx_hook(&packet);
        }
        if (lockstep_time() != 0 && lockstep_time() % TICK == 0)
            safety_tick(&current_safety_config);
        if (lockstep_time() % REPORT == 0) {
            lockstep_frame state = {.id = 0x7F0, .length = 5};
            state.data[4] = controls_allowed | brake_pressed << 1 | gas_pressed << 2 | vehicle_moving << 3 |
                            safety_rx_checks_invalid << 4;
            lockstep_send(0, &state);
        }
    }
    return 0;
}
