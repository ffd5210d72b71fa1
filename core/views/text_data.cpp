#include "core/views/text_data.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <functional>
#include <limits>
#include <map>

#include "core/analysis/attention_weights.h"
#include "core/analysis/pair_inspection.h"
#include "core/analysis/reach.h"
#include "core/base/error.h"
#include "core/text/token_types.h"
#include "core/views/attention_data.h"
#include "core/views/plane_data.h"
#include "core/views/token_text.h"

namespace plastiscope {

namespace {

constexpr std::array<TokenMeasureInfo, 6> kMeasures = {{
    {TokenMeasure::A, "<i>a</i>", "where the row lies on the position axis"},
    {TokenMeasure::B, "<i>b</i>", "where the row lies on the separation axis"},
    {TokenMeasure::Norm, "norm", "the length of the row"},
    {TokenMeasure::Plasticity, "PP",
     "mean plasticity of the row's pairs: of a query, those of its bin in this text; of a key, those that it "
     "is "
     "part of"},
    {TokenMeasure::Score, "score", "how the chosen query scores the keys before it, in logits"},
    {TokenMeasure::Weight, "weight",
     "share of the chosen query's attention, for heads captured at every position (--dense)"},
}};

double dot(const float* left, const float* right, std::size_t size) {
  double sum = 0;
  for (std::size_t i = 0; i < size; ++i) sum += static_cast<double>(left[i]) * static_cast<double>(right[i]);
  return sum;
}

// Coordinates of one vector.
struct Place {
  double a = 0, b = 0, norm = 0;
};

// Both axes of a head in the space of its vectors.
struct Axes {
  std::vector<double> a, b;

  Place of(const float* vector) const {
    Place place;
    double squares = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      const auto number = static_cast<double>(vector[i]);
      place.a += number * a[i];
      place.b += number * b[i];
      squares += number * number;
    }
    place.norm = std::sqrt(squares);
    return place;
  }
};

Axes axesOf(const Study& study, HeadName head) {
  const std::int64_t size = factsOf(study).headDimOf(head.layer);
  return {axisOf(*study.analysis, head, "a", size), axisOf(*study.analysis, head, "b", size)};
}

void requireSize(const CapturedRows& rows, std::size_t size) {
  if (rows.headDim == static_cast<std::int64_t>(size)) return;
  throw InputError("capture and analysis do not belong together: vectors of " + std::to_string(rows.headDim) +
                   " numbers, axes of " + std::to_string(size));
}

float orMissing(double value) {
  const auto number = static_cast<float>(value);
  return std::isfinite(number) ? number : std::numeric_limits<float>::quiet_NaN();
}

// Rows of one example by their positions.
using RowsByPosition = std::map<std::int32_t, std::int64_t>;

RowsByPosition byPosition(const CapturedRows& rows, std::int64_t example) {
  RowsByPosition found;
  for (std::size_t i = 0; i < rows.position.size(); ++i) {
    if (rows.example[i] == example) found[rows.position[i]] = static_cast<std::int64_t>(i);
  }
  return found;
}

// A vector of an example, and its row among the sampled ones.
using UseVector = std::function<void(std::int32_t position, const float* vector, std::int64_t sampledRow)>;

// Visits the vectors of one kind in an example, ascending by position: all of a dense head, else the sampled
// ones. True if the head is dense.
bool visitVectors(const Study& study, HeadName head, RowSet set, std::int64_t example, std::size_t size,
                  const UseVector& use) {
  const CaptureFile& capture = *study.capture;
  const CapturedRows rows = rowsOf(study, head, set);
  requireSize(rows, size);
  const RowsByPosition sampled = byPosition(rows, example);
  if (!isDense(capture.info(), head.layer, head.head)) {
    for (const auto& [position, row] : sampled)
      use(position, rows.vectors.data() + static_cast<std::size_t>(row) * size, row);
    return false;
  }
  const std::int64_t group = factsOf(study).groupSize(head.layer);
  const CapturedRows dense =
      set == RowSet::Query ? capture.denseRows({head.layer, head.head, RowSet::DenseQuery}, example)
                           : capture.denseRows({head.layer, head.head / group, RowSet::DenseKey}, example);
  requireSize(dense, size);
  for (std::size_t i = 0; i < dense.position.size(); ++i) {
    const auto found = sampled.find(dense.position[i]);
    use(dense.position[i], dense.vectors.data() + i * size, found == sampled.end() ? -1 : found->second);
  }
  return true;
}

TokenRows tokenRows(const Study& study, HeadName head, RowSet set, const Axes& axes, std::int64_t example) {
  TokenRows found;
  visitVectors(study, head, set, example, axes.a.size(),
               [&](std::int32_t position, const float* vector, std::int64_t row) {
                 const Place at = axes.of(vector);
                 found.row.push_back(row);
                 found.position.push_back(position);
                 found.a.push_back(orMissing(at.a));
                 found.b.push_back(orMissing(at.b));
                 found.norm.push_back(orMissing(at.norm));
               });
  found.pp.assign(found.row.size(), std::numeric_limits<float>::quiet_NaN());
  found.weight = found.score = found.pp;
  return found;
}

std::size_t rowOf(const CapturedRows& queries, std::int64_t row) {
  if (row < 0 || row >= std::ssize(queries.position)) {
    throw UsageError("row " + std::to_string(row) + " of " + std::to_string(queries.position.size()) +
                     " query rows");
  }
  return static_cast<std::size_t>(row);
}

std::size_t rowOf(const CapturedRows& queries, const TokenPlace& token) {
  const auto found = std::ranges::find(queries.position, token.position);
  if (found == queries.position.end())
    throw UsageError("token " + std::to_string(token.position) + " is not among the chosen rows");
  return static_cast<std::size_t>(found - queries.position.begin());
}

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// Lower-case text in which each run of white space is one space.
struct Searchable {
  std::string bytes;
  std::vector<std::int64_t> token;  // [bytes]

  void add(std::string_view text, std::int64_t of) {
    constexpr std::string_view kLineEnd = "\u21B5";
    while (!text.empty()) {
      const bool ends = text.starts_with(kLineEnd), spaces = ends || text.front() == ' ';
      if (!spaces || !bytes.ends_with(' ')) {
        bytes += spaces ? ' ' : lower(text.front());
        token.push_back(of);
      }
      text.remove_prefix(ends ? kLineEnd.size() : 1);
    }
  }
};

}  // namespace

TextDocument makeTextDocument(std::string id, std::span<const std::string> tokens) {
  TextDocument text{std::move(id), shownTokens(tokens), std::vector<bool>(tokens.size())};
  int breaks = 0;  // line ends since the last character that is not a space
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (invisibleLabel(tokens[i]) && text.tokens[i].find_first_of("<U") != std::string::npos)
      text.labelled.insert(i);
    for (const char c : tokens[i]) {
      if (c == '\n')
        ++breaks;
      else if (std::isspace(static_cast<unsigned char>(c)) == 0) {
        if (breaks > 1 && i > 0) text.endsParagraph[i - 1] = true;
        breaks = 0;
      }
    }
  }
  return text;
}

std::vector<TokenSpan> findWords(const TextDocument& text, std::string_view words) {
  Searchable all, wanted;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!text.labelled.contains(i)) all.add(text.tokens[i], static_cast<std::int64_t>(i));
  }
  wanted.add(words, 0);
  const std::size_t length = wanted.bytes.size();
  std::vector<TokenSpan> found;
  if (length == 0 || wanted.bytes == " ") return found;
  for (std::size_t at = all.bytes.find(wanted.bytes); at != std::string::npos;
       at = all.bytes.find(wanted.bytes, at + length))
    found.push_back({all.token[at], all.token[at + length - 1]});
  found.erase(std::ranges::unique(found).begin(), found.end());
  return found;
}

std::span<const TokenMeasureInfo> tokenMeasures() {
  return kMeasures;
}

const std::vector<float>& TokenRows::values(TokenMeasure measure) const {
  switch (measure) {
    case TokenMeasure::A:
      return a;
    case TokenMeasure::B:
      return b;
    case TokenMeasure::Norm:
      return norm;
    case TokenMeasure::Plasticity:
      return pp;
    case TokenMeasure::Score:
      return score;
    case TokenMeasure::Weight:
      return weight;
  }
  return a;
}

std::optional<std::size_t> TokenRows::at(std::int64_t wanted) const {
  const auto place = std::ranges::lower_bound(position, wanted);
  if (place == position.end() || *place != wanted) return std::nullopt;
  return static_cast<std::size_t>(place - position.begin());
}

HeadText makeHeadText(const Study& study, HeadName head, std::int64_t example) {
  HeadText text;
  text.head = head;
  text.example = example;
  text.missing = whyNoRows(study, head);
  if (!text.missing.empty()) return text;
  const Axes axes = axesOf(study, head);
  if (axes.a.empty() || axes.b.empty()) {
    text.missing = missingAxis(head, axes.a.empty() ? "a" : "b");
    return text;
  }
  text.query = tokenRows(study, head, RowSet::Query, axes, example);
  text.key = tokenRows(study, head, RowSet::Key, axes, example);
  return text;
}

void addPlasticity(HeadText& text, const RowPlasticities& all) {
  const auto add = [&text](TokenRows& rows, const std::vector<RowPlasticity>& from) {
    for (const RowPlasticity& one : from) {
      if (one.example != text.example) continue;
      if (const auto row = rows.at(one.position)) rows.pp[*row] = orMissing(one.pp);
    }
  };
  add(text.query, all.query);
  add(text.key, all.key);
}

void addScores(HeadText& text, const QueryScores& scores) {
  if (scores.example != text.example) return;
  text.scoredBy = scores.position;
  for (const ScoredKey& key : scores.keys) {
    const auto row = text.key.at(key.position);
    if (!row) continue;
    text.key.score[*row] = orMissing(key.score);
    text.key.weight[*row] = orMissing(key.weight);
  }
  text.strongest.clear();
  for (const std::size_t place : scores.strongest(QueryScores::kMarked))
    text.strongest.push_back(scores.keys[place].position);
}

std::vector<float> tokenValues(const TokenRows& rows, TokenMeasure measure, std::int64_t tokens,
                               std::size_t reach) {
  std::vector<std::pair<std::int32_t, float>> known;  // position and value, ascending
  const std::vector<float>& values = rows.values(measure);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isfinite(values[i])) known.emplace_back(rows.position[i], values[i]);
  }
  std::vector<float> shown(static_cast<std::size_t>(tokens), std::numeric_limits<float>::quiet_NaN());
  std::size_t after = 0;  // index of the first row after the token
  for (std::int64_t token = 0; token < tokens; ++token) {
    while (after < known.size() && known[after].first <= token) ++after;
    float& value = shown[static_cast<std::size_t>(token)];
    if (after > 0 && known[after - 1].first == token) {
      value = known[after - 1].second;
      continue;
    }
    double sum = 0;
    const std::size_t first = after > reach ? after - reach : 0, last = std::min(known.size(), after + reach);
    for (std::size_t i = first; i < last; ++i) sum += static_cast<double>(known[i].second);
    if (first < last) value = static_cast<float>(sum / static_cast<double>(last - first));
  }
  return shown;
}

std::pair<double, double> valueRange(const TokenRows& rows, TokenMeasure measure) {
  std::vector<float> values;
  std::ranges::copy_if(rows.values(measure), std::back_inserter(values),
                       [](float value) { return std::isfinite(value); });
  if (values.empty()) return {0, 1};
  std::ranges::sort(values);
  const std::size_t cut = values.size() / 100;
  const auto low = measure == TokenMeasure::Weight ? 0 : static_cast<double>(values[cut]),
             high = static_cast<double>(values[values.size() - 1 - cut]);
  return low < high ? std::pair{low, high} : std::pair{low - 0.5, low + 0.5};
}

std::vector<std::size_t> QueryScores::strongest(std::size_t count) const {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (std::isfinite(keys[i].score)) order.push_back(i);
  }
  std::ranges::stable_sort(order,
                           [this](std::size_t x, std::size_t y) { return keys[x].score > keys[y].score; });
  if (order.size() > count) order.resize(count);
  return order;
}

bool isDenseHead(const Study& study, HeadName head) {
  return study.capture != nullptr && isDense(study.capture->info(), head.layer, head.head);
}

namespace {

// The sampled queries of an example by their positions; UsageError where there are none.
RowsByPosition queriesOf(const Study& study, HeadName head, std::int64_t example) {
  if (const std::string reason = whyNoRows(study, head); !reason.empty()) throw UsageError(reason);
  const RowsByPosition rows = byPosition(rowsOf(study, head, RowSet::Query), example);
  if (rows.empty())
    throw UsageError("no query of " + head.text() + " was captured in " +
                     exampleLabel(factsOf(study).exampleIds, static_cast<std::int32_t>(example)));
  return rows;
}

}  // namespace

QueryChoice queryAt(const Study& study, HeadName head, TokenPlace token) {
  if (isDenseHead(study, head)) return token;
  const RowsByPosition rows = queriesOf(study, head, token.example);
  const auto after = rows.lower_bound(static_cast<std::int32_t>(token.position));
  if (after != rows.end() && after->first == token.position) return after->second;
  std::string near;
  if (after != rows.begin()) near = withCommas(std::prev(after)->first);
  if (after != rows.end()) near += (near.empty() ? "" : " and ") + withCommas(after->first);
  throw UsageError("token " + withCommas(token.position) + " is not a captured query of " + head.text() +
                   "; the nearest captured ones are " + near);
}

QueryChoice lastQuery(const Study& study, HeadName head, std::int64_t example) {
  return queriesOf(study, head, example).rbegin()->second;
}

namespace {

// Adds the weights of keys at every position, where they give the softmax.
void addWeights(QueryScores& scores, const CaptureInfo& info, std::int64_t layer) {
  const auto rule = scoreRuleOf(info, layer);
  if (!rule || std::ssize(scores.keys) != scores.position + 1) return;  // some are not chosen
  const std::int64_t first = firstVisibleKey(scores.position, rule->window, rule->chunked);
  std::vector<double> weights;
  for (ScoredKey& key : scores.keys) {
    key.weight = 0;
    if (key.position < first) continue;
    weights.push_back(rule->softcap > 0 ? rule->softcap * std::tanh(key.score / rule->softcap) : key.score);
  }
  if (weights.empty()) return;
  softmax(weights);
  for (std::size_t i = 0; i < weights.size(); ++i)
    scores.keys[scores.keys.size() - weights.size() + i].weight = weights[i];
}

}  // namespace

QueryScores makeQueryScores(const Study& study, HeadName head, const QueryChoice& choice) {
  if (const std::string reason = whyNoRows(study, head); !reason.empty()) throw UsageError(reason);
  const Axes axes = axesOf(study, head);
  const auto* row = std::get_if<std::int64_t>(&choice);
  const auto* token = std::get_if<TokenPlace>(&choice);
  const CapturedRows query =
      row ? rowsOf(study, head, RowSet::Query)
          : study.capture->denseRows({head.layer, head.head, RowSet::DenseQuery}, token->example);
  requireSize(query, axes.a.size());
  const std::size_t at = row ? rowOf(query, *row) : rowOf(query, *token);
  const std::size_t size = axes.a.size();
  const float* const q = query.vectors.data() + at * size;
  const Place from = axes.of(q);
  const double scale = study.capture->info().scoreScale;
  QueryScores scores{row ? *row : -1, query.position[at], query.example[at], false, {}, {}};
  scores.everyKey = visitVectors(
      study, head, RowSet::Key, scores.example, size,
      [&](std::int32_t position, const float* k, std::int64_t sampledRow) {
        if (position > scores.position) return;
        const Place to = axes.of(k);
        ScoredKey scored{
            sampledRow, position, scale * dot(q, k, size), scale * from.a * to.a, scale * from.b * to.b, 0};
        scored.rest = scored.score - scored.a - scored.b;
        scores.keys.push_back(scored);
      });
  addWeights(scores, study.capture->info(), head.layer);
  const auto meanOf = [&scores](double ScoredKey::*part) {
    double sum = 0, count = 0;
    for (const ScoredKey& each : scores.keys) {
      if (!std::isfinite(each.*part)) continue;
      sum += each.*part;
      count += 1;
    }
    return count > 0 ? sum / count : kMissing;
  };
  scores.mean = {0,
                 0,
                 meanOf(&ScoredKey::score),
                 meanOf(&ScoredKey::a),
                 meanOf(&ScoredKey::b),
                 meanOf(&ScoredKey::rest)};
  return scores;
}

}  // namespace plastiscope
