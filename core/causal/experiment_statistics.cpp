#include "core/causal/experiment_statistics.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <set>

#include "core/base/error.h"
#include "core/base/orders.h"

namespace plastiscope {

namespace {

constexpr double kCoverage = 0.95, kTie = 1e-9;     // relative tolerance for rounding
constexpr std::uint64_t kFlipPurpose = 0x7369676E;  // "sign"

// Names of kinds and conditions in sentences.
constexpr const char* kKinds[] = {
    "needles", "key-value lists", "several needles", "repeated random tokens", "repeated passages", "texts"};
constexpr const char* kConditions[] = {"", " whose answer is absent", " whose earlier value is another",
                                       " with repeated filler"};

}  // namespace

// ---- outcomes

std::string TokenClass::text() const {
  std::string text = nameOf(kind);
  if (condition != ProbeCondition::Present) text += " " + nameOf(condition);
  if (distance == kUnseen) text += " unseen";
  if (distance > 0) text += " " + std::to_string(distance) + "-" + std::to_string(2 * distance - 1);
  return text;
}

std::string TokenClass::phrase() const {
  const std::string probes =
      std::string(kKinds[static_cast<std::size_t>(kind)]) + kConditions[static_cast<std::size_t>(condition)];
  if (distance == kUnseen) return "new tokens of " + probes;
  if (distance == kAll) return "the scored tokens of " + probes;
  return "tokens of " + probes + " copied from " + withCommas(distance) + " to " +
         withCommas(2 * distance - 1) + " tokens before";
}

ProbeClasses classesOf(const ProbeText& probe) {
  std::vector<TokenClass> second;  // [scored] kAll: none
  std::set<TokenClass> all{{probe.kind, probe.condition, TokenClass::kAll}};
  for (std::size_t i = 0; i < probe.scored.size(); ++i) {
    TokenClass tokens{probe.kind, probe.condition, TokenClass::kAll};
    if (probe.copied[i] >= 0)
      tokens.distance = static_cast<std::int64_t>(
          std::bit_floor(static_cast<std::uint32_t>(probe.scored[i] - probe.copied[i])));
    else if (probe.kind == ProbeKind::Text)
      tokens.distance = TokenClass::kUnseen;
    all.insert(tokens);
    second.push_back(tokens);
  }
  ProbeClasses result{{all.begin(), all.end()}, {}, std::vector<std::int64_t>(all.size())};
  const auto place = [&](const TokenClass& tokens) {
    return std::ranges::lower_bound(result.classes, tokens) - result.classes.begin();
  };
  const std::ptrdiff_t whole = place({probe.kind, probe.condition, TokenClass::kAll});
  for (const TokenClass& tokens : second) {
    const std::ptrdiff_t part = place(tokens);
    result.ofToken.push_back({whole, part == whole ? -1 : part});
    ++result.tokens[static_cast<std::size_t>(whole)];
    if (part != whole) ++result.tokens[static_cast<std::size_t>(part)];
  }
  return result;
}

std::vector<OutcomeSum> sumsOf(const ProbeClasses& classes, const Outcomes& outcomes) {
  if (outcomes.size() != classes.ofToken.size())
    throw Error(ErrorKind::Internal, "outcomes of " + std::to_string(outcomes.size()) +
                                         " tokens instead of " + std::to_string(classes.ofToken.size()));
  std::vector<OutcomeSum> sums(classes.classes.size());
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    for (const std::ptrdiff_t place : classes.ofToken[i]) {
      if (place < 0) continue;
      OutcomeSum& sum = sums[static_cast<std::size_t>(place)];
      sum.nll += static_cast<double>(outcomes[i].nll);
      sum.correct += outcomes[i].rank == 1 ? 1 : 0;
    }
  }
  return sums;
}

double MeasuredOutcome::changedMean(std::size_t change) const {
  const double sign = measure == OutcomeMeasure::Nll ? 1 : -1;
  return meanOfPresent(unchanged) + sign * meanOfPresent(harm[change]);
}

std::vector<MeasuredOutcome> measuredOutcomes(const std::vector<ProbeText>& probes,
                                              const std::vector<ProbeSums>& sums) {
  struct OfText {
    std::int64_t tokens = 0;
    std::vector<OutcomeSum> sums;  // [unchanged, then changes]
  };
  std::map<TokenClass, std::map<std::int64_t, OfText>> texts;
  for (std::size_t i = 0; i < probes.size(); ++i) {
    const ProbeClasses classes = classesOf(probes[i]);
    for (std::size_t c = 0; c < classes.classes.size(); ++c) {
      if (classes.tokens[c] == 0) continue;
      OfText& text = texts[classes.classes[c]][probes[i].replicate];
      text.tokens += classes.tokens[c];
      text.sums.resize(sums[i].size());
      for (std::size_t change = 0; change < sums[i].size(); ++change) {
        text.sums[change].nll += sums[i][change][c].nll;
        text.sums[change].correct += sums[i][change][c].correct;
      }
    }
  }
  std::vector<MeasuredOutcome> all;
  for (const auto& [tokens, ofTexts] : texts) {
    for (const OutcomeMeasure measure : {OutcomeMeasure::Nll, OutcomeMeasure::Accuracy}) {
      MeasuredOutcome& outcome = all.emplace_back(MeasuredOutcome{tokens, measure, 0, {}, {}, {}});
      outcome.harm.resize(sums.front().size() - 1);
      for (const auto& [replicate, text] : ofTexts) {
        const auto mean = [&, n = static_cast<double>(text.tokens)](const OutcomeSum& sum) {
          return (measure == OutcomeMeasure::Nll ? sum.nll : static_cast<double>(sum.correct)) / n;
        };
        const double unchanged = mean(text.sums.front());
        outcome.count += text.tokens;
        outcome.replicates.push_back(replicate);
        outcome.unchanged.push_back(unchanged);
        for (std::size_t change = 0; change < outcome.harm.size(); ++change) {
          const double rise = mean(text.sums[change + 1]) - unchanged;
          outcome.harm[change].push_back(measure == OutcomeMeasure::Nll ? rise : -rise);
        }
      }
    }
  }
  return all;
}

// ---- statistics

TextEffect effectOver(std::span<const double> texts, std::uint64_t seed) {
  TextEffect effect{std::ssize(texts), meanOfPresent(texts), {}, signFlipP(texts, seed)};
  if (texts.size() < 2) return effect;
  // The jackknife variance of a mean is that of its terms / n.
  const auto n = static_cast<double>(texts.size());
  const double half = sampleDeviation(texts) / std::sqrt(n) * studentQuantile(n - 1, kCoverage);
  effect.interval = {effect.mean - half, effect.mean + half};
  return effect;
}

double signFlipP(std::span<const double> texts, std::uint64_t seed) {
  const std::size_t n = texts.size();
  if (n < 2) return kMissing;
  const double reached = std::fabs(std::accumulate(texts.begin(), texts.end(), 0.0)) * (1 - kTie);
  const bool all = n <= kExhaustiveTexts;
  // A flip and its opposite are equally far from 0: the last text keeps its sign.
  const std::size_t flips = all ? std::size_t{1} << (n - 1) : kSignFlips;
  PairGenerator generator = drawGenerator(seed, kFlipPurpose, 0);
  std::size_t count = 0;
  for (std::size_t flip = 0; flip < flips; ++flip) {
    std::uint64_t bits = flip;
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
      if (!all && i % 64 == 0) bits = generator.next();
      sum += (bits >> (i % 64) & 1U) != 0 ? -texts[i] : texts[i];
    }
    if (std::fabs(sum) >= reached) ++count;
  }
  const std::size_t observed = all ? 0 : 1;
  return static_cast<double>(count + observed) / static_cast<double>(flips + observed);
}

double leastSignFlipP(std::size_t texts) {
  if (texts > kExhaustiveTexts) return 1.0 / (kSignFlips + 1);
  return texts < 2 ? 1 : std::ldexp(1.0, 1 - static_cast<int>(texts));
}

double drawP(double value, std::span<const double> draws) {
  if (draws.empty() || std::isnan(value)) return kMissing;
  const auto larger = std::ranges::count_if(
      draws, [reached = value - std::fabs(value) * kTie](double draw) { return !(draw < reached); });
  return (1 + static_cast<double>(larger)) / (1 + static_cast<double>(draws.size()));
}

double doseSlope(std::span<const std::int64_t> doses, std::span<const double> values) {
  return doses.size() < 2 ? kMissing : lineStats(values, asDoubles(doses)).slope();
}

std::vector<double> holmAdjusted(std::span<const double> p) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < p.size(); ++i)
    if (!std::isnan(p[i])) order.push_back(i);
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return p[a] < p[b]; });
  std::vector<double> adjusted(p.size(), kMissing);
  double least = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    least = std::max(least, std::min(1.0, p[order[i]] * static_cast<double>(order.size() - i)));
    adjusted[order[i]] = least;
  }
  return adjusted;
}

}  // namespace plastiscope
