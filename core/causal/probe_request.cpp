#include "core/causal/probe_request.h"

#include <iterator>

#include "core/base/error.h"
#include "core/base/foreign_text.h"
#include "core/base/json.h"
#include "core/base/parsed_number.h"

namespace plastiscope {

namespace {

constexpr const char* kAllKinds = "all";
constexpr std::int64_t kMaxLength = std::int64_t{1} << 24;

double depthOf(const std::string& text) {
  const auto depth = parsedFinite(text);
  if (depth && *depth >= 0 && *depth <= 1) return *depth;
  throw UsageError("--depths: expected numbers from 0 to 1 such as 0,0.5,1, found \"" + text + "\"");
}

TextForm kindsForm(std::vector<ProbeKind>& kinds) {
  const TextForm names = listForm(kinds, nameOf<ProbeKind>,
                                  [](const std::string& name) { return named<ProbeKind>("--kinds", name); });
  return {[&kinds, names] { return kinds.empty() ? kAllKinds : names.get(); },
          [&kinds, names](const std::string& text) {
            kinds.clear();
            if (text != kAllKinds) names.set(text);
          }};
}

OptionTraits numberFrom(double least, double most = 1e6) {
  return {.showsDefault = true, .limit = Limit::Between, .least = least, .most = most};
}

}  // namespace

TextForm wholeNumbersForm(std::vector<std::int64_t>& list, std::int64_t most, const std::string& expected) {
  const auto read = [most, expected](const std::string& text) {
    const auto number = parsedNumber<std::int64_t>(text);
    if (number && *number > 0 && *number <= most) return *number;
    throw UsageError(expected + ", found \"" + text + "\"");
  };
  return listForm(list, [](std::int64_t number) { return std::to_string(number); }, read);
}

OptionList probeOptions(ProbeSettings& s) {
  std::vector<std::string> kinds = {kAllKinds};
  for (const char* const name : namesOf(ProbeKind())) kinds.push_back(name);
  return {
      {"--kinds",
       "kinds",
       kindsForm(s.kinds),
       "Kinds of probes, such as needle,random_repeat: needle, key_value, needles, random_repeat, "
       "passage_repeat, text, or all; the last two need texts",
       {.showsDefault = true, .words = kinds, .open = true},
       {.page = "probes", .row = "&Kinds"}},
      {"--lengths",
       "lengths",
       wholeNumbersForm(s.lengths, kMaxLength, "--lengths: expected numbers of tokens such as 256,1024"),
       "Tokens of a probe; texts are cut to the longest",
       {.showsDefault = true},
       {.page = "probes", .row = "&Lengths", .suffix = "tokens"}},
      {"--depths",
       "depths",
       listForm(s.depths, numberText, depthOf),
       "Where the answer or first occurrence is, as the share of the filler before it",
       {.showsDefault = true},
       {.page = "probes", .row = "&Depths"}},
      {"--count",
       "count",
       &s.count,
       "Probes of each kind, length and depth: the replicates of all intervals",
       numberFrom(1),
       {.page = "probes", .row = "&Probes of each", .least = 1, .most = 1000}},
      {"--seed",
       "seed",
       &s.seed,
       "Seed of random tokens, values and places",
       {.showsDefault = true},
       {.page = "probes", .row = "&Seed", .most = 1e9}},
      {"--no-controls",
       "controls",
       &s.controls,
       "Leave out the controls: answer absent, another value, filler repeated as often",
       {.clears = true}},
      {"--needles", "needles", &s.needles, "Needles in a probe of the kind needles", numberFrom(2)},
      {"--pairs", "pairs", &s.pairs, "Lines of a key-value list", numberFrom(1)},
      {"--answer-tokens", "answer_tokens", &s.answerTokens, "Tokens of a random value", numberFrom(1, 64)},
      {"--repeat-tokens", "repeat_tokens", &s.repeatTokens, "Tokens of a repeated passage", numberFrom(2)},
      {"--text-tokens", "text_tokens", &s.textTokens,
       "Tokens that are scored in a text, of repeated ones and of new ones each", numberFrom(1)},
  };
}

Json ProbeSettings::toJson() const {
  ProbeSettings settings = *this, standard;
  return plastiscope::toJson(probeOptions(settings), probeOptions(standard));
}

OptionList probeRequestOptions(ProbeRequest& request) {
  OptionList run = captureOptions(request.run), options;
  for (const char* name :
       {"--model", "--follow-links", "--engine", "--python", "--text", "--tokens", "--tokenizer",
        "--text-field", "--template", "--chat-template", "--id-field", "--max-examples", "--strict",
        "--no-special", "--select", "--dtype", "--device", "--rope-override", "--memory-limit"})
    options.push_back(*findOption(run, name));
  std::ranges::move(probeOptions(request.settings), std::back_inserter(options));
  return options;
}

}  // namespace plastiscope
