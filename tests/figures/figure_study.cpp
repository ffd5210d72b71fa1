#include "figures/figure_study.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>

#include "core/analysis/settings.h"
#include "core/analysis/softmax_positions.h"
#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/random.h"
#include "core/capture/head_list.h"
#include "core/views/study_facts.h"

namespace plastiscope::test {

namespace {

constexpr std::int64_t kDim = 8, kBins = 40, kCells = 16;  // kCells: cells per side of the map

// A reproducible pseudo-random number in 0..1 from three indices.
double noise(std::int64_t a, std::int64_t b, std::int64_t c) {
  std::uint64_t state = 0x243F6A8885A308D3ULL;
  for (const std::int64_t part : {a, b, c})
    state = combine(state, mix64(static_cast<std::uint64_t>(part) + 1));
  return static_cast<double>(mix64(state) >> 11) * 0x1.0p-53;
}

double normal(std::int64_t a, std::int64_t b, std::int64_t c) {
  return std::sqrt(-2 * std::log(noise(a, b, 2 * c) + 1e-12)) *
         std::cos(6.283185307179586 * noise(a, b, 2 * c + 1));
}

std::vector<HeadName> capturedHeads(const StudyShape& shape) {
  std::vector<HeadName> heads;
  for (std::int64_t layer = 0; layer < shape.layers; ++layer) {
    for (std::int64_t head = 0; head < shape.heads; ++head) {
      if (layer != 5 || head < 2) heads.push_back({layer, head});
    }
  }
  return heads;
}

bool hasPlasticity(HeadName head) {
  return head != HeadName{2, 1};
}

// Plasticity of a head at a share of the window.
double plasticity(HeadName head, double share) {
  const double start = 0.55 + 0.35 * noise(head.layer, head.head, 1);
  const double fall = 0.5 * noise(head.layer, head.head, 2) - 0.05;
  return std::clamp(start - fall * share + 0.05 * std::sin(9 * share + 6 * noise(head.layer, head.head, 3)),
                    0.02, 1.0);
}

double meanOver(HeadName head, double from, double to) {
  double sum = 0;
  for (int i = 0; i < 16; ++i) sum += plasticity(head, from + (to - from) * (i + 0.5) / 16);
  return hasPlasticity(head) ? sum / 16 : kMissing;
}

class MemoryCapture : public CaptureFile {
 public:
  explicit MemoryCapture(const StudyShape& shape) : m_shape(shape) {
    m_info.modelName = shape.name();
    m_info.architecture = "llama";
    m_info.fingerprint = std::string(64, 'a');
    m_info.settingsHash = std::string(64, 'b');
    m_info.settings = Json{{"window", shape.window}};
    m_info.layers = shape.layers;
    m_info.queryHeads = shape.heads;
    m_info.keyHeads = shape.keyHeads;
    m_info.headDim = kDim;
    m_info.window = shape.window;
    m_info.bucketSize = shape.window / kCells;
    m_info.scoreScale = 1 / std::sqrt(static_cast<double>(kDim));
    m_info.rope = Json{{"kind", "default"}, {"theta", 10000}};
    for (std::int64_t layer = 0; layer < shape.layers; ++layer) {
      CaptureLayerInfo& info = m_info.layerInfos.emplace_back();
      info.layer = layer;
      for (std::int64_t head = 0; head < (layer == 5 ? 2 : shape.heads); ++head)
        info.queryHeads.push_back(head);
      for (std::int64_t head = 0; head < shape.keyHeads; ++head) info.keyHeads.push_back(head);
      info.queryRows = info.keyRows = shape.rows;
    }
    for (int e = 0; e < 4; ++e)
      m_info.examples.push_back({"text-" + std::to_string(e), e, shape.window, std::string(64, 'c')});
  }
  const CaptureInfo& info() const override { return m_info; }
  const std::filesystem::path& path() const override { return m_path; }
  bool hasTexts() const override { return true; }
  std::vector<std::string> tokenTexts(std::int64_t example) const override {
    static constexpr std::array<const char*, 16> kWords = {
        " position", " of",      " the",  " key",   ",", " separ",      "ation",     " and",
        " content",  " explain", " each", " score", ";", " caf\u00e9s", " & <more>", " (b)"};
    std::vector<std::string> tokens;
    for (std::int64_t t = 0; t < m_shape.window; ++t) {
      const double place = noise(example, t, 11);
      tokens.emplace_back(t % 60 == 59   ? ".\n\n"
                          : t % 23 == 22 ? "\n"
                                         : kWords.at(static_cast<std::size_t>(place * 16)));
    }
    return tokens;
  }

  CapturedRows rows(const RowPlace& place) const override {
    const auto& [layer, head, set] = place;
    const bool query = set == RowSet::Query;
    const HeadName first{layer, query ? head : head * m_shape.group()};
    if (std::ranges::count(capturedHeads(m_shape), first) == 0) {
      throw InputError("L" + std::to_string(layer) + "H" + std::to_string(head) + " was not captured");
    }
    CapturedRows rows;
    rows.headDim = kDim;
    for (std::int64_t i = 0; i < m_shape.rows; ++i) {
      const auto position = static_cast<std::int32_t>(i * 4 * m_shape.window / m_shape.rows % m_shape.window);
      rows.position.push_back(position);
      rows.example.push_back(static_cast<std::int32_t>(i * 4 / m_shape.rows));
      rows.bucket.push_back(position / static_cast<std::int32_t>(m_info.bucketSize));
      const double t = static_cast<double>(position) / static_cast<double>(m_shape.window);
      for (std::int64_t c = 0; c < kDim; ++c) {
        const double at = c == 0   ? (query ? 3 + 7 * t : -8 + 6 * t)
                          : c == 1 ? (query ? 6 - 2 * t : -3 + t)
                                   : 0;
        const double spread = c < 2 ? 1.3 : 0.8;
        rows.vectors.push_back(
            static_cast<float>(at + spread * normal(layer * 64 + head * 2 + (query ? 0 : 1), i, c)));
      }
    }
    return rows;
  }

 private:
  StudyShape m_shape;
  CaptureInfo m_info;
  std::filesystem::path m_path = "formula.h5";
};

// Collects a table row by row.
class TableMaker {
 public:
  explicit TableMaker(std::string name) { m_table.name = std::move(name); }
  void integer(const std::string& column, std::int64_t value) { put<std::int64_t>(column, value); }
  void number(const std::string& column, double value) { put<double>(column, value); }
  void text(const std::string& column, const std::string& value) { put<std::string>(column, value); }
  void head(HeadName name) {
    integer("layer", name.layer);
    integer("head", name.head);
  }
  Table take() { return std::move(m_table); }

 private:
  template <typename Value>
  void put(const std::string& name, const Value& value) {
    for (Column& column : m_table.columns) {
      if (column.name == name) return std::get<std::vector<Value>>(column.values).push_back(value);
    }
    m_table.columns.push_back({name, std::vector<Value>{value}});
  }
  Table m_table;
};

Table headsTable(const StudyShape& shape) {
  TableMaker table("heads");
  static constexpr std::array<const char*, 5> kClasses = {"position_dominated", "q_positional",
                                                          "content_focused", "mixed", "mixed"};
  for (const HeadName& head : capturedHeads(shape)) {
    const double rQ = 2 * noise(head.layer, head.head, 4) - 0.6,
                 rK = 1.9 * noise(head.layer, head.head, 5) - 0.7;
    const double q = std::clamp(rQ, -0.98, 0.98), k = std::clamp(rK, -0.98, 0.98);
    const std::size_t place = std::fabs(q) > 0.7                         ? (std::fabs(k) > 0.7 ? 0 : 1)
                              : std::fabs(q) < 0.3 && std::fabs(k) < 0.3 ? 2
                                                                         : 3;
    table.head(head);
    table.integer("kv_head", head.head / shape.group());
    table.text("attention", head.layer == 7 ? "sliding" : "full");
    table.text("rope", head.layer == 3 ? "false" : "true");
    table.integer("query_rows", 800);
    table.integer("key_rows", 800);
    table.text("taxonomy", kClasses[place]);
    table.number("pc0_variance", 0.3 + 0.2 * noise(head.layer, head.head, 6));
    table.number("r_q", q);
    table.number("r_k", k);
    table.number("bias_strength", 0.004 * (noise(head.layer, head.head, 7) - 0.4));
    table.number("bias_window", 16 * (noise(head.layer, head.head, 7) - 0.4));
    table.number("r_q_a", 0.9);
    table.number("r_k_a", 0.85);
    table.number("separation_strength", 0.2 + 0.5 * noise(head.layer, head.head, 9));
    table.number("slope_ratio", 0.2 + 3 * noise(head.layer, head.head, 8));
    table.number("var_frac_a", 0.32);
    table.number("var_frac_b", 0.124);
    table.number("ap_overall", meanOver(head, 0, 1));
    table.number("ap_first20", meanOver(head, 0, 0.2));
    table.number("ap_last20", meanOver(head, 0.8, 1));
    table.number("ap_drop", meanOver(head, 0, 0.2) - meanOver(head, 0.8, 1));
    for (int i = 0; i < 5; ++i)
      table.number("ap_quintile_" + std::to_string(i + 1), meanOver(head, i / 5.0, (i + 1) / 5.0));
  }
  return table.take();
}

Table profileTable(const StudyShape& shape) {
  TableMaker table("profile");
  for (const HeadName& head : capturedHeads(shape)) {
    for (std::int64_t bin = 0; bin < kBins; ++bin) {
      const double width = static_cast<double>(shape.window) / kBins,
                   start = static_cast<double>(bin) * width;
      const std::int64_t pairs = bin < 2 ? 0 : std::min<std::int64_t>(256, (bin - 1) * 45);
      table.head(head);
      table.integer("bin", bin);
      table.number("start", start);
      table.number("end", start + width);
      table.number("tau", start + width / 2);
      table.integer("queries", 40);
      table.integer("keys", bin * 40);
      table.integer("pairs", pairs * 3);
      table.integer("pairs_used", pairs);
      table.integer("pairs_dropped", 0);
      const double wobble = 0.03 * normal(head.layer, head.head, 100 + bin);
      const double ap =
          std::clamp(plasticity(head, (static_cast<double>(bin) + 0.5) / kBins) + wobble, 0.0, 1.0);
      table.number("ap", pairs < 32 || !hasPlasticity(head) ? kMissing : ap);
    }
  }
  return table.take();
}

void addCells(TableMaker& table, const HeadName* head) {
  for (std::int64_t row = 0; row < kCells; ++row) {
    for (std::int64_t column = 0; column < kCells; ++column) {
      const double x = (static_cast<double>(column) + 0.5) / kCells,
                   y = (static_cast<double>(row) + 0.5) / kCells;
      const double inside = std::min(y - x / 2, 1 - x / 2 - y);
      if (inside < -0.04) continue;
      if (head != nullptr) table.head(*head);
      table.integer("distance_cell", column);
      table.integer("midpoint_cell", row);
      table.integer("pairs",
                    std::max<std::int64_t>(3, static_cast<std::int64_t>(900 * (inside + 0.02) * (1.1 - x))));
      table.number(
          "pp", std::clamp(0.75 - 0.9 * x * y - 0.25 * y + 0.03 * normal(head ? head->head : 9, row, column),
                           0.0, 1.0));
    }
  }
}

Table mapTable(const StudyShape& shape) {
  TableMaker table("map");
  for (const HeadName& head : capturedHeads(shape)) addCells(table, &head);
  return table.take();
}

Table modelMapTable() {
  TableMaker table("map_model");
  addCells(table, nullptr);
  return table.take();
}

Table componentsTable(const StudyShape& shape) {
  TableMaker table("components");
  for (const HeadName& head : capturedHeads(shape)) {
    for (std::int64_t pc = 0; pc < kDim; ++pc) {
      table.head(head);
      table.integer("component", pc);
      table.number("explained_variance_ratio", pc == 0 ? 0.42 : 0.16 / static_cast<double>(pc + 1));
      table.number("r_q", pc == 0 ? 0.88 : 1.6 * noise(head.layer, head.head, 40 + pc) - 0.8);
      table.number("r_k", pc == kDim - 1 ? kMissing : 1.6 * noise(head.layer, head.head, 60 + pc) - 0.8);
    }
  }
  return table.take();
}

Table axesTable(const StudyShape& shape) {
  TableMaker table("axes");
  const std::array<std::pair<const char*, std::int64_t>, 4> axes = {
      {{"a", 0}, {"b", 1}, {"pc0", 1}, {"pc1", 0}}};
  for (const HeadName& head : capturedHeads(shape)) {
    for (const auto& [name, along] : axes) {
      for (std::int64_t c = 0; c < kDim; ++c) {
        table.head(head);
        table.text("axis", name);
        table.integer("dimension", c);
        table.number("value", c == along ? 1 : 0);
      }
    }
  }
  return table.take();
}

Table weightsTable(const StudyShape& shape) {
  TableMaker table("component_weights");
  const std::array<double, kDim> weights = {0.02, 0.05, 0.28, 0.11, 0.03, 0.06, 0.31, 0.14};
  for (const HeadName& head : capturedHeads(shape)) {
    for (std::int64_t c = 0; c < kDim; ++c) {
      table.head(head);
      table.integer("dimension", c);
      table.number("weight", weights[static_cast<std::size_t>(c)]);
    }
  }
  return table.take();
}

// Positions times `window`, plasticity and bias times `strength`.
void stretch(Table& table, double window, double strength) {
  for (Column& column : table.columns) {
    auto* values = std::get_if<std::vector<double>>(&column.values);
    if (values == nullptr) continue;
    const bool position = column.name == "start" || column.name == "end" || column.name == "tau";
    const bool strong = column.name.starts_with("ap") || column.name.starts_with("bias");
    for (double& value : *values) value *= position ? window : strong ? strength : 1;
  }
}

}  // namespace

namespace {

constexpr double kAlignedShare = 0.7;  // share of the binned value

// A copy under another name, with other names of columns and values times kAlignedShare.
Table alignedTable(Table table, const std::string& name) {
  table.name = name;
  for (Column& column : table.columns) {
    if (column.name != "ap" && column.name != "pp") continue;
    for (double& value : std::get<std::vector<double>>(column.values)) value *= kAlignedShare;
    if (column.name == "ap") column.name = "ap_aligned";
  }
  return table;
}

void addAlignedColumns(Table& heads) {
  const std::vector<Column> binned = heads.columns;
  for (const Column& column : binned) {
    const std::string name = columnAs(ApKind::Aligned, column.name);
    if (name == column.name) continue;
    heads.columns.push_back({name, column.values});
    for (double& value : std::get<std::vector<double>>(heads.columns.back().values)) value *= kAlignedShare;
  }
  std::vector<double> excess = heads.numbers("ap_overall");
  for (double& value : excess) value *= 1 - kAlignedShare;
  heads.columns.push_back({"ap_binning_excess", std::move(excess)});
  constexpr std::pair<const char*, double> kOpted[] = {
      {"drop_aligned_ends", 0.15},   {"drop_placement", 0.18},    {"drop_placement_low", 0.14},
      {"drop_placement_high", 0.22}, {"drop_content", -0.03},     {"drop_content_low", -0.05},
      {"drop_content_high", -0.01},  {"rigidity_position", 0.31}, {"rigidity_salience", 0.14},
      {"pp_sp_correlation", -0.62}};
  for (const auto& [name, value] : kOpted)
    heads.columns.push_back({name, std::vector<double>(heads.rows(), value)});
}

// Only long texts reach the last quarter.
void addTexts(Table& profile) {
  std::vector<std::int64_t> texts;
  std::vector<std::string> differ;
  for (const std::int64_t bin : profile.integers("bin")) {
    texts.push_back(4 * bin < 3 * kBins ? 14 : 6);
    differ.push_back(4 * bin < 3 * kBins ? "false" : "true");
  }
  profile.columns.push_back({"n_texts", std::move(texts)});
  profile.columns.push_back({"texts_differ", std::move(differ)});
}

Table placementTable(const std::vector<HeadName>& heads, std::int64_t window) {
  constexpr int kSide = 8;
  TableMaker table("placement");
  for (const HeadName& head : heads) {
    for (int u = 0; u < kSide; ++u) {
      for (int v = 0; v < kSide; ++v) {
        table.head(head);
        const auto tau = [&](int bin) { return static_cast<double>(window) * (bin + 0.5) / kSide; };
        table.number("content_tau", tau(u));
        table.number("position_tau", tau(v));
        table.number("ap", u == 0 && v == 7 ? kMissing : 0.7 - 0.05 * v + 0.01 * u);
      }
    }
  }
  return table.take();
}

Table salienceTable(const std::vector<HeadName>& heads, std::int64_t window) {
  TableMaker table("salience");
  for (const HeadName& head : heads) {
    for (std::int64_t distance = 0; distance <= window; distance = std::max<std::int64_t>(1, 2 * distance)) {
      const double field = 3 - 0.4 * std::log1p(static_cast<double>(distance));
      table.head(head);
      table.number("distance", static_cast<double>(distance));
      table.number("mean_field_bias", field);
      const double wave = 0.3 * std::cos(static_cast<double>(distance));
      table.number("measured_score", distance == 0 ? kMissing : field + wave);
      table.integer("measured_pairs", distance == 0 ? 0 : window / distance);
    }
  }
  return table.take();
}

// PP falls, SP rises, and the attention moves to the start of the text.
Table softmaxTable(const std::vector<HeadName>& heads, std::int64_t window) {
  constexpr int kSide = 8;
  TableMaker table("softmax");
  for (const HeadName& head : heads) {
    for (int bin = 0; bin <= kSide; ++bin) {
      const double at = bin < kSide ? (bin + 0.5) / kSide : 0.5;
      table.head(head);
      table.text("bin", bin < kSide ? std::to_string(bin) : "all");
      table.number("tau", bin < kSide ? static_cast<double>(window) * at : kMissing);
      table.integer("queries", 320);
      const std::map<std::string, double> values = {
          {"ap_aligned", 0.7 - 0.3 * at},   {"sp", 0.3 + 0.3 * at}, {"sp_binned", 0.4 + 0.3 * at},
          {"attention_pp", 0.4 - 0.1 * at}, {"entropy", 3 + at},    {"effective_keys", 0.2 - 0.15 * at},
          {"sink_4", 0.3 + 0.4 * at},       {"recent_256", 1 - at}, {"top_32", 0.8 - 0.2 * at}};
      for (const char* name : namesOf(SoftmaxValue())) {
        const double value = values.contains(name) ? values.at(name) : at;
        table.number(name, bin == 0 && name == std::string("ap_aligned") ? kMissing : value);
        table.number(name + std::string("_low"), value - 0.05);
        table.number(name + std::string("_high"), value + 0.05);
      }
    }
  }
  return table.take();
}

// Tables of probes, an intervention study and a composition.
std::vector<Table> causalTables(const std::vector<HeadName>& heads) {
  TableMaker probes("probes"), retrieval("retrieval"), effects("effects"), edges("edges");
  for (const char* kind : {"needle", "random_repeat"}) {
    for (const int length : {1024, 4096, 16384}) {
      for (const double depth : {0.0, 0.5, 1.0}) {
        const double accuracy =
            1 - 0.4 * (1 - depth) * std::log2(length / 1024.0) / 4 - (*kind == 'r' ? 0.2 : 0);
        probes.text("kind", kind);
        probes.text("condition", "present");
        probes.integer("length", length);
        probes.number("depth", depth);
        probes.integer("texts", 12);
        for (const char* name : {"accuracy", "token_accuracy"}) probes.number(name, accuracy);
        probes.number("accuracy_low", accuracy - 0.1);
        probes.number("accuracy_high", std::min(1.0, accuracy + 0.1));
        for (const char* name : {"nll", "nll_low", "nll_high"}) probes.number(name, 2 - 2 * accuracy);
      }
    }
  }
  for (std::size_t i = 0; i < heads.size(); ++i) {
    const double score = 0.9 / (1.0 + static_cast<double>(i));
    retrieval.head(heads[i]);
    retrieval.text("kind", "all");
    retrieval.integer("texts", 12);
    retrieval.number("score", score);
    retrieval.number("score_low", 0.8 * score);
    retrieval.number("score_high", 1.1 * score);
  }
  for (const char* outcome : {"needle", "passage_repeat"}) {
    for (const char* set : {"highest AP", "lowest AP"}) {
      for (const int dose : {1, 4, 16}) {
        const double effect = (*set == 'h' ? 0.3 : 0.05) * std::sqrt(dose) * (*outcome == 'n' ? 1 : 0.5);
        for (const auto& [name, text] : {std::pair{"kind", "ranking"},
                                         {"set", set},
                                         {"way", "zero"},
                                         {"outcome", outcome},
                                         {"measure", "nll"}})
          effects.text(name, text);
        effects.integer("dose", dose);
        effects.integer("texts", 12);
        for (const auto& [name, value] : {std::pair{"effect", effect},
                                          {"low", effect - 0.1},
                                          {"high", effect + 0.12},
                                          {"random_sets", 50.0},
                                          {"random_low", -0.02},
                                          {"random_high", 0.1 * dose / 4 + 0.1},
                                          {"matched_low", 0.0},
                                          {"matched_high", 0.05 * dose / 4 + 0.1},
                                          {"p_matched", 0.02}})
          effects.number(name, value);
      }
    }
  }
  constexpr const char* kInto[] = {"q", "k", "v"};
  for (std::size_t i = 0; i + 5 < heads.size() && i < 12; ++i) {
    const HeadName &from = heads[i], &to = heads[i + 5];
    if (from.layer >= to.layer) continue;
    edges.integer("from_layer", from.layer);
    edges.integer("from_head", from.head);
    edges.integer("to_layer", to.layer);
    edges.integer("to_head", to.head);
    edges.text("into", kInto[i % 3]);
    edges.number("nll_change", 0.1 * static_cast<double>(i + 1));
    edges.number("p_adjusted", i % 4 == 3 ? 0.4 : 0.01);
  }
  return {probes.take(), retrieval.take(), effects.take(), edges.take()};
}

}  // namespace

std::shared_ptr<const Study> withAligned(const Study& study) {
  auto analysis = std::make_shared<AnalysisFile>(*study.analysis);
  const auto table = [&](const char* name) -> Table& {
    return *std::ranges::find(analysis->tables, name, &Table::name);
  };
  addTexts(table("profile"));
  analysis->tables.push_back(alignedTable(table("profile"), "profile_aligned"));
  analysis->tables.push_back(alignedTable(table("map"), "map_aligned"));
  analysis->tables.push_back(alignedTable(table("map_model"), "map_aligned_model"));
  const std::vector<HeadName> heads = headsOf(*analysis);
  const std::int64_t window = factsOf(*analysis).window;
  analysis->tables.push_back(placementTable(heads, window));
  analysis->tables.push_back(salienceTable(heads, window));
  analysis->tables.push_back(softmaxTable(heads, window));
  for (Table& causal : causalTables(heads)) analysis->tables.push_back(std::move(causal));
  addAlignedColumns(table("heads"));
  auto other = std::make_shared<Study>(study);
  other->analysis = std::move(analysis);
  return other;
}

std::string StudyShape::name() const {
  return "Formula-" + std::to_string(layers) + "x" + std::to_string(heads);
}

std::shared_ptr<const Study> figureStudy(const StudyShape& shape) {
  auto analysis = std::make_shared<AnalysisFile>();
  analysis->provenance.captureFingerprint = std::string(64, 'a');
  analysis->provenance.settingsHash = std::string(64, 'd');
  AnalysisSettings everyPair;  // the map comes from the formula, not from the rows
  everyPair.pairs = 0;
  everyPair.prefix = "start";
  analysis->provenance.settings = everyPair.toJson();
  analysis->provenance.capture = Json{{"model", shape.name()},       {"architecture", "llama"},
                                      {"layers", shape.layers},      {"query_heads", shape.heads},
                                      {"key_heads", shape.keyHeads}, {"head_dim", kDim},
                                      {"window", shape.window},      {"bucket_size", shape.window / kCells}};
  analysis->tables = {headsTable(shape),      profileTable(shape), mapTable(shape),    modelMapTable(),
                      componentsTable(shape), axesTable(shape),    weightsTable(shape)};
  auto study = std::make_shared<Study>();
  study->capture = std::make_shared<MemoryCapture>(shape);
  study->analysis = std::move(analysis);
  study->title = shape.name();
  return study;
}

std::shared_ptr<const Study> figureStudy(std::int64_t rows) {
  return figureStudy(StudyShape{.rows = rows});
}

std::vector<std::shared_ptr<const Study>> figureStudies(std::size_t count, std::int64_t rows) {
  static constexpr std::array<const char*, 6> kFamilies = {"llama",   "qwen3",  "ministral3",
                                                           "smollm3", "gemma3", "llama"};
  std::vector<std::shared_ptr<const Study>> studies = {figureStudy(rows)};
  for (std::size_t i = 1; i < count; ++i) {
    auto analysis = std::make_shared<AnalysisFile>(*studies.front()->analysis);
    const std::string family = kFamilies.at(i);
    const auto times = static_cast<double>(1U << (i % 3));
    Json facts = analysis->provenance.capture;
    facts["model"] = "Formula-" + family + (i == 5 ? "-large" : "");
    facts["architecture"] = family;
    facts["window"] = StudyShape().window * static_cast<std::int64_t>(times);
    analysis->provenance.capture = facts;
    analysis->provenance.captureFingerprint = std::string(64, static_cast<char>('a' + i));
    for (Table& table : analysis->tables) stretch(table, times, 1 - 0.09 * static_cast<double>(i));
    auto study = std::make_shared<Study>();
    study->analysis = std::move(analysis);
    study->title = facts["model"].get<std::string>();
    studies.push_back(std::move(study));
  }
  studies.resize(count);
  return studies;
}

namespace {

// Rows that turn with position, a first key that many queries attend to, and noise.
class DenseCapture : public CaptureFile {
 public:
  explicit DenseCapture(std::shared_ptr<const CaptureFile> capture)
      : m_capture(std::move(capture)), m_info(m_capture->info()) {
    CaptureLayerInfo layer;
    layer.layer = 4;
    layer.queryHeads = {0, 1, 2, 3, 4, 5};
    layer.keyHeads = {0, 1};
    layer.denseQueryHeads = {2};
    layer.denseKeyHeads = {0};
    m_info.layerInfos = {layer};
  }
  const CaptureInfo& info() const override { return m_info; }
  const std::filesystem::path& path() const override { return m_capture->path(); }
  CapturedRows rows(const RowPlace& place) const override { return m_capture->rows(place); }
  bool hasTexts() const override { return true; }
  std::vector<std::string> tokenTexts(std::int64_t example) const override { return m_capture->tokenTexts(example); }
  CapturedRows denseRows(const RowPlace& place, std::int64_t example) const override {
    constexpr std::int32_t kTokens = 1024;
    const bool query = place.set == RowSet::DenseQuery;
    CapturedRows rows;
    rows.headDim = kDim;
    for (std::int32_t t = 0; t < kTokens; ++t) {
      rows.position.push_back(t);
      rows.example.push_back(static_cast<std::int32_t>(example));
      rows.bucket.push_back(0);
      const double at[kDim] = {2.6 * std::cos(t / 24.0), 2.6 * std::sin(t / 24.0), query ? 3.0 : t == 0 ? 9.0 : 0.0};
      for (std::int64_t c = 0; c < kDim; ++c)
        rows.vectors.push_back(static_cast<float>(at[c] + normal(query ? 401 : 402, t + 5000 * example, c)));
    }
    return rows;
  }

 private:
  std::shared_ptr<const CaptureFile> m_capture;
  CaptureInfo m_info;
};

}  // namespace

std::shared_ptr<const Study> withDense(const Study& study) {
  auto dense = std::make_shared<Study>(study);
  dense->capture = std::make_shared<DenseCapture>(study.capture);
  return dense;
}

}  // namespace plastiscope::test
