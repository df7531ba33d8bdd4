/* An importer without Python, for a root folder that has the C library and one unit only.
 *
 *     host LIBRARY RESOURCES KEY   (KEY: value reference of input.Key; the speed of the engine is RPM)
 *
 * Turns the key for a second, lets it idle for two, and prints the engine's speed. Declarations by FMI 3.0.
 */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef void *(*instantiate_t)(const char *, const char *, const char *, bool, bool, bool, bool, const uint32_t *,
                               size_t, void *, void (*)(void *, int, const char *, const char *), void *);

static void complain(void *environment, int status, const char *category, const char *message)
{
    (void)environment, (void)status, (void)category;
    fprintf(stderr, "%s\n", message);
}

int main(int count, char **words)
{
    void *library = count == 5 ? dlopen(words[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    if (library == NULL) {
        fprintf(stderr, "%s\n", count == 5 ? dlerror() : "four words");
        return 2;
    }
    instantiate_t instantiate = (instantiate_t)dlsym(library, "fmi3InstantiateCoSimulation");
    void (*release)(void *) = (void (*)(void *))dlsym(library, "fmi3FreeInstance");
    int (*enter)(void *, bool, double, double, bool, double) = (int (*)(void *, bool, double, double, bool, double))dlsym(library, "fmi3EnterInitializationMode");
    int (*leave)(void *) = (int (*)(void *))dlsym(library, "fmi3ExitInitializationMode");
    int (*step)(void *, double, double, bool, bool *, bool *, bool *, double *) = (int (*)(void *, double, double, bool, bool *, bool *, bool *, double *))dlsym(library, "fmi3DoStep");
    int (*set)(void *, const uint32_t *, size_t, const int64_t *, size_t) = (int (*)(void *, const uint32_t *, size_t, const int64_t *, size_t))dlsym(library, "fmi3SetInt64");
    int (*get)(void *, const uint32_t *, size_t, double *, size_t) = (int (*)(void *, const uint32_t *, size_t, double *, size_t))dlsym(library, "fmi3GetFloat64");
    uint32_t key = (uint32_t)atoi(words[3]), rpm = (uint32_t)atoi(words[4]);
    void *unit = instantiate("car", "", words[2], false, true, false, false, NULL, 0, NULL, complain, NULL);
    if (unit == NULL)
        return 1;
    bool events, ends, early;
    double speed, last;
    int64_t turned = 1, on = 0;
    int wrong = enter(unit, false, 0, 0, false, 0) | set(unit, &key, 1, &turned, 1) | leave(unit);
    for (int place = 0; place < 300; place++) {
        if (place == 100)
            wrong |= set(unit, &key, 1, &on, 1);
        wrong |= step(unit, place * 0.01, 0.01, true, &events, &ends, &early, &last);
    }
    wrong |= get(unit, &rpm, 1, &speed, 1);
    release(unit);
    printf("%.3f\n", speed);
    return wrong != 0;
}
