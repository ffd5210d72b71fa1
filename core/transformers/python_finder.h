#pragma once
// Finds a Python that can run the engine "transformers", the package that it runs, and the PyTorch of a
// Python.
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace plastiscope {

inline constexpr const char* kPythonAdvice =
    "the engine transformers opens it with a Python that has torch and transformers (pip install torch "
    "transformers): name it with --python, in the window's settings (Python for transformers) or in "
    "PLASTISCOPE_PYTHON";

// The candidates, best first: `given`, else PLASTISCOPE_PYTHON, else those of the active environment, beside
// this program, and on the PATH.
std::vector<std::filesystem::path> pythonCandidates(const std::string& given);

// The first candidate that has these modules, by default those of the engine, which is asked once per process
// and candidate.
std::optional<std::filesystem::path> findPython(const std::string& given,
                                                const std::string& modules = "numpy torch transformers");

// The PyTorch that a Python imports.
struct PythonTorch {
  std::string version;           // "2.14.1+cu130"
  std::filesystem::path folder;  // the package torch
};
// Nothing if it has none.
std::optional<PythonTorch> torchOf(const std::filesystem::path& python);

// The folder that contains the package plastiscope: of the source tree in a build, else the installed one.
// InputError.
std::filesystem::path enginePackage();

}  // namespace plastiscope
