/* The driver on the bench. */
#define HILBRIDGE_LOCKSTEP_IMPLEMENTATION
#include "hilbridge_lockstep.h"
#include "can.h"

void can_send(const can_frame *frame)
{
    lockstep_frame out = {.id = frame->id, .length = frame->length};

    out.flags = (uint8_t)(frame->extended * LOCKSTEP_EXTENDED | frame->remote * LOCKSTEP_REMOTE |
                          frame->fd * LOCKSTEP_FD | frame->fast * LOCKSTEP_BRS);
    memcpy(out.data, frame->data, frame->length);
    lockstep_send(0, &out);
}

uint32_t microseconds(void) { return (uint32_t)(lockstep_time() / 1000); }

int main(void)
{
    lockstep_frame in;

    if (lockstep_connect(NULL) == 0)
        return 1;
    while (lockstep_tick()) {
        idle();
        while (lockstep_receive(0, &in)) {
            can_frame frame = {in.id, in.flags & LOCKSTEP_EXTENDED, in.flags & LOCKSTEP_REMOTE,
                               in.flags & LOCKSTEP_FD,  in.flags & LOCKSTEP_BRS, in.length, {0}};
            memcpy(frame.data, in.data, in.length);
            can_heard(&frame);
        }
    }
    return 0;
}
