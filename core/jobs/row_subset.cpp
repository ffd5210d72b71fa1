#include "core/jobs/row_subset.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>

#include "core/base/error.h"

namespace plastiscope {

namespace {

class SubsetOfRows : public CaptureFile {
 public:
  SubsetOfRows(std::shared_ptr<const CaptureFile> whole, const AnalysisSettings& settings,
               ExampleNumbers numbers)
      : m_whole(std::move(whole)), m_choice(rowChoiceOf(settings)), m_info(m_whole->info()) {
    m_texts = textsMeant(m_choice.examples, m_info);
    m_positions = positionsMeant(m_choice.positions);
    readTypes(typesMeant(m_choice.tokenTypes));
    m_info.subset = textOf(m_choice);
    use(numbers);
    m_info.queryShare = share();
  }
  // The same rows with another numbering of their texts.
  SubsetOfRows(const SubsetOfRows& other, ExampleNumbers numbers) : SubsetOfRows(other) { use(numbers); }

  const std::shared_ptr<const CaptureFile>& whole() const { return m_whole; }
  const RowChoice& choice() const { return m_choice; }
  ExampleNumbers numbers() const { return m_numbers; }

  const CaptureInfo& info() const override { return m_info; }
  const std::filesystem::path& path() const override { return m_whole->path(); }
  bool hasTexts() const override { return m_whole->hasTexts(); }
  std::vector<std::string> tokenTexts(std::int64_t example) const override {
    return m_whole->tokenTexts(numberInWhole(example));
  }
  std::vector<std::int32_t> tokenIds(std::int64_t example) const override {
    return m_whole->tokenIds(numberInWhole(example));
  }
  bool hasLosses() const override { return m_whole->hasLosses(); }
  // A repeated passage counts if its last token and that of its first occurrence are both kept.
  TokenLosses losses(std::int64_t example) const override {
    TokenLosses losses = m_whole->losses(numberInWhole(example));
    for (std::size_t t = 0; t < losses.nll.size(); ++t) {
      if (!keeps(numberInWhole(example), t)) losses.nll[t] = std::numeric_limits<float>::quiet_NaN();
    }
    for (std::int32_t& first : losses.firstPlace) {
      if (first >= 0 && !keeps(numberInWhole(example), first)) first = -1;
    }
    return losses;
  }
  CapturedRows denseRows(const RowPlace& place, std::int64_t example) const override {
    CapturedRows kept = keptRows(m_whole->denseRows(place, numberInWhole(example)),
                                 [this](auto e, auto p) { return keeps(e, p); });
    std::ranges::fill(kept.example, static_cast<std::int32_t>(example));
    return kept;
  }
  WholeText textInWhole(std::int64_t example) const {
    const std::int64_t number = numberInWhole(example);
    return {m_whole.get(), number, [this, number](std::int64_t position) { return keeps(number, position); }};
  }
  bool hasScores() const override { return m_whole->hasScores(); }
  // The scores of the chosen texts. Empty if positions or tokens are chosen, because sums over a text cannot
  // be restricted to them.
  std::vector<HeadTextScores> scores(std::int64_t layer, std::int64_t head) const override {
    if (m_positions || !m_chosenTokens.empty()) return {};
    std::vector<HeadTextScores> all = m_whole->scores(layer, head), some;
    for (std::size_t text = 0; text < all.size(); ++text) {
      if (m_number[text] != kLeftOut)
        some.push_back(all[text]);
      else if (m_numbers == ExampleNumbers::Kept)
        some.emplace_back();
    }
    return some;
  }
  std::vector<std::int32_t> probeTokens() const override { return m_whole->probeTokens(); }
  std::optional<HeadTextScores> probeScores(std::int64_t layer, std::int64_t head) const override {
    return m_whole->probeScores(layer, head);
  }
  CapturedRows rows(const RowPlace& place) const override {
    CapturedRows kept =
        keptRows(m_whole->rows(place), [this](std::int64_t e, std::int64_t p) { return keeps(e, p); });
    for (std::int32_t& example : kept.example) example = m_number[example];
    return kept;
  }

 private:
  static constexpr std::int64_t kLeftOut = -1;

  std::int64_t numberInWhole(std::int64_t example) const {
    return m_numbers == ExampleNumbers::Dense ? m_texts.at(example) : example;
  }

  // `example`: numbered as in the whole capture.
  bool keeps(std::int64_t example, std::int64_t position) const {
    const auto text = static_cast<std::size_t>(example);
    if (text >= m_number.size() || m_number[text] == kLeftOut) return false;
    if (m_positions && (position < m_positions->first || position > m_positions->second)) return false;
    if (m_chosenTokens.empty()) return true;
    const std::vector<bool>& tokens = m_chosenTokens[text];
    return static_cast<std::size_t>(position) < tokens.size() && tokens[position];
  }

  void readTypes(const std::vector<TokenType>& wanted) {
    if (wanted.size() == namesOf(TokenType()).size()) return;
    m_chosenTokens.resize(m_info.examples.size());
    for (const std::int64_t text : m_texts) {
      const std::vector<std::string> tokens = m_whole->tokenTexts(text);
      if (tokens.empty())
        throw InputError(
            "the capture does not hold the words of its texts, which determine the types of tokens: it was "
            "made from token ids, or with --no-texts");
      for (const TokenType type : tokenTypes(tokens))
        m_chosenTokens[text].push_back(std::ranges::count(wanted, type) > 0);
    }
  }

  // Share of the query rows in the first layer that has some; all layers have similar positions.
  double share() const {
    for (const CaptureLayerInfo& layer : m_info.layerInfos) {
      if (layer.queryHeads.empty() || layer.queryRows == 0) continue;
      const CapturedRows all = m_whole->rows({layer.layer, layer.queryHeads.front(), RowSet::Query});
      if (all.position.empty()) continue;
      std::int64_t kept = 0;
      for (std::size_t i = 0; i < all.position.size(); ++i)
        kept += keeps(all.example[i], all.position[i]) ? 1 : 0;
      return static_cast<double>(kept) / static_cast<double>(all.position.size());
    }
    return 1;
  }

  void use(ExampleNumbers numbers) {
    m_numbers = numbers;
    const std::vector<CaptureExampleInfo>& all = m_whole->info().examples;
    const bool dense = numbers == ExampleNumbers::Dense;
    m_number.assign(all.size(), kLeftOut);
    m_info.examples = dense ? std::vector<CaptureExampleInfo>() : all;
    for (const std::int64_t text : m_texts) {
      const auto place = static_cast<std::size_t>(text);
      m_number[place] = dense ? std::ssize(m_info.examples) : text;
      if (dense) m_info.examples.push_back(all[place]);
    }
  }

  std::shared_ptr<const CaptureFile> m_whole;
  RowChoice m_choice;
  CaptureInfo m_info;
  std::vector<std::int64_t> m_texts;  // numbers in the whole capture, ascending
  ExampleNumbers m_numbers = ExampleNumbers::Kept;
  std::vector<std::int64_t> m_number;  // [texts of the whole] number in the subset
  std::optional<std::pair<std::int64_t, std::int64_t>> m_positions;
  std::vector<std::vector<bool>> m_chosenTokens;  // [texts of the whole][tokens]; empty: all
};

}  // namespace

std::vector<std::int64_t> textsMeant(const std::string& list, const CaptureInfo& info) {
  const auto count = std::ssize(info.examples);
  std::set<std::int64_t> meant;
  for (const std::string& part : listParts(list)) {
    const auto named = std::ranges::find(info.examples, part, &CaptureExampleInfo::id);
    if (named != info.examples.end()) {
      meant.insert(named - info.examples.begin());
      continue;
    }
    const auto range = numberRange(part, "-");
    if (!range || range->first >= count)
      throw UsageError("examples: expected names of the capture's " + std::to_string(count) +
                       " texts or numbers from 0 such as 0-3,7, found \"" + part + "\"");
    for (std::int64_t text = range->first; text <= std::min(range->second, count - 1); ++text)
      meant.insert(text);
  }
  std::vector<std::int64_t> texts(meant.begin(), meant.end());
  if (list.empty()) {
    texts.resize(info.examples.size());
    std::iota(texts.begin(), texts.end(), 0);
  }
  return texts;
}

std::string textList(const std::vector<std::int64_t>& ascending, const CaptureInfo& info) {
  if (ascending.size() == info.examples.size()) return "";
  std::string list;
  for (std::size_t first = 0; first < ascending.size();) {
    std::size_t last = first;
    while (last + 1 < ascending.size() && ascending[last + 1] == ascending[last] + 1) ++last;
    list += (list.empty() ? "" : ",") + std::to_string(ascending[first]);
    if (last > first) list += "-" + std::to_string(ascending[last]);
    first = last + 1;
  }
  return list;
}

CapturedRows keptRows(const CapturedRows& all,
                      const std::function<bool(std::int64_t example, std::int64_t position)>& keep) {
  CapturedRows some;
  some.headDim = all.headDim;
  for (std::size_t i = 0; i < all.position.size(); ++i) {
    if (!keep(all.example[i], all.position[i])) continue;
    some.position.push_back(all.position[i]);
    some.example.push_back(all.example[i]);
    some.bucket.push_back(all.bucket[i]);
    const auto begin = all.vectors.begin() + i * all.headDim;
    some.vectors.insert(some.vectors.end(), begin, begin + all.headDim);
  }
  return some;
}

std::shared_ptr<const CaptureFile> subsetOf(std::shared_ptr<const CaptureFile> capture,
                                            const AnalysisSettings& settings, ExampleNumbers numbers) {
  const auto* subset = dynamic_cast<const SubsetOfRows*>(capture.get());
  const RowChoice choice = rowChoiceOf(settings);
  if (subset && subset->choice() == choice)
    return subset->numbers() == numbers ? capture : std::make_shared<SubsetOfRows>(*subset, numbers);
  if (subset) capture = subset->whole();
  return choice.all() ? capture : std::make_shared<SubsetOfRows>(capture, settings, numbers);
}

std::shared_ptr<const CaptureFile> subsetOf(const CaptureFile& capture, const AnalysisSettings& settings,
                                            ExampleNumbers numbers) {
  return subsetOf(std::shared_ptr<const CaptureFile>(std::shared_ptr<void>(), &capture), settings, numbers);
}

WholeText wholeText(const CaptureFile& capture, std::int64_t example) {
  const auto* subset = dynamic_cast<const SubsetOfRows*>(&capture);
  return subset ? subset->textInWhole(example) : WholeText{&capture, example, {}};
}

}  // namespace plastiscope
