#pragma once
// Limits for encoding one text: its growth, which depends on the tokenizer file, and checks for cancellation.
#include <cstddef>
#include <stdexcept>

#include "core/base/progress.h"

namespace plastiscope {

// A text exceeded its limit; code that knows the tokenizer file turns it into an InputError.
struct TextOutgrown : std::length_error {
  TextOutgrown() : std::length_error("a text outgrew its limit") {}
};

class TextLimits {
 public:
  // NFKC makes up to 11 bytes from one, a visible space 3; larger growth is treated as hostile.
  static constexpr std::size_t kMaxGrowth = 16, kAlways = 4096;

  explicit TextLimits(std::size_t inputBytes, const Progress* progress = nullptr)
      : m_most(kMaxGrowth * inputBytes + kAlways), m_progress(progress) {}

  // One step of a loop that has produced `bytes` so far. TextOutgrown, Stopped.
  void step(std::size_t bytes = 0) {
    if (bytes > m_most) throw TextOutgrown();
    if (m_progress != nullptr && ++m_steps % kStepsBetweenQuestions == 0) m_progress->throwIfStopped();
  }

 private:
  static constexpr std::size_t kStepsBetweenQuestions = 4096;
  std::size_t m_most, m_steps = 0;
  const Progress* m_progress;
};

}  // namespace plastiscope
