#include "widgets/capture/record_counts.h"

namespace plastiscope {

void RecordCounts::add(const std::string& id, std::int64_t tokens) {
  const std::lock_guard lock(m_mutex);
  m_tokens[id] = tokens;
}

std::optional<std::int64_t> RecordCounts::of(const std::string& id) const {
  const std::lock_guard lock(m_mutex);
  const auto found = m_tokens.find(id);
  return found == m_tokens.end() ? std::nullopt : std::optional(found->second);
}

TextCount countRecords(const Tokenizer& tokenizer, const CorpusOptions& corpus, std::int64_t total,
                       RecordCounts& counts, Progress& progress) {
  TextCount first;
  ProgressState state{"tokenize", 0, static_cast<double>(total), "example", -1, -1};
  visitCorpus(corpus, progress, [&](const CorpusText& text) {
    progress.throwIfStopped();
    if (first.lengths.empty()) {
      first = countText(tokenizer, text.id, text.text);
      if (!first.lengths.empty()) counts.add(text.id, first.lengths.front());
    } else if (!counts.of(text.id)) {
      counts.add(text.id, static_cast<std::int64_t>(tokenizer.encode(text.text, true, &progress).ids.size()));
    }
    ++state.done;
    progress.advanced(state);
    return true;
  });
  return first;
}

}  // namespace plastiscope
