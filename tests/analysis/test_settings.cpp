#include "core/analysis/settings.h"

#include <gtest/gtest.h>

#include <set>

#include "core/base/error.h"
#include "core/base/json.h"
#include "tests/support/failure.h"

namespace plastiscope {
namespace {

TEST(Settings, SurviveJson) {
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

TEST(Settings, PresetsHaveTheirSettings) {
  EXPECT_EQ(AnalysisSettings::preset("thesis").toJson(), AnalysisSettings().toJson());
  const AnalysisSettings author = AnalysisSettings::preset("author");
  EXPECT_EQ(author.pcaSign, "query");
  EXPECT_EQ(author.taxonomy, "notes");
  EXPECT_EQ(author.bAxis, "eigenvector");
  EXPECT_EQ(AnalysisSettings::preset("rigorous").variance, "full");
  EXPECT_EQ(AnalysisSettings::preset("rigorous").pairs, 0);
  EXPECT_THROW((void)AnalysisSettings::preset("best"), UsageError);
}

// Help, tool tips and options come from the list, so it must describe every setting correctly.
TEST(Settings, ListDescribesEverySetting) {
  const Json standard = AnalysisSettings().toJson();
  std::set<std::string> names;
  for (const SettingInfo& info : settingList()) {
    EXPECT_TRUE(names.insert(info.name).second) << info.name << " is listed twice";
    EXPECT_NE(standard.contains(info.name), info.leftOut) << info.name;
    EXPECT_FALSE(info.group.empty()) << info.name;
    EXPECT_TRUE(info.help.ends_with('.')) << info.name;
    EXPECT_FALSE(info.values().empty()) << info.name;
  }
  for (const auto& [name, value] : standard.items()) EXPECT_TRUE(names.contains(name)) << name;
}

// Every listed word is accepted, with the settings that it needs.
TEST(Settings, ListedWordsAreAccepted) {
  for (const SettingInfo& info : settingList()) {
    for (const std::string& word : info.words) {
      Json settings = {{info.name, word}};
      if (word == "legacy" && info.name == "weights") settings["pair_scope"] = "same_bucket";
      EXPECT_EQ(AnalysisSettings::fromJson(settings).toJson()[info.name], word) << info.name;
    }
  }
}

TEST(Settings, ListStatesDefaults) {
  SettingTexts standard = settingTexts(AnalysisSettings());
  EXPECT_EQ(standard.size(), settingList().size());
  EXPECT_EQ(standard["variance"], "thesis");
  EXPECT_EQ(standard["pairs"], "256");
  EXPECT_EQ(standard["bins"], "density");
  EXPECT_EQ(standard["active_omega_r2"], "0.25");
  EXPECT_EQ(standard["length_edges"], "0,8192,16384,32768,65536,131072");
  EXPECT_EQ(standard["heads"], "");
}

TEST(Settings, ReadBackTheirTexts) {
  AnalysisSettings settings = AnalysisSettings::preset("author");
  settings.pairs = 0;
  settings.bins = "12";
  settings.lengthEdges = {0, 7, 90};
  settings.taxonomyLow = 0.125;
  settings.seed = 18446744073709551615U;
  EXPECT_EQ(settingsOf("thesis", settingTexts(settings)).toJson(), settings.toJson());
  EXPECT_EQ(
      settingArguments("author", settings),
      (std::vector<std::string>{"--preset", "author", "--pairs", "all", "--bins", "12", "--taxonomy-low",
                                "0.125", "--length-edges", "0,7,90", "--seed", "18446744073709551615"}));
  EXPECT_TRUE(settingArguments("thesis", {}).empty());
  EXPECT_THROW(settingsOf("thesis", {{"length_edges", "0,x"}}), UsageError);
  EXPECT_THROW(settingsOf("best", {}), UsageError);
}

std::string refusalOf(const Json& settings) {
  return test::failureOf<UsageError>([&] { (void)AnalysisSettings::fromJson(settings); });
}

// Errors name the wrong setting and the known values.
TEST(Settings, RefusalsNameTheSettingAndItsValues) {
  const std::pair<Json, const char*> cases[] = {
      {{{"pair_scope", "any"}},
       "pair_scope: expected same_example, cross_example, same_bucket, found \"any\""},
      {{{"variance", "none"}}, "variance: expected thesis, full, empirical, global, found"},
      {{{"weights", "legacy"}}, "weights: legacy needs pair_scope same_bucket, found same_example"},
      {{{"prefix", "random"}, {"pairs", "all"}}, "prefix: random needs a number of pairs"},
      {{{"prefix", "random"}, {"pair_scope", "same_bucket"}}, "prefix: random needs pair_scope"},
      {{{"vector_dimensions", "some"}}, "vector_dimensions: expected none, all or a list"},
      {{{"active_omega_r2", 1.5}}, "active_omega_r2: expected a number from 0 to 1"},
      {{{"bootstrap", -1}}, "bootstrap: expected at least 0"},
      {{{"bootstrap", 1000000000}}, "bootstrap: expected at most 10000"},
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
      {{{"decomposition", "on"}, {"estimate", "jackknife"}}, "decomposition: expected estimate plain"},
      {{{"bootstrap", 200}, {"interval", "jackknife"}},
       "bootstrap: expected 0 beside a jackknife, found 200"},
      {{{"bootstrap", 200}, {"estimate", "jackknife"}},
       "bootstrap: expected 0 beside a jackknife, found 200"},
      {{{"interval", "bca"}}, "interval: expected percentile, jackknife, found \"bca\""},
      {{{"jackknife_groups", 1}}, "jackknife_groups: expected at least 2"},
      {Json::array(), "expected a JSON object"},
  };
  for (const auto& [settings, expected] : cases) {
    EXPECT_NE(refusalOf(settings).find(expected), std::string::npos)
        << settings << ": " << refusalOf(settings);
  }
}

}  // namespace
}  // namespace plastiscope
