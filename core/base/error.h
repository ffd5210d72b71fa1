#pragma once
// Typed errors, reported as one sentence and an exit code by command line, job or worker.
#include <filesystem>
#include <stdexcept>
#include <string>

namespace plastiscope {

// The values are the programs' exit codes.
enum class ErrorKind { Internal = 1, Usage = 2, Input = 3, Resources = 4, Stopped = 5 };

class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& sentence) : std::runtime_error(sentence), m_kind(kind) {}
  ErrorKind kind() const { return m_kind; }
  int exitCode() const { return static_cast<int>(m_kind); }

 private:
  ErrorKind m_kind;
};

// Wrong usage: an unknown option, a missing or contradictory value.
struct UsageError : Error {
  explicit UsageError(const std::string& sentence) : Error(ErrorKind::Usage, sentence) {}
};

// A problem with an input or output file, printed as "FILE: PLACE: expected X, found Y".
struct Fault {
  std::filesystem::path file;
  std::string place;     // tensor, key, offset, line; may be empty
  std::string expected;  // may be empty when `found` is a whole sentence
  std::string found;
};

// Missing, damaged, unsupported or newer file; a folder that cannot be written.
struct InputError : Error {
  explicit InputError(const Fault& fault);
  explicit InputError(const std::string& sentence) : Error(ErrorKind::Input, sentence) {}
};

// Not enough memory or disk.
struct ResourceError : Error {
  explicit ResourceError(const std::string& sentence) : Error(ErrorKind::Resources, sentence) {}
};

// Stopped on request; finished work is kept.
struct Stopped : Error {
  explicit Stopped(const std::string& sentence = "stopped on request")
      : Error(ErrorKind::Stopped, sentence) {}
};

// "12345" -> "12,345": counts in sentences.
std::string withCommas(long long count);
// 94500000 -> "94.5 MB" (powers of ten).
std::string byteText(unsigned long long bytes);
// The candidate nearest to `wrong` by edit distance, or "" when none is near.
template <typename Names>
std::string nearestName(const std::string& wrong, const Names& candidates);
std::size_t editDistance(const std::string& a, const std::string& b);

template <typename Names>
std::string nearestName(const std::string& wrong, const Names& candidates) {
  std::string best;
  std::size_t bestDistance = wrong.size() / 2 + 1;
  for (const auto& candidate : candidates) {
    const std::size_t distance = editDistance(wrong, std::string(candidate));
    if (distance < bestDistance) {
      bestDistance = distance;
      best = std::string(candidate);
    }
  }
  return best;
}

// ---- Reporting: any exception as one sentence (command line main, job, worker).

struct Failure {
  ErrorKind kind = ErrorKind::Internal;
  std::string sentence;  // one line, safe to print, of bounded length
  std::string detail;    // message of a library, for --verbose; safe to print; may be empty
};

// Describes the exception that is being handled; call inside a catch block.
Failure caughtFailure();

}  // namespace plastiscope
