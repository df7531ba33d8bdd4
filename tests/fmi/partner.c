/* A network unit by the text of FMI 3.0 and FMI-LS-BUS 1.0: a driver with a scan tool on one CAN bus.
 *
 * Every 10 ms it sends its pedals and its key (0x180), every 100 ms a request for the speed of the engine (0x7DF), and
 * each answer to it (0x7E8) once again under 0x700. It writes what it hears into the file that PARTNER_LOG names, a line
 * for a frame: the time in ms, the identifier, the data. Bytes that are no operation of the standard end the run.
 *
 * Its Tx clock counts down; compiled with TRIGGERED it is an output of its own.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OK, ERROR = 3 };
enum { TIME, RX_DATA, RX_CLOCK, TX_DATA, TX_CLOCK };
enum { EVERY = 10, CHANGED = 2 };

typedef struct {
    double time;
    bool rx, tx;
    uint8_t sending[8192];
    size_t length, echoed;
    uint8_t echo[64][8];
    FILE *log;
} node_t;

typedef const uint32_t *refs_t;

static void little(uint8_t **to, uint32_t value, int bytes)
{
    for (; bytes > 0; bytes--, value >>= 8)
        *(*to)++ = (uint8_t)value;
}

static uint32_t number(const uint8_t *from, int bytes)
{
    uint32_t value = 0;
    while (bytes-- > 0)
        value = value << 8 | from[bytes];
    return value;
}

/* CAN Transmit: 0x10, 16 + n, identifier, standard, no remote request, n, data. */
static void send(node_t *node, uint32_t identifier, const uint8_t *data)
{
    uint8_t *to = node->sending + node->length;
    little(&to, 0x10, 4), little(&to, 16 + 8, 4), little(&to, identifier, 4);
    little(&to, 0, 1), little(&to, 0, 1), little(&to, 8, 2);
    memcpy(to, data, 8);
    node->length += 16 + 8;
}

static void act(node_t *node)
{
    long now = (long)(node->time * 1000 + 0.5);
    uint8_t pedals[8] = {now < 1500 ? 0 : (uint8_t)(now / 20), 0, 250, 0, 0, 0, now < 1000 ? 0x40 : 0, 0};
    const uint8_t request[8] = {2, 1, 0x0C};
    node->length = 0;
    if (now % EVERY != 0)
        return;
    send(node, 0x180, pedals);
    if (now % 100 == 0)
        send(node, 0x7DF, request);
    for (size_t place = 0; place < node->echoed; place++)
        send(node, 0x700, node->echo[place]);
    node->echoed = 0;
}

static int hear(node_t *node, const uint8_t *bytes, size_t size)
{
    while (size > 0) {
        uint32_t length = size < 8 ? 0 : number(bytes + 4, 4);
        if (length < 8 || length > size)
            return ERROR;
        uint32_t code = number(bytes, 4), identifier = length < 16 ? 0 : number(bytes + 8, 4);
        if (code == 0x10) {
            uint32_t count = number(bytes + 14, 2);
            if (length != 16 + count || count > 8 || bytes[12] > 1 || bytes[13] != 0)
                return ERROR;
            fprintf(node->log, "%ld %03X ", (long)(node->time * 1000 + 0.5), identifier);
            for (uint32_t place = 0; place < count; place++)
                fprintf(node->log, "%02X", bytes[16 + place]);
            fprintf(node->log, "\n");
            if (identifier == 0x7E8 && count == 8 && node->echoed < 64)
                memcpy(node->echo[node->echoed++], bytes + 16, 8);
        } else if (code != 0x40 || (bytes[8] == 4 ? length != 10 : length != 13)) {
            return ERROR; /* but for a configuration, which is for bus simulations */
        }
        bytes += length;
        size -= length;
    }
    fflush(node->log);
    return OK;
}

void *fmi3InstantiateCoSimulation(const char *name, const char *token, const char *resources, bool visible, bool logging,
                                  bool events, bool early, refs_t required, size_t count, void *environment, void *log,
                                  void *update)
{
    const char *path = getenv("PARTNER_LOG");
    node_t *node = events && path != NULL ? calloc(1, sizeof *node) : NULL;
    if (node != NULL && (node->log = fopen(path, "w")) == NULL) {
        free(node);
        return NULL;
    }
    return node;
}

void fmi3FreeInstance(void *self)
{
    if (self != NULL)
        fclose(((node_t *)self)->log);
    free(self);
}

int fmi3DoStep(void *self, double time, double step, bool past, bool *events, bool *end, bool *early, double *last)
{
    node_t *node = self;
    node->time = *last = time + step;
    *events = *end = *early = false;
#ifdef TRIGGERED
    act(node);
    *events = node->tx = node->length > 0;
#endif
    return OK;
}

int fmi3GetBinary(void *self, refs_t refs, size_t count, size_t *sizes, const uint8_t **values, size_t room)
{
    node_t *node = self;
    if (count != 1 || refs[0] != TX_DATA)
        return ERROR;
    sizes[0] = node->length;
    values[0] = node->sending;
    return OK;
}

int fmi3SetBinary(void *self, refs_t refs, size_t count, const size_t *sizes, const uint8_t *const *values, size_t room)
{
    node_t *node = self;
    if (count != 1 || refs[0] != RX_DATA || !node->rx)
        return count == 0 ? OK : ERROR;
    return hear(node, values[0], sizes[0]);
}

int fmi3SetClock(void *self, refs_t refs, size_t count, const bool *values)
{
    node_t *node = self;
    for (size_t place = 0; place < count; place++) {
        if (refs[place] == RX_CLOCK)
            node->rx = values[place];
        else if (refs[place] == TX_CLOCK && values[place] && !node->tx)
            act(node), node->tx = true;
    }
    return OK;
}

int fmi3GetClock(void *self, refs_t refs, size_t count, bool *values)
{
    node_t *node = self;
    for (size_t place = 0; place < count; place++)
        values[place] = refs[place] == RX_CLOCK ? node->rx : node->tx;
#ifdef TRIGGERED
    node->tx = false; /* a tick of an output is told once */
#endif
    return OK;
}

int fmi3GetIntervalDecimal(void *self, refs_t refs, size_t count, double *intervals, int *qualifiers)
{
    node_t *node = self;
    double due = ((long)(node->time * 1000 + 0.001) / EVERY + 1) * (EVERY / 1000.0);
    for (size_t place = 0; place < count; place++) {
        intervals[place] = due - node->time;
        qualifiers[place] = CHANGED;
    }
    return OK;
}

int fmi3UpdateDiscreteStates(void *self, bool *again, bool *end, bool *nominals, bool *values, bool *defined, double *next)
{
    node_t *node = self;
    node->rx = node->tx = false;
    return *again = *end = *nominals = *values = *defined = false, *next = 0, OK;
}

int fmi3EnterStepMode(void *self)
{
    ((node_t *)self)->length = 0;
    return OK;
}

int fmi3GetFloat64(void *self, refs_t refs, size_t count, double *values, size_t room)
{
    for (size_t place = 0; place < count; place++)
        values[place] = ((node_t *)self)->time;
    return OK;
}

#define NOTHING(NAME, ...)                                                                                             \
    int fmi3##NAME(void *self, ##__VA_ARGS__) { return OK; }
#define NONE(NAME)                                                                                                     \
    int fmi3##NAME(void *self, refs_t refs, size_t count) { return count == 0 ? OK : ERROR; }
const char *fmi3GetVersion(void) { return "3.0"; }
NOTHING(SetDebugLogging)
NOTHING(EnterInitializationMode)
NOTHING(ExitInitializationMode)
NOTHING(EnterEventMode)
NOTHING(Terminate)
NOTHING(Reset)
NOTHING(EnterConfigurationMode)
NOTHING(ExitConfigurationMode)
NONE(SetFloat64)
NONE(GetFloat32)
NONE(SetFloat32)
NONE(GetInt8)
NONE(SetInt8)
NONE(GetUInt8)
NONE(SetUInt8)
NONE(GetInt16)
NONE(SetInt16)
NONE(GetUInt16)
NONE(SetUInt16)
NONE(GetInt32)
NONE(SetInt32)
NONE(GetUInt32)
NONE(SetUInt32)
NONE(GetInt64)
NONE(SetInt64)
NONE(GetUInt64)
NONE(SetUInt64)
NONE(GetBoolean)
NONE(SetBoolean)
NONE(GetString)
NONE(SetString)

/* Of no use here; importers look for their names. */
NOTHING(InstantiateModelExchange)
NOTHING(InstantiateScheduledExecution)
NOTHING(GetFMUState)
NOTHING(SetFMUState)
NOTHING(FreeFMUState)
NOTHING(SerializedFMUStateSize)
NOTHING(SerializeFMUState)
NOTHING(DeserializeFMUState)
NOTHING(EvaluateDiscreteStates)
NOTHING(EnterContinuousTimeMode)
NOTHING(CompletedIntegratorStep)
NOTHING(SetTime)
NOTHING(SetContinuousStates)
NOTHING(GetContinuousStateDerivatives)
NOTHING(GetEventIndicators)
NOTHING(GetContinuousStates)
NOTHING(GetNominalsOfContinuousStates)
NOTHING(GetNumberOfEventIndicators)
NOTHING(GetNumberOfContinuousStates)
NOTHING(GetNumberOfVariableDependencies)
NOTHING(GetVariableDependencies)
NOTHING(GetDirectionalDerivative)
NOTHING(GetAdjointDerivative)
NOTHING(GetOutputDerivatives)
NOTHING(GetIntervalFraction)
NOTHING(GetShiftDecimal)
NOTHING(GetShiftFraction)
NOTHING(SetIntervalDecimal)
NOTHING(SetIntervalFraction)
NOTHING(SetShiftDecimal)
NOTHING(SetShiftFraction)
NOTHING(ActivateModelPartition)
