#include "core/compare/compared_losses.h"

#include <algorithm>
#include <cmath>

#include "core/views/metric_info.h"

namespace plastiscope {

namespace {

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
  for (std::size_t row = 0; row < table->rows(); ++row) {
    const std::string part = textAt(*table, "part", row);
    const double nll = numberAt(*table, "nll", row);
    if (part == "position") {
      loss.from.push_back(whole("from", row));
      loss.to.push_back(whole("to", row));
      loss.tokens.push_back(whole("tokens", row));
      loss.share.push_back(static_cast<double>(loss.from.back() + loss.to.back()) / 2 / window);
      loss.nll.push_back(nll);
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
  for (std::size_t i = 0; i < difference.nll.size(); ++i)
    difference.nll[i] = same ? other.nll[i] - baseline.nll[i] : kMissing;
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
  return "perplexity " + fixedText(std::exp(first.all), 3) + " \u2192 " + fixedText(std::exp(other.all), 3) +
         ", loss " + lossText(more, true) + " " + kLossUnit;
}

Table tableOf(const ComparedLosses& data) {
  TableBuilder table("loss",
                     {texts("model"), texts("part"), integers("from"), integers("to"), integers("tokens"),
                      numbers("nll"), numbers("difference"), numbers("perplexity")});
  const ComparedLoss* baseline = data.baseline();
  for (const ComparedLoss& model : data.models) {
    if (!model.known()) continue;
    ComparedLoss less = lossDifference(*baseline, model);
    const bool first = &model == baseline;
    const auto add = [&](const char* part, std::int64_t from, std::int64_t to, std::int64_t tokens,
                         double nll, double difference) {
      table.row({model.model.name, std::string(part), from, to, tokens, nll, first ? kMissing : difference,
                 std::exp(nll)});
    };
    const std::int64_t end = model.to.back();
    add("all", 0, end, model.allTokens, model.all, less.all);
    for (std::size_t i = 0; i < model.nll.size(); ++i)
      add("position", model.from[i], model.to[i], model.tokens[i], model.nll[i], less.nll[i]);
    add("repeated", 0, end, model.repeatedTokens, model.repeated, less.repeated);
    add("first_occurrence", 0, end, model.repeatedTokens, model.first, less.first);
  }
  return table.take();
}

Table lossTable(const Comparison& comparison) {
  return tableOf(compareLosses(comparison));
}

}  // namespace plastiscope
