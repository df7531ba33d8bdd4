/* Firmware under test: what it does is its first argument; from the second on it is at fault in tick 100. */
#define HILBRIDGE_LOCKSTEP_IMPLEMENTATION
#include "hilbridge_lockstep.h"
#include <signal.h>
#include <unistd.h>

static const char *mode;
static lockstep_frame last;

static bool is(const char *word) { return strcmp(mode, word) == 0; }

static void fail(int count)
{
    volatile int number = 0x7FFFFFFF;
    volatile char array[4] = "";
    if (is("crash"))
        raise(SIGSEGV);
    if (is("leave"))
        exit(0);
    if (is("sleep"))
        pause();
    if (is("overflow"))
        number = number + count;
    if (is("beyond"))
        number = array[2 + count];
    if (is("leak"))
        last.id = (uint32_t)(uintptr_t)malloc(1000);
    if (is("past"))
        dprintf(atoi(getenv("HILBRIDGE_LOCKSTEP")), "done 99000000\n");
    if (is("future"))
        dprintf(atoi(getenv("HILBRIDGE_LOCKSTEP")), "done 101000000\n");
    if (is("nonsense"))
        dprintf(atoi(getenv("HILBRIDGE_LOCKSTEP")), "what?\n");
    if (is("flood"))
        for (int i = 0; i < 5000; i++)
            lockstep_send(0, &last);
    if (is("chatter"))
        for (int i = 0; i < 20000; i++)
            printf("line %d of many\n", i);
    if (is("fork") && fork() == 0)
        for (;;)
            pause();
    if (is("fork"))
        _exit(3);
}

int main(int count, char **words)
{
    lockstep_frame frame;
    mode = count > 1 ? words[1] : "";
    int buses = lockstep_connect(NULL);
    if (buses == 0)
        return 1;
    if (is("filter")) {
        lockstep_filter(0, 0x100, 0x7FF, false);
        lockstep_filter(0, 0x98000, 0xFFFFF000, true);
    }
    if (is("two"))
        printf("powertrain %d, body %d, none %d\n", lockstep_bus("powertrain"), lockstep_bus("body"), lockstep_bus("x"));
    if (is("refused")) {
        lockstep_frame frames[] = {{0, 0x800, 0, 0, {0}}, {0, 1, 0, 9, {0}}, {0, 1, LOCKSTEP_FD, 9, {0}},
                                   {0, 1, LOCKSTEP_BRS, 1, {0}}, {0, 1, LOCKSTEP_FD | LOCKSTEP_REMOTE, 1, {0}},
                                   {0, 0x20000000, LOCKSTEP_EXTENDED, 0, {0}}, {0, 1, LOCKSTEP_FD, 65, {0}}};
        for (unsigned i = 0; i < sizeof frames / sizeof *frames; i++)
            printf("%u: %d\n", i, lockstep_send(0, &frames[i]));
        printf("bus: %d\n", lockstep_send(buses, &frames[0]) || lockstep_send(-1, &frames[0]));
    }
    while (lockstep_tick()) {
        if (lockstep_time() == 100 * lockstep_interval())
            fail(count);
        for (int bus = 0; bus < buses && !is("deaf"); bus++)
            while (lockstep_receive(bus, &frame)) {
                last = frame;
                frame.id++;
                lockstep_send((bus + 1) % buses, &frame);
            }
    }
    if (is("deaf"))
        printf("lost %u\n", (unsigned)lockstep_lost(0));
    return is("verdict") ? 7 : 0;
}
