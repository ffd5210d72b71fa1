// Composition scores equal NumPy's (tests/data/causal/make_composition.py), and the one edge of the planted
// circuit is found by its score and by cuts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/json.h"
#include "core/base/orders.h"
#include "core/causal/composition_job.h"
#include "core/causal/experiment_sets.h"
#include "tests/support/failure.h"
#include "tests/support/recorded_progress.h"
#include "tests/support/temporary_folder.h"

namespace plastiscope::test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

const fs::path kData = PLASTISCOPE_TEST_DATA;

std::vector<HeadEdge> edgesOf(const Model& model) {
  Progress progress;
  return compositionScores(model, headsWithAttention(model.spec), 2, progress);
}

TEST(CompositionScores, AgreeWithNumPy) {
  const Json expected = readJsonFile(kData / "causal/composition.json");
  for (const auto& [name, edges] : expected["models"].items()) {
    const std::vector<HeadEdge> found = edgesOf(*openModel(kData / "families" / name));
    EXPECT_EQ(found.size(), 3u * 6 * 4 * 4) << name;  // pairs of 4 layers, of 4 heads each
    for (const Json& edge : edges) {
      const auto ends = edge[0].get<std::vector<std::int64_t>>();
      for (std::size_t into = 0; into < 3; ++into) {
        const HeadEdge wanted{{ends[0], ends[1]}, {ends[2], ends[3]}, static_cast<AttentionInput>(into)};
        const auto same =
            std::ranges::find_if(found, [&](const HeadEdge& one) { return one.sameEnds(wanted); });
        ASSERT_NE(same, found.end());
        EXPECT_NEAR(same->score, edge[1][into].get<double>(), 2e-6) << name << " " << wanted.text();
      }
    }
  }
}

TEST(CompositionScores, OfRandomMatricesAreNearTheBaseline) {
  const Json expected = readJsonFile(kData / "causal/composition.json");
  for (const Json& random : expected["random"]) {
    ModelSpec spec;
    spec.hidden = random["hidden"].get<std::int64_t>();
    const double baseline = compositionBaseline(spec);
    EXPECT_NEAR(random["root_mean_square"].get<double>() / baseline, 1, 0.01);
    EXPECT_NEAR(random["mean"].get<double>() / baseline, 1, 0.02);
  }
}

TEST(CompositionScores, RefuseOtherFormsAndWrongEdges) {
  EXPECT_THAT(failureOf([] { edgesOf(*openModel(kData / "families/deepseek_v2")); }),
              HasSubstr("one latent vector"));
  EXPECT_THAT(failureOf([] { edgesOf(*openModel(kData / "families/gemma3n_text")); }),
              HasSubstr("not a sum"));
  EXPECT_EQ(HeadEdge::parse("L0H4>L1H7:k").text(), "L0H4>L1H7:k");
  for (const char* text : {"L1H7>L0H4:k", "L0H4>L1H7", "L0H4>L1H7:x", "L0H0-3>L1H7:q"})
    EXPECT_THAT(failureOf([=] { HeadEdge::parse(text); }), HasSubstr("such as L0H4>L1H7:k")) << text;
}

// Token 0, then distinct random tokens, then the same again.
std::vector<ProbeText> repeatedTexts(std::int64_t count, std::int64_t half) {
  std::vector<ProbeText> probes;
  for (std::int64_t i = 0; i < count; ++i) {
    std::vector<std::size_t> tokens(255);
    std::iota(tokens.begin(), tokens.end(), std::size_t{1});
    PairGenerator generator(static_cast<std::uint64_t>(i));
    shuffle(tokens, generator);
    ProbeText& probe = probes.emplace_back();
    probe.id = "random_repeat/present/" + std::to_string(i);
    probe.kind = ProbeKind::RandomRepeat;
    probe.replicate = i;
    probe.tokens = {0};
    for (int time = 0; time < 2; ++time)
      probe.tokens.insert(probe.tokens.end(), tokens.begin(), tokens.begin() + half);
    probe.length = std::ssize(probe.tokens);
    for (std::int64_t t = half + 2; t < probe.length; ++t) {
      probe.scored.push_back(static_cast<std::int32_t>(t));
      probe.copied.push_back(static_cast<std::int32_t>(t - half));
    }
  }
  return probes;
}

TEST(CompositionCuts, FindThePlantedEdgeAndNoOther) {
  const auto model = openModel(kData / "causal/circuit");
  std::vector<HeadEdge> edges = edgesOf(*model);
  std::ranges::stable_sort(edges, std::greater(), &HeadEdge::score);
  EXPECT_EQ(edges.front().text(), "L0H4>L1H7:k");
  EXPECT_GT(edges.front().score, 1.5 * compositionBaseline(model->spec));
  std::erase_if(edges, [](const HeadEdge& edge) {  // the same key head
    return edge.text() == "L0H4>L1H6:k" || edge.text() == "L0H4>L1H8:k";
  });
  edges.resize(12);
  edges.push_back(HeadEdge::parse("L0H4>L1H7:q"));
  edges.push_back(HeadEdge::parse("L0H4>L1H7:v"));
  ForwardOptions options;
  options.device = "cpu";
  options.dtype = "float32";
  options.threads = 2;
  const OutcomeRunner runner(model, nativeEngine(), options);
  const EdgeWork work{repeatedTexts(12, 64), edges, PathReplacement::Zero, "hash"};
  const TemporaryFolder folder;
  RecordedProgress stopping;
  stopping.stopAfterUnits = 5;
  EXPECT_THROW(measuredEdges(runner, work, folder.path(), 0, stopping), Stopped);
  RecordedProgress progress;
  const Table table = measuredEdges(runner, work, folder.path(), 0, progress);
  EXPECT_EQ(progress.units.size(), 7u);  // five texts were kept
  ASSERT_EQ(table.rows(), edges.size());
  EXPECT_GT(table.numbers("nll_change")[0], 5);
  EXPECT_GT(table.numbers("attention_change")[0], 0.2);
  EXPECT_TRUE(std::isfinite(table.numbers("ap_change")[0]));
  EXPECT_TRUE(std::isnan(table.numbers("attention_change").back()));  // into v
  for (std::size_t row = 0; row < table.rows(); ++row) {
    EXPECT_EQ(table.numbers("p_adjusted")[row] <= 0.05, row == 0) << edges[row].text();
    EXPECT_EQ(table.texts("verdict")[row], row == 0 ? "loss rises without it" : "no effect shown");
  }
}

}  // namespace
}  // namespace plastiscope::test
