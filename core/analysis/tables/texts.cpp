// texts.csv, jackknife.csv, jackknife_profile.csv and loss_texts.csv: the texts of a capture, and the values
// of heads without each group of them. Used to test differences between captures.
#include <cmath>

#include "core/analysis/bootstrap.h"
#include "core/analysis/tables/definitions.h"

namespace plastiscope {

namespace {

// The group that contains a text, from 0; the text's own number if there are no groups.
std::int64_t groupOf(std::int64_t text, const Resamples* groups) {
  return groups == nullptr || groups->count() < 2 ? text : asInteger(groups->leavingOut(text)) - 1;
}

std::vector<ColumnValues> textsValues(const TableInput& input) {
  Integers text, tokens, group;
  Texts id, sha256;
  for (std::size_t e = 0; e < input.context.texts.size(); ++e) {
    const TextFact& fact = input.context.texts[e];
    text.push_back(asInteger(e));
    id.push_back(fact.id);
    tokens.push_back(fact.tokens);
    sha256.push_back(fact.sha256);
    group.push_back(groupOf(asInteger(e), input.context.groups));
  }
  return {text, id, tokens, sha256, group};
}

// Calls `visit` with every left-out group, from 0, and its number of texts.
template <typename Visit>
void forGroups(const TableContext& context, const Visit& visit) {
  for (std::size_t g = 1; g < context.groups->leftOut.size(); ++g)
    visit(asInteger(g - 1), context.groups->leftOut[g]);
}

std::vector<ColumnValues> jackknifeValues(const TableInput& input) {
  Integers layer, head, group, texts;
  for (const HeadResult& one : input.heads) {
    forGroups(input.context, [&](std::int64_t number, std::int64_t leftOut) {
      layer.push_back(one.place.layer);
      head.push_back(one.place.head);
      group.push_back(number);
      texts.push_back(leftOut);
    });
  }
  return {layer, head, group, texts};
}

void appendJackknifed(const TableInput& input, Table& table) {
  const std::vector<std::string>& names = sampledColumns();
  for (std::size_t c = 0; c < names.size(); ++c) {
    if (input.context.leftOut.front().values[c].empty()) continue;
    Numbers values;
    for (const HeadSamples& head : input.context.leftOut)
      values.insert(values.end(), head.values[c].begin() + 1, head.values[c].end());
    table.columns.push_back({names[c], std::move(values)});
  }
}

std::vector<ColumnValues> jackknifeProfileValues(const TableInput& input) {
  Integers group, texts, bins;
  Numbers means;
  forGroups(input.context, [&](std::int64_t number, std::int64_t leftOut) {
    const std::span<const HeadSamples> heads = input.context.leftOut;
    const auto sample = static_cast<std::size_t>(number) + 1;
    std::size_t count = 0;
    for (const HeadSamples& head : heads) count = std::max(count, head.alignedBins.size());
    for (std::size_t bin = 0; bin < count; ++bin) {
      Numbers values;
      for (const HeadSamples& head : heads) {
        if (bin < head.alignedBins.size() && sample < head.alignedBins[bin].size())
          values.push_back(head.alignedBins[bin][sample]);
      }
      group.push_back(number);
      texts.push_back(leftOut);
      bins.push_back(asInteger(bin));
      means.push_back(meanOfPresent(values));
    }
  });
  return {group, texts, bins, means};
}

bool hasLeftOut(const TableContext& context) {
  return context.groups != nullptr && !context.leftOut.empty();
}

std::vector<ColumnValues> textLossValues(const TableInput& input) {
  Integers text, from, to, tokens;
  Texts parts;
  Numbers nll;
  for (std::size_t e = 0; e < input.context.textLosses.size(); ++e) {
    forParts(input.context.textLosses[e],
             [&](const char* part, std::int64_t begin, std::int64_t end, const LossMean& mean) {
               text.push_back(asInteger(e));
               parts.emplace_back(part);
               from.push_back(begin);
               to.push_back(end);
               tokens.push_back(mean.tokens);
               nll.push_back(mean.nll());
             });
  }
  return {text, parts, from, to, tokens, nll};
}

const MetricInfo kGroupInfo{
    "Group of texts", "", "", "Rows", kNoRange, "Texts that the jackknife leaves out together, from 0."};

}  // namespace

AnalysisTable textsDefinition() {
  AnalysisTable table = summaryTable("texts", "one row per text", "The texts of the capture.", textsValues);
  table.hasWhat = [](const TableContext& context) { return !context.texts.empty(); };
  table.add(
      {givenColumn("text", {"Text", "", "", "Rows", kNoRange, "Number of the text in the capture, from 0."}),
       givenColumn("id", {"Name", "", "", "Rows", kNoRange, "Name of the text."}),
       givenColumn("tokens", {"Length", "", "tokens", "Rows", kNoRange, "Tokens of the text in the window."}),
       givenColumn("sha256", {"SHA-256", "", "", "Rows", kNoRange,
                              "Digest of the text: captures with the same digests are of the same texts."}),
       givenColumn("group", kGroupInfo)});
  return table;
}

AnalysisTable jackknifeDefinition() {
  AnalysisTable table = summaryTable("jackknife", "one row per head and left-out group of texts",
                                     "Head values without each group of texts: those of aligned plasticity, "
                                     "and of every sampled column where the "
                                     "jackknife was asked for.",
                                     jackknifeValues, appendJackknifed);
  table.hasWhat = hasLeftOut;
  table.add(
      {givenColumn("layer", explainedIn("heads")), givenColumn("head", explainedIn("heads")),
       givenColumn("group", explainedIn("texts")),
       givenColumn("texts", {"Texts left out", "", "", "Rows", kNoRange, "How many texts the group has."})});
  return table;
}

AnalysisTable jackknifeProfileDefinition() {
  AnalysisTable table =
      summaryTable("jackknife_profile", "one row per left-out group of texts and aligned query bin",
                   "The mean profile of all heads without each group of texts.", jackknifeProfileValues);
  table.hasWhat = hasLeftOut;
  table.add({givenColumn("group", explainedIn("texts")), givenColumn("texts", explainedIn("jackknife")),
             givenColumn("bin", explainedIn("profile")),
             givenColumn("ap_aligned", {"AP aligned, mean", "AP", "", "Plasticity", kShare,
                                        "Mean over heads of the aligned plasticity of the bin."})});
  return table;
}

AnalysisTable textLossDefinition() {
  AnalysisTable table = summaryTable("loss_texts", "one row per text and part of its tokens",
                                     "Losses of every text; only of captures with --loss.", textLossValues);
  table.hasWhat = [](const TableContext& context) { return !context.textLosses.empty(); };
  table.add({givenColumn("text", explainedIn("texts")), givenColumn("part", explainedIn("loss")),
             givenColumn("from", explainedIn("lengths")), givenColumn("to", explainedIn("lengths")),
             givenColumn("tokens", explainedIn("loss")), givenColumn("nll", explainedIn("loss"))});
  return table;
}

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
