/* Lets a user-mode kernel run on a processor with AMX: preloaded to linux.uml by the script `uml`.

   User-mode Linux 6.1 keeps 2,696 bytes of a process's floating-point state, which is all that there was before AMX, and
   hands as many to ptrace, which takes only the whole state of the processor: "ptrace set fp regs failed, errno = 14".
   What follows is added here: zeros, the state of tiles that nobody has used. Newer kernels ask how large the state is. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

#define COMPONENTS 512 /* where the bit mask of the components begins that are not in their first state */
#define TILES (UINT64_C(3) << 17)

static unsigned char whole[1 << 16];
static size_t size; /* of the whole state, once it is known */

long ptrace(enum __ptrace_request request, ...) {
    static long (*next)(enum __ptrace_request, ...);
    va_list arguments;
    va_start(arguments, request);
    pid_t process = va_arg(arguments, pid_t);
    void *address = va_arg(arguments, void *), *data = va_arg(arguments, void *);
    va_end(arguments);

    if (!next)
        next = (long (*)(enum __ptrace_request, ...))dlsym(RTLD_NEXT, "ptrace");
    if (request != PTRACE_SETREGSET || (uintptr_t)address != NT_X86_XSTATE)
        return next(request, process, address, data);

    struct iovec all = {whole, size ? size : sizeof whole};
    if (!size) {
        if (next(PTRACE_GETREGSET, process, address, &all) < 0)
            return -1;
        size = all.iov_len;
        memset(whole, 0, size);
    }
    const struct iovec *part = data;
    if (part->iov_len >= size)
        return next(request, process, address, data);
    memcpy(whole, part->iov_base, part->iov_len);
    uint64_t components;
    memcpy(&components, whole + COMPONENTS, sizeof components);
    components &= ~TILES;
    memcpy(whole + COMPONENTS, &components, sizeof components);
    return next(request, process, address, &all);
}
