#include "core/jobs/attended_job.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "core/analysis/attention_weights.h"
#include "core/base/error.h"
#include "core/base/joined.h"
#include "core/jobs/head_work.h"
#include "core/jobs/row_subset.h"
#include "core/text/token_types.h"
#include "core/views/plane_data.h"

namespace plastiscope {

namespace {

constexpr std::size_t kReach = 40;       // characters on each side of a query
constexpr std::int64_t kLeastKeys = 16;  // seen by a query that serves as an example
constexpr std::int64_t kApart = 32;      // tokens between examples of one text

std::int64_t queriesPerText(std::int64_t texts) {
  constexpr std::int64_t kInAll = 4096, kLeast = 32, kMost = 1024;
  return std::clamp(kInAll / std::max<std::int64_t>(1, texts), kLeast, kMost);
}

class AttendedHead {
 public:
  AttendedHead(const Study& study, HeadName head, const AttendedChoice& choice, const Progress& progress)
      : m_study(study), m_capture(*study.capture), m_progress(progress), m_rows(rowsOfHead(head)) {
    const CaptureInfo& info = m_capture.info();
    m_data.head = head;
    m_data.choice = choice;
    m_data.window = info.window;
    m_data.dense = isDense(info, head.layer, head.head);
    for (const CaptureExampleInfo& text : info.examples) m_data.exampleIds.push_back(text.id);
    const auto rule = softmaxRule(info, head.layer);
    if (!rule)
      throw InputError("the rows of " + head.text() +
                       " do not give its softmax: learned sinks, biases by position, or rows before RoPE");
    m_rule = *rule;
    if (m_rule.scale <= 0) m_rule.scale = 1 / std::sqrt(static_cast<double>(m_rows.query.headDim()));
    m_a = axisOf(*study.analysis, head, "a", m_rows.query.headDim());
    m_b = axisOf(*study.analysis, head, "b", m_rows.query.headDim());
  }

  AttendedData run() {
    for (const std::int64_t text : chosenTexts()) readText(text);
    m_data.texts = std::ssize(m_sums);
    if (m_sums.empty())
      throw InputError("no query of " + m_data.head.text() + " is left that sees two captured keys");
    addCounts();
    addClasses();
    addTokens();
    addBins();
    addExamples();
    return std::move(m_data);
  }

 private:
  HeadRows rowsOfHead(HeadName head) const {
    return readHead(m_capture, head, settingsOf(*m_study.analysis));
  }

  std::vector<std::int64_t> chosenTexts() const {
    const std::string& text = m_data.choice.text;
    const std::vector<std::string>& ids = m_data.exampleIds;
    if (!text.empty()) {
      const auto found = std::ranges::find(ids, text);
      if (found == ids.end())
        throw UsageError("no text \"" + text + "\" was captured" + didYouMean(text, ids));
      return {found - ids.begin()};
    }
    std::vector<std::int64_t> all(ids.size());
    std::iota(all.begin(), all.end(), 0);
    return all;
  }

  void readText(std::int64_t text) {
    m_progress.throwIfStopped();
    const WholeText whole = wholeText(m_capture, text);
    const std::vector<std::string> tokens = whole.capture->tokenTexts(whole.example);
    if (tokens.empty() && !m_data.choice.type.empty())
      throw InputError("types of queries need the words of the texts, which this capture does not hold");
    const std::vector<std::int32_t> types = keyTypesOf(tokens), places = keyPlacesOf(tokens);
    const auto counts = [&](std::int64_t position) {
      const AttendedChoice& choice = m_data.choice;
      return position > 0 && (!whole.chosen || whole.chosen(position)) &&
             (choice.fifth == 0 ||
              partOfWindow(position, m_data.window, kFifths) + 1 == static_cast<std::size_t>(choice.fifth)) &&
             (choice.type.empty() ||
              choice.type == keyTypes()[static_cast<std::size_t>(types.at(position))].name);
    };
    AttendedRows rows;
    rows.window = m_data.window;
    rows.a = m_a;
    rows.b = m_b;
    m_data.dense ? takeDense(rows, whole, counts) : takeCaptured(rows, text, counts);
    rows.places = static_cast<std::int32_t>(keyPlaces().size());
    rows.types = static_cast<std::int32_t>(keyTypes().size());
    std::map<std::string, std::int32_t> ofText;
    for (const std::int64_t position : rows.keyPosition) {
      const bool known = position < std::ssize(tokens);
      const auto at = static_cast<std::size_t>(position);
      // Without words the first token is still known, and types are left out.
      rows.place.push_back(known ? places[at] : position == 0 ? 0 : rows.places - 1);
      rows.type.push_back(known ? types[at] : 0);
      if (known)
        rows.token.push_back(
            ofText.try_emplace(tokens[at], static_cast<std::int32_t>(ofText.size())).first->second);
    }
    rows.tokens = static_cast<std::int32_t>(ofText.size());
    const std::size_t before = m_queries.size();
    AttendedSums sums = attendedSums(rows, m_rule, text, m_queries, m_progress);
    if (m_queries.size() == before) return;
    m_hasWords = m_hasWords || !tokens.empty();
    for (const auto& [token, number] : ofText) m_tokens[token].emplace_back(m_sums.size(), number);
    m_sums.push_back(std::move(sums));
  }

  template <typename Counts>
  void takeDense(AttendedRows& rows, const WholeText& text, const Counts& counts) const {
    const HeadId& place = m_rows.place;
    const CapturedRows query =
        text.capture->denseRows({place.layer, place.head, RowSet::DenseQuery}, text.example);
    rows.keys = text.capture->denseRows({place.layer, place.kvHead, RowSet::DenseKey}, text.example).vectors;
    const std::int64_t width = m_rows.query.headDim(), tokens = std::ssize(rows.keys) / width;
    rows.keyPosition.resize(static_cast<std::size_t>(tokens));
    std::iota(rows.keyPosition.begin(), rows.keyPosition.end(), 0);
    rows.queryPosition = spacedQueries(1, std::min<std::int64_t>(tokens, std::ssize(query.vectors) / width),
                                       counts, perText());
    rows.queries = widenedRows(query.vectors, width, rows.queryPosition);
  }

  template <typename Counts>
  void takeCaptured(AttendedRows& rows, std::int64_t text, const Counts& counts) const {
    const std::vector<std::int64_t> query = rowsIn(m_rows.query, text), key = rowsIn(m_rows.key, text);
    const auto counted = [&](std::int64_t i) {
      return counts(m_rows.query.position[static_cast<std::size_t>(query[static_cast<std::size_t>(i)])]);
    };
    std::vector<std::int64_t> which;
    for (const std::int64_t i : spacedQueries(0, std::ssize(query), counted, perText()))
      which.push_back(query[static_cast<std::size_t>(i)]);
    const VectorRows chosen = rowsAt(m_rows.query, which);
    rows.queries = chosen.vectors;
    rows.queryPosition = chosen.position;
    const VectorRows keys = rowsAt(m_rows.key, key);
    rows.keyPosition = keys.position;
    rows.keys.assign(keys.vectors.data(), keys.vectors.data() + keys.vectors.size());
  }

  std::int64_t perText() const {
    return queriesPerText(m_data.choice.text.empty() ? std::ssize(m_data.exampleIds) : 1);
  }

  // Rows of a text, ascending by position.
  static std::vector<std::int64_t> rowsIn(const VectorRows& rows, std::int64_t text) {
    std::vector<std::int64_t> found;
    for (std::int64_t i = 0; i < rows.rows(); ++i)
      if (rows.example[static_cast<std::size_t>(i)] == text) found.push_back(i);
    std::ranges::stable_sort(found, {},
                             [&rows](std::int64_t i) { return rows.position[static_cast<std::size_t>(i)]; });
    return found;
  }

  // ---- means over texts

  // The value of a text in a column of ByFifth: the sum over its fifths, or of one.
  template <typename Of>
  MeanOverTexts meanOf(std::size_t column, const Of& of) const {
    std::vector<RunningMean> texts(m_sums.size());
    for (std::size_t text = 0; text < texts.size(); ++text)
      for (std::size_t fifth = 0; fifth < kFifths; ++fifth)
        if (column == 0 || column == fifth + 1) texts[text].add(of(text, fifth));
    return meanOverTexts(texts);
  }

  void addCounts() {
    for (const AttendedSums& sums : m_sums)
      for (std::size_t fifth = 0; fifth < kFifths; ++fifth) {
        m_data.queries[0] += sums.queries[fifth];
        m_data.queries[fifth + 1] += sums.queries[fifth];
      }
    for (std::size_t column = 0; column <= kFifths; ++column)
      for (std::size_t part = 0; part < kScoreParts; ++part)
        m_data.parts[column][part] = meanOf(column, [&](std::size_t text, std::size_t fifth) {
          const auto& variance = m_sums[text].variance[fifth];
          return RunningMean{variance[part], variance[0] + variance[1] + variance[2]};
        });
  }

  // `sumsOf(text)`: sums of the class in a text; null: none.
  template <typename SumsOf>
  void addShares(AttendedClass& one, const SumsOf& sumsOf) const {
    for (std::size_t column = 0; column <= kFifths; ++column) {
      const auto share = [&](double KeySums::*value) {
        return meanOf(column, [&](std::size_t text, std::size_t fifth) {
          const KeySumsByFifth* sums = sumsOf(text);
          return RunningMean{sums == nullptr ? 0 : (*sums)[fifth].*value,
                             static_cast<double>(m_sums[text].queries[fifth])};
        });
      };
      const MeanOverTexts attention = share(&KeySums::attention);
      one.share[column] = {attention.value, attention.interval, share(&KeySums::keys).value,
                           share(&KeySums::top).value};
    }
  }

  // Classes of a grouping that some query sees.
  std::vector<AttendedClass> classesOf(KeyGrouping grouping,
                                       const std::function<AttendedClass(std::size_t)>& named) const {
    const auto group = static_cast<std::size_t>(grouping);
    std::vector<AttendedClass> classes;
    for (std::size_t i = 0; i < m_sums.front().groups[group].size(); ++i) {
      AttendedClass one = named(i);
      addShares(one, [&](std::size_t text) { return &m_sums[text].groups[group][i]; });
      if (one.share[0].keys > 0) classes.push_back(std::move(one));
    }
    return classes;
  }

  void addClasses() {
    const auto listed = [](std::span<const KeyClass> list) {
      return [list](std::size_t i) { return AttendedClass{list[i].name, list[i].title, list[i].phrase, {}}; };
    };
    m_data.places = classesOf(KeyGrouping::Place, listed(keyPlaces()));
    if (m_hasWords) m_data.types = classesOf(KeyGrouping::Type, listed(keyTypes()));
    m_data.distances = classesOf(KeyGrouping::Distance, [](std::size_t i) {
      const std::string from = std::to_string(i == 0 ? 0 : std::int64_t{1} << (i - 1));
      return AttendedClass{from,
                           distanceTitle(i),
                           i == 0   ? "the query itself"
                           : i == 1 ? "the previous token"
                                    : "keys " + distanceTitle(i),
                           {}};
    });
  }

  void addTokens() {
    constexpr auto kToken = static_cast<std::size_t>(KeyGrouping::Token);
    std::vector<std::pair<double, const std::string*>> order;
    for (const auto& [token, places] : m_tokens) {
      double attention = 0;
      for (const auto& [text, number] : places)
        for (const KeySums& sums : m_sums[text].groups[kToken][static_cast<std::size_t>(number)])
          attention += sums.attention;
      order.emplace_back(attention, &token);
    }
    std::ranges::stable_sort(order, std::greater(), &std::pair<double, const std::string*>::first);
    order.resize(std::min(order.size(), AttendedData::kTokens));
    for (const auto& [attention, token] : order) {
      const std::string shown = shownTokens(std::span(token, 1)).front();
      AttendedClass one{shown, tokenTitle(shown), tokenTitle(shown), {}};
      addShares(one, [&, places = &m_tokens.at(*token)](std::size_t text) -> const KeySumsByFifth* {
        const auto found = std::ranges::find(*places, text, &std::pair<std::size_t, std::int32_t>::first);
        if (found == places->end()) return nullptr;
        return &m_sums[text].groups[kToken][static_cast<std::size_t>(found->second)];
      });
      m_data.tokens.push_back(std::move(one));
    }
  }

  void addBins() {
    for (std::size_t bin = 0; bin < kEntropyBins; ++bin) {
      const auto mean = [&](std::array<RunningMean, kEntropyBins> AttendedSums::*value) {
        std::vector<RunningMean> texts;
        for (const AttendedSums& sums : m_sums) texts.push_back((sums.*value)[bin]);
        return meanOverTexts(texts);
      };
      const auto edge = [&](std::size_t at) {
        return static_cast<double>(m_data.window) * static_cast<double>(at) / kEntropyBins;
      };
      AttendedBin one{edge(bin), edge(bin + 1), mean(&AttendedSums::entropy),
                      mean(&AttendedSums::relativeEntropy), mean(&AttendedSums::first)};
      if (std::isfinite(one.entropy.value)) m_data.bins.push_back(one);
    }
  }

  // ---- examples

  void addExamples() {
    setAgreement(m_queries, m_data.window);
    std::erase_if(m_queries, [](const AttendedQuery& query) { return query.keys < kLeastKeys; });
    std::ranges::stable_sort(m_queries, std::greater(), &AttendedQuery::agreement);
    const std::size_t half = m_queries.size() / 2;
    m_data.typical = examplesOf({m_queries.begin(), m_queries.begin() + static_cast<std::ptrdiff_t>(half)});
    m_data.untypical = examplesOf({m_queries.rbegin(), m_queries.rend() - static_cast<std::ptrdiff_t>(half)});
  }

  // The first of `order` that are not close to an earlier one.
  std::vector<AttendedExample> examplesOf(const std::vector<AttendedQuery>& order) const {
    std::vector<AttendedExample> examples;
    for (const AttendedQuery& query : order) {
      if (examples.size() == AttendedData::kExamples) break;
      const bool close = std::ranges::any_of(examples, [&query](const AttendedExample& other) {
        return other.query.text == query.text && std::abs(other.query.position - query.position) < kApart;
      });
      if (close) continue;
      AttendedExample& example = examples.emplace_back(AttendedExample{query, {}, {}});
      const std::vector<std::string> tokens = m_capture.tokenTexts(query.text);
      if (query.position < std::ssize(tokens)) example.words = rowTextOf(tokens, query.position, kReach);
      for (const WeightedKey& key : query.strongest)
        example.keys.push_back(key.position < std::ssize(tokens) ? rowTextOf(tokens, key.position, kReach)
                                                                 : RowText());
    }
    return examples;
  }

  const Study& m_study;
  const CaptureFile& m_capture;
  const Progress& m_progress;
  HeadRows m_rows;
  AttentionScoreRule m_rule;
  std::vector<double> m_a, m_b;
  bool m_hasWords = false;
  std::vector<AttendedSums> m_sums;  // of texts with queries
  std::map<std::string, std::vector<std::pair<std::size_t, std::int32_t>>>
      m_tokens;  // index of the sums, class
  std::vector<AttendedQuery> m_queries;
  AttendedData m_data;
};

}  // namespace

AttendedData makeAttended(const Study& study, HeadName head, const AttendedChoice& choice,
                          const Progress& progress) {
  if (const std::string reason = whyNoRows(study, head); !reason.empty()) throw UsageError(reason);
  return AttendedHead(study, head, choice, progress).run();
}

}  // namespace plastiscope
