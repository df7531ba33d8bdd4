/* The seam: what the application knows of its CAN controller. Each driver hears the frames, and calls can_heard(). */
#include <stdbool.h>
#include <stdint.h>

typedef struct {
    uint32_t id;
    bool extended, remote, fd, fast;
    uint8_t length, data[64];
} can_frame;

void can_heard(const can_frame *frame);
void can_send(const can_frame *frame);
/* Of the application: called as often as there is time. */
void idle(void);
/* Of the driver: the time, from any beginning. */
uint32_t microseconds(void);
