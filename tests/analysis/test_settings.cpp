#include "core/analysis/settings.h"

#include <gtest/gtest.h>

#include "core/base/error.h"

namespace plastiscope {
namespace {

TEST(Settings, JsonThereAndBack) {
  AnalysisSettings settings;
  settings.pairs = 0;
  settings.bins = "48";
  settings.tau = "mean";
  settings.lengthEdges = {0, 7, 99};
  settings.seed = 0xffffffffffffffffu;
  settings.taxonomyLow = 0.25;
  settings.heads = "L1H2-4";
  const AnalysisSettings back =
      AnalysisSettings::fromJson(parseJson(canonicalJson(settings.toJson()), "settings"));
  EXPECT_EQ(back.toJson(), settings.toJson());
  EXPECT_EQ(back.pairs, 0);
  EXPECT_EQ(back.seed, settings.seed);
}

TEST(Settings, PairsAndBinsTakeWordsAndNumbers) {
  EXPECT_EQ(AnalysisSettings::fromJson({{"pairs", "all"}}).pairs, 0);
  EXPECT_EQ(AnalysisSettings::fromJson({{"pairs", "512"}}).pairs, 512);
  EXPECT_EQ(AnalysisSettings::fromJson({{"pairs", 512}}).pairs, 512);
  EXPECT_EQ(AnalysisSettings::fromJson({{"bins", 32}}).bins, "32");
  EXPECT_EQ(binCountOf(AnalysisSettings::fromJson({{"bins", "32"}})), 32);
  EXPECT_FALSE(binCountOf(AnalysisSettings()).has_value());
}

TEST(Settings, Presets) {
  EXPECT_EQ(AnalysisSettings::preset("thesis").toJson(), AnalysisSettings().toJson());
  const AnalysisSettings author = AnalysisSettings::preset("author");
  EXPECT_EQ(author.pcaSign, "query");
  EXPECT_EQ(author.taxonomy, "notes");
  EXPECT_EQ(author.bAxis, "eigenvector");
  EXPECT_EQ(AnalysisSettings::preset("rigorous").variance, "full");
  EXPECT_EQ(AnalysisSettings::preset("rigorous").pairs, 0);
  EXPECT_THROW((void)AnalysisSettings::preset("best"), UsageError);
}

std::string refusalOf(const Json& settings) {
  try {
    (void)AnalysisSettings::fromJson(settings);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "accepted";
}

// Wrong settings name the setting and what is known.
TEST(Settings, Refusals) {
  const std::pair<Json, const char*> cases[] = {
      {{{"pair_scope", "cross_example"}}, "pair_scope: expected same_example, found \"cross_example\""},
      {{{"variance", "global"}}, "variance: expected thesis, full, empirical, found"},
      {{{"weights", "legacy"}}, "weights: expected queries, equal, found"},
      {{{"bins", "many"}}, "bins: expected density, buckets or a number"},
      {{{"bins", "0"}}, "bins: expected"},
      {{{"bins", 1000000000}}, "bins: expected"},
      {{{"pairs", 0}}, "pairs: expected a number above 0 or \"all\""},
      {{{"pairs", "some"}}, "pairs: expected"},
      {{{"pairs", -3}}, "pairs: expected"},
      {{{"min_queries", 1}}, "min_queries: expected at least 2"},
      {{{"min_pairs", 0}}, "min_pairs: expected at least 1"},
      {{{"components", 0}}, "components: expected at least 1"},
      {{{"map_cell", -1}}, "map_cell: expected at least 0"},
      {{{"map_cell", 1.5}}, "map_cell: expected a whole number"},
      {{{"length_edges", Json::array({0})}}, "length_edges: expected at least two"},
      {{{"length_edges", Json::array({0, 5, 5})}}, "length_edges: expected ascending"},
      {{{"length_edges", 3}}, "length_edges: expected a list"},
      {{{"taxonomy_low", 0.9}}, "0 <= low <= high <= 1"},
      {{{"taxonomy_low", "low"}}, "taxonomy_low: expected a number"},
      {{{"seed", -1}}, "seed: expected a number of at least 0"},
      {{{"seed", "x"}}, "seed: expected"},
      {{{"tau", Json::array()}}, "tau: expected text"},
      {{{"taw", "mean"}}, "did you mean tau?"},
      {{{"decomposition", "on"}, {"variance", "full"}}, "decomposition: expected variance thesis"},
      {Json::array(), "expected a JSON object"},
  };
  for (const auto& [settings, expected] : cases) {
    EXPECT_NE(refusalOf(settings).find(expected), std::string::npos)
        << settings << ": " << refusalOf(settings);
  }
}

}  // namespace
}  // namespace plastiscope
