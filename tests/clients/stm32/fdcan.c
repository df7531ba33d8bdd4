/* The driver of FDCAN (ST RM0481 chapter 60: elements of 72 bytes in a memory of a fixed layout), by its interrupt. */
#include "can.h"
#include "start.h"

#define CAN(offset) REGISTER(0x4000A400 + (offset))
#define MEMORY(offset) REGISTER(0x4000AC00 + (offset))
enum { CCCR = 0x18, IR = 0x50, IE = 0x54, ILE = 0x5C, RXF0S = 0x90, RXF0A = 0x94, TXFQS = 0xC4, TXBAR = 0xCC };
enum { RECEIVED = 0x0B0, SENT = 0x278, ELEMENT = 72, INTERRUPT = 39 };

static const uint8_t lengths[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 20, 24, 32, 48, 64};

void can_send(const can_frame *frame)
{
    uint32_t words[16] = {0}, code = 0, put = CAN(TXFQS) >> 16 & 3, at = SENT + put * ELEMENT;

    while (lengths[code] != frame->length)
        code++;
    memcpy(words, frame->data, 64);
    MEMORY(at) = (frame->extended ? 1u << 30 | frame->id : frame->id << 18) | (uint32_t)frame->remote << 29;
    MEMORY(at + 4) = code << 16 | (uint32_t)frame->fd << 21 | (uint32_t)frame->fast << 20;
    for (int i = 0; i < 16; i++)
        MEMORY(at + 8 + 4 * i) = words[i];
    CAN(TXBAR) = 1u << put;
}

static void interrupt(void)
{
    CAN(IR) = 0xFFFFFF;
    while (CAN(RXF0S) & 15) {
        uint32_t get = CAN(RXF0S) >> 8 & 3, at = RECEIVED + get * ELEMENT, words[16];
        uint32_t id = MEMORY(at), kind = MEMORY(at + 4);
        can_frame frame = {id & 1u << 30 ? id & 0x1FFFFFFF : id >> 18 & 0x7FF, id & 1u << 30, id & 1u << 29,
                           kind & 1u << 21, kind & 1u << 20, lengths[kind >> 16 & 15], {0}};

        for (int i = 0; i < 16; i++)
            words[i] = MEMORY(at + 8 + 4 * i);
        memcpy(frame.data, words, frame.length);
        CAN(RXF0A) = get;
        can_heard(&frame);
    }
}

__attribute__((section(".interrupts"), used)) static void (*const interrupts[64])(void) = {[INTERRUPT] = interrupt};

void reset(void)
{
    load_data();
    REGISTER(CLOCK) |= 1u << 9;
    CAN(CCCR) = 1;
    while ((CAN(CCCR) & 1) == 0)
        ;
    CAN(CCCR) |= 2;      /* change what is protected */
    CAN(CCCR) |= 3 << 8; /* CAN FD, and its data faster */
    CAN(IE) = 1;         /* something has come */
    CAN(ILE) = 1;
    REGISTER(0xE000E100 + INTERRUPT / 32 * 4) = 1u << INTERRUPT % 32;
    CAN(CCCR) &= ~1u;
    for (;;)
        __asm__ volatile("wfi");
}
