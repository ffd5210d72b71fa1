#include "core/base/standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <iostream>

#include "core/base/descriptor.h"

namespace plastiscope {

void occupyStandardDescriptors() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(fd, F_GETFD) >= 0) continue;
    // The lowest free number is this one. Opened the wrong way round, so that reading or writing it fails as
    // it would have.
    uninterrupted([&] { return ::open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY); });
  }
}

void requireOutputWritten() {
  std::cout.flush();
  const bool failed = std::fflush(stdout) != 0;
  if (!failed && std::ferror(stdout) == 0) return;
  int error = errno;
  // What failed earlier left its mark, but not its reason. The output is cut short, so that a line's end more
  // does no harm.
  if (!failed) error = uninterrupted([] { return ::write(STDOUT_FILENO, "\n", 1); }) < 0 ? errno : EIO;
  failToWrite("standard output", error);
}

}  // namespace plastiscope
