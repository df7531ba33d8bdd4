/* The application: it sends each frame on, one higher, with how many it has heard in the first byte. */
#include "can.h"

void idle(void) {}

void can_heard(const can_frame *frame)
{
    static uint8_t count;
    can_frame answer = *frame;

    answer.id++;
    count++;
    if (answer.length > 0 && !answer.remote)
        answer.data[0] = count;
#ifdef CRASH_AT
    if (count == CRASH_AT)
        CRASH;
#endif
    can_send(&answer);
}
