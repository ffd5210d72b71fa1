#include "core/analysis/head_groups.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "core/analysis/columns.h"
#include "core/analysis/statistics.h"
#include "core/base/orders.h"

namespace plastiscope {

namespace {

std::vector<double> chosen(const std::vector<double>& values, const std::vector<std::size_t>& rows) {
  std::vector<double> list;
  for (const std::size_t row : rows) list.push_back(values[row]);
  return list;
}

std::vector<double> present(std::vector<double> values) {
  std::erase_if(values, [](double value) { return std::isnan(value); });
  return values;
}

constexpr int kMaxExchanges = 10000;
constexpr std::uint64_t kExchanges = 0x65786368u;  // key of random numbers

// Heads of one layer, or of all, in key groups of at least two.
struct LayerSample {
  std::vector<double> values;
  std::vector<std::size_t> groupOf;  // [values] ascending, from 0
  std::size_t groups = 0;
};

std::vector<LayerSample> layerSamples(const std::vector<double>& values, const std::vector<KeyGroup>& groups,
                                      bool withinLayers) {
  std::map<std::int64_t, LayerSample> byLayer;
  for (const KeyGroup& group : groups) {
    const std::vector<double> sample = present(chosen(values, group.heads.rows));
    if (sample.size() < 2) continue;
    LayerSample& layer = byLayer[withinLayers ? group.layer : 0];
    layer.values.insert(layer.values.end(), sample.begin(), sample.end());
    layer.groupOf.insert(layer.groupOf.end(), sample.size(), layer.groups++);
  }
  std::vector<LayerSample> layers;
  for (auto& [number, layer] : byLayer) layers.push_back(std::move(layer));
  return layers;
}

// Sums of squares of group means around the layer's mean, and of values around the group means.
struct Squares {
  double between = 0, within = 0, sizes = 0;  // sizes: of the groups
};

Squares squaresOf(const LayerSample& layer) {
  const double grand = meanOfPresent(layer.values);
  std::vector<double> means(layer.groups, 0), sizes(layer.groups, 0);
  for (std::size_t i = 0; i < layer.values.size(); ++i) {
    means[layer.groupOf[i]] += layer.values[i];
    sizes[layer.groupOf[i]] += 1;
  }
  Squares squares;
  for (std::size_t g = 0; g < layer.groups; ++g) {
    means[g] /= sizes[g];
    squares.between += sizes[g] * (means[g] - grand) * (means[g] - grand);
    squares.sizes += sizes[g] * sizes[g];
  }
  for (std::size_t i = 0; i < layer.values.size(); ++i) {
    const double apart = layer.values[i] - means[layer.groupOf[i]];
    squares.within += apart * apart;
  }
  return squares;
}

}  // namespace

std::vector<HeadsGroup> groupsByNumber(const std::vector<std::int64_t>& numberOfRow) {
  std::map<std::int64_t, HeadsGroup> byNumber;
  for (std::size_t row = 0; row < numberOfRow.size(); ++row) {
    HeadsGroup& group = byNumber[numberOfRow[row]];
    group.number = numberOfRow[row];
    group.name = std::to_string(group.number);
    group.rows.push_back(row);
  }
  std::vector<HeadsGroup> groups;
  for (auto& [number, group] : byNumber) groups.push_back(std::move(group));
  return groups;
}

std::vector<HeadsGroup> groupsByName(const std::vector<std::string>& nameOfRow) {
  std::vector<HeadsGroup> groups;
  for (std::size_t row = 0; row < nameOfRow.size(); ++row) {
    auto group = std::find_if(groups.begin(), groups.end(),
                              [&](const HeadsGroup& one) { return one.name == nameOfRow[row]; });
    if (group == groups.end()) group = groups.insert(groups.end(), HeadsGroup{nameOfRow[row], 0, {}});
    group->rows.push_back(row);
  }
  return groups;
}

std::int64_t depthDecile(std::int64_t layer, std::int64_t layers) {
  return layers <= 1 ? 0 : std::min<std::int64_t>(9, 10 * layer / (layers - 1));
}

void addGroupMeans(Table& table, const Table& heads, const std::vector<HeadsGroup>& groups) {
  for (const Column& column : heads.columns) {
    const auto* values = std::get_if<std::vector<double>>(&column.values);
    if (values == nullptr) continue;  // integer and text columns
    std::vector<double> means, medians;
    std::vector<std::int64_t> counts;
    for (const HeadsGroup& group : groups) {
      std::int64_t count = 0;
      means.push_back(meanOfPresent(chosen(*values, group.rows), &count));
      counts.push_back(count);
      medians.push_back(medianOfPresent(chosen(*values, group.rows)));
    }
    table.columns.push_back({column.name, std::move(means)});
    table.columns.push_back({column.name + kHeadsEnding, std::move(counts)});
    if (isHeavyTailed(column.name))
      table.columns.push_back({column.name + kMedianEnding, std::move(medians)});
  }
}

std::vector<KeyGroup> keyGroups(const Table& heads) {
  const auto &layers = heads.integers("layer"), &keyHeads = heads.integers("kv_head");
  std::map<std::pair<std::int64_t, std::int64_t>, KeyGroup> byPlace;
  for (std::size_t row = 0; row < layers.size(); ++row) {
    KeyGroup& group = byPlace[{layers[row], keyHeads[row]}];
    group.layer = layers[row];
    group.kvHead = keyHeads[row];
    group.heads.rows.push_back(row);
  }
  std::vector<KeyGroup> groups;
  for (auto& [place, group] : byPlace) groups.push_back(std::move(group));
  return groups;
}

void addSignCounts(Table& model, const Table& heads, bool byInterval) {
  for (const std::string name : kSignedColumns) {
    const std::string low = byInterval ? name + kLowEnding : name,
                      high = byInterval ? name + kHighEnding : name,
                      ending = byInterval ? kByIntervalEnding : "";
    if (heads.find(low) == nullptr || model.find(name + kPositiveEnding + ending) != nullptr) continue;
    const auto positive = std::ranges::count_if(heads.numbers(low), [](double v) { return v > 0; }),
               negative = std::ranges::count_if(heads.numbers(high), [](double v) { return v < 0; });
    model.columns.push_back({name + kPositiveEnding + ending, std::vector<std::int64_t>{positive}});
    model.columns.push_back({name + kNegativeEnding + ending, std::vector<std::int64_t>{negative}});
  }
}

GroupVariance groupVariance(const std::vector<double>& values, const std::vector<KeyGroup>& groups,
                            bool withinLayers) {
  GroupVariance result;
  result.within = result.between = result.intraclass = kMissing;
  const std::vector<LayerSample> layers = layerSamples(values, groups, withinLayers);
  // MSW = sum of squares within / (N - G), MSB = sum of squares of the group means around those of their
  // layers / (G - layers), n0 = (N - sum over layers of sum n_g^2 / N_layer) / (G - layers); components MSW
  // and (MSB - MSW) / n0, ICC(1) = their share: (MSB - MSW) / (MSB + (n0 - 1) MSW). Over layers: as one
  // layer.
  double within = 0, between = 0, size = 0;
  for (const LayerSample& layer : layers) {
    const Squares squares = squaresOf(layer);
    const auto heads = static_cast<double>(layer.values.size());
    within += squares.within;
    between += squares.between;
    size += heads - squares.sizes / heads;
    result.heads += std::ssize(layer.values);
    result.groups += static_cast<std::int64_t>(layer.groups);
  }
  const auto n = static_cast<double>(result.heads), g = static_cast<double>(result.groups),
             freedom = g - static_cast<double>(layers.size());
  if (freedom < 1) return result;
  result.within = within / (n - g);
  result.between = (between / freedom - result.within) / (size / freedom);
  const double total = result.within + result.between;
  if (total > 0) result.intraclass = result.between / total;
  return result;
}

double exchangeP(const std::vector<double>& values, const std::vector<KeyGroup>& groups, std::uint64_t seed) {
  std::vector<LayerSample> layers = layerSamples(values, groups, true);
  std::erase_if(layers, [](const LayerSample& layer) { return layer.groups < 2; });
  double spread = 0, observed = 0;
  Orders places;  // the group of each head: heads stay, groups change
  for (const LayerSample& layer : layers) {
    places.push_back(layer.groupOf);
    observed += squaresOf(layer).between;
    spread += squaredDeviations(layer.values, meanOfPresent(layer.values));
  }
  if (layers.empty() || spread == 0) return kMissing;
  // The sum of squares around the layers' means is constant, so ranking by squares between groups equals
  // ranking by ICC.
  return shareOfOrders(places, {seed, kExchanges, kMaxExchanges, kMaxExchanges}, [&](const Orders& drawn) {
    double between = 0;
    for (std::size_t i = 0; i < layers.size(); ++i) {
      layers[i].groupOf = drawn[i];
      between += squaresOf(layers[i]).between;
    }
    return between >= observed - 1e-12 * spread;
  });
}

}  // namespace plastiscope
