#include "core/compare/family_correlation.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "core/base/orders.h"

namespace plastiscope {

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
