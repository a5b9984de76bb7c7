/*
 * A disk that forgets, laid under one process by LD_PRELOAD. Whatever is written into DISK_FOLDER
 * goes to its files as usual; what is synchronised is copied to DISK_SYNCED besides, so that after
 * a SIGKILL the second folder holds just what a cut of the power is sure to leave: bytes since the
 * last fsync of their file, and names since the last fsync of the folder, are missing in it.
 * (A rename takes names along that were made before it, as a journal does; bytes never. With
 * DISK_LATE=1 a new file's name waits, as on a stick.) Until a new file's name is synchronised,
 * its synchronised bytes wait in DISK_SYNCED/.new. DISK_LIES=1: fsync says yes and does nothing.
 * DISK_FAULT names a file that, while it is there, holds the number of the error that each
 * change of DISK_FOLDER gives. Memory maps aren't followed: only SQLite's -shm is mapped.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define FDS 65536
#define RANGES 4096

struct range { off_t from, to; };

/* A file of the folder. `synced` is where its synchronised bytes lie. */
struct file {
  char name[NAME_MAX + 1];
  char synced[PATH_MAX];
  int is_named;
  int count;
  struct range dirty[RANGES];
  struct file *next;
};

static struct file *files;
static struct file *at_fd[FDS];
static char is_folder[FDS];
static char folder[PATH_MAX], synced[PATH_MAX];
static int serial;
static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

#define REAL(name) ((__typeof__(&name))real(#name))
static void *real(const char *name) { return dlsym(RTLD_NEXT, name); }
__attribute__((constructor)) static void begin(void) {
  const char *given = getenv("DISK_FOLDER"), *aside = getenv("DISK_SYNCED");
  if (given) snprintf(folder, sizeof folder, "%s", given);
  if (aside) snprintf(synced, sizeof synced, "%s", aside);
}

static int fault(void) {
  const char *name = getenv("DISK_FAULT");
  if (!name) return 0;
  int fd = REAL(open64)(name, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  char text[16] = "";
  if (read(fd, text, sizeof text - 1) < 0) text[0] = 0;
  close(fd);
  return atoi(text);
}

/* Node closes by a system call that isn't seen here: the number may be a socket's by now. */
static struct file *known(int fd) {
  struct stat info;
  if (fd < 0 || fd >= FDS || !at_fd[fd]) return NULL;
  return !fstat(fd, &info) && S_ISREG(info.st_mode) ? at_fd[fd] : NULL;
}

/* True, with errno set, when a change of the file has to fail. */
static int refused(int fd) {
  int error = known(fd) ? fault() : 0;
  return error ? (errno = error, 1) : 0;
}

/* The name inside of the folder, NULL for what lies elsewhere or isn't kept. */
static const char *inside(const char *path) {
  size_t length = strlen(folder);
  if (!length || strncmp(path, folder, length) || path[length] != '/') return NULL;
  const char *name = path + length + 1, *shm = strstr(name, "-shm");
  if (!*name || strchr(name, '/') || (shm && !shm[4])) return NULL;
  return name;
}

static void dirty(struct file *file, off_t from, off_t to) {
  if (from >= to || !synced[0]) return;
  struct range *last = file->count ? &file->dirty[file->count - 1] : NULL;
  if (last && (file->count == RANGES || (from <= last->to && to >= last->from))) {
    if (from < last->from) last->from = from;
    if (to > last->to) last->to = to;
  } else {
    file->dirty[file->count++] = (struct range){from, to};
  }
}

static void watch(int fd, int flags, int is_new) {
  char link[64], path[PATH_MAX];
  struct stat info;
  if (fd < 0 || fd >= FDS || !folder[0] || fstat(fd, &info)) return;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return;
  path[length] = 0;
  pthread_mutex_lock(&lock);
  is_folder[fd] = S_ISDIR(info.st_mode) && !strcmp(path, folder);
  const char *name = S_ISREG(info.st_mode) ? inside(path) : NULL;
  at_fd[fd] = NULL;
  if (name) {
    struct file *file = files;
    while (file && (strcmp(file->name, name) || is_new)) file = file->next;
    if (!file) {
      file = calloc(1, sizeof *file);
      snprintf(file->name, sizeof file->name, "%s", name);
      file->is_named = !is_new;
      if (is_new) snprintf(file->synced, PATH_MAX, "%s/.new/%d-%s", synced, serial++, name);
      else snprintf(file->synced, PATH_MAX, "%s/%s", synced, name);
      if (synced[0]) close(REAL(open64)(file->synced, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
      file->next = files;
      files = file;
    }
    at_fd[fd] = file;
    if (flags & O_TRUNC) dirty(file, 0, LLONG_MAX);
  }
  pthread_mutex_unlock(&lock);
}

static int opened(const char *path, int flags, mode_t mode) {
  int was_there = REAL(access)(path, F_OK) == 0;
  const char *name = folder[0] ? inside(path) : NULL;
  int changes = ((flags & O_CREAT) && !was_there) || (flags & O_TRUNC);
  if (name && changes && fault()) return errno = fault(), -1;
  int fd = REAL(open64)(path, flags, mode);
  if (fd >= 0) watch(fd, flags, !was_there);
  return fd;
}

#define OPEN(function) \
  int function(const char *path, int flags, ...) { \
    va_list rest; \
    va_start(rest, flags); \
    mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(rest, mode_t) : 0; \
    va_end(rest); \
    return opened(path, flags, mode); \
  }
OPEN(open)
OPEN(open64)

static off_t end_of(int fd) {
  struct stat info;
  return fstat(fd, &info) ? 0 : info.st_size;
}

/* What was written from `at` on; the number of bytes comes back as it went in. */
static ssize_t wrote(int fd, off_t at, ssize_t count) {
  struct file *file = known(fd);
  if (file && count > 0) {
    pthread_mutex_lock(&lock);
    dirty(file, at, at + count);
    pthread_mutex_unlock(&lock);
  }
  return count;
}

static off_t place(int fd) {
  if (!known(fd)) return 0;
  return fcntl(fd, F_GETFL) & O_APPEND ? end_of(fd) : lseek(fd, 0, SEEK_CUR);
}

ssize_t write(int fd, const void *bytes, size_t count) {
  if (refused(fd)) return -1;
  off_t at = place(fd);
  return wrote(fd, at, REAL(write)(fd, bytes, count));
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
  if (refused(fd)) return -1;
  off_t at = place(fd);
  return wrote(fd, at, REAL(writev)(fd, parts, count));
}

#define PWRITE(function, offset) \
  ssize_t function(int fd, const void *bytes, size_t count, offset at) { \
    return refused(fd) ? -1 : wrote(fd, at, REAL(function)(fd, bytes, count, at)); \
  }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)
#define PWRITEV(function, offset) \
  ssize_t function(int fd, const struct iovec *parts, int count, offset at) { \
    return refused(fd) ? -1 : wrote(fd, at, REAL(function)(fd, parts, count, at)); \
  }
PWRITEV(pwritev, off_t)
PWRITEV(pwritev64, off64_t)
#define TRUNCATE(function, offset) \
  int function(int fd, offset size) { \
    if (refused(fd)) return -1; \
    off_t before = end_of(fd); \
    int result = REAL(function)(fd, size); \
    wrote(fd, size < before ? size : before, size < before ? before - size : size - before); \
    return result; \
  }
TRUNCATE(ftruncate, off_t)
TRUNCATE(ftruncate64, off64_t)

static void copy(int from, int to, struct range range) {
  char bytes[65536];
  for (off_t at = range.from; at < range.to;) {
    size_t wanted = range.to - at < (off_t)sizeof bytes ? (size_t)(range.to - at) : sizeof bytes;
    ssize_t count = pread(from, bytes, wanted, at);
    if (count <= 0 || REAL(pwrite)(to, bytes, count, at) != count) return;
    at += count;
  }
}

/* Names that were taken away since the folder was synchronised. */
static char gone[64][NAME_MAX + 1];
static int gone_count;

static void sync_names(void) {
  char path[PATH_MAX];
  while (gone_count > 0) {
    snprintf(path, sizeof path, "%s/%s", synced, gone[--gone_count]);
    REAL(unlink)(path);
  }
  for (struct file *file = files; file; file = file->next) {
    if (file->is_named) continue;
    snprintf(path, sizeof path, "%s/%s", synced, file->name);
    REAL(rename)(file->synced, path);
    memcpy(file->synced, path, sizeof path);
    file->is_named = 1;
  }
}

static int synchronised(int fd) {
  if (refused(fd)) return -1;
  if (!synced[0] || getenv("DISK_LIES")) return 0;
  pthread_mutex_lock(&lock);
  struct file *file = known(fd);
  if (file) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    int from = REAL(open64)(link, O_RDONLY | O_CLOEXEC);
    int to = REAL(open64)(file->synced, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    for (int index = 0; index < file->count; index++) copy(from, to, file->dirty[index]);
    if (REAL(ftruncate)(to, end_of(fd)) == 0) file->count = 0;
    close(from);
    close(to);
  } else if (fd >= 0 && fd < FDS && is_folder[fd]) sync_names();
  pthread_mutex_unlock(&lock);
  return 0;
}

int fsync(int fd) { return synchronised(fd); }
int fdatasync(int fd) { return synchronised(fd); }

int unlink(const char *path) {
  const char *name = inside(path);
  int result = REAL(unlink)(path);
  if (result || !name || !synced[0]) return result;
  pthread_mutex_lock(&lock);
  struct file **link = &files;
  while (*link && strcmp((*link)->name, name)) link = &(*link)->next;
  /* What was never named vanishes; whoever still holds it may go on writing into nothing. */
  if (*link && !(*link)->is_named) REAL(unlink)((*link)->synced);
  else if (gone_count < 64) snprintf(gone[gone_count++], NAME_MAX + 1, "%s", name);
  if (*link) *link = (*link)->next;
  pthread_mutex_unlock(&lock);
  return 0;
}

int rename(const char *from, const char *to) {
  const char *before = inside(from), *after = inside(to);
  if (before && after && fault()) return errno = fault(), -1;
  int result = REAL(rename)(from, to);
  if (result || !before || !after || !synced[0]) return result;
  pthread_mutex_lock(&lock);
  if (!getenv("DISK_LATE")) sync_names();
  char old[PATH_MAX], new[PATH_MAX];
  snprintf(old, sizeof old, "%s/%s", synced, before);
  snprintf(new, sizeof new, "%s/%s", synced, after);
  REAL(rename)(old, new);
  struct file **link = &files;
  while (*link) {
    struct file *file = *link;
    if (!strcmp(file->name, before)) {
      snprintf(file->name, sizeof file->name, "%s", after);
      if (file->is_named) snprintf(file->synced, PATH_MAX, "%s", new);
    } else if (!strcmp(file->name, after)) {
      *link = file->next;
      continue;
    }
    link = &file->next;
  }
  pthread_mutex_unlock(&lock);
  return 0;
}
