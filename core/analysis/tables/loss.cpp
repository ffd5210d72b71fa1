// loss.csv: mean token losses of a capture with --loss.
#include <cmath>

#include "core/analysis/tables/definitions.h"

namespace plastiscope {

namespace {

std::vector<ColumnValues> lossValues(const TableInput& input) {
  Texts parts;
  Integers from, to, tokens;
  Numbers nll, perplexity;
  const auto add = [&](const char* part, std::int64_t begin, std::int64_t end, const LossMean& mean) {
    parts.emplace_back(part);
    from.push_back(begin);
    to.push_back(end);
    tokens.push_back(mean.tokens);
    nll.push_back(mean.nll());
    perplexity.push_back(std::exp(mean.nll()));
  };
  forParts(*input.context.losses, add);
  return {parts, from, to, tokens, nll, perplexity};
}

}  // namespace

AnalysisTable lossDefinition() {
  AnalysisTable table = summaryTable(
      "loss", "one row per part of the tokens",
      "How surprised the model is by the tokens of the texts; only of captures with --loss.", lossValues);
  table.hasWhat = [](const TableContext& context) { return context.losses.has_value(); };
  table.add(
      {givenColumn("part",
                   {"Part", "", "", "Loss", kNoRange,
                    "all; position: a twentieth of the window; repeated: tokens that end a passage of "
                    "8 tokens which stood in the text before; first_occurrence: the same tokens where "
                    "their passage stood first. Repeated far below first_occurrence: the model finds "
                    "passages again."}),
       givenColumn("from", explainedIn("lengths")), givenColumn("to", explainedIn("lengths")),
       givenColumn("tokens", {"Tokens", "", "", "Loss", kNoRange,
                              "Tokens of the part; the first of a text has no loss."}),
       givenColumn("nll", {"Loss", "loss", "nat", "Loss", kNoRange,
                           "Mean negative log-likelihood of a token, given those before it.",
                           "mean over t of −ln p(x_t | x_0 … x_t−1)"}),
       givenColumn("perplexity",
                   {"Perplexity", "", "", "Loss", kNoRange,
                    "e to the loss: as many equally likely tokens would surprise as much.", "exp(nll)"})});
  return table;
}

}  // namespace plastiscope
