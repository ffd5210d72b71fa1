#include "app/cli/backend_program.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "core/base/error.h"
#include "core/forward/forward.h"

namespace plastiscope {

namespace {

std::filesystem::path backendProgram() {
  std::error_code none;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", none);
  return self.parent_path().parent_path() / "libexec" / "plastiscope" / "plastiscope-capture";
}

}  // namespace

void continueWithBackend(char** arguments) {
  if (forwardAvailable()) return;
  const std::filesystem::path program = backendProgram();
  std::error_code none;
  if (!std::filesystem::exists(program, none)) return;
  execv(program.c_str(), arguments);
  throw ResourceError("the capture backend " + program.string() +
                      " cannot be started: " + std::strerror(errno));
}

}  // namespace plastiscope
