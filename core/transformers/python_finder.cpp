#include "core/transformers/python_finder.h"

#include <poll.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <map>
#include <mutex>
#include <utility>

#include "core/base/child_process.h"
#include "core/base/error.h"
#include "core/base/platform.h"

namespace fs = std::filesystem;

namespace plastiscope {

namespace {

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

fs::path programFolder() {
  return ownProgram().parent_path();
}

bool isProgram(const fs::path& path) {
  std::error_code none;
  return !fs::is_directory(path, none) && ::access(path.c_str(), X_OK) == 0;
}

// A path, or a name looked up on the PATH; empty if there is none.
fs::path programNamed(const std::string& name) {
  if (name.find('/') != std::string::npos) return isProgram(name) ? fs::path(name) : fs::path();
  const std::string path = variable("PATH");
  for (std::size_t begin = 0, end = 0; begin <= path.size(); begin = end + 1) {
    end = std::min(path.find(':', begin), path.size());
    const fs::path program = fs::path(path.substr(begin, end - begin)) / name;
    if (program.has_parent_path() && isProgram(program)) return program;
  }
  return {};
}

// Output of a short program; nothing if it fails or takes longer than 20 s.
std::optional<std::string> printedBy(const fs::path& python, const std::string& code,
                                     const std::string& argument = "") {
  ChildProcess process({python.string(), "-c", code, argument});
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  std::optional<int> exit;
  while (!(exit = process.look()) && std::chrono::steady_clock::now() < deadline) ::poll(nullptr, 0, 10);
  if (exit != 0) return {};
  return process.output();
}

bool hasModules(const fs::path& python, const std::string& modules) {
  static std::mutex mutex;
  static std::map<std::pair<fs::path, std::string>, bool> asked;
  const std::lock_guard lock(mutex);
  if (const auto known = asked.find({python, modules}); known != asked.end()) return known->second;
  return asked[{python, modules}] = printedBy(python,
                                              "import importlib.util as u, sys; "
                                              "sys.exit(not all(map(u.find_spec, sys.argv[1].split())))",
                                              modules)
                                        .has_value();
}

}  // namespace

std::vector<fs::path> pythonCandidates(const std::string& given) {
  std::vector<std::string> names = {given};
  if (given.empty()) names = {variable("PLASTISCOPE_PYTHON")};
  if (names.front().empty()) {
    names.clear();
    for (const char* environment : {"VIRTUAL_ENV", "CONDA_PREFIX"}) {
      if (const std::string folder = variable(environment); !folder.empty())
        names.push_back(folder + "/bin/python");
    }
    names.push_back((programFolder() / "python3").string());
    names.emplace_back("python3");
  }
  std::vector<fs::path> found;
  for (const std::string& name : names) {
    if (fs::path program = programNamed(name); !program.empty()) found.push_back(std::move(program));
  }
  return found;
}

std::optional<fs::path> findPython(const std::string& given, const std::string& modules) {
  for (const fs::path& python : pythonCandidates(given)) {
    if (hasModules(python, modules)) return python;
  }
  return {};
}

std::optional<PythonTorch> torchOf(const fs::path& python) {
  // Without importing it, and not from the folder that a person works in.
  const auto printed =
      printedBy(python,
                "import sys; sys.path = [p for p in sys.path if p]\n"
                "import importlib.metadata as m, importlib.util as u\n"
                "print(m.version('torch'), u.find_spec('torch').submodule_search_locations[0])");
  const std::size_t space = printed ? printed->find(' ') : std::string::npos;
  if (space == std::string::npos) return {};
  return PythonTorch{printed->substr(0, space), printed->substr(space + 1, printed->find('\n') - space - 1)};
}

fs::path enginePackage() {
  const fs::path module = fs::path("plastiscope") / "engine.py";
  std::error_code none;
  for (fs::path folder = programFolder(); folder.has_relative_path(); folder = folder.parent_path()) {
    fs::path package = folder / "libexec" / "plastiscope" / "python";
    if (fs::exists(package / module, none)) return package;
  }
  throw InputError({programFolder().parent_path() / "libexec" / "plastiscope" / "python" / module, "", "",
                    "the Python part of Plastiscope is not installed with this program"});
}

}  // namespace plastiscope
