#include "widgets/capture/text_source.h"

#include <algorithm>

namespace plastiscope {

namespace {

constexpr std::size_t kPreviewTokens = 600;

void addText(TextCount& count, const Tokenizer& tokenizer, const std::string& id, const std::string& text,
             bool addSpecial, const Progress* progress = nullptr) {
  const Encoding encoding = tokenizer.encode(text, addSpecial, progress);
  count.unusual.add(tokenizer, encoding, text);
  if (count.lengths.empty()) {
    count.firstId = id;
    for (std::size_t i = 0; i < encoding.ids.size() && count.pieces.size() < kPreviewTokens; ++i) {
      const auto [begin, end] = encoding.offsets[i];
      if (end > begin)
        count.pieces.push_back(
            text.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin)));
    }
    count.moreTokens = encoding.ids.size() > kPreviewTokens;
  }
  count.lengths.push_back(static_cast<std::int64_t>(encoding.ids.size()));
  count.characters += static_cast<std::int64_t>(text.size());
}

}  // namespace

std::int64_t TextCount::total() const {
  std::int64_t sum = 0;
  for (const std::int64_t length : lengths) sum += length;
  return sum;
}

std::int64_t TextCount::longest() const {
  return lengths.empty() ? 0 : *std::max_element(lengths.begin(), lengths.end());
}

TextTotals totalsOf(const std::vector<std::int64_t>& lengths, std::int64_t window) {
  TextTotals totals;
  totals.texts = static_cast<std::int64_t>(lengths.size());
  for (const std::int64_t length : lengths) {
    totals.tokens += length;
    totals.longest = std::max(totals.longest, length);
  }
  const std::int64_t cut = window > 0 ? window : totals.longest;
  for (const std::int64_t length : lengths) {
    totals.afterCut += std::min(length, cut);
    totals.shorter += length < cut;
  }
  return totals;
}

TextCount countText(const Tokenizer& tokenizer, const CorpusOptions& corpus, Progress& progress) {
  TextCount count;
  visitCorpus(corpus, progress, [&](const CorpusText& text) {
    progress.throwIfStopped();
    addText(count, tokenizer, text.id, text.text, !corpus.noSpecial, &progress);
    return true;
  });
  return count;
}

void TextSource::setTokenizer(std::shared_ptr<const Tokenizer> tokenizer) {
  m_tokenizer = std::move(tokenizer);
  countAnew();
}

void TextSource::setOptions(const CorpusOptions& options) {
  const bool same = options.textField == m_options.textField && options.idField == m_options.idField &&
                    options.maxExamples == m_options.maxExamples;
  const bool sameTokens = options.noSpecial == m_options.noSpecial;
  m_options = options;
  if (!sameTokens || (!same && takesFiles())) countAnew();
}

TextCount countText(const Tokenizer& tokenizer, const std::string& id, const std::string& text,
                    bool addSpecial) {
  TextCount count;
  if (!text.empty()) addText(count, tokenizer, id, repairUtf8(text), addSpecial);
  return count;
}

}  // namespace plastiscope

#include "moc_text_source.cpp"
