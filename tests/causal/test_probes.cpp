// Probes have exact lengths and equal ids in both places, their controls differ only where they should, and
// their tables equal results of NumPy and SciPy (tests/data/causal/make_probes.py).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <span>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/causal/probe_job.h"
#include "core/causal/probe_maker.h"
#include "core/causal/probe_tables.h"
#include "core/text/token_types.h"
#include "tests/support/failure.h"
#include "tests/support/recorded_progress.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/tiny_llama.h"

namespace plastiscope::test {
namespace {

using ::testing::HasSubstr;
using Tokens = std::vector<std::int32_t>;

std::filesystem::path data(const std::string& folder) {
  return std::filesystem::path(PLASTISCOPE_TEST_DATA) / folder;
}

// Three made-up texts as token ids, with a repeated passage. "": without a tokenizer.
ProbeSource sourceOf(const std::string& tokenizer, bool withTexts = true) {
  ProbeSource source;
  if (!tokenizer.empty()) source.tokenizer = openTokenizer(data("text") / tokenizer);
  source.vocabulary = source.tokenizer ? source.tokenizer->vocabularySize() : 200;
  if (source.tokenizer) source.before = tokensBeforeTexts(*source.tokenizer);
  for (std::int32_t text = 0; withTexts && text < 3; ++text) {
    Tokens& tokens = source.texts.emplace_back();
    for (std::int32_t i = 0; i < 1500; ++i) tokens.push_back(3 + (i * i + 7 * text * i + i / 11) % 191);
    std::copy_n(tokens.begin() + 100, 40, tokens.begin() + 200);
  }
  return source;
}

ProbeSettings smallSettings() {
  ProbeSettings settings;
  settings.lengths = {320, 400};
  settings.count = 3;
  settings.repeatTokens = 12;
  settings.textTokens = 10;
  settings.pairs = 8;
  return settings;
}

std::vector<ProbeText> made(const ProbeSettings& settings, const ProbeSource& source) {
  Progress silent;
  return makeProbes(settings, source, silent);
}

std::string nameOfPair(const ProbeText& probe) {
  return nameOf(probe.kind) + "/" + std::to_string(probe.length) + "/" + std::to_string(probe.depth) + "/" +
         std::to_string(probe.replicate);
}

class ProbesOf : public ::testing::TestWithParam<const char*> {};  // parameter: tokenizer

TEST_P(ProbesOf, AreExactInTokens) {
  const ProbeSource source = sourceOf(GetParam());
  const std::vector<ProbeText> probes = made(smallSettings(), source);
  std::map<ProbeKind, int> kinds;
  std::set<std::string> ids;
  for (const ProbeText& probe : probes) {
    SCOPED_TRACE(probe.id);
    ++kinds[probe.kind];
    EXPECT_TRUE(ids.insert(probe.id).second);
    EXPECT_EQ(std::ssize(probe.tokens), probe.length);
    EXPECT_TRUE(std::ranges::equal(source.before, std::span(probe.tokens).first(source.before.size())));
    EXPECT_TRUE(std::ranges::is_sorted(probe.scored));
    EXPECT_GT(probe.scored.front(), 0);
    ASSERT_EQ(probe.scored.size(), probe.copied.size());
    for (std::size_t i = 0; i < probe.scored.size(); ++i) {
      if (probe.copied[i] < 0) continue;
      EXPECT_LT(probe.copied[i], probe.scored[i]);
      EXPECT_EQ(probe.tokens[probe.copied[i]], probe.tokens[probe.scored[i]]);
    }
    if (probe.kind == ProbeKind::Text) continue;
    EXPECT_EQ(probe.scored.back(), probe.length - 1);
    const bool present = probe.condition == ProbeCondition::Present;
    EXPECT_EQ(std::ranges::count(probe.copied, -1), present ? 0 : std::ssize(probe.copied));
    if (present) {
      EXPECT_EQ(probe.distance, probe.scored.front() - probe.copied.front());
    }
  }
  EXPECT_EQ(kinds.size(), 6u);
  EXPECT_EQ(kinds[ProbeKind::Needle], 3 * 2 * 3 * 3);  // conditions, lengths, depths, replicates
  EXPECT_EQ(kinds[ProbeKind::RandomRepeat], 3 * 2 * 3 * 3);
}

TEST_P(ProbesOf, ControlsDifferOnlyWhereTheyShould) {
  const std::vector<ProbeText> probes = made(smallSettings(), sourceOf(GetParam()));
  std::map<std::string, const ProbeText*> present;
  for (const ProbeText& probe : probes) {
    if (probe.condition == ProbeCondition::Present) present[nameOfPair(probe)] = &probe;
  }
  for (const ProbeText& control : probes) {
    if (control.condition == ProbeCondition::Present) continue;
    SCOPED_TRACE(control.id);
    const ProbeText& probe = *present.at(nameOfPair(control));
    EXPECT_EQ(control.scored, probe.scored);
    EXPECT_EQ(control.distance, probe.distance);
    Tokens differing;
    for (std::int32_t i = 0; i < control.length; ++i) {
      if (control.tokens[i] != probe.tokens[i]) differing.push_back(i);
    }
    ASSERT_FALSE(differing.empty());
    EXPECT_LT(differing.back(), probe.scored.front());
    if (control.condition == ProbeCondition::OtherValue) {
      EXPECT_EQ(differing, probe.copied);
    } else if (control.condition == ProbeCondition::Filler) {
      const std::span<const std::int32_t> tokens(control.tokens);
      const auto passage = tokens.subspan(probe.copied.front() - 1, probe.scored.size() + 1);
      int found = 0;
      for (std::size_t at = 0; at + passage.size() <= tokens.size(); ++at)
        found += std::ranges::equal(tokens.subspan(at, passage.size()), passage) ? 1 : 0;
      EXPECT_GE(found, 2);
    } else {
      EXPECT_GE(differing.front(), probe.copied.front() - 32);
      EXPECT_LE(differing.back(), probe.copied.back() + 2);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, ProbesOf, ::testing::Values("smollm", "gpt2", "llama2", "llama3", "unigram", ""),
                         [](const auto& each) {
                           return *each.param == 0 ? std::string("ids") : std::string(each.param);
                         });

TEST(Probes, ReadAsSentences) {
  ProbeSettings settings = smallSettings();
  settings.kinds = {ProbeKind::Needle};
  settings.depths = {0};
  const ProbeSource source = sourceOf("smollm");
  const ProbeText probe = made(settings, source).front();
  std::string text, answer;
  for (const std::int32_t token : probe.tokens) text += source.tokenizer->tokenText(token);
  for (const std::int32_t at : probe.scored) answer += source.tokenizer->tokenText(probe.tokens[at]);
  EXPECT_THAT(text, HasSubstr("The number that opens the safe in "));
  EXPECT_TRUE(text.ends_with(" is " + answer)) << text;
  EXPECT_THAT(text, HasSubstr(" is " + answer + "."));
  EXPECT_EQ(probe.scored.size(), 4u);
}

TEST(Probes, DependOnTheSeedAndLieAtTheirDepth) {
  ProbeSettings settings = smallSettings();
  settings.kinds = {ProbeKind::Needle, ProbeKind::RandomRepeat};
  const ProbeSource source = sourceOf("");
  const auto all = made(settings, source), again = made(settings, source);
  ASSERT_EQ(all.size(), again.size());
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i].tokens, again[i].tokens);
  for (const ProbeText& probe : all) {
    if (probe.condition != ProbeCondition::Present || probe.kind != ProbeKind::RandomRepeat) continue;
    EXPECT_NEAR(probe.copied.front() - 1, probe.depth * static_cast<double>(probe.length - 24), 0.5)
        << probe.id;
  }
  settings.seed = 1;
  EXPECT_NE(made(settings, source).front().tokens, all.front().tokens);
}

TEST(Probes, OfTextsScoreRepeatedAndNewTokens) {
  ProbeSettings settings = smallSettings();
  settings.kinds = {ProbeKind::Text};
  settings.lengths = {1000};
  settings.textTokens = 1000;
  ProbeSource source = sourceOf("");
  source.texts = {{5, 6, 7, 8, 9, 10, 11, 12, 13, 5, 6, 7, 8, 9, 10, 11, 12, 13, 5}};
  const std::vector<ProbeText> probes = made(settings, source);
  ASSERT_EQ(probes.size(), 1u);
  EXPECT_EQ(probes[0].scored, (Tokens{1, 2, 3, 4, 5, 6, 7, 8, 16, 17, 18}));
  EXPECT_EQ(probes[0].copied, (Tokens{-1, -1, -1, -1, -1, -1, -1, -1, 7, 8, 9}));
}

TEST(Probes, SayWhatDoesNotFit) {
  const auto failure = [](const auto& change, const ProbeSource& source) {
    ProbeSettings settings = smallSettings();
    change(settings);
    return failureOf<UsageError>([&] { made(settings, source); });
  };
  const auto none = [](ProbeSettings&) {};
  EXPECT_EQ(failure(
                [](ProbeSettings& s) {
                  s.lengths = {40};
                  s.kinds = {ProbeKind::RandomRepeat};
                },
                sourceOf("")),
            "--lengths: expected at least 48 tokens for probes of the kind random_repeat, found 40");
  EXPECT_EQ(failure([](ProbeSettings& s) { s.kinds = {ProbeKind::Text}; }, sourceOf("", false)),
            "probes of the kind text need texts: give --text or --tokens");
  EXPECT_THAT(failure([](ProbeSettings& s) { s.lengths = {5000}; }, sourceOf("")),
              HasSubstr("the texts have 4,500 tokens"));
  EXPECT_EQ(failure(none, sourceOf("", false)), "no error");
  const auto refusal = [](const char* name, const char* text) {
    ProbeSettings settings;
    OptionList options = probeOptions(settings);
    return failureOf<UsageError>([&] { setTexts(*findOption(options, name), {text}); });
  };
  EXPECT_THAT(refusal("--kinds", "needle,nedles"), HasSubstr("did you mean needles?"));
  EXPECT_THAT(refusal("--depths", "0,1.5"), HasSubstr("--depths: expected numbers from 0 to 1"));
  EXPECT_THAT(refusal("--lengths", "0"), HasSubstr("--lengths: expected numbers of tokens"));
}

// ---- tables

void expectRow(const Table& table, std::size_t row, const Json& expected) {
  for (const auto& [column, value] : expected.items()) {
    SCOPED_TRACE(table.name + " " + std::to_string(row) + " " + column);
    const Column* found = table.find(column);
    ASSERT_NE(found, nullptr);
    if (value.is_string())
      EXPECT_EQ(table.texts(column)[row], value.get<std::string>());
    else if (std::holds_alternative<std::vector<std::int64_t>>(found->values))
      EXPECT_EQ(table.integers(column)[row], value.get<std::int64_t>());
    else if (value.is_null())
      EXPECT_TRUE(std::isnan(table.numbers(column)[row]));
    else
      EXPECT_NEAR(table.numbers(column)[row], value.get<double>(), 1e-9);
  }
}

TEST(ProbeTables, EqualNumPyAndSciPy) {
  const Json json = readJsonFile(data("causal") / "probes.json");
  std::vector<ProbeText> probes;
  std::vector<Outcomes> outcomes;
  std::vector<Retrieval> retrieval;
  for (const Json& given : json["given"]) {
    ProbeText& probe = probes.emplace_back();
    probe.kind = given["kind"] == "text" ? ProbeKind::Text : ProbeKind::Needle;
    probe.condition = given["condition"] == "absent" ? ProbeCondition::Absent : ProbeCondition::Present;
    probe.replicate = given["replicate"];
    probe.length = given["length"];
    probe.depth = given["depth"];
    probe.distance = given["distance"];
    probe.scored = given["scored"].get<Tokens>();
    probe.copied = given["copied"].get<Tokens>();
    Outcomes& scored = outcomes.emplace_back();
    for (std::size_t i = 0; i < probe.scored.size(); ++i)
      scored.push_back({given["nll"][i].get<float>(), given["rank"][i].get<std::int32_t>()});
    Retrieval& heads = retrieval.emplace_back();
    heads.queries = given["queries"];
    for (const Json& hit : given["hits"])
      heads.hits[{hit[0].get<std::int64_t>(), hit[1].get<std::int64_t>()}] = hit[2].get<std::int64_t>();
  }
  const std::vector<Table> tables = probeTables(probes, outcomes, retrieval);
  ASSERT_EQ(tables.size(), probeTableNames().size());
  const Table &rows = tables[0], &benefit = tables[1], &heads = tables[2];
  ASSERT_EQ(rows.rows(), json["probes"].size());
  for (std::size_t row = 0; row < rows.rows(); ++row) expectRow(rows, row, json["probes"][row]);
  ASSERT_EQ(heads.rows(), json["retrieval"].size());
  for (std::size_t row = 0; row < heads.rows(); ++row) expectRow(heads, row, json["retrieval"][row]);
  ASSERT_EQ(benefit.rows(), 1u);
  for (const auto& [column, values] : json["benefit"].items())
    expectRow(benefit, 0, {{column, values[0]}, {column + "_low", values[1]}, {column + "_high", values[2]}});
}

// ---- runs

class ProbeRun : public ::testing::Test {
 protected:
  void SetUp() override {
    TinyLlama().write(m_folder / "model");
    writeTokenFile(m_folder / "tokens.jsonl", 4, 300);
    m_request.run.model = m_folder / "model";
    m_request.run.tokens = m_folder / "tokens.jsonl";
    m_request.run.threads = 1;
    m_request.out = m_folder / "tables";
    m_request.settings.lengths = {128, 200};
    m_request.settings.count = 4;
    m_request.settings.pairs = 4;
    m_request.settings.repeatTokens = 12;
  }

  TemporaryFolder m_folder;
  ProbeRequest m_request;
};

TEST_F(ProbeRun, ResumesToTheSameTables) {
  m_request.write = m_folder / "probes.jsonl";
  RecordedProgress stopped;
  stopped.stopAfterUnits = 1;
  EXPECT_THROW(runProbes(m_request, stopped), Stopped);
  EXPECT_TRUE(std::filesystem::exists(m_folder / "tables.partial" / "group-0.cbor"));
  RecordedProgress rest;
  EXPECT_TRUE(runProbes(m_request, rest));
  EXPECT_GT(rest.states.front().done, 0);
  EXPECT_EQ(rest.states.back().done, rest.states.back().total);
  EXPECT_FALSE(std::filesystem::exists(m_folder / "tables.partial"));
  EXPECT_FALSE(runProbes(m_request, rest));

  ProbeRequest whole = m_request;
  whole.out = m_folder / "whole";
  EXPECT_TRUE(runProbes(whole, rest));
  for (const std::string& table : probeTableNames())
    EXPECT_EQ(readFile(m_folder / "tables" / (table + ".csv")),
              readFile(m_folder / "whole" / (table + ".csv")));
  EXPECT_THAT(readFile(m_folder / "tables" / "retrieval.csv"), HasSubstr("\nall,1,3,"));

  const std::vector<CorpusText> written = readTokenFile(m_request.write);
  const ProbeSetup setup = prepareProbes(m_request, rest);
  ASSERT_EQ(written.size(), setup.probes.size());
  EXPECT_EQ(written.back().tokens, setup.probes.back().tokens);

  m_request.settings.seed = 7;
  EXPECT_THAT(failureOf<UsageError>([&] { runProbes(m_request, rest); }), HasSubstr("seed: 0 there, 7 now"));
}

}  // namespace
}  // namespace plastiscope::test
