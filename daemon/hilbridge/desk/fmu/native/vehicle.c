/* The worker of an FMU on Linux: a child process that runs the interpreter of the FMU, on a pair of sockets. */
#define _GNU_SOURCE
#include "vehicle.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE 60000 /* [ms] without a byte from the worker */
#define FAREWELL 2000  /* [ms] for its end */
#define LONGEST (64u << 20)
#define WORKER_SOCKET 3

static int fail(vehicle_t *vehicle, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(vehicle->error, sizeof vehicle->error, format, arguments);
    va_end(arguments);
    return -1;
}

static int send_all(vehicle_t *vehicle, const void *bytes, size_t length)
{
    const unsigned char *next = bytes;
    while (length > 0) {
        ssize_t sent = send(vehicle->socket, next, length, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return fail(vehicle, "the vehicle's process has ended");
        next += sent;
        length -= (size_t)sent;
    }
    return 0;
}

static int receive_all(vehicle_t *vehicle, void *bytes, size_t length)
{
    unsigned char *next = bytes;
    while (length > 0) {
        struct pollfd ready = {vehicle->socket, POLLIN, 0};
        int count = poll(&ready, 1, PATIENCE);
        if (count < 0 && errno == EINTR)
            continue;
        if (count == 0)
            return fail(vehicle, "the vehicle's process does not answer");
        ssize_t got = recv(vehicle->socket, next, length, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return fail(vehicle, "the vehicle's process has ended");
        next += got;
        length -= (size_t)got;
    }
    return 0;
}

static int send_head(vehicle_t *vehicle, char letter, size_t length)
{
    unsigned char head[5] = {(unsigned char)letter};
    uint32_t size = (uint32_t)length;
    memcpy(head + 1, &size, sizeof size);
    return send_all(vehicle, head, sizeof head);
}

/* The length of the body of an answer, which is there to be received; -1: it is a message, which is in `error` now. */
static long receive_head(vehicle_t *vehicle)
{
    unsigned char head[5];
    uint32_t length;
    if (receive_all(vehicle, head, sizeof head))
        return -1;
    memcpy(&length, head + 1, sizeof length);
    if (length > LONGEST)
        return fail(vehicle, "the vehicle's process answers with %u bytes", length);
    if (head[0] == 0)
        return (long)length;
    char *text = malloc(length + 1u);
    if (text == NULL)
        return fail(vehicle, "no memory");
    if (receive_all(vehicle, text, length) == 0) {
        text[length] = 0;
        fail(vehicle, "%s", text);
    }
    free(text);
    return -1;
}

static int receive_values(vehicle_t *vehicle)
{
    long length = receive_head(vehicle);
    if (length < 0)
        return -1;
    if (vehicle->values == NULL) { /* the first answer says how many there are */
        vehicle->count = (size_t)length / sizeof(double);
        vehicle->values = calloc(vehicle->count + 1, sizeof(double));
    }
    if (vehicle->values == NULL || (size_t)length != vehicle->count * sizeof(double))
        return fail(vehicle, "the vehicle's process answers with %ld bytes", length);
    return receive_all(vehicle, vehicle->values, (size_t)length);
}

/* Between fork and exec: only what may be called there. */
static void become_worker(int inherited, char **arguments, char **environment)
{
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setsid(); /* Ctrl-C is for the importer */
    int nothing = open("/dev/null", O_RDWR);
    if (nothing >= 0) {
        dup2(nothing, 0);
        dup2(nothing, 1);
    }
    if (inherited == WORKER_SOCKET) {
        fcntl(inherited, F_SETFD, 0);
    } else {
        dup2(inherited, WORKER_SOCKET);
    }
    for (int other = WORKER_SOCKET + 1; other < 1024; other++)
        close(other);
    execve(arguments[0], arguments, environment);
    _exit(127);
}

static int run(vehicle_t *vehicle, char **arguments, char **environment)
{
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
        return fail(vehicle, "socketpair: %s", strerror(errno));
    pid_t child = fork();
    if (child == 0)
        become_worker(pair[1], arguments, environment);
    close(pair[1]);
    vehicle->socket = pair[0];
    vehicle->worker = child;
    if (child < 0)
        return fail(vehicle, "fork: %s", strerror(errno));
    return receive_values(vehicle);
}

/* A network unit: the installed hilbridge of the interpreter that HILBRIDGE_PYTHON names, or the unit's file `python`. */
static int start_installed(vehicle_t *vehicle, char *folder, FILE *file, char *number)
{
    char program[4096] = "";
    const char *named = getenv("HILBRIDGE_PYTHON");
    if (named != NULL && *named != 0)
        snprintf(program, sizeof program, "%s", named);
    else if (fgets(program, sizeof program, file) != NULL)
        program[strcspn(program, "\n")] = 0;
    fclose(file);
    if (access(program, X_OK) != 0)
        return fail(vehicle, "no Python at '%s': set HILBRIDGE_PYTHON to that of an installed hilbridge", program);
    char *arguments[] = {program, "-I", "-B", "-m", "hilbridge.desk.fmu.network_worker", folder, number, NULL};
    char *environment[] = {"LC_ALL=C.UTF-8", NULL};
    if (run(vehicle, arguments, environment) == 0)
        return 0;
    if (strstr(vehicle->error, "has ended") != NULL)
        return fail(vehicle, "%s ended at once: is hilbridge installed for it? HILBRIDGE_PYTHON names another one", program);
    return -1;
}

static int start(vehicle_t *vehicle, char *folder)
{
    char program[4096], script[4096], libraries[4096], number[8];
    if (snprintf(program, sizeof program, "%s/runtime/bin/python3", folder) >= (int)sizeof program)
        return fail(vehicle, "the path of the FMU is too long");
    snprintf(script, sizeof script, "%s/python", folder);
    snprintf(number, sizeof number, "%d", WORKER_SOCKET);
    FILE *installed = fopen(script, "re");
    if (installed != NULL)
        return start_installed(vehicle, folder, installed, number);
    snprintf(script, sizeof script, "%s/worker.py", folder);
    snprintf(libraries, sizeof libraries, "LD_LIBRARY_PATH=%s/runtime/lib", folder);
    if (access(program, X_OK) != 0 && chmod(program, 0755) != 0) /* archives seldom keep the mode of a file */
        return fail(vehicle, "%s: %s", program, strerror(errno));
    char *arguments[] = {program, "-I", "-S", "-B", script, number, NULL};
    char *environment[] = {libraries, "LC_ALL=C.UTF-8", NULL};
    return run(vehicle, arguments, environment);
}

vehicle_t *vehicle_start(char *folder, char *error, size_t size)
{
    vehicle_t *vehicle = calloc(1, sizeof *vehicle);
    if (vehicle == NULL) {
        snprintf(error, size, "no memory");
        return NULL;
    }
    vehicle->socket = -1;
    vehicle->worker = -1;
    if (start(vehicle, folder) == 0)
        return vehicle;
    snprintf(error, size, "the vehicle does not start: %s", vehicle->error);
    vehicle_end(vehicle);
    return NULL;
}

void vehicle_end(vehicle_t *vehicle)
{
    if (vehicle->socket >= 0)
        close(vehicle->socket); /* the worker reads the end, and ends */
    if (vehicle->worker > 0) {
        struct timespec nap = {0, 1000000};
        int waited = 0;
        while (waitpid(vehicle->worker, NULL, WNOHANG) == 0) {
            if (waited++ == FAREWELL)
                kill(vehicle->worker, SIGKILL);
            nanosleep(&nap, NULL);
        }
    }
    free(vehicle->values);
    free(vehicle);
}

static int exchange(vehicle_t *vehicle, char letter, const double *seconds)
{
    size_t length = vehicle->count * sizeof(double), more = seconds == NULL ? 0 : sizeof *seconds;
    if (send_head(vehicle, letter, length + more))
        return -1;
    if (seconds != NULL && send_all(vehicle, seconds, sizeof *seconds))
        return -1;
    if (send_all(vehicle, vehicle->values, length))
        return -1;
    return receive_values(vehicle);
}

int vehicle_step(vehicle_t *vehicle, double seconds)
{
    if (exchange(vehicle, 's', &seconds))
        return -1;
    vehicle->time += seconds;
    return 0;
}

int vehicle_apply(vehicle_t *vehicle)
{
    return exchange(vehicle, 'v', NULL);
}

int vehicle_reset(vehicle_t *vehicle)
{
    vehicle->time = vehicle->start = 0.0;
    return send_head(vehicle, 'r', 0) ? -1 : receive_values(vehicle);
}

vehicle_state_t *vehicle_ask(vehicle_t *vehicle, char letter, const uint32_t *number, const void *body, size_t length)
{
    size_t more = number == NULL ? 0 : sizeof *number;
    if (length > LONGEST - sizeof *number) {
        fail(vehicle, "%zu bytes in one message", length);
        return NULL;
    }
    if (send_head(vehicle, letter, more + length) || send_all(vehicle, number, more) || send_all(vehicle, body, length))
        return NULL;
    long answered = receive_head(vehicle);
    if (answered < 0)
        return NULL;
    vehicle_state_t *answer = malloc(sizeof *answer + (size_t)answered);
    if (answer == NULL) {
        fail(vehicle, "no memory");
        return NULL;
    }
    answer->time = vehicle->time;
    answer->length = (size_t)answered;
    if (receive_all(vehicle, answer->bytes, answer->length)) {
        free(answer);
        return NULL;
    }
    return answer;
}

vehicle_state_t *vehicle_save(vehicle_t *vehicle)
{
    return vehicle_apply(vehicle) ? NULL : vehicle_ask(vehicle, 'g', NULL, NULL, 0);
}

int vehicle_restore(vehicle_t *vehicle, const vehicle_state_t *state)
{
    if (send_head(vehicle, 'p', state->length) || send_all(vehicle, state->bytes, state->length))
        return -1;
    if (receive_values(vehicle))
        return -1;
    vehicle->time = state->time;
    return 0;
}

static int hexadecimal(char digit)
{
    const char *digits = "0123456789abcdef", *found;
    found = digit == 0 ? NULL : strchr(digits, digit | 0x20);
    return found == NULL ? -1 : (int)(found - digits);
}

void vehicle_path(const char *uri, char *path, size_t size)
{
    size_t length = 0;
    int coded = strncmp(uri, "file:", 5) == 0;
    if (coded) {
        uri += 5;
        if (strncmp(uri, "//", 2) == 0) {
            uri += 2;
            while (*uri != 0 && *uri != '/') /* the host */
                uri++;
        }
    }
    for (; *uri != 0 && length + 1 < size; uri++) {
        int high, low;
        if (coded && *uri == '%' && (high = hexadecimal(uri[1])) >= 0 && (low = hexadecimal(uri[2])) >= 0) {
            path[length++] = (char)(high << 4 | low);
            uri += 2;
        } else {
            path[length++] = *uri;
        }
    }
    while (length > 1 && path[length - 1] == '/')
        length--;
    path[length] = 0;
}
