/* Of the calls of a kind on a journal the n-th fails, or each from there on. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

enum { WRITES = 1, SYNCS = 2, READS = 4 };
static int kinds, at, error, stays, seen;

/* Returns how many calls there were of the kinds that failed until now. */
int fault(int which, int nth, int number, int for_ever) {
    int before = seen;
    kinds = which, at = nth, error = number, stays = for_ever, seen = 0;
    return before;
}

static int fails(int kind, int file) {
    char link[64], name[4096];
    if (!(kinds & kind)) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t size = readlink(link, name, sizeof name - 1);
    if (size < 0) return 0;
    name[size] = 0;
    if (!strstr(name, "journal.db")) return 0;
    seen++;
    if (stays ? seen < at : seen != at) return 0;
    errno = error;
    return 1;
}

#define FAILING(kind, type, name, declared, given)                            \
    type name declared {                                                      \
        type (*real) declared = dlsym(RTLD_NEXT, #name);                      \
        return fails(kind, file) ? -1 : real given;                           \
    }
FAILING(WRITES, ssize_t, write, (int file, const void *data, size_t size), (file, data, size))
FAILING(WRITES, ssize_t, pwrite, (int file, const void *data, size_t size, off_t to), (file, data, size, to))
FAILING(WRITES, ssize_t, pwrite64, (int file, const void *data, size_t size, off64_t to), (file, data, size, to))
FAILING(WRITES, int, ftruncate, (int file, off_t size), (file, size))
FAILING(WRITES, int, ftruncate64, (int file, off64_t size), (file, size))
FAILING(SYNCS, int, fsync, (int file), (file))
FAILING(SYNCS, int, fdatasync, (int file), (file))
FAILING(READS, ssize_t, read, (int file, void *data, size_t size), (file, data, size))
FAILING(READS, ssize_t, pread, (int file, void *data, size_t size, off_t from), (file, data, size, from))
FAILING(READS, ssize_t, pread64, (int file, void *data, size_t size, off64_t from), (file, data, size, from))
