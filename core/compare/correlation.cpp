#include "core/compare/correlation.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "core/base/orders.h"

namespace plastiscope {

namespace {

constexpr std::size_t kFewest = 3;                                          // two points always fit a line
constexpr std::uint64_t kOrders = 0x6F7264657273u, kPairs = 0x7061697273u;  // keys of random numbers

std::vector<double> centred(std::span<const double> values) {
  const double mean = sumOf(values) / static_cast<double>(values.size());
  std::vector<double> result;
  for (const double value : values) result.push_back(value - mean);
  return result;
}

// Computes |r| of x and reordered y.
class OrderTest {
 public:
  OrderTest(std::span<const double> x, std::span<const double> y) : m_x(centred(x)), m_y(centred(y)) {
    m_norm = std::sqrt(std::inner_product(m_x.begin(), m_x.end(), m_x.begin(), 0.0) *
                       std::inner_product(m_y.begin(), m_y.end(), m_y.begin(), 0.0));
    m_observed = std::abs(std::inner_product(m_x.begin(), m_x.end(), m_y.begin(), 0.0)) / m_norm;
  }
  bool asStrong(const std::vector<std::size_t>& order) const {
    double sum = 0;
    for (std::size_t i = 0; i < m_x.size(); ++i) sum += m_x[i] * m_y[order[i]];
    return std::abs(sum) / m_norm >= m_observed - 1e-12;
  }

 private:
  std::vector<double> m_x, m_y;
  double m_norm = 0, m_observed = 0;
};

// Orders of n items.
Orders ordersOf(std::size_t n) {
  Orders orders(1, std::vector<std::size_t>(n));
  std::iota(orders.front().begin(), orders.front().end(), std::size_t{0});
  return orders;
}

Interval slopeIntervalOf(std::span<const double> x, std::span<const double> y,
                         const CorrelationOptions& options) {
  std::vector<double> slopes, drawnX(x.size()), drawnY(x.size());
  for (int draw = 0; draw < options.resamples; ++draw) {
    PairGenerator generator = drawGenerator(options.seed, kPairs, static_cast<std::uint64_t>(draw));
    for (std::size_t i = 0; i < x.size(); ++i) {
      const auto chosen = static_cast<std::size_t>(generator.below(x.size()));
      drawnX[i] = x[chosen];
      drawnY[i] = y[chosen];
    }
    const double slope = lineStats(drawnY, drawnX).slope();
    if (std::isfinite(slope)) slopes.push_back(slope);  // missing if one pair was drawn n times
  }
  return percentileInterval(slopes);
}

struct PresentPairs {
  std::vector<double> x, y;
};

// The pairs with both values, without item `left` if it is not negative.
PresentPairs presentPairs(std::span<const double> x, std::span<const double> y, std::ptrdiff_t left = -1) {
  PresentPairs pairs;
  pairs.x.reserve(x.size());
  pairs.y.reserve(x.size());
  for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
    if (static_cast<std::ptrdiff_t>(i) == left || !std::isfinite(x[i]) || !std::isfinite(y[i])) continue;
    pairs.x.push_back(x[i]);
    pairs.y.push_back(y[i]);
  }
  return pairs;
}

Interval fisherInterval(double r, std::int64_t n) {
  if (n <= 3 || !std::isfinite(r)) return {};
  if (std::abs(r) >= 1) return {r, r};
  const double half = 1.959964 / std::sqrt(static_cast<double>(n - 3));
  return {std::tanh(std::atanh(r) - half), std::tanh(std::atanh(r) + half)};
}

// Fisher's z of |r| in standard errors, so that predictors of few models do not dominate; else missing.
double strengthOf(std::span<const double> x, std::span<const double> y) {
  constexpr double kLargest = 1 - 1e-8;  // bounds z for a perfect fit
  const PresentPairs pairs = presentPairs(x, y);
  if (pairs.x.size() <= kFewest) return kMissing;
  const double r = std::abs(pearsonOf(pairs.x, pairs.y));
  return std::atanh(std::min(r, kLargest)) * std::sqrt(static_cast<double>(pairs.x.size() - kFewest));
}

}  // namespace

double pearsonOf(std::span<const double> x, std::span<const double> y) {
  return lineStats(x, y).pearson();
}

double permutationP(std::span<const double> x, std::span<const double> y, const CorrelationOptions& options) {
  if (x.size() < kFewest || !std::isfinite(pearsonOf(x, y))) return kMissing;
  const OrderTest test(x, y);
  return shareOfOrders(ordersOf(x.size()), {options.seed, kOrders, options.permutations},
                       [&](const Orders& orders) { return test.asStrong(orders.front()); });
}

std::vector<double> adjustedP(const std::vector<std::vector<double>>& predictors,
                              std::span<const double> scores, const CorrelationOptions& options) {
  std::vector<double> observed, drawn(scores.size());
  std::vector<std::int64_t> strong(predictors.size(), 0);
  std::int64_t visited = 0;
  shareOfOrders(ordersOf(scores.size()), {options.seed, kOrders, options.permutations},
                [&](const Orders& orders) {
                  for (std::size_t i = 0; i < drawn.size(); ++i) drawn[i] = scores[orders.front()[i]];
                  std::vector<double> each;
                  double most = 0;
                  for (const std::vector<double>& x : predictors) {
                    each.push_back(strengthOf(x, drawn));
                    if (each.back() > most) most = each.back();
                  }
                  if (visited++ == 0) observed = std::move(each);  // the first order is the given one
                  for (std::size_t i = 0; i < observed.size(); ++i) strong[i] += most >= observed[i] - 1e-7;
                  return true;
                });
  std::vector<double> adjusted;
  for (std::size_t i = 0; i < predictors.size(); ++i)
    adjusted.push_back(std::isfinite(observed[i]) ? double(strong[i]) / double(visited) : kMissing);
  return adjusted;
}

Correlation correlate(std::span<const double> x, std::span<const double> y,
                      const CorrelationOptions& options) {
  const PresentPairs pairs = presentPairs(x, y);
  Correlation result;
  result.n = static_cast<std::int64_t>(pairs.x.size());
  result.leaveOneOut.assign(std::min(x.size(), y.size()), kMissing);
  if (pairs.x.size() < kFewest) return result;
  result.pearson = pearsonOf(pairs.x, pairs.y);
  result.spearman = spearmanOf(pairs.x, pairs.y);
  const LineStats line = lineStats(pairs.y, pairs.x);
  result.slope = line.slope();
  result.intercept = line.mean - result.slope * line.meanT;
  result.pearsonInterval = fisherInterval(result.pearson, result.n);
  result.permutationP = permutationP(pairs.x, pairs.y, options);
  result.slopeInterval = slopeIntervalOf(pairs.x, pairs.y, options);
  for (std::size_t i = 0; i < result.leaveOneOut.size(); ++i) {
    if (!std::isfinite(x[i]) || !std::isfinite(y[i])) continue;
    const PresentPairs others = presentPairs(x, y, static_cast<std::ptrdiff_t>(i));
    if (others.x.size() >= kFewest) result.leaveOneOut[i] = pearsonOf(others.x, others.y);
  }
  return result;
}

double RegressionLine::halfWidth(double x) const {
  const double apart = x - meanX;
  return studentQuantile(n - 2, 0.95) * scatter * std::sqrt(1.0 / n + apart * apart / squaresX);
}

RegressionLine regressionOf(std::span<const double> x, std::span<const double> y) {
  RegressionLine line;
  line.n = static_cast<int>(x.size());
  if (x.size() < 3) return line;
  const LineStats stats = lineStats(y, x);
  line.slope = stats.slope();
  line.intercept = stats.mean - line.slope * stats.meanT;
  line.meanX = stats.meanT;
  double residuals = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    line.squaresX += (x[i] - line.meanX) * (x[i] - line.meanX);
    const double residual = y[i] - line.at(x[i]);
    residuals += residual * residual;
  }
  line.scatter = std::sqrt(residuals / static_cast<double>(line.n - 2));
  return line;
}

// ---- Families of models as replicates

namespace {

constexpr double kMinFamilyOrders = 20;
constexpr std::size_t kMinFamilies = 5, kMinPairs = 3;
constexpr std::uint64_t kFamilyOrders = 0x66616D6F7264u, kFamilyDraws = 0x66616D647277u;  // keys of draws

struct ModelFamily {
  std::string name;
  std::vector<std::size_t> pairs;     // by length
  std::vector<std::int64_t> lengths;  // [pairs] 0 without
};

std::vector<ModelFamily> modelFamilies(const std::vector<std::string>& names,
                                       const std::vector<std::int64_t>& lengths) {
  std::vector<std::size_t> byLength(names.size());
  std::iota(byLength.begin(), byLength.end(), std::size_t{0});
  std::vector<ModelFamily> families;
  for (const std::string& name : names) {
    if (std::ranges::find(families, name, &ModelFamily::name) == families.end())
      families.push_back({name, {}, {}});
  }
  const auto lengthAt = [&](std::size_t pair) { return lengths.empty() ? 0 : lengths[pair]; };
  std::ranges::stable_sort(byLength, {}, lengthAt);
  for (const std::size_t pair : byLength) {
    ModelFamily& family = *std::ranges::find(families, names[pair], &ModelFamily::name);
    family.pairs.push_back(pair);
    family.lengths.push_back(lengthAt(pair));
  }
  return families;
}

double pearsonAt(std::span<const double> x, std::span<const double> y,
                 const std::vector<std::size_t>& pairs) {
  std::vector<double> chosenX, chosenY;
  for (const std::size_t pair : pairs) {
    chosenX.push_back(x[pair]);
    chosenY.push_back(y[pair]);
  }
  return pearsonOf(chosenX, chosenY);
}

// Groups of families with equal pair counts and lengths, which may exchange their scores; each ascending.
Orders exchangeable(const std::vector<ModelFamily>& families) {
  std::map<std::vector<std::int64_t>, std::vector<std::size_t>> alike;
  for (std::size_t i = 0; i < families.size(); ++i) alike[families[i].lengths].push_back(i);
  Orders lists;
  for (auto& [lengths, members] : alike) lists.push_back(std::move(members));
  return lists;
}

double familyP(std::span<const double> x, std::span<const double> y, const std::vector<ModelFamily>& families,
               const Orders& alike, const CorrelationOptions& options) {
  const double observed = std::abs(pearsonOf(x, y));
  std::vector<double> exchanged(y.size());
  return shareOfOrders(alike, {options.seed, kFamilyOrders, options.permutations}, [&](const Orders& given) {
    for (std::size_t c = 0; c < alike.size(); ++c) {
      for (std::size_t i = 0; i < alike[c].size(); ++i) {
        const ModelFamily &to = families[alike[c][i]], &from = families[given[c][i]];
        for (std::size_t k = 0; k < to.pairs.size(); ++k) exchanged[to.pairs[k]] = y[from.pairs[k]];
      }
    }
    return std::abs(pearsonOf(x, exchanged)) >= observed - 1e-12;
  });
}

Interval familyInterval(std::span<const double> x, std::span<const double> y,
                        const std::vector<ModelFamily>& families, const CorrelationOptions& options) {
  std::vector<double> drawn;
  for (int draw = 0; draw < options.resamples; ++draw) {
    PairGenerator generator = drawGenerator(options.seed, kFamilyDraws, static_cast<std::uint64_t>(draw));
    std::vector<std::size_t> pairs, times(families.size(), 0);
    for (std::size_t i = 0; i < families.size(); ++i) ++times[generator.below(families.size())];
    std::size_t different = 0;
    for (std::size_t i = 0; i < families.size(); ++i) {
      const auto& own = families[i].pairs;
      different += times[i] > 0 ? own.size() : 0;
      for (std::size_t k = 0; k < times[i]; ++k) pairs.insert(pairs.end(), own.begin(), own.end());
    }
    if (different >= kMinPairs) drawn.push_back(pearsonAt(x, y, pairs));
  }
  return percentileInterval(drawn);
}

}  // namespace

std::string FamilyCorrelation::countText() const {
  return std::to_string(names.size()) + (names.size() == 1 ? " family" : " families");
}

FamilyCorrelation correlateFamilies(std::span<const double> x, std::span<const double> y,
                                    const std::vector<std::string>& families,
                                    const std::vector<std::int64_t>& lengths,
                                    const CorrelationOptions& options) {
  FamilyCorrelation result;
  if (std::ranges::count(families, std::string()) > 0) {
    result.missing = "the family of a model is not known";
    return result;
  }
  const std::vector<ModelFamily> all = modelFamilies(families, lengths);
  const auto addReason = [&](const std::string& reason) {
    result.missing += (result.missing.empty() ? "" : "; ") + reason;
  };
  for (const ModelFamily& family : all) {
    result.names.push_back(family.name);
    std::vector<std::size_t> others;
    for (std::size_t i = 0; i < families.size(); ++i) {
      if (families[i] != family.name) others.push_back(i);
    }
    result.without.push_back(others.size() < kMinPairs ? kMissing : pearsonAt(x, y, others));
  }
  if (x.size() < kMinPairs || !std::isfinite(pearsonOf(x, y))) return result;
  const Orders alike = exchangeable(all);
  const double orders = countOrders(alike);
  if (orders >= kMinFamilyOrders)
    result.p = familyP(x, y, all, alike, options);
  else
    addReason(result.countText() + " of these sizes: " + std::to_string(static_cast<int>(orders)) +
              " of the 20 orders that a p needs");
  if (all.size() >= kMinFamilies)
    result.interval = familyInterval(x, y, all, options);
  else
    addReason("an interval needs 5 families");
  return result;
}

}  // namespace plastiscope
