#include "core/analysis/pair_models.h"

#include <algorithm>

#include "core/analysis/drifting_pairs.h"
#include "core/analysis/query_row_pairs.h"
#include "core/analysis/row_kernels.h"
#include "core/base/error.h"

namespace plastiscope {

namespace {

constexpr Eigen::Index kCentreKeys = 256;

struct PairModelEntry {
  const char* variance;
  bool needsRows;
  std::unique_ptr<PairModel> (*make)(const BinQueries&, const KeySides&, const UsedKeys&);
};
constexpr PairModelEntry kPairModels[] = {
    {"thesis", false, makeThesisPairs},
    {"full", true, makeFullPairs},
    {"empirical", true, makeEmpiricalPairs},
    {"global", false, makeGlobalPairs},
};

const PairModelEntry& entryOf(const std::string& variance) {
  for (const PairModelEntry& entry : kPairModels) {
    if (variance == entry.variance) return entry;
  }
  throw UsageError("variance \"" + variance + "\" is not known: expected thesis, full, empirical or global");
}

// A point amid the keys; any will do.
Vector middleOf(const Matrix& keys) {
  if (keys.rows() == 0) return Vector::Zero(keys.cols());
  return keys.topRows(std::min(keys.rows(), kCentreKeys)).colwise().mean().transpose();
}

}  // namespace

KeySides makeKeySides(const Matrix& stored, const std::vector<std::int64_t>& order, const QueryModel& model) {
  KeySides keys{&stored, &order, {}, 0};
  keys.reflected.resize(static_cast<Eigen::Index>(order.size()), paddedLength(stored.cols()));
  std::vector<double> squares(order.size());
  const Vector centre = model.reflected(middleOf(stored));
  reflectRows(stored.data(), stored.cols(), order,
              model.reflector.size() > 0 ? model.reflector.data() : nullptr, centre.data(),
              keys.reflected.data(), squares.data());
  for (const double square : squares) keys.largestSquare = std::max(keys.largestSquare, square);
  return keys;
}

bool needsQueryRows(const std::string& variance) {
  return entryOf(variance).needsRows;
}

std::unique_ptr<PairModel> makePairModel(const std::string& variance, const BinQueries& queries,
                                         const KeySides& keys, const UsedKeys& used) {
  return entryOf(variance).make(queries, keys, used);
}

}  // namespace plastiscope
