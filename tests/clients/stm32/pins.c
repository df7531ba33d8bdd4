/* A lamp at PB1 that shines while the key at PA0 is on, of an STM32F103 (ST RM0008 chapters 7 and 9) or F4, L4, H5. */
#include "start.h"

#define MODE(port) REGISTER((port) + 0x00)
#if FIRST_FAMILY
enum { IN = 0x08, SET = 0x10, OUTPUT = 0x44444434, INPUT = 0x44444444 };
#else
enum { IN = 0x10, SET = 0x18, OUTPUT = 0x4, INPUT = 0 };
#endif

void reset(void)
{
    load_data();
    REGISTER(CLOCK) |= CLOCKS;
    MODE(PORT_A) = INPUT;
    for (volatile int wait = 0; wait < 2000; wait++) /* longer than a tick: till then it drives nothing */
        ;
    MODE(PORT_B) = OUTPUT;
    for (;;)
        REGISTER(PORT_B + SET) = REGISTER(PORT_A + IN) & 1 ? 1u << 1 : 1u << 17;
}
