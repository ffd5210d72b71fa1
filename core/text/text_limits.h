#pragma once
// What encoding one text may cost: a tokenizer's file decides how a text grows, and its loops ask whether to
// stop.
#include <cstddef>
#include <stdexcept>

#include "core/base/progress.h"

namespace plastiscope {

// A text became longer than limits allow; whoever knows the tokenizer's file makes an InputError of it.
struct TextOutgrown : std::length_error {
  TextOutgrown() : std::length_error("a text outgrew its limit") {}
};

class TextLimits {
 public:
  // NFKC makes up to 11 bytes of one, a visible space 3; files that need more mean harm.
  static constexpr std::size_t kMostGrowth = 16, kAlways = 4096;

  explicit TextLimits(std::size_t inputBytes, const Progress* progress = nullptr)
      : m_most(kMostGrowth * inputBytes + kAlways), m_progress(progress) {}

  // One step of a loop that has made `bytes` so far.
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
