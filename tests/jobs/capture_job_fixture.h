#pragma once
#include "core/base/json.h"
#include "tests/jobs/tiny_capture.h"
#include "tests/support/failure.h"
#include "tests/support/recorded_progress.h"
#include "tests/support/tiny_llama.h"

namespace plastiscope::test {

// Nine texts and a model to capture.
class CaptureJob : public TinyCapture {
 protected:
  void SetUp() override {
    TinyLlama().write(m_folder / "model");
    writeTokens("tokens.jsonl", 9, 1400);
  }

  // Examples of different lengths: `longest` tokens, then shorter and shorter.
  void writeTokens(const std::string& name, int examples, int longest) const {
    std::string text;
    for (int e = 0; e < examples; ++e) {
      Json tokens = Json::array();
      for (int t = 0; t < longest - 100 * e; ++t) tokens.push_back((t * t + 7 * e + t / 3) % 64);
      const Json id = e % 2 == 0 ? Json(100 + e) : Json("text " + std::to_string(e));
      text += Json({{"id", id}, {"tokens", tokens}}).dump() + "\n";
    }
    writeFileAtomically(m_folder / name, std::string_view(text));
  }

  static std::string failureOf(const CaptureRequest& request) {
    return test::failureOf([&] {
      RecordedProgress progress;
      runCapture(request, progress);
    });
  }
};

}  // namespace plastiscope::test
