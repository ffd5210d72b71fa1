#pragma once
// Tokens of the records of a large file, counted in a worker and looked up by the window while it goes on.
// What is counted is kept when the choice of records changes.
#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "widgets/capture/text_count.h"

namespace plastiscope {

// Any member may be called from any thread.
class RecordCounts {
 public:
  void add(const std::string& id, std::int64_t tokens);
  std::optional<std::int64_t> of(const std::string& id) const;

 private:
  mutable std::mutex m_mutex;
  std::map<std::string, std::int64_t> m_tokens;
};

// Counts the texts of `corpus` that `counts` does not know yet; returns the first text with its pieces.
// Reports texts of `total`. InputError, Stopped.
TextCount countRecords(const Tokenizer& tokenizer, const CorpusOptions& corpus, std::int64_t total,
                       RecordCounts& counts, Progress& progress);

}  // namespace plastiscope
