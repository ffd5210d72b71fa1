// Changed heads give the losses and ranks of transformers (tests/data/forward/make_changes.py), also when
// many changes share the layers below.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "core/base/json.h"
#include "core/causal/outcome_run.h"

namespace plastiscope {
namespace {

namespace fs = std::filesystem;
const fs::path kTestData = fs::path(PLASTISCOPE_TEST_DATA);

// The token ids of make_changes.py.
std::vector<std::int32_t> tokenIds(std::int64_t count) {
  std::uint64_t state = 1;
  std::vector<std::int32_t> ids;
  for (std::int64_t i = 0; i < count; ++i) {
    state = (1103515245 * state + 12345) % (std::uint64_t{1} << 31);
    ids.push_back(static_cast<std::int32_t>((state >> 16) % 97));
  }
  return ids;
}

OutcomeRunner runnerOf(const std::string& model, std::uint64_t memoryLimit = 0) {
  ForwardOptions options;
  options.device = "cpu";
  options.dtype = "float32";
  options.threads = 2;
  return {openModel(kTestData / "families" / model), nativeEngine(), options, memoryLimit};
}

class ChangedHeads : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    std::ifstream stream(kTestData / "forward" / "changes.json");
    m_reference = Json::parse(stream);
    const auto tokens = m_reference["tokens"].get<std::int64_t>();
    const auto both = tokenIds(2 * tokens);
    m_first.assign(both.begin(), both.begin() + tokens);
    m_second.assign(both.begin() + tokens, both.end());
  }

  // Mean output of a head over both texts.
  std::shared_ptr<const std::vector<float>> mean(const OutcomeRunner& runner, HeadName head) {
    auto& kept = m_means[head];
    if (kept) return kept;
    Progress progress;
    auto values = *runner.outputs(m_first, {head}, progress).at(head);
    const auto other = *runner.outputs(m_second, {head}, progress).at(head);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = (values[i] + other[i]) / 2;
    kept = std::make_shared<const std::vector<float>>(std::move(values));
    return kept;
  }

  Change changeOf(const OutcomeRunner& runner, const Json& json) {
    auto change = std::make_shared<Interventions>();
    const auto headOf = [](const Json& pair) { return QueryHead{pair[0], pair[1]}; };
    for (const Json& pair : json.value("replaced", Json::array()))
      change->replaced.push_back({headOf(pair), mean(runner, {pair[0], pair[1]})});
    for (const Json& limit : json.value("limited", Json::array()))
      change->limited.push_back({headOf(limit["at"]), limit.value("distance", 0), limit.value("hidden", 0),
                                 limit.value("factors", std::vector<float>())});
    for (const Json& cut : json.value("cuts", Json::array())) {
      const std::string into = cut["into"];
      change->cuts.push_back(
          {headOf(cut["from"]),
           cut.value("mean", false) ? mean(runner, {cut["from"][0], cut["from"][1]}) : nullptr, cut["layer"],
           into == "q"   ? AttentionInput::Query
           : into == "k" ? AttentionInput::Key
                         : AttentionInput::Value,
           cut["head"]});
    }
    return change;
  }

  Json m_reference;
  std::vector<std::int32_t> m_first, m_second;
  std::map<HeadName, std::shared_ptr<const std::vector<float>>> m_means;
};

TEST_P(ChangedHeads, PredictAsInTransformers) {
  // The second run has room for one change at a time.
  for (const std::uint64_t limit : {std::uint64_t{0}, std::uint64_t{1}}) {
    const OutcomeRunner runner = runnerOf(GetParam(), limit);
    m_means.clear();
    ProbeText probe;
    probe.tokens = m_first;
    probe.scored = m_reference["scored"].get<std::vector<std::int32_t>>();
    probe.copied.assign(probe.scored.size(), -1);
    std::vector<Change> changes;
    std::vector<Json> cases;
    for (const Json& json : m_reference["cases"]) {
      if (json["model"] != GetParam()) continue;
      cases.push_back(json);
      changes.push_back(changeOf(runner, json));
    }
    ASSERT_EQ(cases.size(), 10U);
    Progress progress;
    const std::vector<Outcomes> found = runner.changed(probe, changes, progress);
    for (std::size_t i = 0; i < cases.size(); ++i) {
      for (std::size_t token = 0; token < probe.scored.size(); ++token) {
        EXPECT_NEAR(found[i][token].nll, cases[i]["nll"][token].get<double>(), 2e-3)
            << cases[i]["name"] << " token " << probe.scored[token];
        EXPECT_EQ(found[i][token].rank, cases[i]["rank"][token].get<std::int32_t>())
            << cases[i]["name"] << " token " << probe.scored[token];
      }
    }
    EXPECT_EQ(runner.unchanged({&probe, 1}, progress).front().front().rank, cases[0]["rank"][0]);
  }
}

INSTANTIATE_TEST_SUITE_P(Models, ChangedHeads, testing::Values("qwen3", "gemma2", "mistral"));

// A cut of everything that enters a query changes that head's queries, and those of no other head.
TEST(CutPaths, ChangeOneHead) {
  const OutcomeRunner runner = runnerOf("qwen3");
  auto cut = std::make_shared<Interventions>();
  cut->cuts.push_back({{0, 0}, nullptr, 2, AttentionInput::Query, 1});
  Progress progress;
  const std::vector<HeadName> heads{{2, 0}, {2, 1}};
  const auto found = runner.vectors(tokenIds(200), heads, std::vector<Change>{nullptr, cut}, progress);
  EXPECT_EQ(found[0].queries.at({2, 0}), found[1].queries.at({2, 0}));
  EXPECT_NE(found[0].queries.at({2, 1}), found[1].queries.at({2, 1}));
  EXPECT_EQ(found[0].keys, found[1].keys);
}

}  // namespace
}  // namespace plastiscope
