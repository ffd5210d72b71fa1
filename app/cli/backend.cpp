// Starts the program with the capture backend. One that was installed with its libtorch is
// libexec/plastiscope/plastiscope-capture. The wheel has plastiscope-capture-2.13 and its like instead, each
// for a version of PyTorch, which it takes from the Python environment.
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "app/cli/command.h"
#include "core/base/error.h"
#include "core/base/platform.h"
#include "core/forward/availability.h"
#include "core/forward/forward.h"
#include "core/transformers/python_finder.h"

namespace fs = std::filesystem;

namespace plastiscope {

namespace {

constexpr const char* kLibraryPath = "LD_LIBRARY_PATH";
constexpr const char* kOuterPath = "PLASTISCOPE_OUTER_LIBRARY_PATH";  // kLibraryPath as it was
constexpr const char* kInstall = "install it with: pip install \"plastiscope[torch]\"";

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

[[noreturn]] void start(const fs::path& program, const GlobalOptions& global) {
  ::execv(program.c_str(), global.arguments);
  throw ResourceError("the capture backend " + program.string() +
                      " cannot be started: " + std::strerror(errno));
}

// "2.14" of "2.14.1+cu130"
std::string minorVersion(const std::string& version) {
  return version.substr(0, version.find_first_not_of("0123456789", version.find('.') + 1));
}

// The backends of a folder by the version of PyTorch that they need.
std::map<std::string, fs::path> backendsIn(const fs::path& folder) {
  const std::string prefix = "plastiscope-capture-";
  std::map<std::string, fs::path> backends;
  std::error_code none;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, none)) {
    const std::string name = entry.path().filename();
    if (name.starts_with(prefix)) backends[name.substr(prefix.size())] = entry.path();
  }
  return backends;
}

// Starts the backend for the first PyTorch that has one; else returns why there is none.
std::string startForPython(const std::map<std::string, fs::path>& backends, const fs::path& ownFolder,
                           const GlobalOptions& global) {
  std::vector<fs::path> pythons = pythonCandidates("");
  if (const fs::path beside = ownFolder / "python3"; ::access(beside.c_str(), X_OK) == 0)
    pythons.insert(pythons.begin(), beside);
  std::string known, seen, looked;
  for (const auto& [version, program] : backends) known += (known.empty() ? "" : ", ") + version;
  for (auto python = pythons.begin(); python != pythons.end(); ++python) {
    if (std::find(pythons.begin(), python, *python) != python) continue;
    looked += (looked.empty() ? "" : ", ") + python->string();
    const std::optional<PythonTorch> torch = torchOf(*python);
    if (!torch) continue;
    seen += (seen.empty() ? "" : ", ") + torch->version + " (" + torch->folder.string() + ")";
    const auto backend = backends.find(minorVersion(torch->version));
    if (backend == backends.end()) continue;
    const std::string outer = variable(kLibraryPath), libraries = (torch->folder / "lib").string();
    ::setenv(kOuterPath, outer.c_str(), 1);
    ::setenv(kLibraryPath, (outer.empty() ? libraries : libraries + ":" + outer).c_str(), 1);
    start(backend->second, global);
  }
  if (!seen.empty())
    return "this program has capture backends for PyTorch " + known + ", found " + seen + "; " + kInstall;
  return "capturing needs PyTorch (" + known + "), which no Python has: looked at " +
         (looked.empty() ? "none" : looked) + "; " + kInstall;
}

// Programs that the backend starts get the environment that it was called with.
void restoreLibraryPath() {
  if (std::getenv(kOuterPath) == nullptr) return;
  if (const std::string outer = variable(kOuterPath); outer.empty())
    ::unsetenv(kLibraryPath);
  else
    ::setenv(kLibraryPath, outer.c_str(), 1);
  ::unsetenv(kOuterPath);
}

}  // namespace

void continueWithBackend(const GlobalOptions& global) {
  if (forwardAvailable()) return restoreLibraryPath();
  std::error_code none;
  const fs::path own = ownProgram().parent_path();
  const fs::path folder = own.parent_path() / "libexec" / "plastiscope";
  if (const fs::path program = folder / "plastiscope-capture"; fs::exists(program, none))
    start(program, global);
  if (const auto backends = backendsIn(folder); !backends.empty())
    missingForwardReason() = startForPython(backends, own, global);
}

}  // namespace plastiscope
