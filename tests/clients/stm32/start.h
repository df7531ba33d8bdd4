/* The start of a Cortex-M: its vectors, and its data from the flash; the memory is as the emulator makes it, zero. */
#include <stdint.h>

#ifndef STACK
#define STACK 0x20004000
#endif
#define REGISTER(address) (*(volatile uint32_t *)(address))

void reset(void);

/* A fault within a fault locks the core up. */
static void fault(void) { __asm__ volatile("udf #0"); }

__attribute__((section(".vectors"), used)) static const struct {
    uint32_t stack;
    void (*handler[15])(void);
} vectors = {STACK, {reset, fault, fault, fault, fault, fault}};

void *memcpy(void *to, const void *from, unsigned long size)
{
    for (unsigned long i = 0; i < size; i++)
        ((volatile char *)to)[i] = ((const char *)from)[i];
    return to;
}

void *memset(void *to, int byte, unsigned long size)
{
    for (unsigned long i = 0; i < size; i++)
        ((volatile char *)to)[i] = (char)byte;
    return to;
}

static void load_data(void)
{
    extern char data_begin[], data_end[], data_load[];

    memcpy(data_begin, data_load, (unsigned long)(data_end - data_begin));
}
