#include "core/compare/compared_losses.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "core/views/head_interval.h"
#include "core/views/metric_info.h"

namespace plastiscope {

namespace {

double meanLoss(const std::array<double, 2>& sums) {  // sums of losses and of tokens
  return sums[0] / sums[1];
}

// By part of loss.csv and, for positions, their start.
using LossReplicates = std::map<std::pair<std::string, double>, TextValue>;

LossReplicates lossReplicates(const ComparedModel& model) {
  const Table *losses = model.analysis->find("loss_texts"), *table = model.analysis->find("texts");
  const auto& texts = model.replicates->texts();
  if (losses == nullptr || table == nullptr || !texts->known()) return {};
  std::map<double, std::size_t> groups;  // of texts, by number
  for (std::size_t row = 0; row < table->rows(); ++row)
    groups[numberAt(*table, "text", row)] = texts->group[row];
  std::map<std::pair<std::string, double>, std::vector<std::array<double, 2>>> sums;
  for (std::size_t row = 0; row < losses->rows(); ++row) {
    const auto group = groups.find(numberAt(*losses, "text", row));
    const double nll = numberAt(*losses, "nll", row), tokens = numberAt(*losses, "tokens", row);
    const std::string part = textAt(*losses, "part", row);
    const double from = part == "position" ? numberAt(*losses, "from", row) : 0;
    if (group == groups.end() || !std::isfinite(nll) || !(tokens > 0) || !std::isfinite(from)) continue;
    auto& ofGroups = sums[{part, from}];
    ofGroups.resize(texts->weight.size());
    ofGroups[group->second][0] += nll * tokens;
    ofGroups[group->second][1] += tokens;
  }
  LossReplicates replicates;
  for (const auto& [part, ofGroups] : sums) replicates[part] = valueOfSums(ofGroups, texts, meanLoss);
  return replicates;
}

LossTexts lessTexts(const LossTexts& baseline, const LossTexts& other) {
  return {{}, testOf(differenceOf(baseline.value, other.value))};
}

ComparedLoss lossOf(const ComparedModel& model) {
  ComparedLoss loss;
  loss.model = comparedName(model);
  const Table* table = model.analysis->find("loss");
  if (table == nullptr) return loss;
  const auto whole = [table](std::string_view column, std::size_t row) {
    const double value = numberAt(*table, column, row);
    return value == value ? static_cast<std::int64_t>(value) : 0;
  };
  const auto window = static_cast<double>(std::max<std::int64_t>(1, model.facts.window));
  LossReplicates replicates = lossReplicates(model);
  for (std::size_t row = 0; row < table->rows(); ++row) {
    const std::string part = textAt(*table, "part", row);
    const double nll = numberAt(*table, "nll", row);
    if (part == "position") {
      loss.from.push_back(whole("from", row));
      loss.to.push_back(whole("to", row));
      loss.tokens.push_back(whole("tokens", row));
      loss.share.push_back(static_cast<double>(loss.from.back() + loss.to.back()) / 2 / window);
      loss.nll.push_back(nll);
      loss.texts.push_back({replicates[{part, numberAt(*table, "from", row)}], {}});
    } else if (part == "all") {
      loss.all = nll;
      loss.allTokens = whole("tokens", row);
    } else if (part == "repeated") {
      loss.repeated = nll;
      loss.repeatedTokens = whole("tokens", row);
    } else if (part == "first_occurrence") {
      loss.first = nll;
    }
  }
  loss.ofAll.value = replicates[{"all", 0}];
  loss.ofRepeated.value = replicates[{"repeated", 0}];
  loss.ofFirst.value = replicates[{"first_occurrence", 0}];
  return loss;
}

}  // namespace

const ComparedLoss* ComparedLosses::baseline() const {
  const auto found = std::ranges::find_if(models, &ComparedLoss::known);
  return found == models.end() ? nullptr : &*found;
}

ComparedLoss lossDifference(const ComparedLoss& baseline, const ComparedLoss& other) {
  ComparedLoss difference = other;
  difference.all -= baseline.all;
  difference.repeated -= baseline.repeated;
  difference.first -= baseline.first;
  const bool same = baseline.nll.size() == other.nll.size();
  for (std::size_t i = 0; i < difference.nll.size(); ++i) {
    difference.nll[i] = same ? other.nll[i] - baseline.nll[i] : kMissing;
    difference.texts[i] = same ? lessTexts(baseline.texts[i], other.texts[i]) : LossTexts();
  }
  difference.ofAll = lessTexts(baseline.ofAll, other.ofAll);
  difference.ofRepeated = lessTexts(baseline.ofRepeated, other.ofRepeated);
  difference.ofFirst = lessTexts(baseline.ofFirst, other.ofFirst);
  return difference;
}

ComparedLosses compareLosses(const Comparison& comparison) {
  ComparedLosses losses;
  for (const ComparedModel& model : comparison.models) losses.models.push_back(lossOf(model));
  return losses;
}

std::string lossText(double value, bool difference) {
  constexpr int kDecimals = 4;
  const std::string text = fixedText(value, kDecimals);
  return (difference && value > 0 && text != fixedText(0, kDecimals) ? "+" : "") + text;
}

std::string perplexityChange(const ComparedLoss& first, const ComparedLoss& other) {
  if (!first.known() || !other.known()) return "";
  const double more = other.all - first.all;
  const TextTest test = lossDifference(first, other).ofAll.test;
  const std::string over = test.verdict.empty()
                               ? ""
                               : ", 95 % over texts " + lossText(test.interval.low, true) + " to " +
                                     lossText(test.interval.high, true) + ": " + test.verdict;
  return "perplexity " + fixedText(std::exp(first.all), 3) + " \u2192 " + fixedText(std::exp(other.all), 3) +
         ", loss " + lossText(more, true) + " " + kLossUnit + over;
}

Table tableOf(const ComparedLosses& data) {
  TableBuilder table("loss",
                     {texts("model"), texts("part"), integers("from"), integers("to"), integers("tokens"),
                      numbers("nll"), numbers("difference"), numbers("perplexity"), numbers("difference_low"),
                      numbers("difference_high"), texts("interval_over"), texts("verdict")});
  const ComparedLoss* baseline = data.baseline();
  for (const ComparedLoss& model : data.models) {
    if (!model.known()) continue;
    ComparedLoss less = lossDifference(*baseline, model);
    const bool first = &model == baseline;
    const auto add = [&](const char* part, std::int64_t from, std::int64_t to, std::int64_t tokens,
                         double nll, double difference, const LossTexts& ofTexts) {
      const TextTest test = first ? TextTest() : ofTexts.test;
      table.row({model.model.name, std::string(part), from, to, tokens, nll, first ? kMissing : difference,
                 std::exp(nll), test.interval.low, test.interval.high,
                 overName(test.interval, IntervalOver::ByTexts), test.verdict});
    };
    const std::int64_t end = model.to.back();
    add("all", 0, end, model.allTokens, model.all, less.all, less.ofAll);
    for (std::size_t i = 0; i < model.nll.size(); ++i)
      add("position", model.from[i], model.to[i], model.tokens[i], model.nll[i], less.nll[i], less.texts[i]);
    add("repeated", 0, end, model.repeatedTokens, model.repeated, less.repeated, less.ofRepeated);
    add("first_occurrence", 0, end, model.repeatedTokens, model.first, less.first, less.ofFirst);
  }
  return table.take();
}

Table lossTable(const Comparison& comparison) {
  return tableOf(compareLosses(comparison));
}

}  // namespace plastiscope
