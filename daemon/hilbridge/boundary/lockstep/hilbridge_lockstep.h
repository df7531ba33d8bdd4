/* hilbridge_lockstep.h: a control unit's drivers on a bench of hilbridge, whose virtual clock waits for it.
 * SPDX-License-Identifier: MIT
 * C99 and C++ on Linux; no dependencies; for one thread. One file of the firmware defines
 * HILBRIDGE_LOCKSTEP_IMPLEMENTATION before it includes this header. Guide: docs/guides/lockstep.md of hilbridge. */
#ifndef HILBRIDGE_LOCKSTEP_H
#define HILBRIDGE_LOCKSTEP_H
#include <stdbool.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif
enum { LOCKSTEP_EXTENDED = 1, LOCKSTEP_REMOTE = 2, LOCKSTEP_FD = 4, LOCKSTEP_BRS = 8 }; /* 29 bits; bit rate switch */
typedef struct {
    uint64_t time; /* [ns] when it was on the bus */
    uint32_t id;
    uint8_t flags, length, data[64];
} lockstep_frame;
int lockstep_connect(const char *paths); /* buses; 0: no bench. NULL: the bench that started this program; or sockets */
int lockstep_bus(const char *name);      /* number of a bus, -1: none; they have the order of the bench file */
bool lockstep_filter(int bus, uint32_t id, uint32_t mask, bool extended); /* lets pass what is equal where mask is 1 */
bool lockstep_receive(int bus, lockstep_frame *frame);                    /* the oldest frame; false: there is none */
uint32_t lockstep_lost(int bus);                                          /* frames that found the queue full */
bool lockstep_send(int bus, const lockstep_frame *frame);                 /* false: no controller could */
int lockstep_pin(const char *name);                                       /* number of a pin, -1: none */
uint32_t lockstep_read(int pin);                /* what is at a pin, as the board protocol has it: 0 and 1, 0..65535 */
bool lockstep_drive(int pin, uint32_t value);   /* false: the bench does not measure it */
uint64_t lockstep_time(void);                   /* [ns] since the start of the run */
uint64_t lockstep_interval(void);               /* [ns] from tick to tick */
bool lockstep_tick(void);                       /* ends this tick, waits for the next; false: the run is over */
#ifdef __cplusplus
}
#endif
#endif

#if defined HILBRIDGE_LOCKSTEP_IMPLEMENTATION && !defined HILBRIDGE_LOCKSTEP_IMPLEMENTED
#define HILBRIDGE_LOCKSTEP_IMPLEMENTED
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#ifndef LOCKSTEP_QUEUE
#define LOCKSTEP_QUEUE 1024 /* frames of a bus */
#endif
enum { LOCKSTEP_BUSES = 16, LOCKSTEP_FILTERS = 64, LOCKSTEP_PINS = 64, LOCKSTEP_ROOM_ = 192 };
typedef struct { uint32_t id, mask; bool extended; } lockstep_filter_;
typedef struct {
    int descriptor;
    unsigned waiting, filters;
    uint32_t lost;
    size_t first, begin, end, written;
    char name[256], in[4096], out[4096];
    lockstep_filter_ filter[LOCKSTEP_FILTERS];
    lockstep_frame queue[LOCKSTEP_QUEUE];
} lockstep_bus_;
static lockstep_bus_ lockstep_buses_[LOCKSTEP_BUSES];
static struct { char name[64]; uint32_t value; bool driven; } lockstep_pins_[LOCKSTEP_PINS];
static int lockstep_count_, lockstep_pin_count_;
static bool lockstep_in_turn_;
static uint64_t lockstep_now_, lockstep_interval_;
static const uint8_t lockstep_lengths_[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 20, 24, 32, 48, 64};

static lockstep_bus_ *lockstep_at_(int bus) { return bus < 0 || bus >= lockstep_count_ ? NULL : &lockstep_buses_[bus]; }

static char *lockstep_line_(lockstep_bus_ *bus) /* the next line without its end; NULL: the bench has gone */
{
    char *end, *line;
    while ((end = (char *)memchr(bus->in + bus->begin, '\n', bus->end - bus->begin)) == NULL) {
        memmove(bus->in, bus->in + bus->begin, bus->end -= bus->begin);
        bus->begin = 0;
        ssize_t got = recv(bus->descriptor, bus->in + bus->end, sizeof bus->in - bus->end, 0);
        if (got == 0 || (got < 0 && errno != EINTR)) {
            fputs("lockstep: the bench has gone\n", stderr);
            return NULL;
        }
        bus->end += got < 0 ? 0 : (size_t)got;
    }
    *end = '\0';
    line = bus->in + bus->begin;
    bus->begin = (size_t)(end - bus->in) + 1;
    return line;
}

static bool lockstep_flush_(lockstep_bus_ *bus, size_t room) /* makes room for the next line */
{
    for (size_t done = 0; bus->written + room > sizeof bus->out && done < bus->written;) {
        ssize_t sent = send(bus->descriptor, bus->out + done, bus->written - done, MSG_NOSIGNAL);
        if (sent < 0 && errno != EINTR)
            return false;
        if ((done += sent < 0 ? 0 : (size_t)sent) == bus->written)
            done = bus->written = 0;
    }
    return true;
}

static unsigned lockstep_hex_(const char *digits, int count)
{
    unsigned value = 0;
    for (int i = 0; i < count; i++)
        value = value << 4 | (unsigned)(digits[i] < 'A' ? digits[i] - '0' : digits[i] - 'A' + 10);
    return value;
}

static bool lockstep_take_(lockstep_bus_ *bus, const char *line) /* a frame or a pin; false: the run is over */
{
    char kind, *digits, name[64];
    uint32_t value;
    lockstep_frame frame;
    if (*line > '9' && sscanf(line, "%*[a-z] %63s %" SCNu32, name, &value) == 2) {
        int pin = lockstep_pin(name);
        if (pin < 0 && lockstep_pin_count_ < LOCKSTEP_PINS)
            strcpy(lockstep_pins_[pin = lockstep_pin_count_++].name, name);
        if (pin >= 0)
            lockstep_pins_[pin].value = value, lockstep_pins_[pin].driven = *line == 'd';
    }
    if (*line > '9')
        return *line != 'e';
    memset(&frame, 0, sizeof frame);
    frame.time = strtoull(line, &digits, 10);
    kind = digits[1];
    bool extended = kind < 'a', passes = bus->filters == 0;
    kind = (char)(kind | 0x20);
    frame.flags = (uint8_t)(extended | (kind == 'r') << 1 | (kind == 'd' || kind == 'b') << 2 | (kind == 'b') << 3);
    frame.id = lockstep_hex_(digits += 2, extended ? 8 : 3);
    frame.length = lockstep_lengths_[lockstep_hex_(digits += extended ? 8 : 3, 1)];
    for (int i = 0; kind != 'r' && i < frame.length; i++)
        frame.data[i] = (uint8_t)lockstep_hex_(digits + 1 + 2 * i, 2);
    for (unsigned i = 0; i < bus->filters; i++)
        passes |= bus->filter[i].extended == extended && ((frame.id ^ bus->filter[i].id) & bus->filter[i].mask) == 0;
    if (passes && bus->waiting == LOCKSTEP_QUEUE)
        bus->lost++;
    else if (passes)
        bus->queue[(bus->first + bus->waiting++) % LOCKSTEP_QUEUE] = frame;
    return true;
}

int lockstep_connect(const char *paths)
{
    const char *rest = paths != NULL ? paths : getenv("HILBRIDGE_LOCKSTEP");
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ); /* what is printed is in the log in its tick */
    if (rest == NULL)
        fputs("lockstep: no bench has started this program: HILBRIDGE_LOCKSTEP is not set\n", stderr);
    for (lockstep_count_ = 0; rest != NULL && *rest != '\0' && lockstep_count_ < LOCKSTEP_BUSES;) {
        lockstep_bus_ *bus = &lockstep_buses_[lockstep_count_++];
        size_t size = strcspn(rest, ",");
        struct sockaddr_un address;
        memset(&address, 0, sizeof address);
        address.sun_family = AF_UNIX;
        memcpy(address.sun_path, rest, size < sizeof address.sun_path ? size : sizeof address.sun_path - 1);
        bus->descriptor = paths == NULL ? atoi(rest) : socket(AF_UNIX, SOCK_STREAM, 0);
        if (paths != NULL && connect(bus->descriptor, (struct sockaddr *)&address, sizeof address) != 0) {
            perror(address.sun_path);
            return lockstep_count_ = 0;
        }
        rest += size + (rest[size] == ',');
    }
    for (lockstep_bus_ *bus = lockstep_buses_; bus < lockstep_buses_ + lockstep_count_; bus++) {
        int pins = 0;
        const char *line = lockstep_line_(bus);
        if (line == NULL || sscanf(line, "lockstep 1 %*s %255s %" SCNu64 " %d", bus->name, &lockstep_interval_, &pins) < 2) {
            fputs("lockstep: the bench speaks another version of the protocol than 1\n", stderr);
            return lockstep_count_ = 0;
        }
        while (pins-- > 0 && (line = lockstep_line_(bus)) != NULL)
            lockstep_take_(bus, line);
    }
    return lockstep_count_;
}

int lockstep_bus(const char *name)
{
    int bus = lockstep_count_;
    while (--bus >= 0 && strcmp(lockstep_buses_[bus].name, name) != 0) {}
    return bus;
}

bool lockstep_filter(int bus, uint32_t id, uint32_t mask, bool extended)
{
    lockstep_bus_ *at = lockstep_at_(bus);
    lockstep_filter_ one = {id, mask, extended};
    if (at == NULL || at->filters == LOCKSTEP_FILTERS)
        return false;
    at->filter[at->filters++] = one;
    return true;
}

bool lockstep_receive(int bus, lockstep_frame *frame)
{
    lockstep_bus_ *at = lockstep_at_(bus);
    if (at == NULL || at->waiting == 0)
        return false;
    *frame = at->queue[at->first++ % LOCKSTEP_QUEUE];
    at->waiting--;
    return true;
}

uint32_t lockstep_lost(int bus) { return lockstep_at_(bus) == NULL ? 0 : lockstep_buses_[bus].lost; }

bool lockstep_send(int bus, const lockstep_frame *frame)
{
    lockstep_bus_ *at = lockstep_at_(bus);
    bool extended = frame->flags & LOCKSTEP_EXTENDED, remote = frame->flags & LOCKSTEP_REMOTE;
    bool fd = frame->flags & LOCKSTEP_FD, fast = frame->flags & LOCKSTEP_BRS;
    unsigned code = 0;
    while (code < 16 && lockstep_lengths_[code] != frame->length)
        code++;
    if (at == NULL || code > (fd ? 15u : 8u) || (fd && remote) || (fast && !fd) ||
        frame->id > (extended ? 0x1FFFFFFFu : 0x7FFu) || !lockstep_flush_(at, LOCKSTEP_ROOM_))
        return false;
    char *out = at->out + at->written, letter = remote ? 'r' : fast ? 'b' : fd ? 'd' : 't';
    out += sprintf(out, "%c%0*" PRIX32 "%X", extended ? letter & ~0x20 : letter, extended ? 8 : 3, frame->id, code);
    for (int i = 0; i < (remote ? 0 : 2 * frame->length); i++)
        *out++ = "0123456789ABCDEF"[frame->data[i / 2] >> (i % 2 ? 0 : 4) & 15];
    *out++ = '\n';
    at->written = (size_t)(out - at->out);
    return true;
}

int lockstep_pin(const char *name)
{
    int pin = lockstep_pin_count_;
    while (--pin >= 0 && strcmp(lockstep_pins_[pin].name, name) != 0) {}
    return pin;
}

uint32_t lockstep_read(int pin) { return pin < 0 || pin >= lockstep_pin_count_ ? 0 : lockstep_pins_[pin].value; }

bool lockstep_drive(int pin, uint32_t value)
{
    lockstep_bus_ *bus = lockstep_buses_;
    if (pin < 0 || pin >= lockstep_pin_count_ || !lockstep_pins_[pin].driven || !lockstep_flush_(bus, LOCKSTEP_ROOM_))
        return false;
    if (lockstep_pins_[pin].value != value)
        bus->written += (size_t)sprintf(bus->out + bus->written, "drive %s %" PRIu32 "\n", lockstep_pins_[pin].name, value);
    lockstep_pins_[pin].value = value;
    return true;
}

uint64_t lockstep_time(void) { return lockstep_now_; }
uint64_t lockstep_interval(void) { return lockstep_interval_; }

bool lockstep_tick(void)
{
    for (lockstep_bus_ *bus = lockstep_buses_; lockstep_in_turn_ && bus < lockstep_buses_ + lockstep_count_; bus++) {
        bus->written += (size_t)sprintf(bus->out + bus->written, "done %" PRIu64 "\n", lockstep_now_);
        if (!lockstep_flush_(bus, sizeof bus->out))
            return false;
    }
    for (lockstep_bus_ *bus = lockstep_buses_; bus < lockstep_buses_ + lockstep_count_; bus++) {
        const char *line = lockstep_line_(bus);
        for (; line != NULL && strncmp(line, "done ", 5) != 0; line = lockstep_line_(bus))
            if (!lockstep_take_(bus, line))
                return false;
        if (line == NULL)
            return false;
        lockstep_now_ = strtoull(line + 5, NULL, 10);
    }
    return lockstep_in_turn_ = lockstep_count_ > 0;
}
#endif
