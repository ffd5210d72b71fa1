#include "core/transformers/python_process.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "core/base/checked_json.h"
#include "core/base/error.h"
#include "core/base/path_text.h"

namespace plastiscope {

namespace {

constexpr int kWaitMilliseconds = 50;  // between questions whether to stop
constexpr std::size_t kBlock = std::size_t{1} << 18, kLongestLine = std::size_t{64} << 20;
constexpr std::size_t kKeptMessages = 1 << 14, kShownLines = 4;

std::vector<std::string> pythonEnvironment(const std::filesystem::path& package) {
  const char* const inherited = std::getenv("PYTHONPATH");
  const bool more = inherited != nullptr && *inherited != '\0';
  return {"PYTHONPATH=" + package.string() + (more ? std::string(":") + inherited : ""), "PYTHONUNBUFFERED=1",
          "TOKENIZERS_PARALLELISM=false"};
}

// The last lines that say something, as one sentence.
std::string lastLines(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0, end = 0; begin < text.size(); begin = end + 1) {
    end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    line.erase(0, line.find_first_not_of(" \t\r"));
    if (!line.empty()) lines.push_back(std::move(line));
  }
  std::string shown;
  for (std::size_t i = lines.size() - std::min(lines.size(), kShownLines); i < lines.size(); ++i)
    shown += (shown.empty() ? "" : " | ") + lines[i];
  return shown;
}

[[noreturn]] void throwReported(const Json& error) {
  const std::string kind = textOr(error, "kind"), message = textOr(error, "message", "no message");
  if (kind == "usage") throw UsageError(message);
  if (kind == "input") throw InputError(message);
  if (kind == "resources") throw ResourceError(message);
  throw Error(ErrorKind::Internal, message);
}

}  // namespace

PythonProcess::PythonProcess(const std::filesystem::path& python, const std::filesystem::path& package,
                             const std::string& module)
    : m_python(python), m_child({python.string(), "-m", module}, {true, pythonEnvironment(package)}) {}

void PythonProcess::send(Json request, std::span<const std::int32_t> numbers, const Progress& progress) {
  if (!numbers.empty()) request["bytes"] = numbers.size_bytes();
  const std::string line = request.dump() + '\n';
  for (std::span<const std::byte> rest : {std::as_bytes(std::span(line)), std::as_bytes(numbers)}) {
    while (!rest.empty()) {
      wait(true, progress);
      rest = rest.subspan(m_child.write(rest));
    }
  }
}

EngineFrame PythonProcess::next(const Progress& progress, std::uint64_t most) {
  std::size_t end = 0, searched = 0;
  while ((end = m_read.find('\n', searched)) == std::string::npos) {
    searched = m_read.size();
    if (searched > kLongestLine) throw Error(ErrorKind::Internal, "plastiscope.engine wrote no frame");
    wait(false, progress);
  }
  EngineFrame frame;
  try {
    frame.head = parseJson(std::string_view(m_read).substr(0, end), "plastiscope.engine");
  } catch (const InputError&) {
    throw Error(ErrorKind::Internal, "plastiscope.engine wrote no frame: " + m_read.substr(0, 200));
  }
  m_read.erase(0, end + 1);
  if (frame.head.contains("error")) throwReported(frame.head["error"]);
  const double bytes = numberOr(frame.head, "bytes", 0);
  if (bytes < 0 || bytes > 4.0 * static_cast<double>(most))
    throw Error(ErrorKind::Internal, "plastiscope.engine gave " + frame.head.dump() + ", at most " +
                                         std::to_string(4 * most) + " bytes were expected");
  frame.numbers.resize(static_cast<std::size_t>(bytes) / sizeof(float));
  const std::span<std::byte> out = std::as_writable_bytes(std::span(frame.numbers));
  for (std::size_t done = 0; done < out.size();) {
    const std::size_t part = std::min(out.size() - done, m_read.size());
    std::memcpy(out.data() + done, m_read.data(), part);
    m_read.erase(0, part);
    done += part;
    if (done < out.size()) wait(false, progress);
  }
  return frame;
}

// Waits until Python reads or has written, and takes what it wrote.
void PythonProcess::wait(bool toWrite, const Progress& progress) {
  std::array<pollfd, 3> ends = {pollfd{m_outputEnded ? -1 : m_child.outputDescriptor(), POLLIN, 0},
                                pollfd{m_messagesEnded ? -1 : m_child.errorDescriptor(), POLLIN, 0},
                                pollfd{toWrite ? m_child.inputDescriptor() : -1, POLLOUT, 0}};
  ::poll(ends.data(), ends.size(), kWaitMilliseconds);
  keepMessages();
  if (progress.stopRequested()) {
    m_child.kill();
    progress.throwIfStopped();
  }
  const std::size_t before = m_read.size();
  readOutput();
  const bool idle = m_read.size() == before;
  if (idle && (m_outputEnded || m_child.exitCode())) reportEnd();
}

void PythonProcess::readOutput() {
  std::array<char, kBlock> block;
  const ssize_t got =
      uninterrupted([&] { return ::read(m_child.outputDescriptor(), block.data(), block.size()); });
  if (got > 0) m_read.append(block.data(), static_cast<std::size_t>(got));
  m_outputEnded = got == 0;
}

void PythonProcess::keepMessages() {
  std::array<char, 4096> block;
  ssize_t got = 0;
  while (!m_messagesEnded && (got = uninterrupted([&] {
                                return ::read(m_child.errorDescriptor(), block.data(), block.size());
                              })) >= 0) {
    m_messages.append(block.data(), static_cast<std::size_t>(got));
    m_messagesEnded = got == 0;
    if (m_messages.size() > 2 * kKeptMessages) m_messages.erase(0, m_messages.size() - kKeptMessages);
  }
}

void PythonProcess::reportEnd() {
  constexpr int kPatience = 40;  // its output may close shortly before it ends
  for (int i = 0; i < kPatience && !m_child.exitCode(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(kWaitMilliseconds));
  keepMessages();
  const std::optional<int> code = m_child.exitCode();
  const std::string lines = lastLines(m_messages);
  throw Error(ErrorKind::Internal, pathText(m_python) + " ended unexpectedly (" +
                                       (!code         ? "its output is closed"
                                        : *code > 128 ? "signal " + std::to_string(*code - 128)
                                                      : "exit code " + std::to_string(*code)) +
                                       ")" + (lines.empty() ? "" : ": " + lines));
}

}  // namespace plastiscope
