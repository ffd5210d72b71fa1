#pragma once
// Tokens of a text file for one tokenizer: what the capture dialog shows before a capture. Work for a worker
// thread.
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/text/corpus.h"
#include "core/text/tokenizer.h"

namespace plastiscope {

struct TextCount {
  std::vector<std::int64_t> lengths;  // tokens of each text of the file
  std::int64_t characters = 0;        // bytes of UTF-8, all texts
  std::string firstId;
  std::vector<std::string> pieces;  // the first tokens of the first text, as they stand in it
  bool moreTokens = false;          // the first text goes on after `pieces`

  std::int64_t total() const;
  std::int64_t longest() const;
};

// What texts of these lengths come to when they are cut to `window` tokens; 0 = the longest.
struct TextTotals {
  std::int64_t texts = 0, tokens = 0, longest = 0;
  std::int64_t afterCut = 0;  // sum of min(length, window)
  std::int64_t shorter = 0;   // texts shorter than the window
};
TextTotals totalsOf(const std::vector<std::int64_t>& lengths, std::int64_t window);

// InputError, Stopped.
TextCount countText(const Tokenizer& tokenizer, const CorpusOptions& corpus, Progress& progress);
// The same for a text that is not in a file.
TextCount countText(const Tokenizer& tokenizer, const std::string& id, const std::string& text);

}  // namespace plastiscope
