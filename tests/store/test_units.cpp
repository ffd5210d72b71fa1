// Units, manifest, work folder and sealing.
#include <gmock/gmock.h>
#include <cmath>
#include <fstream>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/store/capture_file.h"
#include "core/store/unit_file.h"
#include "core/store/verify.h"
#include "core/store/work_folder.h"
#include "tests/store/sample_units.h"
#include "tests/support/failure.h"
#include "tests/support/recorded_progress.h"
#include "tests/support/temporary_folder.h"

namespace plastiscope {
namespace {

using test::failureOf;
using test::RecordedProgress;
using test::sampleFacts;
using test::sampleInfo;
using test::sampleLayout;
using test::sampleUnit;
using test::sampleValue;
using test::TemporaryFolder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
namespace fs = std::filesystem;

const Json kSettings = {{"window", 16}, {"model", {{"name", "x"}}}};

std::vector<UnitFacts> factsOf(std::int64_t examples) {
  std::vector<UnitFacts> facts;
  for (std::int64_t e = 0; e < examples; ++e) facts.push_back(sampleFacts(e));
  return facts;
}

void flipByte(const fs::path& file, std::size_t place) {
  std::string bytes = readFile(file);
  bytes.at(place) = static_cast<char>(bytes[place] ^ 0x40);
  std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
}

TEST(UnitFile, IndexHasTheOffsetsOfAllRows) {
  TemporaryFolder folder;
  const UnitLayout layout = sampleLayout();
  writeFileAtomically(folder / "u", encodeUnit(layout, sampleUnit(layout, 2), sampleFacts(2)));
  const std::string bytes = readFile(folder / "u");
  const UnitIndex index = readUnitIndex(folder / "u", layout, sampleFacts(2));
  EXPECT_THAT(index.rows, ElementsAre(3, 2));
  std::vector<std::int32_t> positions(3);
  ASSERT_EQ(index.positions(0).bytes, 12u);
  std::memcpy(positions.data(), bytes.data() + index.positions(0).offset, 12);
  EXPECT_THAT(positions, ElementsAre(0, 2, 4));
  const UnitIndex::Range range = index.vectors(layout, 1, 1);
  ASSERT_EQ(range.bytes, 8u);
  EXPECT_EQ(range.offset + range.bytes, bytes.size());
  std::uint16_t first = 0;
  std::memcpy(&first, bytes.data() + range.offset, 2);
  EXPECT_EQ(halfToFloat(first), sampleValue(2, 1, 1, 0));
}

// The container is safetensors: header length, JSON, data without gaps.
TEST(UnitFile, IsASafetensorsFile) {
  const UnitLayout layout = sampleLayout();
  const auto bytes = encodeUnit(layout, sampleUnit(layout, 0), sampleFacts(0));
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), 8);
  const Json header = parseJson({reinterpret_cast<const char*>(bytes.data()) + 8, length}, {});
  EXPECT_EQ(header.at("__metadata__").at("id"), "text 0");
  EXPECT_EQ(header.at("layers/01/query/vectors/02").at("dtype"), "F16");
  EXPECT_EQ(header.at("layers/01/query/vectors/02").at("shape"), Json({1, 2}));
  EXPECT_EQ(header.at("layers/01/key/position").at("dtype"), "I32");
  EXPECT_EQ(header.at("layers/01/key/vectors/01").at("data_offsets")[1], bytes.size() - 8 - length);
}

TEST(UnitFile, RefusesOtherUnits) {
  TemporaryFolder folder;
  const UnitLayout layout = sampleLayout();
  const auto bytes = encodeUnit(layout, sampleUnit(layout, 2), sampleFacts(2));
  const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const auto failure = [&](const std::string& content, const UnitLayout& wanted, const UnitFacts& facts) {
    writeFileAtomically(folder / "u", std::string_view(content));
    return failureOf([&] { readUnitIndex(folder / "u", wanted, facts); });
  };
  EXPECT_EQ(failure(text, layout, sampleFacts(2)), "no error");
  EXPECT_THAT(failure(text, layout, sampleFacts(1)), HasSubstr("another capture"));
  UnitLayout other = layout;
  other.blocks[0].heads = {0, 3};
  EXPECT_THAT(failure(text, other, sampleFacts(2)), HasSubstr("layout"));
  other = layout;
  other.blocks[0].headDim = 3;
  EXPECT_THAT(failure(text, other, sampleFacts(2)), HasSubstr("another capture"));
  EXPECT_THAT(failure(text + "x", layout, sampleFacts(2)), HasSubstr("a longer file than its header states"));
  EXPECT_THAT(failure(text.substr(0, text.size() - 1), layout, sampleFacts(2)), HasSubstr("cut short"));
  EXPECT_THAT(failure("", layout, sampleFacts(2)), HasSubstr("cut short"));
  EXPECT_THAT(failure(std::string(8, '\xff') + "{}", layout, sampleFacts(2)), HasSubstr("a header of"));
  EXPECT_THAT(failure(std::string("\2\0\0\0\0\0\0\0{}", 10), layout, sampleFacts(2)), HasSubstr("layout"));
  // Every cut is refused.
  for (std::size_t size = 0; size < text.size(); size += 7) {
    EXPECT_NE(failure(text.substr(0, size), layout, sampleFacts(2)), "no error") << size;
  }
}

TEST(Manifest, LinesAreReadBackAndDamageIsFound) {
  TemporaryFolder folder;
  const fs::path file = folder / "manifest.jsonl";
  EXPECT_THAT(readManifest(file).entries, IsEmpty());
  const ManifestEntry first{0, "000000.safetensors", 120, "aa", "hash"},
      second{7, "000007.safetensors", 99, "bb", "hash"};
  appendLineDurably(file, manifestLine(first));
  appendLineDurably(file, manifestLine(second));
  Manifest manifest = readManifest(file);
  EXPECT_EQ(manifest.damagedLines, 0);
  ASSERT_EQ(manifest.entries.size(), 2u);
  EXPECT_EQ(manifest.entries.at(7).unit, "000007.safetensors");
  EXPECT_EQ(manifest.entries.at(7).bytes, 99u);
  // Any changed byte of the first line invalidates that line only.
  const std::size_t lineLength = manifestLine(first).size();
  for (std::size_t place = 0; place < lineLength; ++place) {
    flipByte(file, place);
    manifest = readManifest(file);
    EXPECT_EQ(manifest.entries.size(), 1u) << place;
    EXPECT_GE(manifest.damagedLines, 1) << place;
    flipByte(file, place);
  }
  // The same holds for a torn last line.
  writeFileAtomically(file, manifestLine(first) + "\n" + manifestLine(second).substr(0, 20));
  EXPECT_EQ(readManifest(file).entries.size(), 1u);
}

TEST(Manifest, NamesOutsideTheFolderAreRefused) {
  TemporaryFolder folder;
  writeFileAtomically(folder / "m", manifestLine({0, "../../etc/passwd", 1, "a", "h"}) + "\n");
  EXPECT_EQ(readManifest(folder / "m").damagedLines, 1);
}

TEST(WorkFolder, KeepsFinishedUnits) {
  TemporaryFolder folder;
  const UnitLayout layout = sampleLayout();
  RecordedProgress progress;
  {
    WorkFolder work(folder / "a.h5", kSettings, false);
    work.load(layout, factsOf(4), progress);
    EXPECT_THAT(work.units(), IsEmpty());
    for (const std::int64_t example : {3, 0, 1})
      work.add(layout, sampleUnit(layout, example), sampleFacts(example));
  }
  const fs::path partial = WorkFolder::pathFor(folder / "a.h5");
  EXPECT_EQ(partial, folder / "a.h5.partial");
  appendLineDurably(partial / "manifest.jsonl", "{\"torn");  // killed while writing a line
  flipByte(partial / "units/000001.safetensors", fs::file_size(partial / "units/000001.safetensors") - 1);
  WorkFolder work(folder / "a.h5", kSettings, false);
  work.load(layout, factsOf(4), progress);
  ASSERT_EQ(work.units().size(), 2u);
  EXPECT_TRUE(work.units().contains(0) && work.units().contains(3));
  ASSERT_EQ(progress.warnings.size(), 2u);
  EXPECT_THAT(progress.warnings[0], HasSubstr("1 damaged line"));
  EXPECT_THAT(progress.warnings[1], HasSubstr("000001.safetensors"));
  // The line of the next unit is separate although the last one was torn.
  work.add(layout, sampleUnit(layout, 2), sampleFacts(2));
  EXPECT_EQ(readManifest(partial / "manifest.jsonl").entries.size(), 3u);
  EXPECT_EQ(readManifest(partial / "manifest.jsonl").damagedLines, 0);
  work.remove();
  EXPECT_FALSE(fs::exists(partial));
}

TEST(WorkFolder, OtherSettingsAreNamed) {
  TemporaryFolder folder;
  { WorkFolder begun(folder / "a.h5", kSettings, false); }
  const Json other = {{"window", 32}, {"model", {{"name", "x"}, {"dtype", "bf16"}}}};
  const std::string failure = failureOf([&] { WorkFolder work(folder / "a.h5", other, false); });
  EXPECT_THAT(failure, HasSubstr("window: 16 there, 32 now"));
  EXPECT_THAT(failure, HasSubstr("model.dtype: absent there, \"bf16\" now"));
  EXPECT_THAT(failure, HasSubstr("--fresh"));
  EXPECT_THROW(WorkFolder::requireSameSettings(folder / "a.h5", other), UsageError);
  EXPECT_NO_THROW(WorkFolder::requireSameSettings(folder / "a.h5", kSettings));
  EXPECT_NO_THROW(WorkFolder::requireSameSettings(folder / "b.h5", other));
}

TEST(WorkFolder, FreshDiscardsFinishedUnits) {
  TemporaryFolder folder;
  const UnitLayout layout = sampleLayout();
  RecordedProgress progress;
  {
    WorkFolder work(folder / "a.h5", kSettings, false);
    work.add(layout, sampleUnit(layout, 0), sampleFacts(0));
  }
  WorkFolder work(folder / "a.h5", {{"window", 32}}, true);
  work.load(layout, factsOf(4), progress);
  EXPECT_THAT(work.units(), IsEmpty());
}

TEST(WorkFolder, RefusesASecondProcessEvenWhenFresh) {
  TemporaryFolder folder;
  WorkFolder mine(folder / "a.h5", kSettings, false);
  for (const bool fresh : {false, true}) {
    EXPECT_THAT(failureOf([&] { WorkFolder second(folder / "a.h5", kSettings, fresh); }),
                HasSubstr("another process"));
  }
  mine.remove();
  EXPECT_EQ(failureOf([&] { WorkFolder second(folder / "a.h5", kSettings, false); }), "no error");
}

TEST(WorkFolder, OnlyFreshWorkMayReplace) {
  TemporaryFolder folder;
  const fs::path out = folder / "a.h5";
  { WorkFolder begun(out, kSettings, false); }
  EXPECT_TRUE(WorkFolder::hasBegun(out, kSettings));
  EXPECT_FALSE(WorkFolder::mayReplace(out, kSettings));
  { WorkFolder begun(out, kSettings, true); }
  EXPECT_TRUE(WorkFolder::mayReplace(out, kSettings));
  EXPECT_FALSE(WorkFolder::hasBegun(out, {{"window", 32}}));
  EXPECT_FALSE(WorkFolder::mayReplace(out, {{"window", 32}}));
  EXPECT_FALSE(WorkFolder::hasBegun(folder / "b.h5", kSettings));
}

TEST(Seal, JoinsUnitsInExampleOrder) {
  TemporaryFolder folder;
  const UnitLayout layout = sampleLayout();
  RecordedProgress progress;
  WorkFolder work(folder / "a.h5", kSettings, false);
  for (const std::int64_t example : {2, 0, 1})
    work.add(layout, sampleUnit(layout, example), sampleFacts(example));
  sealCapture({sampleInfo(3), nullptr, layout, work.units()}, folder / "a.h5", progress);
  EXPECT_THAT(progress.warnings, IsEmpty());
  const auto capture = openCapture(folder / "a.h5");
  EXPECT_EQ(capture->info().layerInfos[0].queryRows, 6);
  const CapturedRows rows = capture->rows({1, 2, RowSet::Query});
  EXPECT_THAT(rows.example, ElementsAre(0, 1, 1, 2, 2, 2));
  EXPECT_THAT(rows.position, ElementsAre(0, 0, 2, 0, 2, 4));
  EXPECT_THAT(rows.bucket, ElementsAre(0, 0, 0, 0, 0, 1));
  EXPECT_EQ(rows.vectors[0], sampleValue(0, 0, 1, 0));
  EXPECT_EQ(rows.vectors[2], sampleValue(1, 0, 1, 0));
  EXPECT_EQ(rows.vectors[11], sampleValue(2, 0, 1, 5));
  EXPECT_EQ(capture->rows({1, 1, RowSet::Key}).vectors[11], sampleValue(2, 1, 1, 3));
  EXPECT_THAT(verifyFile(folder / "a.h5").problems, IsEmpty());
}

TEST(Seal, KeepsTheScoresOfTextsAndProbe) {
  TemporaryFolder folder;
  UnitLayout layout = sampleLayout();
  layout.scores = true;
  RecordedProgress progress;
  {
    WorkFolder work(folder / "a.h5", kSettings, false);
    for (const std::int64_t example : {1, 0, 2}) {
      CaptureUnit unit = sampleUnit(layout, example);
      if (example == 2) {  // the probe
        for (UnitRows& rows : unit.blocks) rows = {{}, {}, std::vector<UnitHead>(2)};
      }
      unit.scores[1] = test::sampleScores(example);
      work.add(layout, unit, sampleFacts(example));
    }
  }
  WorkFolder work(folder / "a.h5", kSettings, false);
  work.load(layout, factsOf(3), progress);
  sealCapture({sampleInfo(2), nullptr, layout, work.units(), {}, {4, 7, 4, 7, 4, 7, 4, 7, 4, 7, 4, 7}},
              folder / "a.h5", progress);
  EXPECT_THAT(progress.warnings, IsEmpty());
  const auto capture = openCapture(folder / "a.h5");
  ASSERT_TRUE(capture->hasScores());
  const std::vector<HeadTextScores> scores = capture->scores(1, 2);
  ASSERT_EQ(scores.size(), 2u);
  for (std::int64_t example = 0; example < 2; ++example) {
    const HeadTextScores& of = scores[static_cast<std::size_t>(example)];
    EXPECT_EQ(of.sums, test::sampleScores(example).heads[1]);
    EXPECT_EQ(of.queries.all, 10 + example);
    EXPECT_EQ(of.queries.of(HeadScore::Induction), 3);
    EXPECT_EQ(of.queries.of(HeadScore::DuplicateToken), 5);
  }
  EXPECT_EQ(capture->probeScores(1, 0)->sums, test::sampleScores(2).heads[0]);
  EXPECT_EQ(capture->probeTokens().size(), 12u);
  EXPECT_THAT(failureOf([&] { capture->scores(1, 1); }), HasSubstr("not captured"));
  EXPECT_THAT(verifyFile(folder / "a.h5").problems, IsEmpty());
}

TEST(Seal, RefusesImpossibleScores) {
  TemporaryFolder folder;
  UnitLayout layout = sampleLayout();
  layout.scores = true;
  RecordedProgress progress;
  WorkFolder work(folder / "a.h5", kSettings, false);
  const auto failure = [&](const TextScores& scores) {
    CaptureUnit unit = sampleUnit(layout, 0);
    unit.scores[1] = scores;
    work.add(layout, unit, sampleFacts(0));
    return failureOf(
        [&] { sealCapture({sampleInfo(1), nullptr, layout, work.units()}, folder / "a.h5", progress); });
  };
  TextScores scores = test::sampleScores(0);
  scores.queries.all = 17;  // of 16 tokens
  EXPECT_THAT(failure(scores), HasSubstr("expected at most 16 queries of text 0, found 17, 3 and 5"));
  scores = test::sampleScores(0);
  scores.heads[1][3] = std::nan("");
  EXPECT_THAT(failure(scores), HasSubstr("expected finite sums, found another number for head 2"));
}

// One overflowing example turns its head to float32; the others keep their float16 values.
TEST(Seal, OverflowingHeadBecomesFloat32WithAWarning) {
  TemporaryFolder folder;
  const UnitLayout layout = sampleLayout();
  RecordedProgress progress;
  WorkFolder work(folder / "a.h5", kSettings, false);
  work.add(layout, sampleUnit(layout, 0), sampleFacts(0));
  CaptureUnit unit = sampleUnit(layout, 1);
  const std::vector<float> large = {70000.0f, 1.0f / 3.0f, -1e9f, 2.0f};
  const auto bytes = std::as_bytes(std::span(large));
  unit.blocks[0].heads[0] = {false, {bytes.begin(), bytes.end()}};
  work.add(layout, unit, sampleFacts(1));
  sealCapture({sampleInfo(2), nullptr, layout, work.units()}, folder / "a.h5", progress);
  ASSERT_EQ(progress.warnings.size(), 1u);
  EXPECT_THAT(progress.warnings[0], HasSubstr("layer 1, query head 0"));
  const auto capture = openCapture(folder / "a.h5");
  EXPECT_THAT(
      capture->rows({1, 0, RowSet::Query}).vectors,
      ElementsAre(sampleValue(0, 0, 0, 0), sampleValue(0, 0, 0, 1), 70000.0f, 1.0f / 3.0f, -1e9f, 2.0f));
  EXPECT_EQ(capture->rows({1, 2, RowSet::Query}).vectors[2], sampleValue(1, 0, 1, 0));
}

// A byte that changes after a unit was finished is never sealed with a new checksum.
TEST(Seal, NamesUnitsThatDifferFromTheManifest) {
  TemporaryFolder folder;
  const UnitLayout layout = sampleLayout();
  RecordedProgress progress;
  WorkFolder work(folder / "a.h5", kSettings, false);
  for (const std::int64_t example : {0, 1, 2})
    work.add(layout, sampleUnit(layout, example), sampleFacts(example));
  const auto damagedIn = [&] {
    try {
      sealCapture({sampleInfo(3), nullptr, layout, work.units()}, folder / "a.h5", progress);
    } catch (const DamagedUnits& damage) {
      EXPECT_THAT(damage.what(), HasSubstr(".safetensors"));
      return damage.examples;
    }
    return std::vector<std::int64_t>();
  };
  const auto unit = [&](int number) {
    return WorkFolder::pathFor(folder / "a.h5") / "units" /
           ("00000" + std::to_string(number) + ".safetensors");
  };
  const std::size_t size = fs::file_size(unit(1));
  for (const std::size_t place : {std::size_t{0}, std::size_t{40}, size - 40, size - 1}) {
    flipByte(unit(1), place);
    EXPECT_THAT(damagedIn(), ElementsAre(1)) << place;
    flipByte(unit(1), place);
  }
  const std::string second = readFile(unit(2));
  flipByte(unit(0), fs::file_size(unit(0)) - 1);
  flipByte(unit(2), second.size() - 1);
  EXPECT_THAT(damagedIn(), ElementsAre(0, 2));
  writeFileAtomically(unit(2), std::string_view(second).substr(0, second.size() - 1));
  EXPECT_THAT(damagedIn(), ElementsAre(2)) << "only the cut unit: the others are read to their end later";
  fs::remove(unit(2));
  fs::remove(unit(1));
  EXPECT_THAT(damagedIn(), ElementsAre(1, 2)) << "gone";
  EXPECT_EQ(folder.listing(), "a.h5.partial");
  for (const std::int64_t example : {0, 1, 2}) {
    work.drop(example);
    work.add(layout, sampleUnit(layout, example), sampleFacts(example));
  }
  EXPECT_THAT(damagedIn(), IsEmpty());
  EXPECT_THAT(verifyFile(folder / "a.h5").problems, IsEmpty());
}

TEST(Seal, HoldsTheLockUntilTheFileHasItsName) {
  TemporaryFolder folder;
  const UnitLayout layout = sampleLayout();
  struct Asks : Progress {
    fs::path out;
    int held = 0;
    void advanced(const ProgressState&) override { held += OutputLock::isHeld(out) ? 1 : 0; }
  } progress;
  progress.out = folder / "a.h5";
  WorkFolder work(progress.out, kSettings, false);
  work.add(layout, sampleUnit(layout, 0), sampleFacts(0));
  sealCapture({sampleInfo(1), nullptr, layout, work.units()}, progress.out, progress);
  EXPECT_EQ(progress.held, 4);  // after each head
  work.remove();
  EXPECT_FALSE(OutputLock::isHeld(progress.out));
}

TEST(Seal, StoresAllHeadsInFloat32) {
  TemporaryFolder folder;
  const UnitLayout layout = sampleLayout(false);
  RecordedProgress progress;
  WorkFolder work(folder / "a.h5", kSettings, false);
  work.add(layout, sampleUnit(layout, 0), sampleFacts(0));
  sealCapture({sampleInfo(1), nullptr, layout, work.units()}, folder / "a.h5", progress);
  EXPECT_THAT(progress.warnings, IsEmpty());
  EXPECT_EQ(openCapture(folder / "a.h5")->rows({1, 0, RowSet::Query}).vectors[1], sampleValue(0, 0, 0, 1));
}

TEST(Seal, StopLeavesNoFile) {
  TemporaryFolder folder;
  const UnitLayout layout = sampleLayout();
  RecordedProgress progress;
  progress.stopAfterUnits = 0;
  WorkFolder work(folder / "a.h5", kSettings, false);
  work.add(layout, sampleUnit(layout, 0), sampleFacts(0));
  EXPECT_THROW(sealCapture({sampleInfo(1), nullptr, layout, work.units()}, folder / "a.h5", progress),
               Stopped);
  EXPECT_FALSE(fs::exists(folder / "a.h5"));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1);  // the work folder
}

}  // namespace
}  // namespace plastiscope
