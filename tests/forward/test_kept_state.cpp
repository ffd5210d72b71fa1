// A group resumed from a kept state gives the same bits as an uninterrupted one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <optional>

#include "core/base/error.h"
#include "tests/forward/golden_cases.h"

namespace plastiscope {

using namespace testing_support;

namespace {

constexpr std::int64_t kChunk = 1024;

ForwardOptions optionsOf(const std::string& dtype) {
  ForwardOptions options;
  options.device = testDevice();
  options.dtype = dtype;
  options.threads = 2;
  options.queryChunk = kChunk;
  return options;
}

// A copy of the bytes, as in a file.
class CopiedState : public KeptState {
 public:
  explicit CopiedState(const GroupState& state) : m_next(state.next) {
    for (const StateTensor& tensor : state.tensors) {
      Copy& copy = m_tensors[tensor.name];
      copy.type = tensor.type;
      copy.shape = tensor.shape;
      for (const auto& piece : tensor.pieces) copy.bytes.insert(copy.bytes.end(), piece.begin(), piece.end());
    }
  }
  GroupStep next() const override { return m_next; }
  void read(const std::string& name, const std::string& type, const std::vector<std::int64_t>& shape,
            const std::vector<std::span<std::byte>>& pieces) const override {
    const Copy& copy = m_tensors.at(name);
    if (copy.type != type || copy.shape != shape) throw InputError("another tensor");
    std::size_t at = 0;
    for (const auto& piece : pieces) {
      std::memcpy(piece.data(), copy.bytes.data() + at, piece.size());
      at += piece.size();
    }
    EXPECT_EQ(at, copy.bytes.size()) << name;
  }

 private:
  struct Copy {
    std::string type;
    std::vector<std::int64_t> shape;
    std::vector<std::byte> bytes;
  };
  std::map<std::string, Copy> m_tensors;
  GroupStep m_next;
};

using Rows = std::map<RowKey, std::vector<float>>;

// Resumes from `from` and keeps the state after `keepAfter` steps or at a stop.
struct Watch : GroupWatch {
  const KeptState* from = nullptr;
  std::int64_t keepAfter = -1;
  const KeepingSink* sink = nullptr;
  std::int64_t steps = 0;
  std::vector<std::int64_t> done;
  std::optional<CopiedState> kept;
  Rows rowsThen;
  const KeptState* keptState() override { return from; }
  void textDone(std::int64_t example) override { done.push_back(example); }
  void stepDone(double, const std::function<GroupState()>& state) override {
    if (++steps == keepAfter) keep(state);
  }
  void stopping(const std::function<GroupState()>& state) override { keep(state); }
  void keep(const std::function<GroupState()>& state) {
    kept.emplace(state());
    rowsThen = sink->rows;
  }
};

struct StopsAt : Progress {
  explicit StopsAt(int question) : left(question) {}
  bool stopRequested() const override { return --left < 0; }
  mutable int left;
};

struct Case {
  const char* family;  // folder in tests/data/families, or a golden case
  bool golden;
  const char* dtype;
};

std::shared_ptr<const Model> modelOf(const Case& which) {
  if (which.golden) return openGolden(goldenCase(which.family));
  return openModel(std::filesystem::path(PLASTISCOPE_TEST_DATA) / "families" / which.family);
}

const std::vector<std::int32_t> kKeptPositions{0, 1, 255, 1000, 1023, 1024, 1500};

const std::vector<TokenSequence>& group() {
  static const std::vector<TokenSequence> texts{
      {7, goldenTokens(2100)}, {3, goldenTokens(1600)}, {9, goldenTokens(1501)}};
  return texts;
}

class KeptStateOf : public testing::TestWithParam<Case> {
 protected:
  std::shared_ptr<const Model> m_model = modelOf(GetParam());
  ForwardOptions m_options = optionsOf(GetParam().dtype);
  std::unique_ptr<ForwardRunner> m_runner =
      makeForwardRunner(m_model, m_model->spec.layerCount - 1, m_options);

  KeepingSink sink() const {
    return {m_model->spec, kKeptPositions, {CapturePoint::PostRope, CapturePoint::PreRope}};
  }
  // Resumes with the rows that were delivered before.
  Rows goOn(const CopiedState& state, const Rows& rows, Watch& watch) const {
    KeepingSink rest = sink();
    rest.rows = rows;
    watch.from = &state;
    watch.sink = &rest;
    Progress quiet;
    m_runner->run(group(), rest, quiet, watch);
    return rest.rows;
  }
};

TEST_P(KeptStateOf, ResumesAfterEveryStepWithTheSameBits) {
  KeepingSink whole = sink();
  Watch undisturbed;
  undisturbed.sink = &whole;
  Progress quiet;
  m_runner->run(group(), whole, quiet, undisturbed);
  EXPECT_EQ(undisturbed.done, (std::vector<std::int64_t>{7, 3, 9}));
  ASSERT_GT(undisturbed.steps, 7);  // 3 + 2 + 2 chunks per layer
  for (std::int64_t step = 1; step < undisturbed.steps; ++step) {
    KeepingSink again = sink();
    Watch first;
    first.keepAfter = step;
    first.sink = &again;
    m_runner->run(group(), again, quiet, first);
    ASSERT_TRUE(first.kept);
    Watch second;
    const Rows rows = goOn(*first.kept, first.rowsThen, second);
    EXPECT_EQ(second.steps, undisturbed.steps - step) << "no step is repeated";
    EXPECT_TRUE(rows == whole.rows) << "after step " << step;
  }
}

// Also within a step, where a recurrence has already advanced and the hidden states have not.
TEST_P(KeptStateOf, LosesLessThanOneStepWhenStopped) {
  KeepingSink whole = sink();
  Watch undisturbed;
  undisturbed.sink = &whole;
  StopsAt never(1'000'000);
  m_runner->run(group(), whole, never, undisturbed);
  const int questions = 1'000'000 - never.left;
  for (int question = 1; question < questions; question += 1 + questions / 20) {
    KeepingSink part = sink();
    Watch first;
    first.sink = &part;
    StopsAt stop(question);
    EXPECT_THROW(m_runner->run(group(), part, stop, first), Stopped);
    EXPECT_EQ(first.kept.has_value(), first.steps > 0);
    if (!first.kept) continue;
    Watch second;
    const Rows rows = goOn(*first.kept, first.rowsThen, second);
    EXPECT_EQ(first.steps + second.steps, undisturbed.steps);
    EXPECT_TRUE(rows == whole.rows) << "question " << question;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Models, KeptStateOf,
    testing::Values(Case{"default_old", true, "float32"}, Case{"window", true, "bfloat16"},
                    Case{"gemma2", false, "bfloat16"}, Case{"mllama", false, "float16"},
                    Case{"qwen3_next", false, "float32"}, Case{"granitemoehybrid", false, "bfloat16"},
                    Case{"falcon_h1", false, "float32"}, Case{"gemma4_text", false, "float32"},
                    Case{"gemma3n_text", false, "bfloat16"}),
    [](const auto& one) { return std::string(one.param.family) + "_" + one.param.dtype; });

TEST(KeptState, RefusesTheStateOfAnotherGroup) {
  const auto model = openGolden(goldenCase("default_old"));
  const auto runner = makeForwardRunner(model, model->spec.layerCount - 1, optionsOf("float32"));
  KeepingSink sink(model->spec, kKeptPositions, {CapturePoint::PostRope});
  Progress quiet;
  Watch first;
  first.keepAfter = 3;
  first.sink = &sink;
  runner->run(group(), sink, quiet, first);
  Watch second;
  second.from = &*first.kept;
  EXPECT_THROW(runner->run({{7, goldenTokens(2101)}}, sink, quiet, second), InputError);
  for (const GroupStep& next : {GroupStep{-1, 0, 0}, GroupStep{99, 0, 0}, GroupStep{0, 3, 0},
                                GroupStep{0, 0, 2100}, GroupStep{0, 0, -1}}) {
    GroupState state;
    state.next = next;
    const CopiedState nowhere(state);
    second.from = &nowhere;
    EXPECT_THROW(runner->run(group(), sink, quiet, second), InputError);
  }
}

TEST(KeptState, RunsOnlyTheChosenTextsOfAGroup) {
  const auto model = openGolden(goldenCase("default_old"));
  const auto runner = makeForwardRunner(model, model->spec.layerCount - 1, optionsOf("float32"));
  struct Chooser : Watch {
    FirstLayerCost cost;
    std::size_t textsToRun(const FirstLayerCost& measured) override {
      cost = measured;
      return 2;
    }
  } chooser;
  KeepingSink whole(model->spec, kKeptPositions, {CapturePoint::PostRope});
  KeepingSink part(model->spec, kKeptPositions, {CapturePoint::PostRope});
  runGroup(model, group(), whole, optionsOf("float32"));
  Progress quiet;
  runner->run(group(), part, quiet, chooser);
  EXPECT_EQ(chooser.done, (std::vector<std::int64_t>{7, 3}));
  EXPECT_GT(chooser.cost.flops, 0);
  EXPECT_GT(chooser.cost.loadedShare, 0);
  EXPECT_LT(chooser.cost.loadedShare, 1);
  std::erase_if(whole.rows, [](const auto& row) { return row.first.example == 9; });
  EXPECT_TRUE(part.rows == whole.rows);
}

}  // namespace
}  // namespace plastiscope
