#include "core/analysis/ap_summary.h"

namespace plastiscope {

namespace {

template <typename Holds>
RangeMean meanWhere(const std::vector<BinResult>& bins, std::string name, const Holds& holds) {
  RangeMean range;
  range.name = std::move(name);
  std::vector<double> values;
  for (const BinResult& bin : bins) {
    if (!holds(bin.tau)) continue;
    ++range.bins;
    if (std::isnan(bin.ap)) {
      ++range.missing;
    } else {
      values.push_back(bin.ap);
      range.queries += bin.queries;
    }
  }
  range.ap = meanOfPresent(values);
  return range;
}

// Mean over the bins in part k of n (from 1) of the window.
RangeMean partOf(const std::vector<BinResult>& bins, const std::string& name, std::int64_t k, std::int64_t n,
                 std::int64_t window) {
  return meanWhere(bins, name + std::to_string(k), [=](const Rational& tau) {
    return tau.compare((k - 1) * window, n) >= 0 && tau.compare(k * window, n) < 0;
  });
}

RangeMean between(const std::vector<BinResult>& bins, std::int64_t from, std::int64_t to) {
  return meanWhere(bins, "",
                   [=](const Rational& tau) { return tau.compare(from) >= 0 && tau.compare(to) < 0; });
}

// A rule of the setting `weights`.
struct BinWeight {
  const char* name;
  double (*weight)(const BinResult&);
};
constexpr BinWeight kBinWeights[] = {
    {"queries", [](const BinResult& bin) { return static_cast<double>(bin.queries); }},
    {"equal", [](const BinResult&) { return 1.0; }},
    {"legacy", [](const BinResult& bin) { return static_cast<double>(bin.cells); }},  // plain mean over cells
};

double overallOf(const std::vector<BinResult>& bins, const std::string& rule) {
  std::vector<double> weighted, weights;
  for (const BinResult& bin : bins) {
    if (std::isnan(bin.ap)) continue;
    for (const BinWeight& entry : kBinWeights) {
      if (rule == entry.name) weights.push_back(entry.weight(bin));
    }
    weighted.push_back(weights.back() * bin.ap);
  }
  return weights.empty() ? kMissing : sumOf(weighted) / sumOf(weights);
}

}  // namespace

std::vector<const RangeMean*> ApSummary::ranges() const {
  std::vector<const RangeMean*> list = {&first20, &last20};
  for (const RangeMean& range : quintiles) list.push_back(&range);
  for (const RangeMean& range : deciles) list.push_back(&range);
  return list;
}

ApSummary summarise(const std::vector<BinResult>& bins, std::int64_t window,
                    const AnalysisSettings& settings) {
  ApSummary summary;
  summary.overall = overallOf(bins, settings.weights);
  const auto first20 = [=](const Rational& tau) { return tau.compare(window, 5) <= 0; };
  const auto last20 = [=](const Rational& tau) { return tau.compare(4 * window, 5) >= 0; };
  summary.first20 = meanWhere(bins, "ap_first20", first20);
  summary.last20 = meanWhere(bins, "ap_last20", last20);
  summary.drop = summary.first20.ap - summary.last20.ap;
  std::vector<BinResult> seen = bins;
  for (BinResult& bin : seen) bin.ap *= bin.reach;
  summary.reachDrop = meanWhere(seen, "", first20).ap - meanWhere(seen, "", last20).ap;
  for (std::int64_t k = 1; k <= 5; ++k) {
    summary.quintiles[k - 1] = partOf(bins, "ap_quintile_", k, 5, window);
  }
  for (std::int64_t k = 1; k <= 10; ++k) {
    summary.deciles[k - 1] = partOf(bins, "ap_decile_", k, 10, window);
  }
  for (std::size_t i = 0; i + 1 < settings.lengthEdges.size(); ++i) {
    const std::int64_t from = settings.lengthEdges[i], to = settings.lengthEdges[i + 1];
    if (from < window) summary.lengths.push_back({from, to, between(bins, from, to)});
  }
  return summary;
}

MidContextRecovery midContextRecovery(const std::array<double, 10>& decile) {
  const double dip = (decile[4] + decile[5]) / 2;
  return {dip, (decile[6] + decile[7]) / 2 - dip, (decile[8] + decile[9]) / 2};
}

}  // namespace plastiscope
