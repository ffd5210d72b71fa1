// Intervention studies: sets of heads, the file, statistics equal to NumPy's (tests/data/causal/
// make_experiment.py), resumed and shared runs, a planted effect, and the rate of false results.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <set>

#include "core/base/files.h"
#include "core/base/json.h"
#include "core/base/orders.h"
#include "core/causal/experiment_job.h"
#include "tests/support/failure.h"
#include "tests/support/recorded_progress.h"
#include "tests/support/temporary_folder.h"

namespace plastiscope::test {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAreArray;

constexpr std::int64_t kLayers = 4, kHeads = 6;

std::vector<HeadName> allHeads() {
  std::vector<HeadName> heads;
  for (std::int64_t layer = 0; layer < kLayers; ++layer)
    for (std::int64_t head = 0; head < kHeads; ++head) heads.push_back({layer, head});
  return heads;
}

// All heads in a random order.
std::vector<HeadName> randomOrder(std::uint64_t seed) {
  std::vector<std::size_t> places(static_cast<std::size_t>(kLayers * kHeads));
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = i;
  PairGenerator generator = drawGenerator(seed, 1, 0);
  shuffle(places, generator);
  std::vector<HeadName> heads;
  for (const std::size_t i : places) heads.push_back(allHeads()[i]);
  return heads;
}

SetRequest requestFor(std::vector<HeadName> ranking, std::int64_t draws, bool singles = false) {
  SetRequest request;
  request.rankings = {{SetKind::Ranking, "highest x", -1, std::move(ranking), {}}};
  if (singles) request.singles = allHeads();
  request.candidates = allHeads();
  request.doses = {1, 2, 4};
  request.randomSets = request.matchedSets = draws;
  return request;
}

// ---- sets and ways

TEST(ExperimentSets, DrawsAreNestedAndMatchedInEachLayer) {
  SetRequest request = requestFor(randomOrder(3), 20);
  const ExperimentDesign design = designExperiment(request, {ExperimentWay()});
  const std::vector<HeadName>& ranking = design.sets.front().order;
  std::set<std::string> orders;
  for (const ExperimentSet& set : design.sets) {
    const std::vector<HeadName> one = set.heads(1), two = set.heads(2), four = set.heads(4);
    EXPECT_TRUE(std::ranges::includes(two, one) && std::ranges::includes(four, two));
    EXPECT_EQ(std::set(four.begin(), four.end()).size(), 4u);
    if (set.kind == SetKind::Matched) {
      EXPECT_THAT(set.order, UnorderedElementsAreArray(ranking));  // a permutation of the labels
      for (std::size_t i = 0; i < ranking.size(); ++i) EXPECT_EQ(set.order[i].layer, ranking[i].layer);
      orders.insert(headListText(set.heads(4)));
    }
  }
  EXPECT_GT(orders.size(), 10u);
  EXPECT_EQ(designExperiment(request, {ExperimentWay()}).changes, design.changes);
  request.seed = 1;
  EXPECT_NE(designExperiment(request, {ExperimentWay()}).changes, design.changes);
}

TEST(ExperimentSets, EachChangeRunsOnceAndLateLayersComeFirst) {
  SetRequest request = requestFor({{2, 0}, {1, 5}, {2, 1}}, 50, true);
  request.named = {{SetKind::Named, "pair", -1, {{1, 5}, {2, 0}}, {}}};
  const ExperimentDesign design =
      designExperiment(request, {ExperimentWay(), ExperimentWay::parse("mask_first:4")});
  for (std::size_t i = 1; i < design.changes.size(); ++i) {
    EXPECT_LE(design.changes[i].heads.front().layer, design.changes[i - 1].heads.front().layer);
    EXPECT_NE(design.changes[i], design.changes[i - 1]);
  }
  std::map<std::string, std::set<std::size_t>> same;
  for (const ExperimentCase& each : design.cases) {
    const ExperimentSet& set = design.sets[each.set];
    EXPECT_EQ(design.changes[each.change].heads, set.heads(each.dose));
    if (set.name == "pair" && set.kind == SetKind::Named) same["pair"].insert(each.change);
    if (set.kind == SetKind::Ranking && each.dose == 2) same["pair"].insert(each.change);
    EXPECT_LE(each.dose, set.kind == SetKind::Ranking ? 3 : 4);
  }
  EXPECT_EQ(same["pair"].size(), 2u);  // one for each way
}

TEST(ExperimentSets, WaysHaveNamesAndSentences) {
  for (const char* text :
       {"zero", "mean", "resample", "clamp", "distance:1024", "mask_first:4", "rope_band:1000-4000"})
    EXPECT_EQ(ExperimentWay::parse(text).text(), text);
  EXPECT_EQ(ExperimentWay::parse("rope_band:1000-4000").sentence("L1H2"),
            "Leaving RoPE wavelengths of 1,000 to 4,000 tokens out of L1H2");
  const auto refusal = [](const char* text) { return failureOf([=] { ExperimentWay::parse(text); }); };
  EXPECT_THAT(refusal("zeros"), HasSubstr("did you mean zero?"));
  for (const char* text : {"zero:1", "distance", "distance:0", "rope_band:4000-1000", "rope_band:5"})
    EXPECT_THAT(refusal(text), HasSubstr("expected " + std::string(text).substr(0, 4))) << text;
}

TEST(ExperimentSets, RopeBandsLeaveOutBothDimensionsOfAPair) {
  ModelSpec spec;
  RopeSpec rope;
  rope.rotaryDim = 8;
  spec.ropes = {rope};
  spec.layers.resize(1);
  spec.layers.front().headDim = 8;
  WayInput input;
  input.tokens = 100;
  // Wavelengths: 6.3, 63, 628, 6283 tokens.
  const Change change = makeChange(ExperimentWay::parse("rope_band:60-1000"), {{0, 0}}, spec, input);
  EXPECT_THAT(change->limited.front().factors, ElementsAre(1, 0, 0, 1, 1, 0, 0, 1));
  EXPECT_THAT(failureOf([&] { makeChange(ExperimentWay::parse("rope_band:7-9"), {{0, 0}}, spec, input); }),
              HasSubstr("rope_band:7-9: no RoPE pair of layer 0 has a wavelength in this band"));
}

// ---- statistics

double number(const Json& json) {
  return json.get<double>();
}

TEST(ExperimentStatistics, AgreeWithNumPy) {
  const Json expected = readJsonFile(fs::path(PLASTISCOPE_TEST_DATA) / "causal/experiment.json");
  for (const Json& each : expected["effects"]) {
    const auto texts = each["texts"].get<std::vector<double>>();
    const TextEffect effect = effectOver(texts, expected["seed"].get<std::uint64_t>());
    EXPECT_NEAR(effect.mean, number(each["mean"]), 1e-12);
    EXPECT_NEAR(effect.interval.low, number(each["low"]), 1e-9);
    EXPECT_NEAR(effect.interval.high, number(each["high"]), 1e-9);
    EXPECT_DOUBLE_EQ(effect.p, number(each["p"])) << texts.size() << " texts";
  }
  const Json& holm = expected["holm"];
  const auto adjusted = holmAdjusted(holm["p"].get<std::vector<double>>());
  for (std::size_t i = 0; i < adjusted.size(); ++i)
    EXPECT_NEAR(adjusted[i], number(holm["adjusted"][i]), 1e-12);
  const Json &slope = expected["slope"], &draws = expected["draws"];
  EXPECT_NEAR(
      doseSlope(slope["doses"].get<std::vector<std::int64_t>>(), slope["values"].get<std::vector<double>>()),
      number(slope["slope"]), 1e-12);
  EXPECT_DOUBLE_EQ(drawP(number(draws["value"]), draws["draws"].get<std::vector<double>>()),
                   number(draws["p"]));
}

TEST(ExperimentStatistics, DegenerateCases) {
  EXPECT_TRUE(std::isnan(effectOver(std::vector{0.5}, 0).p));
  EXPECT_FALSE(effectOver(std::vector{0.5}, 0).interval.known());
  EXPECT_EQ(effectOver(std::vector{0.0, 0.0, 0.0}, 0).p, 1);
  EXPECT_TRUE(std::isnan(drawP(0.5, {})));
  EXPECT_EQ(drawP(0, std::vector{0.0, 0.0}), 1);
  EXPECT_TRUE(std::isnan(holmAdjusted(std::vector{0.01, kMissing})[1]));
  EXPECT_EQ(holmAdjusted(std::vector{0.01, kMissing})[0], 0.01);
}

// ---- runs

// Texts with four tokens each: two copied from near by, one from far away, and a new one.
std::vector<ProbeText> someTexts(std::int64_t count) {
  std::vector<ProbeText> probes;
  for (std::int64_t i = 0; i < count; ++i) {
    ProbeText probe;
    probe.id = "text/present/1024/0/" + std::to_string(i);
    probe.kind = ProbeKind::Text;
    probe.replicate = i;
    probe.length = 1024;
    probe.tokens.assign(1024, 1);
    probe.scored = {100, 200, 900, 1000};
    probe.copied = {95, 193, 100, -1};
    probes.push_back(std::move(probe));
  }
  return probes;
}

double noise(std::uint64_t seed, std::uint64_t a, std::uint64_t b) {
  return static_cast<double>(drawGenerator(seed, a, b).below(1000)) / 1000 - 0.5;
}

// Heads change all tokens of a text by up to 0.001 nats; the planted ones cost 2 nats on the far token alone.
struct FakeModel {
  const ExperimentWork& work;
  std::set<HeadName> planted = {};
  std::uint64_t seed = 0;
  int runs = 0;

  std::vector<Outcomes> operator()(std::size_t probe, std::span<const std::size_t> changes, Progress&) {
    std::vector<Outcomes> all{Outcomes(4, TokenOutcome{1, 1})};
    for (const std::size_t i : changes) {
      ++runs;
      Outcomes outcomes = all.front();
      for (const HeadName& head : work.design.changes[i].heads) {
        const auto number = static_cast<std::uint64_t>(head.layer * kHeads + head.head);
        for (std::size_t token = 0; token < 4; ++token) {
          const double cost = 0.002 * noise(seed, number, 1 + probe);
          outcomes[token].nll += static_cast<float>(cost);
        }
        if (!planted.contains(head)) continue;
        outcomes[2].nll += static_cast<float>(2 + 0.1 * noise(seed, number, probe));
        outcomes[2].rank = 9;
      }
      all.push_back(outcomes);
    }
    return all;
  }
};

ExperimentWork workOf(const SetRequest& request, std::int64_t texts) {
  return {someTexts(texts), designExperiment(request, {ExperimentWay()}), "hash", {"zero"}, {}};
}

TEST(ExperimentRuns, ClassesByDistance) {
  std::vector<std::string> names;
  const ProbeClasses classes = classesOf(someTexts(1).front());
  for (const TokenClass& each : classes.classes) names.push_back(each.text());
  EXPECT_THAT(names, ElementsAre("text unseen", "text", "text 4-7", "text 512-1023"));
  EXPECT_THAT(classes.tokens, ElementsAre(1, 4, 2, 1));
  EXPECT_EQ(classes.classes[3].phrase(), "tokens of texts copied from 512 to 1,023 tokens before");
}

TEST(ExperimentRuns, StoppedPartsContinueToTheSameSums) {
  const TemporaryFolder folder;
  const ExperimentWork work = workOf(requestFor(randomOrder(1), 30, true), 5);
  FakeModel whole{work}, parts{work};
  RecordedProgress progress;
  const auto expected = runTexts(work, folder / "whole.work", {}, std::ref(whole), progress);
  EXPECT_EQ(progress.states.back().done, progress.states.back().total);
  const fs::path shared = folder / "shared.work";
  RecordedProgress stopping;
  stopping.stopAfterUnits = 1;
  EXPECT_THROW(runTexts(work, shared, {0, 2}, std::ref(parts), stopping), Stopped);
  RecordedProgress again;
  const auto partial = runTexts(work, shared, {0, 2}, std::ref(parts), again);
  EXPECT_EQ(again.units.size(), 2u);  // of texts 0, 2 and 4, the first was kept
  EXPECT_TRUE(partial[1].empty() && !partial[0].empty());
  const auto all = runTexts(work, shared, {1, 2}, std::ref(parts), again);
  EXPECT_EQ(parts.runs, whole.runs);
  const auto outcomes = measuredOutcomes(work.probes, all), same = measuredOutcomes(work.probes, expected);
  ASSERT_EQ(outcomes.size(), same.size());
  for (std::size_t i = 0; i < same.size(); ++i) EXPECT_EQ(outcomes[i].harm, same[i].harm);
  // More draws run only what is new; a damaged file runs again.
  const ExperimentWork more = workOf(requestFor(randomOrder(1), 40, true), 5);
  FakeModel rest{more};
  runTexts(more, shared, {}, std::ref(rest), again);
  EXPECT_EQ(rest.runs, 5 * std::ssize(more.design.changes) - whole.runs);
  writeFileAtomically(shared / "text-3.cbor", std::string_view("damaged"));
  rest.runs = 0;
  runTexts(more, shared, {}, std::ref(rest), again);
  EXPECT_EQ(rest.runs, std::ssize(more.design.changes));
}

std::size_t rowWhere(const Table& table, const std::map<std::string, std::string>& cells) {
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (std::ranges::all_of(cells, [&](const auto& cell) {
          const auto column = std::ranges::find(table.columns, cell.first, &Column::name);
          return table.cellText(static_cast<std::size_t>(column - table.columns.begin()), row) == cell.second;
        }))
      return row;
  }
  ADD_FAILURE() << "no such row of " << table.name;
  return 0;
}

TEST(ExperimentRuns, FindsThePlantedHeadsAndNoOther) {
  const TemporaryFolder folder;
  std::vector<HeadName> ranking = randomOrder(5);
  std::ranges::stable_partition(
      ranking, [](const HeadName& head) { return head == HeadName{1, 2} || head == HeadName{2, 4}; });
  SetRequest request = requestFor(ranking, 400, true);
  request.doses = {1, 2};
  const ExperimentWork work = workOf(request, 12);
  FakeModel model{work, {{1, 2}, {2, 4}}};
  RecordedProgress progress;
  const auto outcomes =
      measuredOutcomes(work.probes, runTexts(work, folder / "work", {}, std::ref(model), progress));
  const std::vector<Table> tables = experimentTables(work.design, outcomes, 0);
  const Table& effects = *findTable(tables, "effects");
  const std::size_t row =
      rowWhere(effects, {{"dose", "2"}, {"outcome", "text 512-1023"}, {"measure", "nll"}});
  EXPECT_NEAR(effects.numbers("effect")[row], 4, 0.1);
  EXPECT_EQ(effects.numbers("unchanged")[row], 1);
  EXPECT_NEAR(effects.numbers("changed")[row], 5, 0.1);
  EXPECT_EQ(effects.numbers("p_texts")[row], 1.0 / 2048);
  EXPECT_EQ(effects.integers("texts")[row], 12);
  // Of the 36 sets with one head of each layer, only the planted one costs as much.
  EXPECT_LT(effects.numbers("p_matched")[row], 0.06);
  const std::size_t accuracy =
      rowWhere(effects, {{"dose", "2"}, {"outcome", "text 512-1023"}, {"measure", "accuracy"}});
  EXPECT_EQ(effects.numbers("effect")[accuracy], 1);
  const Table& singles = *findTable(tables, "singles");
  std::set<std::string> found;
  for (std::size_t i = 0; i < singles.rows(); ++i) {
    if (singles.numbers("holm")[i] <= 0.05)
      found.insert(HeadName{singles.integers("layer")[i], singles.integers("head")[i]}.text());
  }
  EXPECT_THAT(found, ElementsAre("L1H2", "L2H4"));
  const Table& contrasts = *findTable(tables, "contrasts");
  const std::size_t far = rowWhere(contrasts, {{"dose", "2"}, {"measure", "nll"}});
  EXPECT_EQ(contrasts.texts("near")[far], "text 4-7");
  EXPECT_NEAR(contrasts.numbers("difference")[far], 4, 0.1);
  EXPECT_EQ(contrasts.texts("verdict")[far], "costs more far away");
  const Table& doses = *findTable(tables, "doses");
  EXPECT_NEAR(doses.numbers("slope")[rowWhere(doses, {{"outcome", "text 512-1023"}, {"measure", "nll"}})], 2,
              0.1);
  EXPECT_EQ(findTable(tables, "draws")->rows(), 2u * 2 * 400 * outcomes.size());
  EXPECT_THAT(findTable(tables, "sentences")->texts("sentence"),
              ::testing::Contains(AllOf(HasSubstr("Removing the 2 heads of highest x costs "),
                                        HasSubstr(" nats per token (95 % over 12 texts "),
                                        HasSubstr("copied from 512 to 1,023 tokens before; "),
                                        HasSubstr(" of 400 matched sets cost"), HasSubstr(", after Holm "))));
  std::vector<std::string> names;
  for (const Table& table : tables) names.push_back(table.name);
  EXPECT_EQ(names, experimentTableNames());
}

TEST(ExperimentRuns, SaysWhichTestsCannotBeSignificant) {
  const ExperimentWork work = workOf(requestFor(randomOrder(1), 9, true), 5);
  FakeModel model{work};
  const TemporaryFolder folder;
  RecordedProgress progress;
  const auto outcomes =
      measuredOutcomes(work.probes, runTexts(work, folder / "work", {}, std::ref(model), progress));
  EXPECT_THAT(
      powerWarnings(work.design, outcomes),
      ElementsAre(
          HasSubstr("p of single heads over 5 texts is at least 0.062, and 1.00 after Holm over 24 tests"),
          HasSubstr("p of rankings among 9 matched sets is at least 0.10, and 0.40 after Holm over 4")));
}

// Heads differ in effect, more so in late layers; the ranking has nothing to do with it.
TEST(ExperimentRuns, RandomLabelsAreSignificantInFivePercentOfStudies) {
  int significant = 0;
  constexpr int kStudies = 200;
  for (std::uint64_t study = 0; study < kStudies; ++study) {
    SetRequest request = requestFor(randomOrder(1000 + study), 19);
    request.randomSets = 0;
    request.seed = study;
    const ExperimentDesign design = designExperiment(request, {ExperimentWay()});
    std::vector<double> own, draws;
    for (const ExperimentCase& each : design.cases) {
      if (each.dose != 4) continue;
      double effect = 0;
      for (const HeadName& head : design.changes[each.change].heads)
        effect += static_cast<double>(head.layer) +
                  noise(study, static_cast<std::uint64_t>(head.layer * kHeads + head.head), 77);
      (design.sets[each.set].kind == SetKind::Ranking ? own : draws).push_back(effect);
    }
    if (drawP(own.front(), draws) <= 0.05) ++significant;
  }
  // 99.9 % of binomial(200, 0.05) lie between 1 and 22.
  EXPECT_GE(significant, 1);
  EXPECT_LE(significant, 22);
}

// ---- the file

class ExperimentFile : public ::testing::Test {
 protected:
  ExperimentPlan read(const std::string& text) const {
    writeFileAtomically(m_folder / "study.toml", std::string_view(text));
    return readExperiment(m_folder / "study.toml");
  }
  std::string refusal(const std::string& text) const {
    const std::string message = failureOf<InputError>([&] { read(text); });
    const auto place = message.find("study.toml: ");
    return place == std::string::npos ? message : message.substr(place + 12);
  }
  TemporaryFolder m_folder;
};

constexpr const char* kSixLines = R"(model = "SmolLM2"
text = ["a.txt", "b.txt"]
ranking = [
  { analysis = "a.analysis.h5", column = "ap_aligned" },
  { name = "lowest AP", analysis = "a.analysis.h5", column = "ap_aligned", order = "lowest" },
]
)";

TEST_F(ExperimentFile, SixLinesAreAStudy) {
  const ExperimentPlan plan = read(kSixLines);
  EXPECT_EQ(plan.probes.run.model, "SmolLM2");  // not a file here: a cached model
  EXPECT_EQ(plan.probes.run.corpus.files[1], m_folder / "b.txt");
  EXPECT_EQ(plan.rankings[0].name, "highest ap_aligned");
  EXPECT_EQ(plan.rankings[1].order, RankingOrder::Lowest);
  EXPECT_EQ(plan.probes.out, m_folder / "study");
  EXPECT_THAT(plan.doses, ElementsAre(1, 2, 4, 8));
  EXPECT_THAT(plan.ways, ElementsAre("zero"));
  EXPECT_THAT(plan.probes.settings.kinds, ElementsAre(ProbeKind::Text));
  EXPECT_EQ(plan.singles, "all");
  EXPECT_EQ(plan.matchedSets, 50);
  EXPECT_EQ(plan.settings()["doses"], "1,2,4,8");
}

TEST_F(ExperimentFile, TakesEveryKey) {
  const ExperimentPlan plan = read(R"(
model = "m"
out = "out"
singles = false
doses = [16, 2]
random_sets = 200
matched_sets = 0
seed = 3
dtype = "float32"
ways = ["zero", "clamp", "rope_band:1000-4000"]
clamp_from = "a.analysis.h5"
[heads]
induction = "L1H2,L3H0-7"
other = ["L2H0", "L2H1"]
[probes]
count = 2
)");
  EXPECT_EQ(plan.singles, "none");
  EXPECT_THAT(plan.doses, ElementsAre(2, 16));
  EXPECT_EQ(plan.named[0].name + " " + plan.named[0].heads, "induction L1H2,L3H0-7");
  EXPECT_EQ(plan.named[1].heads, "L2H0,L2H1");
  EXPECT_EQ(plan.probes.settings.count, 2);
  EXPECT_EQ(plan.probes.run.plan.dtype, "float32");
  EXPECT_EQ(plan.probes.run.clampFrom, m_folder / "a.analysis.h5");
  EXPECT_EQ(plan.probes.out, m_folder / "out");
}

TEST_F(ExperimentFile, ErrorsNameTheLine) {
  const std::string good = "model = \"m\"\ntext = \"a.txt\"\n";
  EXPECT_THAT(refusal("model = \n"), HasSubstr("line 1: "));
  EXPECT_THAT(refusal("text = \"a.txt\"\n"), HasSubstr("expected model = \"MODEL\", found none"));
  EXPECT_THAT(refusal("model = \"m\"\n"), HasSubstr("expected text = [\"FILE\"] or [probes], found none"));
  EXPECT_THAT(refusal(good + "dosis = [1]\n"),
              AllOf(HasSubstr("line 3: study: expected "), HasSubstr("did you mean doses?")));
  EXPECT_THAT(refusal(good + "doses = [2, 0]\n"), HasSubstr("line 3: --doses: expected numbers of heads"));
  EXPECT_THAT(refusal(good + "matched_sets = -1\n"),
              HasSubstr("line 3: --matched-sets: expected a number from 0 to 10000, found -1"));
  EXPECT_THAT(refusal(good + "ways = [\"zeros\"]\n"), HasSubstr("line 3: way: expected zero, "));
  EXPECT_THAT(refusal(good + "ways = [\"clamp\"]\n"), HasSubstr("line 3: the way clamp needs clamp_from"));
  EXPECT_THAT(refusal(good + "singles = \"H1\"\n"), HasSubstr("line 3: "));
  EXPECT_THAT(refusal(good + "singles = false\n"), HasSubstr("expected a ranking, heads or singles"));
  EXPECT_THAT(refusal(good + "ranking = [{ column = \"r_q\" }]\n"),
              HasSubstr("line 3: ranking: expected analysis = \"FILE\", found none"));
  EXPECT_THAT(refusal(good + "[[ranking]]\nanalysis = \"a\"\norder = \"low\"\n"),
              HasSubstr("line 5: --order: expected highest, lowest"));
  EXPECT_THAT(refusal(good + "[heads]\na = \"L1H2\"\nb = \"L1\"\n"), HasSubstr("line 5: "));
  EXPECT_THAT(refusal(good + "[probes]\nlength = 3\n"),
              AllOf(HasSubstr("line 4: probes: expected "), HasSubstr("did you mean lengths?")));
}

}  // namespace
}  // namespace plastiscope::test
