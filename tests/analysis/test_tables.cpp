#include "core/analysis/tables.h"

#include <gtest/gtest.h>

#include "tests/analysis/sample_heads.h"

namespace plastiscope {
namespace {

std::vector<HeadResult> threeHeads() {
  std::vector<HeadResult> heads;
  for (const auto& [layer, head] : {std::pair{0, 1}, {0, 2}, {4, 0}}) {
    test::SampleHead sample = test::randomHead(static_cast<unsigned>(10 * layer + head), 5, 400, 3, 1000);
    sample.place = {layer, head, head / 2, layer == 4 ? "sliding" : "full", layer == 0, 0};
    heads.push_back(test::analyze(sample, {}));
  }
  return heads;
}

std::string headerOf(const Table& table) {
  std::string text;
  for (const Column& column : table.columns) text += (text.empty() ? "" : ", ") + column.name;
  return text;
}

const Table& find(const std::vector<Table>& tables, const std::string& name) {
  for (const Table& table : tables) {
    if (table.name == name) return table;
  }
  throw std::runtime_error("no table " + name);
}

// Names and order of the columns, which stay the same between versions (compatibility.md).
TEST(Tables, ColumnsKeepTheirNamesAndOrder) {
  const std::vector<Table> tables = makeTables(threeHeads());
  EXPECT_EQ(
      headerOf(find(tables, "heads")),
      "layer, head, kv_head, attention, rope, query_rows, key_rows, taxonomy, pc0_variance, r_q, r_k, "
      "lin_frac_q, lin_frac_k, mu_q_a, mu_k_a, mu_q_b, mu_k_b, alpha_q, alpha_k, bias_strength, bias_window, "
      "bias_logit, r_q_a, r_k_a, position_r, slope_ratio, separation_strength, separation_strength_centroid, "
      "separation_strength_eigenvector, var_frac_a, var_frac_b, plane_var_fraction, residual_pos_r, "
      "content_var_b, axis_b_angle, beta_norm, r2_pos, sigma_pos2, ap_overall, ap_first20, ap_last20, "
      "ap_drop, "
      "ap_quintile_1, ap_quintile_2, ap_quintile_3, ap_quintile_4, ap_quintile_5, ap_decile_1, ap_decile_2, "
      "ap_decile_3, ap_decile_4, ap_decile_5, ap_decile_6, ap_decile_7, ap_decile_8, ap_decile_9, "
      "ap_decile_10, ap_aligned, ap_aligned_first20, ap_aligned_last20, ap_aligned_drop, "
      "ap_aligned_quintile_1, "
      "ap_aligned_quintile_2, ap_aligned_quintile_3, ap_aligned_quintile_4, ap_aligned_quintile_5, "
      "ap_aligned_decile_1, ap_aligned_decile_2, ap_aligned_decile_3, ap_aligned_decile_4, "
      "ap_aligned_decile_5, ap_aligned_decile_6, ap_aligned_decile_7, ap_aligned_decile_8, "
      "ap_aligned_decile_9, ap_aligned_decile_10, ap_aligned_coverage, ap_position_alone, ap_binning_excess, "
      "ap_aligned_missing, attention_window, reach_last, ap_reach_drop, ap_aligned_reach_drop");
  EXPECT_EQ(headerOf(find(tables, "components")),
            "layer, head, component, explained_variance_ratio, r_q, r_k");
  EXPECT_EQ(headerOf(find(tables, "axes")), "layer, head, axis, dimension, value");
  EXPECT_EQ(
      headerOf(find(tables, "profile")),
      "layer, head, bin, start, end, tau, queries, keys, pairs, pairs_used, pairs_dropped, ap, tau_mean, "
      "n_texts, texts_differ, ap_aligned, ap_aligned_texts, ap_position_alone, reach, ap_reach");
  EXPECT_EQ(headerOf(find(tables, "map")), "layer, head, distance_cell, midpoint_cell, pairs, pp");
  EXPECT_EQ(headerOf(find(tables, "map_model")), "distance_cell, midpoint_cell, pairs, pp");
  EXPECT_EQ(headerOf(find(tables, "component_weights")), "layer, head, dimension, weight");
  EXPECT_EQ(headerOf(find(tables, "lengths")), "layer, head, from, to, queries, ap, ap_aligned");
}

TEST(Tables, HaveTheRowsOfTheHeads) {
  const auto heads = threeHeads();
  const std::vector<Table> tables = makeTables(heads);
  EXPECT_EQ(find(tables, "heads").texts("attention"), (std::vector<std::string>{"full", "full", "sliding"}));
  EXPECT_EQ(find(tables, "heads").texts("rope"), (std::vector<std::string>{"true", "true", "false"}));
  EXPECT_EQ(find(tables, "heads").integers("query_rows"), (std::vector<std::int64_t>{400, 400, 400}));
  EXPECT_EQ(find(tables, "profile").rows(), 3U * 16U);
  EXPECT_EQ(find(tables, "axes").rows(), 3U * (2 + 5) * 5);
  EXPECT_EQ(find(tables, "component_weights").rows(), 15U);
  for (const Table& table : tables) {
    for (const Column& column : table.columns) {
      EXPECT_EQ(std::visit([](const auto& values) { return values.size(); }, column.values), table.rows())
          << table.name << " " << column.name;
    }
  }
}

// Softmax by position exists for heads captured at every position only.
TEST(Tables, SoftmaxHasABinPerRowAndOneForAll) {
  std::vector<HeadResult> heads = threeHeads();
  EXPECT_EQ(findTable(makeTables(heads), "softmax"), nullptr);
  heads[1].softmax.emplace().rows.resize(3);
  heads[1].softmax->plasticity.value = 0.25;
  heads[1].softmax->rows[2].interval.back() = {1, 2};
  const std::vector<Table> tables = makeTables(heads);
  EXPECT_EQ(find(tables, "softmax").texts("bin"), (std::vector<std::string>{"0", "1", "all"}));
  EXPECT_EQ(find(tables, "softmax").integers("head"), (std::vector<std::int64_t>{2, 2, 2}));
  EXPECT_EQ(find(tables, "softmax").numbers("distance_high")[2], 2);
  EXPECT_EQ(find(tables, "heads").numbers("softmax_plasticity")[1], 0.25);
  EXPECT_TRUE(std::isnan(find(tables, "heads").numbers("softmax_plasticity")[0]));
}

// Every pair has the same weight in the map of the model.
TEST(Tables, MapOfTheModelWeighsPairsEqually) {
  const auto heads = threeHeads();
  const Table model = find(makeTables(heads), "map_model");
  std::int64_t pairs = 0;
  double sum = 0;
  for (const HeadResult& head : heads) {
    for (const MapCellSum& cell : head.plasticity.cells) {
      if (cell.distanceCell != 1 || cell.midpointCell != 4) continue;
      pairs += cell.pairs;
      sum += cell.sum;
    }
  }
  ASSERT_GT(pairs, 0);
  for (std::size_t row = 0; row < model.rows(); ++row) {
    if (model.integers("distance_cell")[row] != 1 || model.integers("midpoint_cell")[row] != 4) continue;
    EXPECT_EQ(model.integers("pairs")[row], pairs);
    EXPECT_NEAR(model.numbers("pp")[row], sum / static_cast<double>(pairs), 1e-14);
    return;
  }
  FAIL() << "no such cell";
}

TEST(Tables, LayersAndModelAreMeansOverTheHeadsThatHaveTheValue) {
  Table heads = headsTable(threeHeads());
  auto& ratio = std::get<std::vector<double>>(
      std::find_if(heads.columns.begin(), heads.columns.end(), [](const Column& c) {
        return c.name == "slope_ratio";
      })->values);
  ratio = {1, 4, kMissing};
  const Table layers = layersTable(heads), model = modelTable(heads);
  EXPECT_EQ(layers.integers("layer"), (std::vector<std::int64_t>{0, 4}));
  EXPECT_EQ(layers.integers("heads"), (std::vector<std::int64_t>{2, 1}));
  EXPECT_DOUBLE_EQ(layers.numbers("slope_ratio")[0], 2.5);
  EXPECT_TRUE(std::isnan(layers.numbers("slope_ratio")[1]));
  EXPECT_EQ(layers.integers("slope_ratio_heads"), (std::vector<std::int64_t>{2, 0}));
  EXPECT_EQ(model.integers("heads")[0], 3);
  EXPECT_EQ(model.integers("slope_ratio_heads")[0], 2);
  EXPECT_DOUBLE_EQ(model.numbers("slope_ratio_median")[0], 2.5);
  const auto& ap = heads.numbers("ap_overall");
  EXPECT_NEAR(model.numbers("ap_overall")[0], (ap[0] + ap[1] + ap[2]) / 3, 1e-15);
  EXPECT_EQ(model.find("query_rows"), nullptr);
  EXPECT_EQ(model.find("taxonomy"), nullptr);
}

TEST(Tables, ThinRangesAreNamedOnce) {
  const std::string warning = sparseRangesWarning(threeHeads());
  EXPECT_NE(warning.find("ap_first20"), std::string::npos) << warning;  // bin 0 has no keys before it
  EXPECT_NE(warning.find("3 heads"), std::string::npos) << warning;
  EXPECT_EQ(warning.find("ap_last20"), std::string::npos) << warning;
  std::vector<HeadResult> heads = threeHeads();
  heads[1].model.present = false;  // no bins at all, which is not a thin range
  EXPECT_NE(sparseRangesWarning(heads).find("2 heads"), std::string::npos) << sparseRangesWarning(heads);
}

}  // namespace
}  // namespace plastiscope
