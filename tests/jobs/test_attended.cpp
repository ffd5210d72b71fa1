#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/base/checked_json.h"
#include "core/base/error.h"
#include "core/base/json.h"
#include "core/jobs/attended_job.h"

namespace plastiscope {

namespace {

using Vectors = std::function<std::vector<float>(std::int64_t text, std::int64_t position, bool query)>;

// One head, at every position and as captured rows at the positions for which `captured` is true.
class AttendedCapture : public CaptureFile {
 public:
  AttendedCapture(std::vector<std::vector<std::string>> texts, Vectors vectors, std::int64_t headDim)
      : m_texts(std::move(texts)), m_vectors(std::move(vectors)) {
    m_info.layers = m_info.queryHeads = m_info.keyHeads = 1;
    m_info.headDim = headDim;
    m_info.scoreScale = 1;
    for (const auto& text : m_texts) {
      m_info.examples.push_back({"text " + std::to_string(m_info.examples.size()), 0, std::ssize(text), ""});
      m_info.window = std::max(m_info.window, std::ssize(text));
    }
    m_info.bucketSize = m_info.window;
    CaptureLayerInfo layer;
    layer.queryHeads = layer.keyHeads = layer.denseQueryHeads = layer.denseKeyHeads = {0};
    m_info.layerInfos = {layer};
  }
  CaptureLayerInfo& layer() { return m_info.layerInfos.front(); }
  CaptureInfo& editable() { return m_info; }
  std::function<bool(std::int64_t position)> captured = [](std::int64_t) { return true; };

  const CaptureInfo& info() const override { return m_info; }
  const std::filesystem::path& path() const override { return m_path; }
  bool hasTexts() const override { return true; }
  std::vector<std::string> tokenTexts(std::int64_t text) const override { return m_texts.at(text); }
  CapturedRows rows(const RowPlace& place) const override {
    CapturedRows rows{m_info.headDim, {}, {}, {}, {}};
    for (std::int64_t text = 0; text < std::ssize(m_texts); ++text)
      add(rows, text, place.set == RowSet::Query, captured);
    return rows;
  }
  CapturedRows denseRows(const RowPlace& place, std::int64_t text) const override {
    CapturedRows rows{m_info.headDim, {}, {}, {}, {}};
    add(rows, text, place.set == RowSet::DenseQuery, [](std::int64_t) { return true; });
    return rows;
  }

 private:
  void add(CapturedRows& rows, std::int64_t text, bool query,
           const std::function<bool(std::int64_t position)>& keep) const {
    for (std::int64_t t = 0; t < std::ssize(m_texts[text]); ++t) {
      if (!keep(t)) continue;
      rows.position.push_back(static_cast<std::int32_t>(t));
      rows.example.push_back(static_cast<std::int32_t>(text));
      rows.bucket.push_back(0);
      const std::vector<float> vector = m_vectors(text, t, query);
      rows.vectors.insert(rows.vectors.end(), vector.begin(), vector.end());
    }
  }

  std::vector<std::vector<std::string>> m_texts;
  Vectors m_vectors;
  CaptureInfo m_info;
  std::filesystem::path m_path = "attended.h5";
};

// With axes a = (1, 0, 0, ...) and b = (0, 0.6, 0.8, 0, ...).
Study studyOf(std::shared_ptr<AttendedCapture> capture) {
  auto analysis = std::make_shared<AnalysisFile>();
  TableBuilder axes(
      "axes", {integers("layer"), integers("head"), texts("axis"), integers("dimension"), numbers("value")});
  for (std::int64_t c = 0; c < capture->info().headDim; ++c) {
    axes.row({std::int64_t{0}, std::int64_t{0}, std::string("a"), c, c == 0 ? 1.0 : 0.0});
    axes.row({std::int64_t{0}, std::int64_t{0}, std::string("b"), c, c == 1 ? 0.6 : c == 2 ? 0.8 : 0.0});
  }
  analysis->tables = {
      {"heads", {{"layer", std::vector<std::int64_t>{0}}, {"head", std::vector<std::int64_t>{0}}}},
      axes.take()};
  Study study;
  study.capture = std::move(capture);
  study.analysis = std::move(analysis);
  return study;
}

AttendedData attended(const std::shared_ptr<AttendedCapture>& capture, const RowChoice& choice = {}) {
  return makeAttended(studyOf(capture), {0, 0}, choice, Progress());
}

const AttendedClass& classIn(const AttendedData& data, KeyGrouping grouping, const std::string& name) {
  for (const AttendedClass& one : data.of(grouping))
    if (one.key.name == name) return one;
  throw UsageError("no class " + name);
}

AttendedShare measure(const AttendedData& data, const std::string& name) {
  return std::ranges::find(data.measures, name, [](const AttendedClass& one) { return one.key.name; })
      ->share[0];
}

// ---- values of NumPy

std::vector<std::vector<std::string>> referenceTexts() {
  constexpr const char* kWords[] = {" The",  " keys", "ation", " of", ".",    " 2024", ",", "\n",
                                    " It's", ".\n\n", " (see", ")",   " row", "s",     "  "};
  std::vector<std::vector<std::string>> texts;
  for (const std::int64_t tokens : {96, 80, 96, 64}) {
    std::vector<std::string> text = {"<|start|>"};
    for (std::int64_t t = 1; t < tokens; ++t)
      text.emplace_back(kWords[((t * 7919 + std::ssize(texts) * 104729) * 2654435761 >> 7) % 15]);
    texts.push_back(std::move(text));
  }
  return texts;
}

std::vector<float> referenceRow(std::int64_t text, std::int64_t t, bool query) {
  std::vector<float> row;
  for (std::int64_t c = 0; c < 6; ++c)
    row.push_back(
        static_cast<float>(
            (t * t * (c + 3) + 31 * t * (query ? 1 : 2) + 17 * (text + 1) * (c + 1) * (c + 1) + 7 * c) % 101 -
            50) /
        32);
  return row;
}

class AttendedReference : public ::testing::TestWithParam<const char*> {};

TEST_P(AttendedReference, EqualsNumPy) {
  const auto file = std::filesystem::path(PLASTISCOPE_TEST_DATA) / "analysis" / "attended.json";
  const Json expected = readJsonFile(file)[GetParam()];
  auto capture = std::make_shared<AttendedCapture>(referenceTexts(), referenceRow, 6);
  capture->editable().scoreScale = 0.4;
  capture->layer().scoreSoftcap = 5;
  capture->layer().window = expected["window"];
  if (!expected["dense"].get<bool>()) {
    capture->layer().denseQueryHeads.clear();
    capture->layer().denseKeyHeads.clear();
    capture->captured = [](std::int64_t t) { return t % 3 != 1; };
  }
  const AttendedData data = attended(capture);
  EXPECT_EQ(data.queries[0], expected["queries"].get<std::int64_t>());
  std::size_t checked = 0;
  const Table table = attendedTable(data);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const std::string name = table.texts("grouping")[row] + " " + table.texts("class")[row];
    if (!expected["table"].contains(name)) continue;
    ++checked;
    const std::string fifth = table.texts("fifth")[row];
    const Json& line = expected["table"][name][fifth == "all" ? 0 : std::stoul(fifth)];
    const char* columns[] = {"value", "value_low", "value_high", "keys", "top"};
    for (std::size_t i = 0; i < line.size(); ++i) {
      const double value = table.numbers(columns[i])[row];
      if (line[i].is_null())
        EXPECT_TRUE(std::isnan(value)) << name << " " << fifth;
      else
        EXPECT_NEAR(value, line[i].get<double>(), 1e-8) << name << " " << fifth << " " << columns[i];
    }
  }
  EXPECT_EQ(checked, 6 * expected["table"].size());
  for (const auto& [name, example] :
       {std::pair("high", data.typical.front().query), {"low", data.untypical.front().query}}) {
    EXPECT_NEAR(example.agreement, expected[name][0].get<double>(), 1e-6) << name;
    EXPECT_EQ(example.text, expected[name][1].get<std::int64_t>()) << name;
    EXPECT_EQ(example.position, expected[name][2].get<std::int64_t>()) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Jobs, AttendedReference, ::testing::Values("full", "sliding", "captured"));

// ---- planted heads

constexpr std::int64_t kTokens = 100;

// Lines of five tokens.
std::vector<std::vector<std::string>> lines(std::size_t texts) {
  std::vector<std::string> text;
  for (std::int64_t t = 0; t < kTokens; ++t)
    text.emplace_back(t % 5 == 4 ? "\n" : t % 5 == 0 ? "Line" : " word");
  return std::vector(texts, text);
}

std::vector<float> oneHot(std::int64_t at, float size) {
  std::vector<float> vector(kTokens);
  if (at >= 0) vector[static_cast<std::size_t>(at)] = size;
  return vector;
}

}  // namespace

TEST(Attended, HeadOfTheFirstToken) {
  const auto capture = std::make_shared<AttendedCapture>(
      lines(3), [](std::int64_t, std::int64_t t, bool query) { return oneHot(query || t == 0 ? 0 : -1, 9); },
      kTokens);
  const AttendedData data = attended(capture);
  const AttendedShare& share = classIn(data, KeyGrouping::Place, "first_token").share[0];
  EXPECT_NEAR(share.value.value, 1, 1e-9);
  EXPECT_NEAR(share.value.interval.high - share.value.interval.low, 0, 1e-9) << "equal texts";
  EXPECT_DOUBLE_EQ(share.top, 1);
  EXPECT_NEAR(measure(data, "first_token").value.value, 1, 1e-9);
  EXPECT_NEAR(measure(data, "entropy").value.value, 0, 1e-9);
  EXPECT_NEAR(measure(data, "score_a").value.value, 1, 1e-12) << "all of the score is on a";
  EXPECT_THAT(attendedSentence(data),
              testing::StartsWith("Puts 100 % of its attention on the first token ("));
}

TEST(Attended, HeadOfThePreviousToken) {
  const auto capture = std::make_shared<AttendedCapture>(
      lines(1), [](std::int64_t, std::int64_t t, bool query) { return oneHot(query ? t - 1 : t, 7); },
      kTokens);
  const AttendedData data = attended(capture);
  for (std::size_t fifth = 0; fifth <= kFifths; ++fifth)
    EXPECT_NEAR(classIn(data, KeyGrouping::Distance, "1").share[fifth].value.value, 1, 1e-9) << fifth;
  EXPECT_FALSE(classIn(data, KeyGrouping::Distance, "1").share[0].value.interval.known()) << "one text";
  for (const AttendedExample& example : data.typical)
    EXPECT_EQ(example.query.strongest.front().position, example.query.position - 1);
}

TEST(Attended, LateQueriesLookAtLineStarts) {
  // Early queries look at the first token.
  const auto capture = std::make_shared<AttendedCapture>(
      lines(2),
      [](std::int64_t, std::int64_t t, bool query) {
        if (query) return oneHot(t < 80 ? 0 : 1, 9);
        return oneHot(t == 0 ? 0 : t % 5 == 0 ? 1 : -1, 9);
      },
      kTokens);
  const AttendedData data = attended(capture);
  const auto& starts = classIn(data, KeyGrouping::Place, "line_start");
  EXPECT_NEAR(starts.share[5].value.value, 1, 1e-9);
  EXPECT_NEAR(starts.share[1].value.value, 0, 1e-9);
  EXPECT_THAT(attendedSentence(data), testing::HasSubstr("Late queries (last fifth) put "));
  ASSERT_EQ(data.steps.size(), kAttendedSteps);
  for (std::size_t step = 1; step < kAttendedSteps; ++step) {
    EXPECT_DOUBLE_EQ(data.steps[step].from, 5.0 * static_cast<double>(step));
    EXPECT_EQ(data.steps[step].queries, 10) << "five of each text";
    EXPECT_NEAR(data.steps[step].first.value, step < 16 ? 1 : 0, 1e-9) << step;
  }
  EXPECT_NEAR(data.steps[16].entropy.value, std::log(16) / std::log(83), 0.002) << "16 starts of 83 keys";
  const AttendedData late = attended(capture, {"text 1", "80..99", "word_start"});
  EXPECT_EQ(late.queries[0], late.queries[5]);
  EXPECT_EQ(late.queries[0], 16) << "four of five tokens are words";
  EXPECT_EQ(late.texts, 1);
  EXPECT_NEAR(classIn(late, KeyGrouping::Token, "Line").share[0].value.value, 1, 1e-9);
  EXPECT_THROW(attended(capture, {"text 7", "", ""}), UsageError);
  EXPECT_THROW(attended(capture, {"", "", "verb"}), UsageError);
}

TEST(Attended, PlacesOfTokens) {
  const std::vector<std::string> tokens = {"One", " end", ".\"",  " Two", " 3",    ".",      "5",
                                           "!",   "\n",   "Line", "\n\n", "  Par", "\u3002", "x"};
  std::vector<std::string> places;
  for (const std::int32_t place : keyPlacesOf(tokens)) places.push_back(keyPlaces()[place].name);
  EXPECT_THAT(places,
              testing::ElementsAre("first_token", "elsewhere", "sentence_end", "sentence_start", "elsewhere",
                                   "sentence_end", "elsewhere", "sentence_end", "line_break", "line_start",
                                   "line_break", "paragraph_start", "sentence_end", "sentence_start"));
  EXPECT_EQ(tokenTitle("\u21B5     if"), "\u201C\u21B5[5 spaces]if\u201D");
}

TEST(Attended, RowsWithoutASoftmaxAreRefused) {
  auto capture = std::make_shared<AttendedCapture>(
      lines(1), [](std::int64_t, std::int64_t, bool) { return oneHot(0, 1); }, kTokens);
  capture->layer().learnedSinks = true;
  EXPECT_THROW(attended(capture), InputError);
}

}  // namespace plastiscope
