#pragma once
// A Python process that runs a module of the package, and the frames exchanged with it: one line of JSON,
// then as many raw bytes as its entry "bytes" says.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/child_process.h"
#include "core/base/json.h"
#include "core/base/progress.h"

namespace plastiscope {

struct EngineFrame {
  Json head;
  std::vector<float> numbers;
};

// Every wait ends within a tenth of a second when `progress` requests a stop: the process and its children
// are killed and Stopped is thrown. An unexpected end is an Error with the last lines of its standard error.
class PythonProcess {
 public:
  // `package`: the folder that contains the package plastiscope. ResourceError.
  PythonProcess(const std::filesystem::path& python, const std::filesystem::path& package,
                const std::string& module = "plastiscope.engine");

  void send(Json request, std::span<const std::int32_t> numbers, const Progress& progress);
  // The next frame, with at most `most` numbers. Errors that Python reports are thrown by their kind.
  EngineFrame next(const Progress& progress, std::uint64_t most = 0);

 private:
  void wait(bool toWrite, const Progress& progress);
  // Reads `bytes` bytes of the output that are not yet in m_read, or more.
  void readOutput();
  void keepMessages();
  [[noreturn]] void reportEnd();

  std::filesystem::path m_python;
  ChildProcess m_child;
  std::string m_read;      // output that is not used yet
  std::string m_messages;  // the end of its standard error
  bool m_outputEnded = false, m_messagesEnded = false;
};

}  // namespace plastiscope
