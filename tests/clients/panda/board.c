/* comma's panda safety firmware as a lockstep client. Arguments: the number of the safety mode and its parameter; a file
 * for its verdicts; the firmware's numbers of the client's buses, in their order. Without the latter two it prints its
 * receive checks and ends.
 *
 * Its own sources are those of the package opendbc; this file is the board: clock, CAN and the periodic call.
 *
 *     check 0 0 121 0 8 50 15 c k -    number of the check and of its alternative; identifier, bus, length, frequency [Hz],
 *                                      greatest counter; what is looked at: counter, checksum, quality
 *     12340 0 0 1 0 0 02               a verdict at 12.340 s, whenever it changes: a bit of each check for "not seen",
 *                                      "counter wrong", "checksum wrong", "quality bad" and "too rare"; then 1 control
 *                                      allowed, 2 driver brakes, 4 accelerates, 8 car moves, 10 anything invalid
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

uint32_t microsecond_timer_get(void);
#define ALLOW_DEBUG /* the modes that comma does not ship in cars yet */
#include "opendbc/safety/can.h"
#include "opendbc/safety/safety.h"

#define HILBRIDGE_LOCKSTEP_IMPLEMENTATION
#include "hilbridge_lockstep.h"

enum { MICROSECOND = 1000, MILLISECOND = 1000000, TICK = 125 * MILLISECOND };
enum { UNSEEN, COUNTER, CHECKSUM, QUALITY, RARE, STATE, VERDICTS };

uint32_t microsecond_timer_get(void) { return (uint32_t)(lockstep_time() / MICROSECOND); }

static void print_checks(void)
{
    for (int i = 0; i < current_safety_config.rx_checks_len; i++)
        for (unsigned j = 0; j < MAX_ADDR_CHECK_MSGS && current_safety_config.rx_checks[i].msg[j].addr != 0; j++) {
            const CanMsgCheck *check = &current_safety_config.rx_checks[i].msg[j];
            printf("check %d %u %X %u %d %u %u %c %c %c\n", i, j, (unsigned)check->addr, check->bus, check->len,
                   (unsigned)check->frequency, check->max_counter, check->ignore_counter ? '-' : 'c',
                   check->ignore_checksum ? '-' : 'k', check->ignore_quality_flag ? '-' : 'q');
        }
}

static void receive(unsigned bus, const lockstep_frame *frame)
{
    CANPacket_t packet = {.addr = frame->id, .bus = bus};
    packet.extended = frame->flags & LOCKSTEP_EXTENDED;
    packet.fd = !!(frame->flags & LOCKSTEP_FD);
    while (dlc_to_len[packet.data_len_code] < frame->length)
        packet.data_len_code++;
    memcpy(packet.data, frame->data, frame->length);
    safety_rx_hook(&packet);
}

static void report(FILE *verdicts)
{
    static unsigned said[VERDICTS] = {[STATE] = ~0u};
    unsigned now[VERDICTS] = {0};

    for (int i = 0; i < current_safety_config.rx_checks_len; i++) {
        const RxStatus *status = &current_safety_config.rx_checks[i].status;
        now[UNSEEN] |= (unsigned)!status->msg_seen << i;
        now[COUNTER] |= (unsigned)(status->wrong_counters >= MAX_WRONG_COUNTERS) << i;
        now[CHECKSUM] |= (unsigned)(status->msg_seen && !status->valid_checksum) << i;
        now[QUALITY] |= (unsigned)(status->msg_seen && !status->valid_quality_flag) << i;
        now[RARE] |= (unsigned)status->lagging << i;
    }
    now[STATE] = controls_allowed | brake_pressed << 1 | gas_pressed << 2 | vehicle_moving << 3 |
                 safety_rx_checks_invalid << 4;
    if (memcmp(now, said, sizeof now) != 0)
        fprintf(verdicts, "%u %X %X %X %X %X %02X\n", (unsigned)(lockstep_time() / MILLISECOND), now[UNSEEN],
                now[COUNTER], now[CHECKSUM], now[QUALITY], now[RARE], now[STATE]);
    memcpy(said, now, sizeof said);
}

int main(int count, char **words)
{
    lockstep_frame frame;
    uint64_t due = TICK;
    FILE *verdicts;

    if (count < 3 || set_safety_hooks((uint16_t)atoi(words[1]), (uint16_t)atoi(words[2])) != 0) {
        fprintf(stderr, "no such mode\n");
        return 1;
    }
    if (count == 3) {
        print_checks();
        return 0;
    }
    if (lockstep_connect(NULL) != count - 4 || (verdicts = fopen(words[3], "w")) == NULL)
        return 1;
    while (lockstep_tick()) {
        for (int bus = 0; bus < count - 4; bus++)
            while (lockstep_receive(bus, &frame))
                receive((unsigned)atoi(words[4 + bus]), &frame);
        if (lockstep_time() >= due) {
            safety_tick(&current_safety_config);
            due += TICK;
        }
        report(verdicts);
    }
    return fclose(verdicts);
}
