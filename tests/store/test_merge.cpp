// Compares merged parts object by object, read with HDF5, with a capture of one run.
#include <gmock/gmock.h>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/store/capture_output.h"
#include "core/store/capture_parts.h"
#include "core/store/unit_file.h"
#include "core/store/verify.h"
#include "core/store/work_folder.h"
#include "tests/cli/hdf5_content.h"
#include "tests/store/sample_units.h"
#include "tests/support/failure.h"
#include "tests/support/recorded_progress.h"
#include "tests/support/temporary_folder.h"

namespace plastiscope {
namespace {

using test::hdf5Content;
using test::RecordedProgress;
using test::sampleInfo;
using test::sampleLayout;
using test::sampleUnit;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
namespace fs = std::filesystem;

constexpr std::int64_t kExamples = 5;

class Merge : public ::testing::Test {
 protected:
  // The whole capture, or a part of it. Example 3 overflows float16 in query head 0.
  fs::path write(const std::string& name, CapturePart part,
                 const std::function<void(CaptureInfo&)>& change = {}) {
    CaptureInfo info = sampleInfo(kExamples);
    info.created = "2026-01-31T12:00:0" + std::to_string(part.index) + "Z";
    info.trainedContext = 8;
    for (std::int64_t e = 0; e < kExamples; ++e) {
      const std::vector<std::int32_t> ids = textsOf({e, kExamples}).tokenIds;
      info.examples[static_cast<std::size_t>(e)].sha256 =
          sha256Hex({reinterpret_cast<const char*>(ids.data()), ids.size() * sizeof ids[0]});
    }
    info.settings =
        Json{{"window", 16}, {"examples", kExamples}, {"examples_sha256", digestOfExamples(info.examples)}};
    info.settings = partSettings(info.settings, part);
    std::vector<CaptureExampleInfo> kept(info.examples.begin() + part.begin(kExamples),
                                         info.examples.begin() + part.end(kExamples));
    info.examples = kept;
    if (change) change(info);
    info.settingsHash = sha256Hex(canonicalJson(info.settings));
    StoredTexts texts = textsOf(part);
    UnitLayout layout = sampleLayout();
    layout.scores = m_scores;
    WorkFolder work(m_folder / name, info.settings, true);
    for (std::int64_t e = part.begin(kExamples); e < part.end(kExamples); ++e) {
      const std::int64_t number = e - part.begin(kExamples);
      work.add(layout, unitOf(layout, e), {number, "text " + std::to_string(e), info.settingsHash});
    }
    FinishedUnits finished{info, m_texts ? &texts : nullptr, layout, work.units()};
    if (m_scores && part.index == 0) {
      const std::int64_t number = std::ssize(kept);
      CaptureUnit probe{number, std::vector<UnitRows>(2), {}, {{1, test::sampleScores(5)}}};
      for (UnitRows& rows : probe.blocks) rows.heads.resize(2);
      work.add(layout, probe, {number, "probe", info.settingsHash});
      for (std::int32_t token = 0; token < 16; ++token) finished.probe.push_back(token % 8);
    }
    sealCapture(finished, m_folder / name, m_progress);
    work.remove();
    return m_folder / name;
  }

  std::vector<fs::path> writeParts(std::int64_t count) {
    std::vector<fs::path> parts;
    for (std::int64_t i = 0; i < count; ++i)
      parts.push_back(write("p" + std::to_string(i) + "of" + std::to_string(count) + ".h5", {i, count}));
    return parts;
  }

  static CaptureUnit unitOf(const UnitLayout& layout, std::int64_t example) {
    CaptureUnit unit = sampleUnit(layout, example);
    if (layout.scores) unit.scores[1] = test::sampleScores(example);
    if (example != 3) return unit;
    UnitHead& head = unit.blocks[0].heads[0];
    std::vector<float> values(head.bytes.size() / 2);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = 1e5f + static_cast<float>(i) / 3;
    const auto bytes = std::as_bytes(std::span(values));
    head = {false, {bytes.begin(), bytes.end()}};
    return unit;
  }

  // 16 tokens per example; later examples have further tokens.
  static StoredTexts textsOf(CapturePart part) {
    StoredTexts texts;
    for (std::int64_t e = part.begin(kExamples); e < part.end(kExamples); ++e) {
      for (int t = 0; t < 16; ++t) texts.tokenIds.push_back(static_cast<std::int32_t>(10 * (t % 3) + e));
    }
    texts.vocabulary = texts.tokenIds;
    std::ranges::sort(texts.vocabulary);
    const auto again = std::ranges::unique(texts.vocabulary);
    texts.vocabulary.erase(again.begin(), again.end());
    for (const std::int32_t id : texts.vocabulary)
      texts.pieces.push_back("<" + std::to_string(id) + "\n\xff>");
    return texts;
  }

  std::string failureOf(const std::vector<fs::path>& parts, bool fresh = false) {
    return test::failureOf([&] { mergeCaptures(parts, m_folder / "merged.h5", fresh, m_progress); }, true);
  }

  test::TemporaryFolder m_folder;
  RecordedProgress m_progress;
  bool m_texts = true, m_scores = true;
};

TEST_F(Merge, EqualsTheWholeCapture) {
  for (const bool texts : {true, false}) {
    m_texts = texts;
    const auto whole = hdf5Content(write("whole.h5", {}));
    EXPECT_EQ(whole.contains("/texts/token_ids"), texts);
    EXPECT_TRUE(whole.contains("/layers/01/query/vectors/00@float16_overflow"));
    EXPECT_TRUE(whole.contains("/capture@warning"));
    EXPECT_TRUE(whole.contains("/scores/01/sums"));
    EXPECT_TRUE(whole.contains("/probe/01/sums"));
    for (const std::int64_t count : {1, 2, 3, 4, 5, 8}) {  // 8: more parts than examples
      std::vector<fs::path> parts = writeParts(count);
      std::ranges::reverse(parts);
      EXPECT_EQ(mergeCaptures(parts, m_folder / "merged.h5", true, m_progress), MergeOutcome::Merged);
      const auto merged = hdf5Content(m_folder / "merged.h5");
      EXPECT_TRUE(merged == whole) << count;
      EXPECT_THAT(verifyFile(m_folder / "merged.h5").problems, IsEmpty()) << count;
    }
  }
}

TEST_F(Merge, RefusesPartsOfWhichOneLacksScores) {
  const fs::path first = write("p0.h5", {0, 2});
  m_scores = false;
  EXPECT_THAT(failureOf({first, write("p1.h5", {1, 2})}), HasSubstr("scores"));
}

TEST_F(Merge, PartsStateTheirNumber) {
  const auto parts = writeParts(8);
  for (const fs::path& part : parts) EXPECT_THAT(verifyFile(part).problems, IsEmpty()) << part;
  EXPECT_THAT(verifyFile(parts[3]).checks, Contains("part 3 of 8, 1 of 5 texts"));
  const auto empty = openCapture(parts[0]);
  EXPECT_EQ(partText(empty->info()), "part 0 of 8, 0 of 5 texts");
  EXPECT_THAT(empty->rows({1, 0, RowSet::Query}).vectors, IsEmpty());
  EXPECT_EQ(partText(openCapture(write("whole.h5", {}))->info()), "");
  // A part with other texts than it states is not written.
  EXPECT_THAT(test::failureOf<InputError>([&] {
                write("wrong.h5", {1, 2}, [](CaptureInfo& info) { info.settings.set("part", "1/4"); });
              }),
              HasSubstr("expected 1 of 5 texts, found 3"));
}

TEST_F(Merge, RefusesAndNamesPartsOfOtherCaptures) {
  const auto parts = writeParts(4);
  const auto name = [&](std::size_t i) { return parts[i].string(); };
  EXPECT_THAT(failureOf({parts[0], parts[2]}), HasSubstr("3 parts 1, 3 of 4 are missing"));
  EXPECT_THAT(failureOf({parts[0], parts[1], parts[2]}), HasSubstr("3 part 3 of 4 is missing"));
  EXPECT_THAT(failureOf({parts[0], parts[1], parts[1], parts[2], parts[3]}),
              HasSubstr("3 part 1 of 4 was given twice: " + name(1) + " and " + name(1)));
  const fs::path other = write("o.h5", {1, 4}, [](CaptureInfo& info) { info.settings.set("rate", 2); });
  EXPECT_THAT(
      failureOf({parts[0], other, parts[2], parts[3]}),
      HasSubstr("3 " + name(0) + " and " + other.string() +
                " are parts of different captures (settings.rate: absent in the first, 2 in the second)"));
  const fs::path model = write("m.h5", {1, 4}, [](CaptureInfo& info) { info.fingerprint = "y"; });
  EXPECT_THAT(failureOf({parts[0], model, parts[2], parts[3]}),
              HasSubstr("model.fingerprint: \"x\" in the first"));
  const fs::path version = write("v.h5", {1, 4}, [](CaptureInfo& info) { info.programVersion = "9"; });
  EXPECT_THAT(failureOf({parts[0], version, parts[2], parts[3]}), HasSubstr("program_version: \"0.0.1\""));
  EXPECT_THAT(failureOf({parts[0], write("t.h5", {1, 2}), parts[2], parts[3]}),
              HasSubstr("parts: 4 in the first, 2 in the second"));
  // Same settings, but another text.
  const fs::path text = write("x.h5", {1, 4}, [](CaptureInfo& info) { info.examples[0].id = "another"; });
  EXPECT_THAT(failureOf({parts[0], text, parts[2], parts[3]}), HasSubstr("not those that its settings name"));
  m_texts = false;
  EXPECT_THAT(failureOf({parts[0], write("n.h5", {1, 4}), parts[2], parts[3]}),
              HasSubstr("texts: \"stored\""));
  EXPECT_FALSE(fs::exists(m_folder / "merged.h5"));
  EXPECT_FALSE(fs::exists(m_folder / "merged.h5.partial"));
}

TEST_F(Merge, DamagedPartsAreNamed) {
  const auto parts = writeParts(3);
  const std::string bytes = readFile(parts[1]);
  for (std::size_t place = 0; place < bytes.size(); place += bytes.size() / 23) {
    std::string damaged = bytes;
    damaged[place] = static_cast<char>(damaged[place] ^ 0x10);
    writeFileAtomically(parts[1], std::string_view(damaged));
    const std::string failure = failureOf(parts);
    EXPECT_THAT(failure, HasSubstr("3 ")) << place;
    EXPECT_THAT(failure, HasSubstr(parts[1].string())) << place;
  }
  writeFileAtomically(parts[1],
                      std::string_view(bytes).substr(0, bytes.size() - 90));  // without its last line
  EXPECT_THAT(failureOf(parts), HasSubstr(parts[1].string()));
  writeFileAtomically(parts[1], std::string_view("no capture"));
  EXPECT_THAT(failureOf(parts), HasSubstr("expected a part of a capture"));
  EXPECT_FALSE(fs::exists(m_folder / "merged.h5"));
}

TEST_F(Merge, ReplacesOtherCapturesOnlyWhenFresh) {
  const auto parts = writeParts(2);
  const fs::path merged = m_folder / "merged.h5";
  EXPECT_EQ(mergeCaptures(parts, merged, false, m_progress), MergeOutcome::Merged);
  const auto time = fs::last_write_time(merged);
  EXPECT_EQ(mergeCaptures(parts, merged, false, m_progress), MergeOutcome::WasMerged);
  EXPECT_EQ(fs::last_write_time(merged), time);
  const auto content = hdf5Content(merged);

  write("merged.h5", {}, [](CaptureInfo& info) { info.settings.set("rate", 2); });
  EXPECT_THAT(failureOf(parts), HasSubstr("2 " + merged.string() + " is a capture with other settings"));
  EXPECT_EQ(failureOf(parts, true), "no error");
  EXPECT_TRUE(hdf5Content(merged) == content);

  fs::remove(merged);
  { WorkFolder unfinished(merged, {{"window", 16}}, false); }
  EXPECT_THAT(failureOf(parts), HasSubstr("holds unfinished work of a capture"));
  {
    const OutputLock lock(merged);
    EXPECT_THAT(failureOf(parts, true), HasSubstr("3 "));
    EXPECT_THAT(failureOf(parts, true), HasSubstr("another process"));
  }
  EXPECT_EQ(failureOf(parts, true), "no error");
  EXPECT_FALSE(fs::exists(m_folder / "merged.h5.partial"));
}

TEST_F(Merge, AStopLeavesNothing) {
  const auto parts = writeParts(2);
  struct Stops : Progress {
    int left = 4;  // two parts are checked, then two heads written
    void advanced(const ProgressState&) override { --left; }
    bool stopRequested() const override { return left <= 0; }
  } progress;
  EXPECT_THROW(mergeCaptures(parts, m_folder / "merged.h5", false, progress), Stopped);
  EXPECT_EQ(m_folder.listing(), "p0of2.h5 p1of2.h5");
}

}  // namespace
}  // namespace plastiscope
