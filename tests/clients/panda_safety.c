/* comma's panda safety firmware as a lockstep client. The first argument is the number of the safety mode.
 *
 * Its own sources are those of the package opendbc; this file is the board: clock, CAN and the periodic call. Each 10 ms
 * it says on 0x7F0 what its receive checks hold of each message, a bit for each, in the order of its table:
 *   byte 0 not seen   1 checksum wrong   2 counter wrong   3 too rare   4 control allowed, driver brakes, accelerates,
 *   car moves, anything invalid
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

uint32_t microsecond_timer_get(void);
#include "opendbc/safety/can.h"
#include "opendbc/safety/safety.h"

#define HILBRIDGE_LOCKSTEP_IMPLEMENTATION
#include "hilbridge_lockstep.h"

enum { MILLISECOND = 1000000, REPORT = 10 * MILLISECOND, CHECK = 125 * MILLISECOND };

uint32_t microsecond_timer_get(void) { return (uint32_t)(lockstep_time() / 1000); }

static void receive(int bus, const lockstep_frame *frame)
{
    CANPacket_t packet = {.addr = frame->id, .bus = bus};
    packet.extended = frame->flags & LOCKSTEP_EXTENDED;
    packet.fd = !!(frame->flags & LOCKSTEP_FD);
    while (dlc_to_len[packet.data_len_code] < frame->length)
        packet.data_len_code++;
    memcpy(packet.data, frame->data, frame->length);
    safety_rx_hook(&packet);
}

static void report(void)
{
    lockstep_frame frame = {.id = 0x7F0, .length = 5};
    for (int i = 0; i < current_safety_config.rx_checks_len; i++) {
        const RxStatus *status = &current_safety_config.rx_checks[i].status;
        frame.data[0] |= !status->msg_seen << i;
        frame.data[1] |= (status->msg_seen && !status->valid_checksum) << i;
        frame.data[2] |= (status->wrong_counters >= MAX_WRONG_COUNTERS) << i;
        frame.data[3] |= status->lagging << i;
    }
    frame.data[4] = controls_allowed | brake_pressed << 1 | gas_pressed << 2 | vehicle_moving << 3 |
                    safety_rx_checks_invalid << 4;
    lockstep_send(0, &frame);
}

int main(int count, char **words)
{
    lockstep_frame frame;
    int buses = lockstep_connect(NULL);

    if (count != 2 || buses == 0 || set_safety_hooks((uint16_t)atoi(words[1]), 0) != 0)
        return 1;
    printf("checks:");
    for (int i = 0; i < current_safety_config.rx_checks_len; i++)
        printf(" %X", (unsigned)current_safety_config.rx_checks[i].msg[0].addr);
    printf("\n");
    while (lockstep_tick()) {
        for (int bus = 0; bus < buses; bus++)
            while (lockstep_receive(bus, &frame))
                receive(bus, &frame);
        if (lockstep_time() != 0 && lockstep_time() % CHECK == 0)
            safety_tick(&current_safety_config);
        if (lockstep_time() % REPORT == 0)
            report();
    }
    return 0;
}
