/* comma's panda safety firmware for VW MQB (its C in the package opendbc): it answers frame 700 by 7F0 with its state.
 * It judges from the first 700 on whose byte is not 0: on the chip its tables and its controller take some ticks. */
#include <stddef.h>
#include "can.h"

void *memcpy(void *to, const void *from, unsigned long size);
uint32_t microsecond_timer_get(void);
#include "opendbc/safety/can.h"
#include "opendbc/safety/safety.h"

enum { MQB = 15, ASK = 0x700, STATE = 0x7F0, TICK = 125000 /* [us] */ };

uint32_t microsecond_timer_get(void) { return microseconds(); }

static bool judges;
static uint32_t due;

void idle(void)
{
    static bool made;

    if (!made)
        set_safety_hooks(MQB, 0);
    made = true;
    if (judges && (int32_t)(microseconds() - due) >= 0) {
        due += TICK;
        safety_tick(&current_safety_config);
    }
}

void can_heard(const can_frame *frame)
{
    CANPacket_t packet = {.addr = frame->id};

    if (!judges && frame->id == ASK && frame->data[0] != 0) {
        judges = true;
        due = microseconds() + TICK;
    }
    if (!judges)
        return;
    while (dlc_to_len[packet.data_len_code] < frame->length)
        packet.data_len_code++;
    memcpy(packet.data, frame->data, frame->length);
    if (frame->id == ASK) {
        can_frame state = {.id = STATE, .length = 2};
        state.data[0] = (uint8_t)(controls_allowed | brake_pressed << 1 | gas_pressed << 2 | vehicle_moving << 3 |
                                  safety_rx_checks_invalid << 4);
        for (int i = 0; i < current_safety_config.rx_checks_len; i++)
            state.data[1] |= (uint8_t)(!current_safety_config.rx_checks[i].status.msg_seen ||
                                       current_safety_config.rx_checks[i].status.wrong_counters >= MAX_WRONG_COUNTERS)
                             << i;
        can_send(&state);
    } else {
        safety_rx_hook(&packet);
    }
}
