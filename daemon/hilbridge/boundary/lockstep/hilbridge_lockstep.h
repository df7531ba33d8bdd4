/* hilbridge_lockstep.h: a control unit's CAN driver on a bench of hilbridge, whose virtual clock waits for it.
 *
 * SPDX-License-Identifier: MIT
 * C99 and C++ on Linux; no dependencies. One file of the firmware defines HILBRIDGE_LOCKSTEP_IMPLEMENTATION before it
 * includes this header; the others include it as it is.
 *
 *     if (lockstep_connect(NULL) == 0)
 *         return 1;
 *     while (lockstep_tick()) {                    // it is lockstep_time() now
 *         while (lockstep_receive(0, &frame)) ...  // what was on bus 0 since the last tick
 *         lockstep_send(0, &frame);                // is on the bus in this tick
 *     }
 *
 * Buses have the numbers of their order in the bench file. Nothing here is safe to call from several threads at once.
 */
#ifndef HILBRIDGE_LOCKSTEP_H
#define HILBRIDGE_LOCKSTEP_H
#include <stdbool.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

#define LOCKSTEP_EXTENDED 1u /* 29 bits of identifier */
#define LOCKSTEP_REMOTE 2u
#define LOCKSTEP_FD 4u
#define LOCKSTEP_BRS 8u /* of CAN FD: the data faster */

typedef struct {
    uint64_t time; /* [ns] when it was on the bus; of no meaning in what is sent */
    uint32_t id;
    uint8_t flags, length, data[64];
} lockstep_frame;

/* Connect to the bench that has started this program; `paths`: to sockets of one that waits, with commas between.
 * Return the number of buses; 0, with the reason on stderr: there is no bench. */
int lockstep_connect(const char *paths);
/* Return the number of the bus with this name in the bench file; -1: there is none. */
int lockstep_bus(const char *name);
/* Let frames of a bus pass whose identifier equals `id` in the bits of `mask`. Without a filter all frames pass.
 * Return false: there are as many filters as a bus can have. */
bool lockstep_filter(int bus, uint32_t id, uint32_t mask, bool extended);
/* Take the oldest frame that has passed. Return false: there is none. */
bool lockstep_receive(int bus, lockstep_frame *frame);
/* Return how many frames came while LOCKSTEP_QUEUE others waited: they are lost, the newest first. */
uint32_t lockstep_lost(int bus);
/* Send a frame. Return false: no controller could (length, identifier, flags), or there is no such bus. */
bool lockstep_send(int bus, const lockstep_frame *frame);
/* Return the time since the start of the run [ns]. */
uint64_t lockstep_time(void);
/* Return the time from a tick to the next [ns]. */
uint64_t lockstep_interval(void);
/* End this tick, and wait for the next. Return false: the run is over, or the bench has gone. */
bool lockstep_tick(void);

#ifdef __cplusplus
}
#endif
#endif

#if defined HILBRIDGE_LOCKSTEP_IMPLEMENTATION && !defined HILBRIDGE_LOCKSTEP_IMPLEMENTED
#define HILBRIDGE_LOCKSTEP_IMPLEMENTED
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#ifndef LOCKSTEP_BUSES
#define LOCKSTEP_BUSES 16
#endif
#ifndef LOCKSTEP_FILTERS
#define LOCKSTEP_FILTERS 64
#endif
#ifndef LOCKSTEP_QUEUE
#define LOCKSTEP_QUEUE 1024
#endif
#define LOCKSTEP_ROOM_ 192 /* [byte] for the longest frame, and the end of the turn */

typedef struct {
    int descriptor;
    unsigned first, waiting, filters;
    uint32_t lost;
    size_t begin, end, written;
    char name[256], in[4096], out[4096];
    struct { uint32_t id, mask; bool extended; } filter[LOCKSTEP_FILTERS];
    lockstep_frame queue[LOCKSTEP_QUEUE];
} lockstep_bus_;
static lockstep_bus_ lockstep_buses_[LOCKSTEP_BUSES];
static int lockstep_count_;
static bool lockstep_in_turn_;
static uint64_t lockstep_now_, lockstep_interval_;
static const uint8_t lockstep_lengths_[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 20, 24, 32, 48, 64};

static lockstep_bus_ *lockstep_at_(int bus)
{
    return bus < 0 || bus >= lockstep_count_ ? NULL : &lockstep_buses_[bus];
}

/* Return the next line of the bench without its end; NULL: it has gone. */
static char *lockstep_line_(lockstep_bus_ *bus)
{
    char *end;
    while ((end = (char *)memchr(bus->in + bus->begin, '\n', bus->end - bus->begin)) == NULL) {
        memmove(bus->in, bus->in + bus->begin, bus->end -= bus->begin);
        bus->begin = 0;
        ssize_t got = recv(bus->descriptor, bus->in + bus->end, sizeof bus->in - bus->end, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            fputs("lockstep: the bench has gone\n", stderr);
            return NULL;
        }
        bus->end += (size_t)got;
    }
    char *line = bus->in + bus->begin;
    *end = '\0';
    bus->begin = (size_t)(end - bus->in) + 1;
    return line;
}

static bool lockstep_flush_(lockstep_bus_ *bus)
{
    size_t done = 0, size = bus->written;
    bus->written = 0;
    while (done < size) {
        ssize_t sent = send(bus->descriptor, bus->out + done, size - done, MSG_NOSIGNAL);
        if (sent < 0 && errno != EINTR)
            return false;
        done += sent < 0 ? 0 : (size_t)sent;
    }
    return true;
}

static void lockstep_take_(lockstep_bus_ *bus, const char *line)
{
    char *kind, *digits, text[9] = "";
    lockstep_frame frame;
    memset(&frame, 0, sizeof frame);
    frame.time = strtoull(line, &kind, 10);
    if (*kind++ != ' ' || strchr("tTrRdDbB", *kind) == NULL)
        return;
    bool extended = *kind < 'a';
    char letter = (char)(*kind | 0x20);
    frame.flags = (uint8_t)((extended ? LOCKSTEP_EXTENDED : 0) | (letter == 'r' ? LOCKSTEP_REMOTE : 0) |
                            (letter == 'd' || letter == 'b' ? LOCKSTEP_FD : 0) | (letter == 'b' ? LOCKSTEP_BRS : 0));
    memcpy(text, kind + 1, extended ? 8 : 3);
    frame.id = (uint32_t)strtoul(text, NULL, 16);
    digits = kind + 1 + (extended ? 8 : 3);
    text[1] = '\0';
    text[0] = *digits++;
    frame.length = lockstep_lengths_[strtoul(text, NULL, 16) & 15];
    text[2] = '\0';
    for (int i = 0; letter != 'r' && i < frame.length; i++, digits += 2) {
        memcpy(text, digits, 2);
        frame.data[i] = (uint8_t)strtoul(text, NULL, 16);
    }
    bool passes = bus->filters == 0;
    for (unsigned i = 0; !passes && i < bus->filters; i++)
        passes = bus->filter[i].extended == extended &&
                 ((frame.id ^ bus->filter[i].id) & bus->filter[i].mask) == 0;
    if (passes && bus->waiting == LOCKSTEP_QUEUE)
        bus->lost++;
    else if (passes)
        bus->queue[(bus->first + bus->waiting++) % LOCKSTEP_QUEUE] = frame;
}

int lockstep_connect(const char *paths)
{
    const char *rest = paths != NULL ? paths : getenv("HILBRIDGE_LOCKSTEP");
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ); /* what is printed is in the log in its tick */
    if (rest == NULL)
        fputs("lockstep: no bench has started this program: HILBRIDGE_LOCKSTEP is not set\n", stderr);
    for (lockstep_count_ = 0; rest != NULL && *rest != '\0' && lockstep_count_ < LOCKSTEP_BUSES; lockstep_count_++) {
        size_t size = strcspn(rest, ",");
        int descriptor = paths == NULL ? atoi(rest) : socket(AF_UNIX, SOCK_STREAM, 0);
        struct sockaddr_un address;
        memset(&address, 0, sizeof address);
        address.sun_family = AF_UNIX;
        memcpy(address.sun_path, rest, size < sizeof address.sun_path ? size : sizeof address.sun_path - 1);
        if (paths != NULL && connect(descriptor, (struct sockaddr *)&address, sizeof address) != 0) {
            perror(address.sun_path);
            return lockstep_count_ = 0;
        }
        lockstep_buses_[lockstep_count_].descriptor = descriptor;
        rest += size + (rest[size] == ',');
    }
    for (int bus = 0; bus < lockstep_count_; bus++) {
        unsigned long long interval = 0;
        const char *line = lockstep_line_(&lockstep_buses_[bus]);
        if (line == NULL || sscanf(line, "lockstep 1 %*s %255s %llu", lockstep_buses_[bus].name, &interval) != 2) {
            fputs("lockstep: the bench speaks another version of the protocol than 1\n", stderr);
            return lockstep_count_ = 0;
        }
        lockstep_interval_ = interval;
    }
    return lockstep_count_;
}

int lockstep_bus(const char *name)
{
    int bus = lockstep_count_ - 1;
    while (bus >= 0 && strcmp(lockstep_buses_[bus].name, name) != 0)
        bus--;
    return bus;
}

bool lockstep_filter(int bus, uint32_t id, uint32_t mask, bool extended)
{
    lockstep_bus_ *at = lockstep_at_(bus);
    if (at == NULL || at->filters == LOCKSTEP_FILTERS)
        return false;
    at->filter[at->filters].id = id;
    at->filter[at->filters].mask = mask;
    at->filter[at->filters++].extended = extended;
    return true;
}

bool lockstep_receive(int bus, lockstep_frame *frame)
{
    lockstep_bus_ *at = lockstep_at_(bus);
    if (at == NULL || at->waiting == 0)
        return false;
    *frame = at->queue[at->first];
    at->first = (at->first + 1) % LOCKSTEP_QUEUE;
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
        frame->id > (extended ? 0x1FFFFFFFu : 0x7FFu))
        return false;
    if (at->written + LOCKSTEP_ROOM_ > sizeof at->out && !lockstep_flush_(at))
        return false;
    char *out = at->out + at->written, letter = remote ? 'r' : fast ? 'b' : fd ? 'd' : 't';
    int size = sprintf(out, extended ? "%c%08X%X" : "%c%03X%X", extended ? letter & ~0x20 : letter,
                       (unsigned)frame->id, code);
    for (int i = 0; !remote && i < frame->length; i++) {
        out[size++] = "0123456789ABCDEF"[frame->data[i] >> 4];
        out[size++] = "0123456789ABCDEF"[frame->data[i] & 15];
    }
    out[size++] = '\n';
    at->written += (size_t)size;
    return true;
}

uint64_t lockstep_time(void) { return lockstep_now_; }
uint64_t lockstep_interval(void) { return lockstep_interval_; }

bool lockstep_tick(void)
{
    for (lockstep_bus_ *bus = lockstep_buses_; lockstep_in_turn_ && bus < lockstep_buses_ + lockstep_count_; bus++) {
        bus->written += (size_t)sprintf(bus->out + bus->written, "done %llu\n", (unsigned long long)lockstep_now_);
        if (!lockstep_flush_(bus))
            return false;
    }
    for (lockstep_bus_ *bus = lockstep_buses_; bus < lockstep_buses_ + lockstep_count_; bus++) {
        const char *line;
        while ((line = lockstep_line_(bus)) != NULL && strncmp(line, "done ", 5) != 0) {
            if (strcmp(line, "end") == 0)
                return false;
            lockstep_take_(bus, line);
        }
        if (line == NULL)
            return false;
        lockstep_now_ = strtoull(line + 5, NULL, 10);
    }
    return lockstep_in_turn_ = lockstep_count_ > 0;
}
#endif
