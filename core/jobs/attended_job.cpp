#include "core/jobs/attended_job.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <numeric>

#include "core/analysis/attention_weights.h"
#include "core/base/error.h"
#include "core/jobs/head_work.h"
#include "core/jobs/row_subset.h"
#include "core/views/plane_data.h"

namespace plastiscope {

namespace {

constexpr std::size_t kTextGroups = 16;  // of texts, left out one after the other for intervals

// Rows of a text, ascending by position.
VectorRows rowsOfText(const VectorRows& rows, std::int64_t text,
                      const std::function<bool(std::int64_t position)>& keep) {
  std::vector<std::int64_t> found;
  for (std::int64_t i = 0; i < rows.rows(); ++i)
    if (rows.example[i] == text && keep(rows.position[i])) found.push_back(i);
  std::ranges::stable_sort(found, {}, [&rows](std::int64_t i) { return rows.position[i]; });
  return rowsAt(rows, found);
}

class AttendedHead {
 public:
  AttendedHead(const Study& study, HeadName head, const RowChoice& choice)
      : m_capture(*study.capture), m_rows(readHead(m_capture, head, settingsOf(*study.analysis))) {
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

  AttendedData run(const Progress& progress) {
    const std::vector<std::int64_t> texts = textsMeant(m_data.choice.examples, m_capture.info());
    constexpr std::int64_t kInAll = 4096, kLeast = 32, kMost = 1024;
    const std::int64_t perText =
        std::clamp(kInAll / std::max<std::int64_t>(1, std::ssize(texts)), kLeast, kMost);
    for (const std::int64_t text : texts) {
      const std::size_t before = m_queries.size();
      AttendedSums& sums = m_sums[static_cast<std::size_t>(m_data.texts) % kTextGroups];
      addAttended(rowsOf(text, perText), m_rule, sums, m_queries, progress);
      if (m_queries.size() > before) ++m_data.texts;
    }
    if (m_queries.empty())
      throw InputError("no query of " + m_data.head.text() + " is left that sees two captured keys");
    m_sums.resize(std::min(kTextGroups, static_cast<std::size_t>(m_data.texts)));
    addShares();
    addMeasures();
    addSteps();
    addExamples();
    return std::move(m_data);
  }

 private:
  AttendedRows rowsOf(std::int64_t text, std::int64_t perText) {
    const WholeText whole = wholeText(m_capture, text);
    const std::vector<std::string> tokens = whole.capture->tokenTexts(whole.example);
    const auto within = positionsMeant(m_data.choice.positions);
    const std::vector<TokenType> wanted = typesMeant(m_data.choice.tokenTypes);
    if (tokens.empty() && !m_data.choice.tokenTypes.empty())
      throw InputError("types of queries need the words of the texts, which this capture does not hold");
    m_hasWords = m_hasWords || !tokens.empty();
    const std::vector<std::int32_t> types = keyTypesOf(tokens), places = keyPlacesOf(tokens);
    const auto counts = [&](std::int64_t position) {
      return position > 0 && (!whole.chosen || whole.chosen(position)) &&
             (!within || (within->first <= position && position <= within->second)) &&
             (m_data.choice.tokenTypes.empty() ||
              std::ranges::count(wanted, static_cast<TokenType>(types.at(position))) > 0);
    };
    AttendedRows rows{text, m_data.window, {}, {}, {}, {}, {}, {}, {}, m_a, m_b};
    if (m_data.dense) {
      const auto& [layer, head, keyHead] =
          std::tie(m_rows.place.layer, m_rows.place.head, m_rows.place.kvHead);
      const CapturedRows query = whole.capture->denseRows({layer, head, RowSet::DenseQuery}, whole.example);
      CapturedRows key = whole.capture->denseRows({layer, keyHead, RowSet::DenseKey}, whole.example);
      rows.keys = std::move(key.vectors);
      rows.keyPosition.assign(key.position.begin(), key.position.end());
      rows.queryPosition = spacedQueries(1, std::ssize(query.position), counts, perText);
      rows.queries = widenedRows(query.vectors, query.headDim, rows.queryPosition);
    } else {
      const VectorRows query = rowsOfText(m_rows.query, text, counts),
                       key = rowsOfText(m_rows.key, text, [](std::int64_t) { return true; });
      const VectorRows some = rowsAt(query, spacedQueries(0, query.rows(), {}, perText));
      rows.queries = some.vectors;
      rows.queryPosition = some.position;
      rows.keys.assign(key.vectors.data(), key.vectors.data() + key.vectors.size());
      rows.keyPosition = key.position;
    }
    for (const std::int64_t position : rows.keyPosition) {
      const bool known = position < std::ssize(tokens);  // without words only the first token is
      const std::string token = known ? tokens[position] : std::string();
      rows.place.push_back(known           ? places[position]
                           : position == 0 ? 0
                                           : static_cast<std::int32_t>(keyPlaces().size()) - 1);
      rows.type.push_back(known ? types[position] : 0);
      rows.token.push_back(
          m_tokens.try_emplace(token, static_cast<std::int32_t>(m_tokens.size())).first->second);
    }
    return rows;
  }

  // Mean over the queries of a column of ByFifth; `of` returns the mean of a group's queries in a fifth.
  template <typename Of>
  MeanOverTexts meanOf(std::size_t column, const Of& of) const {
    std::vector<RunningMean> groups;
    for (const AttendedSums& sums : m_sums) {
      RunningMean& mean = groups.emplace_back();
      for (std::size_t fifth = 0; fifth < kFifths; ++fifth)
        if (column == 0 || column == fifth + 1) mean.add(of(sums, fifth));
    }
    return meanOverTexts(groups);
  }

  AttendedClass shareOf(std::size_t grouping, std::size_t number, const KeyClass& key) const {
    AttendedClass one{key, {}};
    for (std::size_t column = 0; column <= kFifths; ++column) {
      const auto mean = [&](double AttendedKeySums::*value) {
        return meanOf(column, [&](const AttendedSums& sums, std::size_t fifth) {
          const auto& group = sums.groups[grouping];
          return RunningMean{number < group.size() ? group[number][fifth].*value : 0,
                             static_cast<double>(sums.queries[fifth])};
        });
      };
      one.share[column] = {mean(&AttendedKeySums::attention), mean(&AttendedKeySums::keys).value,
                           mean(&AttendedKeySums::top).value};
    }
    return one;
  }

  void addShares() {
    for (std::size_t column = 0; column <= kFifths; ++column) {
      for (const AttendedSums& sums : m_sums)
        for (std::size_t fifth = 0; fifth < kFifths; ++fifth)
          if (column == 0 || column == fifth + 1) m_data.queries[column] += sums.queries[fifth];
    }
    const auto add = [this](KeyGrouping which, std::size_t number, const KeyClass& key) {
      const auto grouping = static_cast<std::size_t>(which);
      AttendedClass one = shareOf(grouping, number, key);
      if (one.share[0].keys > 0) m_data.groups[grouping].push_back(std::move(one));
    };
    for (std::size_t i = 0; i < keyPlaces().size(); ++i) add(KeyGrouping::Place, i, keyPlaces()[i]);
    for (std::size_t i = 0; i <= distanceClass(m_data.window); ++i)
      add(KeyGrouping::Distance, i, keyDistance(i));
    if (!m_hasWords) return;
    for (std::size_t i = 0; i < keyTypes().size(); ++i) add(KeyGrouping::Type, i, keyTypes()[i]);
    for (const std::string& token : mostAttended())
      add(KeyGrouping::Token, static_cast<std::size_t>(m_tokens.at(token)), keyToken(token));
  }

  std::vector<std::string> mostAttended() const {
    std::vector<std::pair<double, std::string>> order;
    for (const auto& [token, number] : m_tokens) {
      double attention = 0;
      for (const AttendedSums& sums : m_sums) {
        const auto& group = sums.groups[static_cast<std::size_t>(KeyGrouping::Token)];
        if (number < std::ssize(group))
          for (const AttendedKeySums& sum : group[number]) attention += sum.attention;
      }
      order.emplace_back(-attention, token);
    }
    std::ranges::sort(order);
    std::vector<std::string> tokens;
    for (std::size_t i = 0; i < std::min(order.size(), AttendedData::kTokens); ++i)
      tokens.push_back(order[i].second);
    return tokens;
  }

  template <typename Of>
  void addMeasure(const char* name, const char* title, const Of& of) {
    AttendedClass& one = m_data.measures.emplace_back(AttendedClass{{name, title, "", ""}, {}});
    for (std::size_t column = 0; column <= kFifths; ++column) one.share[column].value = meanOf(column, of);
  }

  void addMeasures() {
    for (const auto& [name, title, value] :
         {std::tuple("entropy", "entropy, nats", &AttendedSums::entropy),
          {"relative_entropy", "entropy / ln(keys)", &AttendedSums::relative},
          {"first_token", "first token", &AttendedSums::first}})
      addMeasure(name, title, [value = value](const AttendedSums& sums, std::size_t fifth) {
        return (sums.*value)[fifth];
      });
    constexpr const char* kNames[][2] = {
        {"score_a", "score on a"}, {"score_b", "score on b"}, {"score_rest", "rest of the score"}};
    for (std::size_t part = 0; part < kScoreParts; ++part)
      addMeasure(kNames[part][0], kNames[part][1], [part](const AttendedSums& sums, std::size_t fifth) {
        const auto& variance = sums.variance[fifth];
        return RunningMean{variance[part], variance[0] + variance[1] + variance[2]};
      });
  }

  void addSteps() {
    constexpr std::size_t kLeastInStep = 5;
    if (m_queries.size() < kLeastInStep * kAttendedSteps) return;
    for (std::size_t i = 0; i < kAttendedSteps; ++i) {
      std::vector<RunningMean> entropy, first;
      double queries = 0;
      for (const AttendedSums& sums : m_sums) {
        entropy.push_back(sums.relativeSteps[i]);
        first.push_back(sums.firstSteps[i]);
        queries += sums.relativeSteps[i].count;
      }
      const double width = static_cast<double>(m_data.window) / kAttendedSteps,
                   from = static_cast<double>(i) * width;
      m_data.steps.push_back({from, from + width, static_cast<std::int64_t>(queries), meanOverTexts(entropy),
                              meanOverTexts(first)});
    }
  }

  void addExamples() {
    constexpr std::int64_t kLeastKeys = 16;
    setAgreement(m_queries, m_data.window);
    std::erase_if(m_queries, [](const AttendedQuery& query) { return query.keys < kLeastKeys; });
    std::ranges::stable_sort(m_queries, std::greater(), &AttendedQuery::agreement);
    const auto half = std::ssize(m_queries) / 2;
    m_data.typical = examplesOf({m_queries.begin(), m_queries.begin() + half});
    m_data.untypical = examplesOf({m_queries.rbegin(), m_queries.rbegin() + half});
  }

  // The first queries that are not close to an earlier one.
  std::vector<AttendedExample> examplesOf(const std::vector<AttendedQuery>& order) const {
    constexpr std::int64_t kApart = 32;  // tokens of one text
    constexpr std::size_t kReach = 40;   // characters on each side
    std::vector<AttendedExample> examples;
    for (const AttendedQuery& query : order) {
      if (examples.size() == AttendedData::kExamples) break;
      const bool close = std::ranges::any_of(examples, [&query](const AttendedExample& other) {
        return other.query.text == query.text && std::abs(other.query.position - query.position) < kApart;
      });
      if (close) continue;
      const WholeText whole = wholeText(m_capture, query.text);
      const std::vector<std::string> tokens = whole.capture->tokenTexts(whole.example);
      const auto wordsAt = [&tokens](std::int64_t position) {
        return position < std::ssize(tokens) ? rowTextOf(tokens, position, kReach) : RowText();
      };
      AttendedExample& example = examples.emplace_back(AttendedExample{query, wordsAt(query.position), {}});
      for (const WeightedKey& key : query.strongest) example.keys.push_back(wordsAt(key.position));
    }
    return examples;
  }

  const CaptureFile& m_capture;
  HeadRows m_rows;
  AttentionScoreRule m_rule;
  std::vector<double> m_a, m_b;
  bool m_hasWords = false;
  std::map<std::string, std::int32_t> m_tokens;  // classes of tokens
  std::vector<AttendedSums> m_sums =
      std::vector<AttendedSums>(kTextGroups);  // of groups of texts with queries
  std::vector<AttendedQuery> m_queries;
  AttendedData m_data;
};

}  // namespace

AttendedData makeAttended(const Study& study, HeadName head, const RowChoice& choice,
                          const Progress& progress) {
  if (const std::string reason = whyNoRows(study, head); !reason.empty()) throw UsageError(reason);
  return AttendedHead(study, head, choice).run(progress);
}

}  // namespace plastiscope
