/* The driver of bxCAN (ST RM0008 chapter 24, RM0090 chapter 32), polled; CLOCK is RCC_APB1ENR of the chip. */
#include "can.h"
#include "start.h"

#ifndef MEGAHERTZ
#define MEGAHERTZ 8
#endif

#define CAN(offset) REGISTER(0x40006400 + (offset))
enum { MCR = 0x00, MSR = 0x04, TSR = 0x08, RF0R = 0x0C, BTR = 0x1C, TI0R = 0x180, TDT0R = 0x184, TDL0R = 0x188,
       TDH0R = 0x18C, RI0R = 0x1B0, RDT0R = 0x1B4, RDL0R = 0x1B8, RDH0R = 0x1BC, FMR = 0x200, FS1R = 0x20C, FA1R = 0x21C,
       F0R1 = 0x240, F0R2 = 0x244 };

void can_send(const can_frame *frame)
{
    uint32_t words[2] = {0};

    while ((CAN(TSR) & 1u << 26) == 0) /* until the first mailbox is empty */
        ;
    memcpy(words, frame->data, 8);
    CAN(TDT0R) = frame->length;
    CAN(TDL0R) = words[0];
    CAN(TDH0R) = words[1];
    CAN(TI0R) = (frame->extended ? frame->id << 3 | 4 : frame->id << 21) | frame->remote << 1 | 1;
}

uint32_t microseconds(void) { return REGISTER(0xE0001004) / MEGAHERTZ; }

static void poll(void)
{
    while (CAN(RF0R) & 3) {
        uint32_t id = CAN(RI0R), words[2] = {CAN(RDL0R), CAN(RDH0R)};
        can_frame frame = {id & 4 ? id >> 3 : id >> 21, id & 4, id & 2, false, false, CAN(RDT0R) & 15, {0}};

        memcpy(frame.data, words, 8);
        CAN(RF0R) = 1u << 5; /* the next */
        can_heard(&frame);
    }
}

void reset(void)
{
    load_data();
    REGISTER(CLOCK) |= 1u << 25;
    CAN(MCR) = 1; /* initialise, and wake up */
    while ((CAN(MSR) & 1) == 0)
        ;
    CAN(BTR) = 1u << 20 | 12u << 16 | 0; /* 500 kbit/s of 8 MHz: 16 quanta */
    CAN(FMR) |= 1;
    CAN(FS1R) |= 1;
    CAN(F0R1) = CAN(F0R2) = 0; /* everything */
    CAN(FA1R) |= 1;
    CAN(FMR) &= ~1u;
    CAN(MCR) = 0;
    while (CAN(MSR) & 1)
        ;
    REGISTER(0xE000EDFC) |= 1u << 24; /* DEMCR: DWT, and its counter of cycles */
    REGISTER(0xE0001000) |= 1;
    for (;;) {
        idle();
        poll();
    }
}
