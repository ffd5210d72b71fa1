#pragma once
// Small literal tables: two layers of four heads in two KV groups, window 1000, cell 250.
#include <functional>
#include <memory>

#include "core/base/json.h"
#include "core/store/analysis_file.h"
#include "core/store/capture_file.h"

namespace plastiscope::test {

// The capture of such heads with four dimensions and a window of 100.
class LiteralCapture : public CaptureFile {
 public:
  using RowsOf = std::function<CapturedRows(const RowPlace&)>;
  LiteralCapture(const std::vector<std::string>& examples, RowsOf rowsOf) : m_rowsOf(std::move(rowsOf)) {
    m_info.modelName = "Literal";
    m_info.layers = 2;
    m_info.queryHeads = 4;
    m_info.keyHeads = 2;
    m_info.headDim = 4;
    m_info.window = 100;
    m_info.scoreScale = 0.5;
    for (const std::string& id : examples)
      m_info.examples.push_back({id, static_cast<std::int64_t>(m_info.examples.size()), 100, ""});
  }
  const CaptureInfo& info() const override { return m_info; }
  const std::filesystem::path& path() const override { return m_path; }
  CapturedRows rows(const RowPlace& place) const override { return m_rowsOf(place); }
  CapturedRows denseRows(const RowPlace& place, std::int64_t example) const override {
    CapturedRows all = m_rowsOf(place), own{all.headDim, {}, {}, {}, {}};
    for (std::size_t i = 0; i < all.position.size(); ++i) {
      if (all.example[i] != example) continue;
      own.position.push_back(all.position[i]);
      own.example.push_back(all.example[i]);
      own.bucket.push_back(all.bucket[i]);
      const auto first = all.vectors.begin() + static_cast<std::ptrdiff_t>(i) * all.headDim;
      own.vectors.insert(own.vectors.end(), first, first + all.headDim);
    }
    return own;
  }
  CaptureInfo& editable() { return m_info; }

 private:
  CaptureInfo m_info;
  RowsOf m_rowsOf;
  std::filesystem::path m_path;
};

inline std::shared_ptr<AnalysisFile> literalAnalysis() {
  using I = std::vector<std::int64_t>;
  using D = std::vector<double>;
  using T = std::vector<std::string>;
  auto analysis = std::make_shared<AnalysisFile>();
  analysis->provenance.capture =
      Json{{"model", "Literal"}, {"layers", 2},    {"query_heads", 4},  {"key_heads", 2},
           {"head_dim", 4},      {"window", 1000}, {"bucket_size", 250}};
  analysis->tables = {{"heads",
                       {{"layer", I{0, 0, 1}},
                        {"head", I{1, 3, 2}},
                        {"kv_head", I{0, 1, 1}},
                        {"attention", T{"full", "sliding", "full"}},
                        {"rope", T{"true", "true", "false"}},
                        {"query_rows", I{2051, 2051, 1999}},
                        {"taxonomy", T{"mixed", "undefined", "position_dominated"}},
                        {"r_q", D{0.2, kMissing, 0.9}},
                        {"r_k", D{-0.5, 0.1, 0.8}},
                        {"slope_ratio", D{1, 5, 2}},
                        {"ap_overall", D{0.5, kMissing, 0.75}},
                        {"ap_drop", D{-0.1, 0.4, 0.2}},
                        {"ap_quintile_1", D{0.9, 0.7, kMissing}},
                        {"ap_quintile_2", D{0.8, 0.6, kMissing}},
                        {"ap_quintile_3", D{0.7, 0.5, kMissing}},
                        {"ap_quintile_4", D{0.6, 0.4, kMissing}},
                        {"ap_quintile_5", D{0.5, 0.3, kMissing}}}},
                      {"profile",
                       {{"layer", I{0, 0, 0, 0, 1, 1}},
                        {"head", I{1, 1, 3, 3, 2, 2}},
                        {"bin", I{0, 1, 0, 1, 0, 1}},
                        {"start", D{0, 500, 0, 500, 0, 500}},
                        {"end", D{500, 1000, 500, 1000, 500, 1000}},
                        {"tau", D{250, 750, 250, 750, 250, 750}},
                        {"queries", I{30, 31, 32, 33, 34, 35}},
                        {"pairs_used", I{0, 256, 150, 256, 256, 256}},
                        {"ap", D{kMissing, 0.5, 0.75, 0.25, kMissing, kMissing}}}},
                      {"map",
                       {{"layer", I{0, 0, 0, 1}},
                        {"head", I{1, 1, 3, 2}},
                        {"distance_cell", I{0, 1, 0, 0}},
                        {"midpoint_cell", I{0, 2, 0, 0}},
                        {"pairs", I{100, 29, 300, 50}},
                        {"pp", D{0.5, 0.9, 0.1, 1.0}}}},
                      {"components",
                       {{"layer", I{0, 0, 1, 1}},
                        {"head", I{1, 1, 2, 2}},
                        {"component", I{0, 1, 0, 1}},
                        {"explained_variance_ratio", D{0.5, 0.25, 0.7, 0.05}},
                        {"r_q", D{0.9, kMissing, 0.7, 0.1}},
                        {"r_k", D{0.4, 0.2, kMissing, kMissing}}}},
                      {"component_weights",
                       {{"layer", I{0, 0, 0, 0}},
                        {"head", I{1, 1, 1, 1}},
                        {"dimension", I{0, 1, 2, 3}},
                        {"weight", D{0.1, 0.3, 0.15, 0.45}}}},
                      {"axes",
                       {{"layer", I{0, 0, 0, 0, 0, 0, 0, 0}},
                        {"head", I{1, 1, 1, 1, 1, 1, 1, 1}},
                        {"axis", T{"a", "a", "a", "a", "b", "b", "b", "b"}},
                        {"dimension", I{0, 1, 2, 3, 0, 1, 2, 3}},
                        {"value", D{1, 0, 0, 0, 0, 0.6, 0.8, 0}}}}};
  return analysis;
}

// The same with aligned values: half of the binned ones, in three bins; head L0H3 has none.
inline std::shared_ptr<AnalysisFile> alignedAnalysis() {
  using I = std::vector<std::int64_t>;
  using D = std::vector<double>;
  using T = std::vector<std::string>;
  auto analysis = literalAnalysis();
  std::vector<Column>& heads = analysis->tables.front().columns;
  for (const char* column : {"overall", "drop", "quintile_1", "quintile_2", "quintile_3", "quintile_4", "quintile_5"}) {
    const std::string name = column == std::string("overall") ? "ap_aligned" : std::string("ap_aligned_") + column;
    D values = *std::get_if<D>(&analysis->tables.front().find(std::string("ap_") + column)->values);
    for (double& value : values) value /= 2;
    heads.push_back({name, std::move(values)});
  }
  heads.push_back({"ap_aligned_first20", D{0.45, kMissing, 0.4}});
  heads.push_back({"ap_aligned_last20", D{0.25, kMissing, 0.2}});
  heads.push_back({"ap_first20", D{0.9, kMissing, 0.8}});
  heads.push_back({"ap_last20", D{0.5, kMissing, 0.4}});
  heads.push_back({"ap_binning_excess", D{0.25, kMissing, 0.375}});
  heads.push_back({"ap_aligned_missing", T{"", "its positions are not known", ""}});
  analysis->tables.push_back({"profile_aligned",
                              {{"layer", I{0, 0, 0, 1, 1, 1}},
                               {"head", I{1, 1, 1, 2, 2, 2}},
                               {"bin", I{0, 1, 2, 0, 1, 2}},
                               {"start", D{0, 300, 600, 0, 300, 600}},
                               {"end", D{300, 600, 1000, 300, 600, 1000}},
                               {"tau", D{150, 450, 800, 150, 450, 800}},
                               {"queries", I{20, 21, 22, 23, 24, 25}},
                               {"n_texts", I{9, 9, 4, 9, 9, 4}},
                               {"texts_differ", T{"false", "false", "true", "false", "false", "true"}},
                               {"pairs_used", I{250, 256, 256, 250, 256, 256}},
                               {"ap_aligned", D{0.4, 0.3, 0.2, 0.6, 0.5, 0.4}},
                               {"ap_aligned_low", D{0.3, 0.2, 0.1, 0.5, 0.4, 0.3}},
                               {"ap_aligned_high", D{0.5, 0.4, 0.3, 0.7, 0.6, 0.5}}}});
  analysis->tables.push_back({"map_aligned",
                              {{"layer", I{0, 1}},
                               {"head", I{1, 2}},
                               {"distance_cell", I{0, 0}},
                               {"midpoint_cell", I{0, 0}},
                               {"pairs", I{100, 50}},
                               {"pp", D{0.25, 0.5}}}});
  return analysis;
}

}  // namespace plastiscope::test
