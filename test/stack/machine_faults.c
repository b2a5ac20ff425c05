/* Loaded before libc into one process of a test (LD_PRELOAD): its datagrams get lost, its clock jumps.
 *
 * The file named by MACHINE_FAULTS is mapped and read at each call, so that a test changes it while the
 * process runs: a 32-bit percentage of datagrams that are dropped, in and out, 4 bytes of nothing, and
 * 64 bits of ns that are added to the wall clock. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

struct faults {
    volatile int32_t loss;
    volatile int32_t unused;
    volatile int64_t clock;
};

static struct faults none;
static struct faults *faults = &none;

__attribute__((constructor)) static void map_faults(void) {
    const char *path = getenv("MACHINE_FAULTS");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0) return;
    void *mapped = mmap(NULL, sizeof none, PROT_READ, MAP_SHARED, file, 0);
    if (mapped != MAP_FAILED) faults = mapped;
    close(file);
}

static int lost(int socket) {
    static __thread uint32_t state;
    int type = 0;
    socklen_t size = sizeof type;
    if (!faults->loss) return 0;
    if (getsockopt(socket, SOL_SOCKET, SO_TYPE, &type, &size) || type != SOCK_DGRAM) return 0;
    if (!state) state = 2463534242u ^ (uint32_t)syscall(SYS_gettid);
    state ^= state << 13, state ^= state >> 17, state ^= state << 5;
    return (int)(state % 100) < faults->loss;
}

#define REAL(name) static __typeof__(&name) real; if (!real) real = dlsym(RTLD_NEXT, #name)

ssize_t sendto(int socket, const void *data, size_t size, int flags, const struct sockaddr *to, socklen_t length) {
    REAL(sendto);
    return lost(socket) ? (ssize_t)size : real(socket, data, size, flags, to, length);
}

ssize_t sendmsg(int socket, const struct msghdr *message, int flags) {
    REAL(sendmsg);
    if (!lost(socket)) return real(socket, message, flags);
    ssize_t size = 0;
    for (size_t part = 0; part < message->msg_iovlen; part++) size += message->msg_iov[part].iov_len;
    return size;
}

ssize_t recvfrom(int socket, void *data, size_t size, int flags, struct sockaddr *from, socklen_t *length) {
    REAL(recvfrom);
    ssize_t got;
    do got = real(socket, data, size, flags, from, length);
    while (got > 0 && lost(socket));
    return got;
}

ssize_t recvmsg(int socket, struct msghdr *message, int flags) {
    REAL(recvmsg);
    ssize_t got;
    do got = real(socket, message, flags);
    while (got > 0 && lost(socket));
    return got;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    int failed = (int)syscall(SYS_clock_gettime, clock, now);
    if (!failed && clock == CLOCK_REALTIME && faults->clock) {
        int64_t ns = (int64_t)now->tv_sec * 1000000000 + now->tv_nsec + faults->clock;
        now->tv_sec = ns / 1000000000, now->tv_nsec = ns % 1000000000;
    }
    return failed;
}
