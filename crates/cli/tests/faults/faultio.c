/*
 * Makes the N-th durable system call of a process fail, or kills the process there.
 *
 * Loaded with LD_PRELOAD. Wrapping libc functions would miss callers that do not go through libc (rustix makes its
 * system calls itself), so a seccomp filter traps the calls in the kernel, wherever they come from, and the SIGSYS
 * handler carries them out: its one system call instruction is the only one that the filter lets pass.
 *
 *   FAULTIO_PREFIX  only calls on paths that begin with this count
 *   FAULTIO_AT      number of the call, from 1; 0 only counts
 *   FAULTIO_KIND    eio, enospc          the call fails with this error
 *                   eio-stays, enospc-stays   it and all later ones do (taking away still works on a full disk)
 *                   short                a write takes half of its bytes
 *                   torn                 a write takes half of its bytes, then the process dies
 *                   kill, kill-after     the process dies before or after the call
 *   FAULTIO_TRACE   what each counted call that succeeded did, so that a disk can be made of any part of it: a line
 *                   "name inode offset length path other", then length bytes that were written, then a line end; the
 *                   inode of what a name means after the call, 0 where it means nothing
 *   FAULTIO_LOG     a line for each counted call: number, "!" where the fault struck or ".", name, path
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/openat2.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <ucontext.h>
#include <unistd.h>

long faultio_raw(long number, long a, long b, long c, long d, long e, long f);
extern char faultio_after[];

#if defined(__x86_64__)
#define ARCH AUDIT_ARCH_X86_64
__asm__(".text\n"
        ".hidden faultio_raw\n.hidden faultio_after\n.globl faultio_raw\n.globl faultio_after\n"
        "faultio_raw:\n"
        "  mov %rdi, %rax\n  mov %rsi, %rdi\n  mov %rdx, %rsi\n  mov %rcx, %rdx\n"
        "  mov %r8, %r10\n  mov %r9, %r8\n  mov 8(%rsp), %r9\n  syscall\n"
        "faultio_after:\n  ret\n");
#define ARGUMENT(context, n) \
  ((context)->uc_mcontext.gregs[(const int[]){REG_RDI, REG_RSI, REG_RDX, REG_R10, REG_R8, REG_R9}[n]])
#define RESULT(context) ((context)->uc_mcontext.gregs[REG_RAX])
#elif defined(__aarch64__)
#define ARCH AUDIT_ARCH_AARCH64
__asm__(".text\n"
        ".hidden faultio_raw\n.hidden faultio_after\n.globl faultio_raw\n.globl faultio_after\n"
        "faultio_raw:\n"
        "  mov x8, x0\n  mov x0, x1\n  mov x1, x2\n  mov x2, x3\n  mov x3, x4\n  mov x4, x5\n  mov x5, x6\n"
        "  svc #0\n"
        "faultio_after:\n  ret\n");
#define ARGUMENT(context, n) ((context)->uc_mcontext.regs[n])
#define RESULT(context) ((context)->uc_mcontext.regs[0])
#else
#error "faultio knows x86_64 and aarch64"
#endif

/* What an argument list means: where the path is, and whether the call writes bytes or takes something away. */
enum shape { BY_FD, BY_FD_WRITE, BY_FD_VECTOR, BY_PATH, BY_AT, OPEN, OPEN_AT, OPEN_AT2 };
struct call {
  int number;
  enum shape shape;
  const char *name;
  int frees;
};

static const struct call CALLS[] = {
    {SYS_write, BY_FD_WRITE, "write", 0},
    {SYS_pwrite64, BY_FD_WRITE, "pwrite", 0},
    {SYS_writev, BY_FD_VECTOR, "writev", 0},
    {SYS_pwritev, BY_FD_VECTOR, "pwritev", 0},
    {SYS_pwritev2, BY_FD_VECTOR, "pwritev2", 0},
    {SYS_fsync, BY_FD, "fsync", 0},
    {SYS_fdatasync, BY_FD, "fdatasync", 0},
    {SYS_ftruncate, BY_FD, "ftruncate", 0},
    {SYS_fallocate, BY_FD, "fallocate", 0},
    {SYS_fchmod, BY_FD, "fchmod", 0},
    {SYS_fchown, BY_FD, "fchown", 0},
    {SYS_copy_file_range, BY_FD, "copy_file_range", 0},
    {SYS_truncate, BY_PATH, "truncate", 0},
    {SYS_openat, OPEN_AT, "openat", 0},
    {SYS_openat2, OPEN_AT2, "openat2", 0},
    {SYS_mkdirat, BY_AT, "mkdirat", 0},
    {SYS_unlinkat, BY_AT, "unlinkat", 1},
    {SYS_renameat2, BY_AT, "renameat2", 1},
    {SYS_linkat, BY_AT, "linkat", 0},
#ifdef SYS_renameat
    {SYS_renameat, BY_AT, "renameat", 1},
#endif
#ifdef SYS_open
    {SYS_open, OPEN, "open", 0},
    {SYS_creat, BY_PATH, "creat", 0},
    {SYS_mkdir, BY_PATH, "mkdir", 0},
    {SYS_rmdir, BY_PATH, "rmdir", 1},
    {SYS_unlink, BY_PATH, "unlink", 1},
    {SYS_rename, BY_PATH, "rename", 1},
    {SYS_link, BY_PATH, "link", 0},
#endif
};
enum { KNOWN = sizeof CALLS / sizeof CALLS[0] };

static char prefix[4096];
static size_t prefix_length;
static char kind[32];
static long fault_at;
static int log_fd = -1, trace_fd = -1;
static atomic_long seen;

static long raw(long number, const long *a) { return faultio_raw(number, a[0], a[1], a[2], a[3], a[4], a[5]); }

static void die(void) {
  faultio_raw(SYS_kill, faultio_raw(SYS_getpid, 0, 0, 0, 0, 0, 0), SIGKILL, 0, 0, 0, 0);
  for (;;) faultio_raw(SYS_pause, 0, 0, 0, 0, 0, 0);
}

/* The path behind a descriptor, or the working directory for AT_FDCWD; empty where there is none. */
static void path_of_fd(int fd, char *path, size_t size) {
  char link[64];
  if (fd == AT_FDCWD) {
    strcpy(link, "/proc/self/cwd");
  } else {
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  }
  long length = faultio_raw(SYS_readlinkat, AT_FDCWD, (long)link, (long)path, (long)size - 1, 0, 0);
  path[length > 0 ? length : 0] = 0;
}

static void path_of_name(int dir, const char *name, char *path, size_t size) {
  if (name[0] == '/') {
    snprintf(path, size, "%s", name);
    return;
  }
  path_of_fd(dir, path, size);
  size_t length = strlen(path);
  snprintf(path + length, size - length, "/%s", name);
}

static int makes_file(long flags) { return (flags & (O_CREAT | O_TRUNC)) || (flags & O_TMPFILE) == O_TMPFILE; }

/* Whether the call counts; fills in its path. */
static int counts(const struct call *call, const long *a, char *path, size_t size) {
  switch (call->shape) {
    case BY_FD: case BY_FD_WRITE: case BY_FD_VECTOR: path_of_fd((int)a[0], path, size); break;
    case BY_PATH: path_of_name(AT_FDCWD, (const char *)a[0], path, size); break;
    case BY_AT: path_of_name((int)a[0], (const char *)a[1], path, size); break;
    case OPEN:
      if (!makes_file(a[1])) return 0;
      path_of_name(AT_FDCWD, (const char *)a[0], path, size);
      break;
    case OPEN_AT:
      if (!makes_file(a[2])) return 0;
      path_of_name((int)a[0], (const char *)a[1], path, size);
      break;
    case OPEN_AT2:
      if (!makes_file((long)((const struct open_how *)a[2])->flags)) return 0;
      path_of_name((int)a[0], (const char *)a[1], path, size);
      break;
  }
  return strncmp(path, prefix, prefix_length) == 0;
}

static void note(long number, int struck, const char *name, const char *path) {
  char line[4300];
  if (log_fd < 0) return;
  int length = snprintf(line, sizeof line, "%ld %c %s %s\n", number, struck ? '!' : '.', name, path);
  faultio_raw(SYS_write, log_fd, (long)line, length, 0, 0, 0);
}

static unsigned long inode_of_fd(int fd) {
  struct stat known;
  return fstat(fd, &known) == 0 ? known.st_ino : 0;
}

static unsigned long inode_of_path(const char *path) {
  struct stat known;
  return lstat(path, &known) == 0 ? known.st_ino : 0;
}

/* Writes down what a call did, with its bytes, in one write. */
static void trace(const struct call *call, const long *a, long came, const char *path) {
  if (trace_fd < 0 || came < 0) return;
  char other[4200] = "-";
  unsigned long inode = 0;
  long offset = 0, length = 0;
  switch (call->shape) {
    case BY_FD_WRITE:
    case BY_FD_VECTOR:
      inode = inode_of_fd((int)a[0]);
      length = came;
      offset = call->number == SYS_pwrite64 || call->number == SYS_pwritev ? a[3]
               : call->number == SYS_pwritev2 && a[3] != -1
                   ? a[3]
                   : faultio_raw(SYS_lseek, a[0], 0, SEEK_CUR, 0, 0, 0) - came;
      break;
    case BY_FD:
      inode = inode_of_fd((int)a[0]);
      offset = a[1];
      break;
    case BY_PATH:
      if (a[1] && (strcmp(call->name, "rename") == 0 || strcmp(call->name, "link") == 0))
        path_of_name(AT_FDCWD, (const char *)a[1], other, sizeof other);
      if (strcmp(call->name, "truncate") == 0) offset = a[1];
      inode = inode_of_path(other[0] == '-' ? path : other);
      break;
    case BY_AT:
      if (strncmp(call->name, "rename", 6) == 0 || strcmp(call->name, "linkat") == 0) {
        path_of_name((int)a[2], (const char *)a[3], other, sizeof other);
        offset = strcmp(call->name, "renameat2") == 0 ? a[4] : 0;
      }
      inode = inode_of_path(other[0] == '-' ? path : other);
      break;
    case OPEN: case OPEN_AT: case OPEN_AT2:
      inode = inode_of_fd((int)came);
      offset = call->shape == OPEN ? a[1]
               : call->shape == OPEN_AT ? a[2] : (long)((const struct open_how *)a[2])->flags;
      break;
  }
  char *record = malloc(9000 + length);
  if (!record) return;
  long size = snprintf(record, 9000, "%s %lu %ld %ld %s\t%s\n", call->name, inode, offset, length, path, other);
  if (call->shape == BY_FD_WRITE) {
    memcpy(record + size, (const void *)a[1], length);
    size += length;
  } else if (call->shape == BY_FD_VECTOR) {
    const struct iovec *parts = (const struct iovec *)a[1];
    for (long n = 0, left = length; n < a[2] && left > 0; n++) {
      long some = left < (long)parts[n].iov_len ? left : (long)parts[n].iov_len;
      memcpy(record + size, parts[n].iov_base, some);
      size += some;
      left -= some;
    }
  }
  record[size++] = '\n';
  faultio_raw(SYS_write, trace_fd, (long)record, size, 0, 0, 0);
  free(record);
}

/* Half of a write; at least one byte less than asked for. */
static long half(const struct call *call, const long *a) {
  long shorter[6];
  memcpy(shorter, a, sizeof shorter);
  if (call->shape == BY_FD_WRITE) {
    shorter[2] = a[2] / 2;
    return raw(call->number, shorter);
  }
  struct iovec first = *(const struct iovec *)a[1];
  first.iov_len /= 2;
  shorter[1] = (long)&first;
  shorter[2] = 1;
  return raw(call->number, shorter);
}

static int is_write(const struct call *call, const long *a) {
  if (call->shape == BY_FD_WRITE) return a[2] > 1;
  return call->shape == BY_FD_VECTOR && a[2] > 0 && ((const struct iovec *)a[1])->iov_len > 1;
}

static int is_kind(const char *name) { return strcmp(kind, name) == 0; }

static int strikes(const struct call *call, const long *a, long number) {
  int stays = is_kind("eio-stays") || is_kind("enospc-stays");
  if (fault_at == 0 || number < fault_at || (number > fault_at && !stays)) return 0;
  if (is_kind("enospc-stays") && call->frees) return 0;
  if (is_kind("short") || is_kind("torn")) return is_write(call, a);
  return 1;
}

static long carry_out(const struct call *call, const long *a) {
  char path[4200];
  if (!counts(call, a, path, sizeof path)) return raw(call->number, a);
  long number = atomic_fetch_add(&seen, 1) + 1;
  int struck = strikes(call, a, number);
  note(number, struck, call->name, path);
  if (!struck) {
    long came = raw(call->number, a);
    trace(call, a, came, path);
    return came;
  }
  if (is_kind("eio") || is_kind("eio-stays")) return -EIO;
  if (is_kind("enospc") || is_kind("enospc-stays")) return -ENOSPC;
  if (is_kind("short")) return half(call, a);
  if (is_kind("kill")) die();
  if (is_kind("torn")) half(call, a);
  else raw(call->number, a);
  die();
  return 0;
}

static void on_trap(int signal, siginfo_t *info, void *raw_context) {
  (void)signal;
  ucontext_t *context = raw_context;
  long a[6];
  for (int n = 0; n < 6; n++) a[n] = (long)ARGUMENT(context, n);
  int kept = errno;
  for (int n = 0; n < KNOWN; n++) {
    if (CALLS[n].number == info->si_syscall) RESULT(context) = carry_out(&CALLS[n], a);
  }
  errno = kept;
}

static struct sock_filter *put(struct sock_filter *at, uint16_t code, uint32_t k, uint8_t yes, uint8_t no) {
  *at = (struct sock_filter){.code = code, .jt = yes, .jf = no, .k = k};
  return at + 1;
}

static int install(void) {
  static struct sock_filter program[KNOWN + 16];
  struct sock_filter *at = program;
  uint64_t own = (uint64_t)(uintptr_t)faultio_after;
  uint32_t pointer = offsetof(struct seccomp_data, instruction_pointer);
  at = put(at, BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch), 0, 0);
  at = put(at, BPF_JMP | BPF_JEQ | BPF_K, ARCH, 1, 0);
  at = put(at, BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
  at = put(at, BPF_LD | BPF_W | BPF_ABS, pointer, 0, 0);
  at = put(at, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)own, 0, 3);
  at = put(at, BPF_LD | BPF_W | BPF_ABS, pointer + 4, 0, 0);
  at = put(at, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(own >> 32), 0, 1);
  at = put(at, BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
  at = put(at, BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr), 0, 0);
  for (int n = 0; n < KNOWN; n++) {
    at = put(at, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)CALLS[n].number, (uint8_t)(KNOWN - n), 0);
  }
  at = put(at, BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
  at = put(at, BPF_RET | BPF_K, SECCOMP_RET_TRAP, 0, 0);
  struct sock_fprog whole = {.len = (unsigned short)(at - program), .filter = program};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &whole);
}

__attribute__((constructor)) static void begin(void) {
  const char *wanted = getenv("FAULTIO_PREFIX");
  if (!wanted || !*wanted) return;
  const char *at = getenv("FAULTIO_AT"), *what = getenv("FAULTIO_KIND"), *log = getenv("FAULTIO_LOG");
  snprintf(prefix, sizeof prefix, "%s", wanted);
  prefix_length = strlen(prefix);
  fault_at = at ? atol(at) : 0;
  snprintf(kind, sizeof kind, "%s", what ? what : "eio");
  const char *traced = getenv("FAULTIO_TRACE");
  if (traced) trace_fd = open(traced, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (log) log_fd = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  struct sigaction action = {.sa_sigaction = on_trap, .sa_flags = SA_SIGINFO | SA_NODEFER};
  if (sigaction(SIGSYS, &action, NULL) != 0 || install() != 0) {
    static const char failed[] = "faultio: cannot install the filter\n";
    faultio_raw(SYS_write, 2, (long)failed, sizeof failed - 1, 0, 0, 0);
    _exit(99);
  }
}
