#include "core/compare/benchmark_link.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <string_view>
#include <tuple>

namespace plastiscope {

namespace {

// Scores that may be compared with each other.
struct Group {
  std::string suite, mode;
  std::optional<std::int64_t> length;
  auto operator<=>(const Group&) const = default;
};

// People write "Qwen3-4B", "qwen3 4b" and "qwen3_4b" for one model.
std::string plainName(const std::string& name) {
  std::string plain;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::string_view("-_ ").find(c) == std::string_view::npos)
      plain += static_cast<char>(std::tolower(byte));
  }
  return plain;
}

// A shipped score says which model it is of, or that of none; a person's own is matched as it is written.
bool means(const PredictorRow& row, const BenchmarkScore& score) {
  std::vector<std::string> names = row.aliases;
  names.push_back(row.model);
  if (score.match.empty()) return std::find(names.begin(), names.end(), score.model) != names.end();
  const std::string wanted = plainName(score.match);
  return std::any_of(names.begin(), names.end(),
                     [&wanted](const std::string& name) { return plainName(name) == wanted; });
}

// A score and the models it belongs to: several captures may be of one model.
struct Joined {
  const BenchmarkScore* score;
  const PredictorRow* row;
};

std::vector<Joined> joinedModels(const PredictorTable& predictors, const Benchmark& benchmark) {
  std::vector<Joined> pairs;
  for (const BenchmarkScore& score : benchmark.scores) {
    for (const PredictorRow& row : predictors.rows) {
      if (means(row, score)) pairs.push_back({&score, &row});
    }
  }
  return pairs;
}

// AP in the bin that ends at `length`, or missing.
double apAt(const PredictorRow& row, const std::string& ranges, std::int64_t length) {
  for (const PredictorRow::LengthAp& bin : row.lengths) {
    if (bin.to == length && (ranges.empty() || bin.ranges == ranges)) return bin.ap;
  }
  return std::nan("");
}

struct LengthScope {
  std::string suite, mode, scope, model;
  std::optional<std::int64_t> length;
  auto operator<=>(const LengthScope&) const = default;
};

void addPoint(LengthCorrelation& all, const Joined& pair, double ap) {
  all.models.push_back(pair.row->model);
  all.lengths.push_back(*pair.score->length);
  all.ap.push_back(ap);
  all.score.push_back(pair.score->score);
}

}  // namespace

std::vector<BenchmarkCorrelation> correlateBenchmark(const PredictorTable& predictors,
                                                     const Benchmark& benchmark,
                                                     const CorrelationOptions& options) {
  std::map<Group, std::vector<Joined>> groups;
  for (const Joined& pair : joinedModels(predictors, benchmark))
    groups[{pair.score->suite, pair.score->mode, pair.score->length}].push_back(pair);
  std::vector<BenchmarkCorrelation> all;
  for (const auto& [group, pairs] : groups) {
    for (std::size_t column = 0; column < predictors.columns.size(); ++column) {
      BenchmarkCorrelation one{group.suite, group.mode, group.length, predictors.columns[column],
                               {},          {},         {},           {}};
      for (const Joined& pair : pairs) {
        const double value = pair.row->values.at(column);
        if (!std::isfinite(value)) continue;
        one.models.push_back(pair.row->model);
        one.x.push_back(value);
        one.y.push_back(pair.score->score);
      }
      one.result = correlate(one.x, one.y, options);
      all.push_back(std::move(one));
    }
  }
  return all;
}

std::vector<LengthCorrelation> correlateLengths(const PredictorTable& predictors, const Benchmark& benchmark,
                                                const CorrelationOptions& options) {
  std::map<LengthScope, LengthCorrelation> scopes;
  for (const Joined& pair : joinedModels(predictors, benchmark)) {
    if (!pair.score->length) continue;
    const double ap = apAt(*pair.row, benchmark.ranges, *pair.score->length);
    if (!std::isfinite(ap)) continue;
    const std::string &suite = pair.score->suite, &mode = pair.score->mode;
    for (const LengthScope& scope : {LengthScope{suite, mode, "all", "", std::nullopt},
                                     LengthScope{suite, mode, "length", "", pair.score->length},
                                     LengthScope{suite, mode, "model", pair.row->model, std::nullopt}}) {
      addPoint(scopes[scope], pair, ap);
    }
  }
  std::vector<LengthCorrelation> all;
  for (auto& [scope, one] : scopes) {
    std::tie(one.suite, one.mode, one.scope, one.model, one.length) =
        std::tie(scope.suite, scope.mode, scope.scope, scope.model, scope.length);
    one.result = correlate(one.ap, one.score, options);
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace plastiscope
