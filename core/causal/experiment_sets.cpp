#include "core/causal/experiment_sets.h"

#include <algorithm>
#include <functional>
#include <numbers>
#include <set>
#include <string_view>

#include "core/base/error.h"
#include "core/base/orders.h"
#include "core/base/parsed_number.h"
#include "core/model/rope_kinds.h"

namespace plastiscope {

namespace {

constexpr std::uint64_t kRandomPurpose = 0x73657472, kMatchedPurpose = 0x7365746D,  // "setr", "setm"
    kDonorPurpose = 0x646F6E72;                                                     // "donr"

// Numbers behind the name of a way, and its sentence: @ heads, # and & the numbers.
struct WayInfo {
  int numbers;
  const char* sentence;
};
constexpr WayInfo kWays[] = {
    {0, "Removing @"},
    {0, "Replacing the output of @ by its mean over texts"},
    {0, "Replacing the output of @ by that in another text"},
    {0, "Clamping the bias of @"},
    {1, "Limiting @ to the last # keys"},
    {1, "Hiding the first # keys from @"},
    {2, "Leaving RoPE wavelengths of # to & tokens out of @"},
};
const WayInfo& infoOf(WayKind kind) {
  return kWays[static_cast<std::size_t>(kind)];
}

std::vector<HeadName> randomOrder(std::vector<HeadName> heads, PairGenerator& generator) {
  shuffle(heads, generator);
  return heads;
}

// The heads that take the places of those of `order`. `candidates`: all of `order` among them.
std::vector<HeadName> matchedOrder(const std::vector<HeadName>& order, const std::set<HeadName>& candidates,
                                   PairGenerator generator) {
  std::map<std::int64_t, std::vector<HeadName>> layers;
  for (const HeadName& head : candidates) layers[head.layer].push_back(head);
  std::map<HeadName, HeadName> inPlaceOf;
  for (const auto& [number, layer] : layers) {
    const std::vector<HeadName> exchanged = randomOrder(layer, generator);
    for (std::size_t i = 0; i < layer.size(); ++i) inPlaceOf[layer[i]] = exchanged[i];
  }
  std::vector<HeadName> matched;
  for (const HeadName& head : order) matched.push_back(inPlaceOf.at(head));
  return matched;
}

std::vector<ExperimentSet> setsOf(const SetRequest& request) {
  std::vector<ExperimentSet> sets;
  std::set<std::int64_t> sizes;
  for (const auto* const list : {&request.rankings, &request.named}) {
    for (ExperimentSet set : *list) {
      const auto heads = std::ssize(set.order);
      set.doses = list == &request.rankings ? request.doses : std::vector{heads};
      std::erase_if(set.doses, [heads](std::int64_t dose) { return dose > heads; });
      sizes.insert(set.doses.begin(), set.doses.end());
      sets.push_back(std::move(set));
    }
  }
  const std::size_t tested = sets.size();
  for (const HeadName& head : request.singles)
    sets.push_back({SetKind::Single, head.text(), -1, {head}, {1}});
  sizes.erase(sizes.upper_bound(std::ssize(request.candidates)), sizes.end());
  for (std::int64_t draw = 0; tested > 0 && draw < request.randomSets; ++draw) {
    PairGenerator generator = drawGenerator(request.seed, kRandomPurpose, static_cast<std::uint64_t>(draw));
    sets.push_back({SetKind::Random,
                    "",
                    draw,
                    randomOrder(request.candidates, generator),
                    {sizes.begin(), sizes.end()}});
  }
  for (std::size_t i = 0; i < tested; ++i) {
    std::set<HeadName> candidates(request.candidates.begin(), request.candidates.end());
    candidates.insert(sets[i].order.begin(), sets[i].order.end());
    for (std::int64_t draw = 0; draw < request.matchedSets; ++draw) {
      const auto generator = drawGenerator(request.seed, kMatchedPurpose, static_cast<std::uint64_t>(draw));
      sets.push_back({SetKind::Matched, sets[i].name, draw,
                      matchedOrder(sets[i].order, candidates, generator), sets[i].doses});
    }
  }
  return sets;
}

// Factors of the query's dimensions without the pairs of the band; empty if the layer has no RoPE.
std::vector<float> withoutBand(const ModelSpec& spec, std::int64_t number, const ExperimentWay& way,
                               std::int64_t tokens) {
  const LayerSpec& layer = spec.layer(number);
  if (!layer.rope) return {};
  const RopeSpec& rope = spec.ropes.at(layer.ropeIndex);
  const std::vector<double> frequencies = ropePairFrequencies(rope, tokens);
  std::vector<float> factors(static_cast<std::size_t>(layer.headDim), 1.0F);
  bool any = false;
  const auto half = std::ssize(frequencies);
  for (std::int64_t pair = 0; pair < half; ++pair) {
    const double wavelength = 2 * std::numbers::pi / frequencies[static_cast<std::size_t>(pair)];
    if (wavelength < static_cast<double>(way.from) || wavelength >= static_cast<double>(way.to)) continue;
    any = true;
    const std::int64_t first = rope.first + (rope.interleaved ? 2 * pair : pair);
    factors.at(static_cast<std::size_t>(first)) = 0;
    factors.at(static_cast<std::size_t>(first + (rope.interleaved ? 1 : half))) = 0;
  }
  if (!any)
    throw UsageError(way.text() + ": no RoPE pair of layer " + std::to_string(number) +
                     " has a wavelength in this band");
  return factors;
}

}  // namespace

// ---- ways

std::string ExperimentWay::text() const {
  std::string text = nameOf(kind);
  if (infoOf(kind).numbers > 0) text += ":" + std::to_string(from);
  if (infoOf(kind).numbers > 1) text += "-" + std::to_string(to);
  return text;
}

std::string ExperimentWay::sentence(const std::string& heads) const {
  std::string text;
  for (const char c : std::string_view(infoOf(kind).sentence))
    text += c == '@' ? heads : c == '#' ? withCommas(from) : c == '&' ? withCommas(to) : std::string(1, c);
  return text;
}

ExperimentWay ExperimentWay::parse(const std::string& text) {
  const std::size_t colon = text.find(':');
  ExperimentWay way{named<WayKind>("way", text.substr(0, colon))};
  const std::string numbers = colon == std::string::npos ? "" : text.substr(colon + 1);
  const std::size_t dash = numbers.find('-');
  const auto number = [](const std::string& part) { return parsedNumber<std::int64_t>(part).value_or(0); };
  if (infoOf(way.kind).numbers > 0) way.from = number(numbers.substr(0, dash));
  if (infoOf(way.kind).numbers > 1 && dash != std::string::npos) way.to = number(numbers.substr(dash + 1));
  const bool good = infoOf(way.kind).numbers == 2   ? 0 < way.from && way.from < way.to
                    : infoOf(way.kind).numbers == 1 ? way.from > 0
                                                    : true;
  if (!good || way.text() != text) {
    constexpr const char* kForms[] = {"", ":TOKENS", ":FROM-TO"};
    throw UsageError("way: expected " + nameOf(way.kind) + kForms[infoOf(way.kind).numbers] + ", found \"" +
                     text + "\"");
  }
  return way;
}

// ---- sets

std::vector<HeadName> ExperimentSet::heads(std::int64_t dose) const {
  std::vector<HeadName> heads(order.begin(), order.begin() + dose);
  std::ranges::sort(heads);
  return heads;
}

ExperimentDesign designExperiment(const SetRequest& request, std::vector<ExperimentWay> ways) {
  ExperimentDesign design{std::move(ways), setsOf(request), {}, {}};
  for (std::size_t s = 0; s < design.sets.size(); ++s) {
    for (const std::int64_t dose : design.sets[s].doses) {
      for (std::size_t way = 0; way < design.ways.size(); ++way) {
        design.cases.push_back({s, dose});
        design.changes.push_back({way, design.sets[s].heads(dose)});
      }
    }
  }
  const auto before = [](const HeadChange& a, const HeadChange& b) {
    const std::int64_t first = a.heads.front().layer, other = b.heads.front().layer;
    return first != other ? first > other : a < b;
  };
  const std::vector<HeadChange> ofCases = design.changes;
  std::ranges::sort(design.changes, before);
  design.changes.erase(std::unique(design.changes.begin(), design.changes.end()), design.changes.end());
  for (std::size_t i = 0; i < ofCases.size(); ++i)
    design.cases[i].change = static_cast<std::size_t>(
        std::ranges::lower_bound(design.changes, ofCases[i], before) - design.changes.begin());
  return design;
}

// ---- changes of a text

Change makeChange(const ExperimentWay& way, const std::vector<HeadName>& heads, const ModelSpec& spec,
                  const WayInput& input) {
  auto change = std::make_shared<Interventions>();
  for (const HeadName& head : heads) {
    const QueryHead at{head.layer, head.head};
    switch (way.kind) {
      case WayKind::Zero:
        change->ablated.push_back(at);
        break;
      case WayKind::Mean:
        change->replaced.push_back({at, input.means.at(head)});
        break;
      case WayKind::Resample:
        change->replaced.push_back({at, input.others.at(head)});
        break;
      case WayKind::Clamp:
        change->clamped.push_back(input.clamps.at(head));
        break;
      case WayKind::Distance:
        change->limited.push_back({at, way.from, 0, {}});
        break;
      case WayKind::MaskFirst:
        change->limited.push_back({at, 0, way.from, {}});
        break;
      case WayKind::RopeBand:
        change->limited.push_back({at, 0, 0, withoutBand(spec, head.layer, way, input.tokens)});
        break;
    }
  }
  return change;
}

std::vector<HeadName> headsWithAttention(const ModelSpec& spec) {
  std::vector<HeadName> heads;
  for (std::int64_t layer = 0; layer < spec.layerCount; ++layer) {
    for (std::int64_t head = 0; spec.layer(layer).hasVectors() && head < spec.queryHeads; ++head)
      heads.push_back({layer, head});
  }
  return heads;
}

std::size_t donorOf(const std::vector<ProbeText>& probes, std::size_t probe, std::uint64_t seed) {
  const ProbeText& own = probes[probe];
  std::vector<std::size_t> donors;
  const auto keep = [&](const std::function<bool(const ProbeText&)>& fits) {
    std::vector<std::size_t> kept;
    for (const std::size_t i : donors)
      if (fits(probes[i])) kept.push_back(i);
    if (!kept.empty()) donors = std::move(kept);
  };
  for (std::size_t i = 0; i < probes.size(); ++i)
    if (probes[i].replicate != own.replicate) donors.push_back(i);
  if (donors.empty()) throw UsageError("the way resample needs texts of at least two replicates");
  keep([&](const ProbeText& other) { return other.kind == own.kind && other.condition == own.condition; });
  keep([&](const ProbeText& other) { return other.tokens.size() >= own.tokens.size(); });
  PairGenerator generator = drawGenerator(seed, kDonorPurpose, probe);
  return donors[generator.below(donors.size())];
}

}  // namespace plastiscope
