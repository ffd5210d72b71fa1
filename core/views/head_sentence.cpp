#include "core/views/head_sentence.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/views/metric_info.h"
#include "core/views/study_facts.h"

namespace plastiscope {

namespace {

// Thresholds of the rule.
constexpr struct {
  double leans = 1, prefers = 4;   // bias over the window, logits
  double fixed = 0.3, open = 0.7;  // AP of the last quintile
  double drop = 0.1;               // AP of the first quintile minus that of the last
  double decided = 0.1;            // mean PP of key pairs
  double rows = 20;                // fewer queries or keys say nothing about a window
} kRule;

// Text on the bias in logits; "" for older analyses, which have none.
std::string biasPart(double bias) {
  if (!std::isfinite(bias)) return "";
  const std::string size = fixedText(std::fabs(bias), std::fabs(bias) < 9.95 ? 1 : 0);
  const std::string sign = size == "0.0" ? "" : bias < 0 ? "\u2212" : "+";
  const std::string over = sign + size + " logits over the window";
  if (std::fabs(bias) < kRule.leans) return "no preference by position: " + over;
  const std::string which = bias > 0 ? "recent keys: " : "early keys: ";
  return (std::fabs(bias) < kRule.prefers ? "leans to " : "prefers ") + which + over;
}

std::string contentPart(double first, double last) {
  if (!std::isfinite(last)) return "";
  const std::string late = last < kRule.fixed  ? "late queries hardly choose by content"
                           : last < kRule.open ? "late queries choose by content in part"
                                               : "late queries choose by content";
  const bool falls = std::isfinite(first) && first - last >= kRule.drop;
  return late + ": AP " + (falls ? fixedText(first, 2) + " \u2192 " : "") + fixedText(last, 2);
}

// Text on layers with an attention window; "" for layers that see everything, and for older analyses.
std::string reachPart(const Table& heads, std::size_t row) {
  const double tokens = numberAt(heads, "attention_window", row), reach = numberAt(heads, "reach_last", row);
  if (!(tokens > 0) || !(reach < 1)) return "";
  const std::string size = withCommas(static_cast<std::int64_t>(tokens)) + " tokens: ";
  return (textAt(heads, "attention", row) == "chunked" ? "sees its block of " : "sees the last ") + size +
         fixedText(100 * reach, reach < 0.1 ? 1 : 0) + " % of the text in the last fifth of the window";
}

}  // namespace

std::string headSentence(const Table& heads, std::size_t row, ApKind plasticity) {
  const double queries = numberAt(heads, "query_rows", row), keys = numberAt(heads, "key_rows", row);
  if (std::min(queries, keys) < kRule.rows) {  // false for missing values
    return "too few rows for a sentence: " + withCommas(static_cast<std::int64_t>(queries)) + " queries, " +
           withCommas(static_cast<std::int64_t>(keys)) + " keys";
  }
  const auto ap = [&](const char* column) { return numberAt(heads, columnAs(plasticity, column), row); };
  const std::string excess =
      plasticity == ApKind::Binned ? excessNote(numberAt(heads, "ap_binning_excess", row)) : "";
  std::string sentence;
  for (const std::string& part :
       {biasPart(numberAt(heads, "bias_logit", row)), contentPart(ap("ap_first20"), ap("ap_last20")),
        reachPart(heads, row), excess})
    sentence += (sentence.empty() || part.empty() ? "" : "; ") + part;
  return sentence;
}

std::string fixedOrderSentence(const MapData& map) {
  double sum = 0;
  std::int64_t pairs = 0;
  std::int64_t from = -1;  // the lowest distance cell so far, scanning from the far end
  for (std::int64_t column = map.columns - 1; column >= 0; --column) {
    for (std::int64_t row = 0; row < map.rows; ++row) {
      const std::size_t cell = map.index(column, row);
      if (map.count[cell] == 0) continue;
      pairs += map.count[cell];
      sum += static_cast<double>(map.count[cell]) * map.mean[cell];
    }
    if (pairs < map.minCount) continue;
    if (sum / static_cast<double>(pairs) >= kRule.decided) break;
    from = column;
  }
  if (from < 0) return "";
  if (from == 0) return "the order of two keys is fixed at any distance";
  return "the order of two keys is fixed beyond " + withCommas(from * map.cell) + " tokens";
}

std::string wholeSentence(const Table& heads, std::size_t row, const MapData* map, ApKind plasticity) {
  const std::string own = headSentence(heads, row, plasticity),
                    order = map != nullptr ? fixedOrderSentence(*map) : "";
  return own + (own.empty() || order.empty() ? "" : "; ") + order;
}

}  // namespace plastiscope
