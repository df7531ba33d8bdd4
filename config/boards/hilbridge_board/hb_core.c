/* See hb_core.h, and docs/board-protocol.md for what the packets mean. */
#include "hb_core.h"

#include <string.h>

#define REPORT (HB_TICKS / 50)   /* from report to report */
#define SILENCE (HB_TICKS / 2)   /* the longest time after which an input has no pulses; else three periods */
#define HORIZON (HB_TICKS / 4)   /* the longest time that hb_edges promises nothing for */
#define SETTLE 10                /* the clock of the host follows by 2^-10 of what it is late */
#define SHORT 4000               /* counts of a slot that keeps its length when the pace changes */
#define SNAP (1UL << 28)         /* an error of angle that is not made good by speed: 45 degrees */

struct channel {
    uint8_t kind, pin;
    bool homed;
    int32_t value, safe;
    uint32_t first, second;
    int32_t position;  /* of a stepper */
    uint32_t stepped;  /* time of its last step */
    int8_t train;      /* its number, or -1 */
};

struct train { /* a table of levels, run through at a pace */
    bool runs, doubled;      /* doubled: twice in a cycle of 720 degrees */
    uint8_t pin, fraction;   /* fraction: of a count, 2^-8 */
    uint16_t bits, index;    /* index: of the slot at hand, within a cycle */
    uint32_t due, step;      /* step: counts of a slot, 24.8 */
    uint32_t slot;           /* angle of a slot */
    uint8_t table[HB_BITS / 8];
};

struct measure {
    uint8_t kind, pin;
    volatile uint32_t rose, value, seen, apart; /* apart: of the last two rising edges */
};

static struct channel channels[HB_CHANNELS];
static struct train trains[HB_TRAINS];
static struct measure measures[HB_MEASURES];
static uint8_t used_trains, packet[HB_PACKET + 2], length;
static uint8_t block;         /* bytes that are left of the COBS block */
static bool gap, overlong, safe, heard;
static uint16_t refused, watchdog;
static uint32_t last_heard, last_report, clock_offset, last_speed;
static bool clock_known;

static uint16_t crc16(const uint8_t *data, uint8_t count)
{
    uint16_t crc = 0xFFFF;
    while (count--) {
        crc ^= (uint16_t)((uint16_t)*data++ << 8);
        for (uint8_t bit = 0; bit < 8; bit++)
            crc = (uint16_t)(crc & 0x8000 ? crc << 1 ^ 0x1021 : crc << 1);
    }
    return crc;
}

static uint32_t u32(const uint8_t *data)
{
    return (uint32_t)data[0] | (uint32_t)data[1] << 8 | (uint32_t)data[2] << 16 | (uint32_t)data[3] << 24;
}

static void put32(uint8_t *data, uint32_t value)
{
    for (uint8_t i = 0; i < 4; i++)
        data[i] = (uint8_t)(value >> 8 * i);
}

static void reply(uint8_t *data, uint8_t count) /* two bytes behind the data take the CRC */
{
    uint8_t coded[HB_PACKET + 4], at = 1, code = 0;
    uint16_t crc = crc16(data, count);
    data[count++] = (uint8_t)crc;
    data[count++] = (uint8_t)(crc >> 8);
    for (uint8_t i = 0; i < count; i++) {
        if (data[i]) {
            coded[at++] = data[i];
        } else {
            coded[code] = (uint8_t)(at - code);
            code = at++;
        }
    }
    coded[code] = (uint8_t)(at - code);
    coded[at++] = 0;
    hb_send(coded, at);
}

/* -- trains of edges ------------------------------------------------------------------------------------------- */

static uint16_t slots(const struct train *t)
{
    return (uint16_t)(t->doubled ? 2 * t->bits : t->bits);
}

static void show(const struct train *t)
{
    uint16_t at = t->index < t->bits ? t->index : (uint16_t)(t->index - t->bits);
    hb_level(t->pin, t->table[at >> 3] >> (at & 7) & 1);
}

static void pace(struct train *t, uint32_t step, uint32_t now) /* step: 24.8; 0 stops it */
{
    hb_lock();
    if (step == 0) {
        if (t->runs)
            hb_level(t->pin, false);
        t->runs = false;
    } else if (!t->runs) {
        t->runs = true;
        t->step = step;
        t->due = now + (step >> 8);
        show(t);
    } else if (t->step != step) { /* what is left of a long slot goes at the new pace */
        int32_t left = (int32_t)(t->due - now);
        if (left > SHORT)
            t->due = now + (uint32_t)((uint64_t)(uint32_t)left * step / t->step);
        t->step = step;
    }
    hb_unlock();
}

uint32_t hb_edges(uint32_t now)
{
    uint32_t next = now + HORIZON;
    for (uint8_t i = 0; i < used_trains; i++) {
        struct train *t = &trains[i];
        if (!t->runs)
            continue;
        for (uint16_t most = 0; (int32_t)(now - t->due) >= 0 && most < HB_BITS; most++) {
            uint16_t fraction = (uint16_t)(t->fraction + (t->step & 0xFF));
            t->index = (uint16_t)(t->index + 1 < slots(t) ? t->index + 1 : 0);
            show(t);
            t->fraction = (uint8_t)fraction;
            t->due += (t->step >> 8) + (fraction >> 8);
        }
        if ((int32_t)(t->due - next) < 0)
            next = t->due;
    }
    return next;
}

static uint32_t slot_of(uint64_t counts, uint64_t rate) /* counts of a slot, 24.8, at least 20 us, at most 8 s */
{
    uint64_t step = rate ? counts / rate : 0;
    return rate == 0 ? 0 : step < 40UL << 8 ? 40UL << 8 : step > 0xFFFFFF00UL ? 0xFFFFFF00UL : (uint32_t)step;
}

static uint32_t angle_of(const struct train *t, uint32_t now) /* divides, so not while edges are kept out */
{
    uint16_t index;
    int32_t left;
    uint32_t whole = t->step >> 8, gone;
    hb_lock();
    index = t->index;
    left = (int32_t)(t->due - now);
    hb_unlock();
    gone = left <= 0 ? whole : (uint32_t)left > whole ? 0 : whole - (uint32_t)left;
    return index * t->slot + (uint32_t)((uint64_t)t->slot * gone / (whole ? whole : 1));
}

static void follow(struct train *t, uint32_t angle, uint32_t speed, uint32_t ahead, uint32_t now)
{
    uint64_t cycle = (uint64_t)HB_TICKS << 32; /* counts of a cycle, 24.8, times the speed */
    int32_t error, most = (int32_t)(speed >> 4);
    if (speed == 0) {
        pace(t, 0, now);
        return;
    }
    error = t->runs ? (int32_t)(angle - angle_of(t, now)) : INT32_MAX;
    if (error > (int32_t)SNAP || error < -(int32_t)SNAP) { /* it begins, or was lost */
        uint64_t at = (uint64_t)angle * slots(t);
        uint32_t step = slot_of(cycle, (uint64_t)ahead * slots(t));
        uint32_t left = (uint32_t)((uint64_t)(step >> 8) * (0xFFFFFFFFUL - (uint32_t)at) >> 32);
        hb_lock();
        t->index = (uint16_t)(at >> 32);
        t->step = step;
        t->due = now + left;
        t->fraction = 0;
        t->runs = true;
        show(t);
        hb_unlock();
        return;
    }
    error /= 64; /* made good with a time constant of a quarter of a second */
    error = error > most ? most : error < -most ? -most : error;
    pace(t, slot_of(cycle, (uint64_t)((int64_t)ahead + error) * slots(t)), now);
}

static void follow_engine(uint32_t sent, uint32_t angle, uint32_t speed, uint32_t now)
{
    int32_t late = (int32_t)(now - sent - clock_offset);
    int64_t ahead;
    if (!clock_known || late > (int32_t)HB_TICKS || late < -(int32_t)HB_TICKS) {
        clock_known = true;
        clock_offset = now - sent;
        late = 0;
    } else if (late < 0) { /* the quickest packet tells the time */
        clock_offset = now - sent;
        late = 0;
    } else {
        clock_offset += (uint32_t)((late >> SETTLE) + (late != 0));
    }
    angle += (uint32_t)((uint64_t)speed * (uint32_t)late / (HB_TICKS / 256));
    ahead = (int64_t)speed + ((int64_t)speed - last_speed) / 2; /* half of the way that it will have changed */
    if (last_speed == 0 || ahead <= 0 || ahead > 0xFFFFFFFFLL)
        ahead = speed;
    last_speed = speed;
    for (uint8_t i = 0; i < HB_CHANNELS; i++)
        if (channels[i].kind == HB_WHEEL && channels[i].train >= 0)
            follow(&trains[channels[i].train], angle, speed, (uint32_t)ahead, now);
}

/* -- channels -------------------------------------------------------------------------------------------------- */

static void apply(struct channel *c, int32_t value, uint32_t now)
{
    c->value = value;
    switch (c->kind) {
    case HB_DIGITAL:
    case HB_PWM:
    case HB_ANALOG:
    case HB_RESISTANCE:
        hb_set(c->pin, c->kind, (uint16_t)(value < 0 ? 0 : value > 65535 ? 65535 : value));
        break;
    case HB_FREQUENCY: /* a period has two slots */
        if (c->train >= 0)
            pace(&trains[c->train], slot_of((uint64_t)HB_TICKS * 128 * 1000, value > 0 ? (uint32_t)value : 0), now);
        break;
    case HB_STEPPER:
        c->value = value < 0 ? 0 : (uint32_t)value > c->first ? (int32_t)c->first : value;
        break;
    default: /* a wheel follows the engine alone */
        break;
    }
}

static void fall_safe(uint32_t now)
{
    safe = true;
    last_speed = 0;
    clock_known = false;
    for (uint8_t i = 0; i < HB_CHANNELS; i++) {
        apply(&channels[i], channels[i].safe, now);
        if (channels[i].kind == HB_WHEEL && channels[i].train >= 0)
            pace(&trains[channels[i].train], 0, now);
    }
}

static void forget(void)
{
    hb_lock();
    used_trains = 0;
    memset(trains, 0, sizeof trains);
    memset(channels, 0, sizeof channels);
    memset(measures, 0, sizeof measures);
    hb_unlock();
    safe = true;
    clock_known = false;
    last_speed = 0;
}

static bool set_up_train(struct channel *c, const uint8_t *table, uint8_t count)
{
    struct train *t = &trains[used_trains];
    bool wheel = c->kind == HB_WHEEL;
    if (used_trains == HB_TRAINS)
        return false;
    t->pin = c->pin;
    t->bits = 2;
    t->table[0] = 2;
    if (wheel) {
        if (c->second < 2 || c->second > HB_BITS || count != (c->second + 7) / 8)
            return false;
        t->bits = (uint16_t)c->second;
        t->doubled = c->first == 0;
        memcpy(t->table, table, count);
    }
    t->slot = (uint32_t)(((uint64_t)1 << 32) / slots(t));
    c->train = (int8_t)used_trains++;
    return true;
}

static bool set_up(const uint8_t *data, uint8_t count, uint32_t now) /* number, kind, pin, safe, first, second, table */
{
    struct channel *c;
    if (count < 15)
        return false;
    if (data[1] >= HB_WIDTH) {
        if (data[0] >= HB_MEASURES || data[1] > HB_SWITCH)
            return false;
        measures[data[0]].pin = data[2];
        measures[data[0]].kind = data[1];
        hb_attach(data[2], data[1]);
        return true;
    }
    if (data[0] >= HB_CHANNELS || data[1] == HB_NONE || data[1] > HB_WHEEL || channels[data[0]].kind != HB_NONE)
        return false;
    c = &channels[data[0]];
    c->kind = data[1];
    c->pin = data[2];
    c->safe = (int32_t)u32(data + 3);
    c->first = u32(data + 7);
    c->second = u32(data + 11);
    c->train = -1;
    c->position = (int32_t)(c->first & 0x7FFFFFFF); /* a stepper runs back to its stop from wherever it may be */
    if ((c->kind == HB_FREQUENCY || c->kind == HB_WHEEL) && !set_up_train(c, data + 15, (uint8_t)(count - 15))) {
        c->kind = HB_NONE;
        return false;
    }
    hb_attach(c->pin, c->kind);
    apply(c, c->safe, now);
    return true;
}

static void step(struct channel *c, uint32_t now)
{
    int32_t target = c->homed ? c->value : 0;
    if (c->position == target) {
        c->homed = true;
        return;
    }
    if (now - c->stepped < HB_TICKS / (c->second ? c->second : 1))
        return;
    c->stepped = now;
    hb_level((uint8_t)(c->pin + 1), target > c->position);
    hb_level(c->pin, true);
    hb_level(c->pin, false);
    c->position += target > c->position ? 1 : -1;
}

/* -- inputs ---------------------------------------------------------------------------------------------------- */

void hb_pulse(uint8_t pin, bool high, uint32_t now)
{
    for (uint8_t i = 0; i < HB_MEASURES; i++) {
        struct measure *m = &measures[i];
        if (m->pin != pin || (m->kind != HB_WIDTH && m->kind != HB_PERIOD))
            continue;
        if (m->kind == HB_WIDTH ? !high : high)
            m->value = m->rose ? (now - m->rose) / (HB_TICKS / 1000000UL) : 0;
        if (high) {
            m->apart = m->rose ? now - m->rose : SILENCE;
            m->rose = now ? now : 1;
        }
        m->seen = now;
    }
}

static uint32_t measured(struct measure *m, uint32_t now)
{
    uint32_t value;
    if (m->kind == HB_VOLTAGE || m->kind == HB_SWITCH)
        return hb_read(m->pin, m->kind);
    hb_lock();
    if (now - m->seen > (m->apart < SILENCE / 3 ? 3 * m->apart : SILENCE))
        m->value = m->rose = 0;
    value = m->value;
    hb_unlock();
    return value;
}

static uint8_t known_measures(void)
{
    uint8_t count = 0;
    while (count < HB_MEASURES && measures[count].kind != HB_NONE)
        count++;
    return count;
}

static void report(uint32_t now)
{
    uint8_t data[HB_PACKET + 2], count = known_measures();
    uint8_t known = 0;
    for (uint8_t i = 0; i < HB_CHANNELS; i++)
        known = (uint8_t)(known + (channels[i].kind != HB_NONE));
    data[0] = HB_STATUS;
    data[1] = safe;
    data[2] = known;
    data[3] = count;
    data[4] = (uint8_t)refused;
    data[5] = (uint8_t)(refused >> 8);
    reply(data, 6);
    if (count == 0)
        return;
    data[0] = HB_MEASURE;
    for (uint8_t i = 0; i < count; i++)
        put32(data + 1 + 4 * i, measured(&measures[i], now));
    reply(data, (uint8_t)(1 + 4 * count));
}

/* -- the line -------------------------------------------------------------------------------------------------- */

static bool obey(const uint8_t *data, uint8_t count, uint32_t now)
{
    uint8_t hello[8] = {HB_HELLO, HB_VERSION, HB_CHANNELS, HB_MEASURES, HB_TRAINS, 0, 0, 0};
    switch (data[0]) {
    case HB_HELLO:
        if (count != 2 || data[1] != HB_VERSION)
            return false;
        fall_safe(now);
        forget();
        reply(hello, 5);
        return true;
    case HB_WATCH:
        if (count != 3)
            return false;
        watchdog = (uint16_t)(data[1] | data[2] << 8);
        return true;
    case HB_SETUP:
        return set_up(data + 1, (uint8_t)(count - 1), now);
    case HB_VALUES:
        if (count % 4 != 1 || count / 4 > HB_CHANNELS)
            return false;
        safe = false;
        for (uint8_t i = 0; i < count / 4; i++)
            apply(&channels[i], (int32_t)u32(data + 1 + 4 * i), now);
        return true;
    case HB_ENGINE:
        if (count != 13)
            return false;
        safe = false;
        follow_engine(u32(data + 1), u32(data + 5), u32(data + 9), now);
        return true;
    default:
        return false;
    }
}

static void end_packet(uint32_t now)
{
    if (length > 2 && block == 0 && !overlong
        && crc16(packet, (uint8_t)(length - 2)) == (uint16_t)(packet[length - 2] | packet[length - 1] << 8)
        && obey(packet, (uint8_t)(length - 2), now)) {
        heard = true;
        last_heard = now;
    } else if (length || overlong) {
        refused++;
    }
    length = block = 0;
    gap = overlong = false;
}

void hb_byte(uint8_t byte, uint32_t now)
{
    if (byte == 0) {
        end_packet(now);
        return;
    }
    if (block) {
        block--;
    } else { /* the code of a block: a 0 stands before it, but for the first and behind 254 bytes */
        block = (uint8_t)(byte - 1);
        byte = 0;
        if (!gap) {
            gap = true;
            return;
        }
    }
    if (length == sizeof packet)
        overlong = true;
    else
        packet[length++] = byte;
}

void hb_begin(uint32_t now)
{
    forget();
    watchdog = 500;
    length = block = 0;
    gap = overlong = heard = false;
    refused = 0;
    last_report = now;
}

void hb_run(uint32_t now)
{
    if (!safe && now - last_heard > watchdog * (HB_TICKS / 1000))
        fall_safe(now);
    for (uint8_t i = 0; i < HB_CHANNELS; i++)
        if (channels[i].kind == HB_STEPPER)
            step(&channels[i], now);
    if (heard && now - last_report >= REPORT) {
        last_report = now;
        report(now);
    }
}
