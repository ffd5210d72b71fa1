// Captures of a tiny model: contents of the file, refusals, the estimate.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

#include "core/base/error.h"
#include "core/base/hash.h"
#include "core/capture/position_sampler.h"
#include "core/jobs/capture_setup.h"
#include "core/store/capture_parts.h"
#include "core/store/verify.h"
#include "tests/jobs/capture_job_fixture.h"

namespace plastiscope {
namespace {

using test::CaptureJob;
using test::RecordedProgress;
using test::TemporaryFolder;
using test::TinyLlama;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
namespace fs = std::filesystem;

// Byte-level BPE without merges: every letter is a token, and the space is written as in GPT-2's alphabet.
void writeLetterTokenizer(const fs::path& folder) {
  Json vocabulary = Json::object();
  for (int i = 0; i < 26; ++i) vocabulary[std::string(1, static_cast<char>('a' + i))] = i;
  vocabulary["\u0120"] = 26;
  const Json tokenizer = {
      {"version", "1.0"},
      {"added_tokens", Json::array()},
      {"pre_tokenizer", {{"type", "ByteLevel"}, {"add_prefix_space", false}, {"use_regex", false}}},
      {"model", {{"type", "BPE"}, {"vocab", vocabulary}, {"merges", Json::array()}}}};
  writeFileAtomically(folder / "tokenizer.json", std::string_view(canonicalJson(tokenizer)));
}

TEST_F(CaptureJob, HoldsTheRowsOfThePlan) {
  RecordedProgress progress;
  runCapture(request("a.h5"), progress);
  EXPECT_THAT(progress.warnings, IsEmpty());
  EXPECT_EQ(progress.units.size(), 9u);
  EXPECT_FALSE(fs::exists(m_folder / "a.h5.partial"));
  EXPECT_THAT(verifyFile(m_folder / "a.h5").problems, IsEmpty());

  const auto capture = openCapture(m_folder / "a.h5");
  const CaptureInfo& info = capture->info();
  EXPECT_EQ(info.window, 1400);
  EXPECT_EQ(info.bucketSize, 87);
  EXPECT_EQ(canonicalJson(info.settings), progress.settings.back());
  EXPECT_EQ(info.settingsHash, sha256Hex(canonicalJson(info.settings)));
  EXPECT_EQ(info.modelSource, "model");
  EXPECT_EQ(info.computeDtype, "float32");
  ASSERT_EQ(info.examples.size(), 9u);
  EXPECT_EQ(info.examples[0].id, "100");
  EXPECT_EQ(info.examples[0].seedId, 100);
  EXPECT_EQ(info.examples[1].seedId, blake2bInt64("text 1"));
  EXPECT_EQ(info.examples[8].tokens, 1400 - 8 * 100);
  // Positions and buckets equal those of the sampler, for every layer, kind and example.
  for (const CaptureLayerInfo& layer : info.layerInfos) {
    for (const bool query : {true, false}) {
      const CapturedRows rows = capture->rows({layer.layer, 0, query ? RowSet::Query : RowSet::Key});
      std::vector<std::int32_t> positions, buckets, examples;
      for (std::size_t e = 0; e < info.examples.size(); ++e) {
        const auto seed =
            sampleSeed(info.examples[e].seedId, layer.layer, query ? QueryOrKey::Query : QueryOrKey::Key);
        const auto sampled = positionSampler("uniform").sample({1400, 87, 20}, seed, info.examples[e].tokens);
        positions.insert(positions.end(), sampled.positions.begin(), sampled.positions.end());
        buckets.insert(buckets.end(), sampled.buckets.begin(), sampled.buckets.end());
        examples.insert(examples.end(), sampled.positions.size(), static_cast<std::int32_t>(e));
      }
      EXPECT_EQ(rows.position, positions);
      EXPECT_EQ(rows.bucket, buckets);
      EXPECT_EQ(rows.example, examples);
    }
  }
}

// Gemma 4: full layers have larger heads and fewer key heads.
TEST_F(CaptureJob, HoldsLayersOfDifferentHeads) {
  CaptureRequest mixed = request("a.h5");
  mixed.model = fs::path(PLASTISCOPE_TEST_DATA) / "families/gemma4_text_moe";
  mixed.plan.allLayers = true;
  RecordedProgress progress;
  runCapture(mixed, progress);
  EXPECT_THAT(verifyFile(m_folder / "a.h5").problems, IsEmpty());
  const auto capture = openCapture(m_folder / "a.h5");
  const CaptureInfo& info = capture->info();
  ASSERT_EQ(info.layerInfos.size(), 4u);
  EXPECT_EQ(info.headDim, 16);
  EXPECT_EQ(info.headDimOf(info.layerInfos[0]), 16);
  EXPECT_EQ(info.headDimOf(info.layerInfos[1]), 32);
  EXPECT_EQ(info.groupSize(info.layerInfos[0]), 2);
  EXPECT_EQ(info.groupSize(info.layerInfos[1]), 4);
  EXPECT_THAT(info.layerInfos[0].keyHeads, testing::ElementsAre(0, 1));
  EXPECT_THAT(info.layerInfos[1].keyHeads, testing::ElementsAre(0));
  for (const auto& [layer, width] : {std::pair(0, 16), std::pair(1, 32)}) {
    const CapturedRows rows = capture->rows({layer, 3, RowSet::Query});
    EXPECT_EQ(rows.headDim, width);
    EXPECT_EQ(rows.vectors.size(), rows.position.size() * static_cast<std::size_t>(width));
  }
  EXPECT_THROW(capture->rows({1, 1, RowSet::Key}), InputError);
}

TEST_F(CaptureJob, KeepsTextsUnlessDisabled) {
  writeLetterTokenizer(m_folder / "model");
  writeFileAtomically(m_folder / "a.txt", std::string_view("the quick brown fox jumps over the lazy dog"));
  CaptureRequest texts = request("a.h5");
  texts.tokens.clear();
  texts.corpus.files = {m_folder / "a.txt"};
  texts.plan.window = 20;
  RecordedProgress progress;
  runCapture(texts, progress);
  std::string joined;
  for (const std::string& token : openCapture(m_folder / "a.h5")->tokenTexts(0)) joined += token + "|";
  EXPECT_EQ(joined, "t|h|e| |q|u|i|c|k| |b|r|o|w|n| |f|o|x| |");
  EXPECT_THAT(verifyFile(m_folder / "a.h5").problems, IsEmpty());

  texts.out = m_folder / "b.h5";
  texts.storeTexts = false;
  runCapture(texts, progress);
  EXPECT_THAT(openCapture(m_folder / "b.h5")->tokenTexts(0), IsEmpty());
}

TEST_F(CaptureJob, ScoresEveryHead) {
  RecordedProgress progress;
  runCapture(request("a.h5"), progress);
  const auto capture = openCapture(m_folder / "a.h5");
  const CaptureInfo& info = capture->info();
  for (const CaptureLayerInfo& layer : info.layerInfos) {
    const CapturedRows rows = capture->rows({layer.layer, 0, RowSet::Query});
    std::vector<std::int32_t> queries(9);
    for (std::size_t i = 0; i < rows.position.size(); ++i)
      queries[static_cast<std::size_t>(rows.example[i])] += rows.position[i] > 0 ? 1 : 0;
    for (const std::int64_t head : layer.queryHeads) {
      const std::vector<HeadTextScores> scores = capture->scores(layer.layer, head);
      ASSERT_EQ(scores.size(), 9u);
      for (std::size_t e = 0; e < 9; ++e) {
        // Keys of the last layer are formed at single positions in long texts, except in every eighth.
        const bool apart =
            layer.layer == info.layerInfos.back().layer && e % 8 != 0 && info.examples[e].tokens > 1024;
        EXPECT_EQ(scores[e].queries.all, apart ? 0 : std::min(64, queries[e])) << layer.layer << " " << e;
        const double entropy = scores[e].sums[indexOf(HeadScore::Entropy)];
        EXPECT_TRUE(apart ? entropy == 0 : entropy > 0);
      }
      const auto probe = capture->probeScores(layer.layer, head);
      ASSERT_TRUE(probe);
      EXPECT_EQ(probe->queries.all, 64);
      EXPECT_EQ(probe->queries.induction, 64);
    }
  }
  // Without a tokenizer every id is ordinary: all 64, twice in the same order.
  const std::vector<std::int32_t> tokens = capture->probeTokens();
  ASSERT_EQ(tokens.size(), 128u);
  EXPECT_TRUE(std::equal(tokens.begin(), tokens.begin() + 64, tokens.begin() + 64));
  EXPECT_EQ(std::set<std::int32_t>(tokens.begin(), tokens.end()).size(), 64u);
}

TEST_F(CaptureJob, WithoutAProbeTheRestIsTheSame) {
  RecordedProgress progress;
  runCapture(request("a.h5"), progress);
  CaptureRequest plain = request("b.h5");
  plain.probe = false;
  runCapture(plain, progress);
  EXPECT_TRUE(openCapture(m_folder / "b.h5")->probeTokens().empty());
  const auto with = openCapture(m_folder / "a.h5"), without = openCapture(m_folder / "b.h5");
  EXPECT_EQ(with->info().settingsHash, without->info().settingsHash);
  for (std::int64_t head = 0; head < 4; ++head) {
    EXPECT_TRUE(with->rows({1, head, RowSet::Query}).vectors ==
                without->rows({1, head, RowSet::Query}).vectors);
    const auto a = with->scores(1, head), b = without->scores(1, head);
    for (std::size_t e = 0; e < a.size(); ++e) EXPECT_EQ(a[e].sums, b.at(e).sums);
  }
  EXPECT_EQ(runCapture(request("b.h5"), progress), CaptureOutcome::WasFinished)
      << "the settings are the same";
}

// SmolLM2's own induction heads; the expected scores come from transformers
// (tests/data/scores/make_probe.py).
TEST_F(CaptureJob, TheProbeFindsTheInductionHeadsOfARealModel) {
  const char* const named = std::getenv("PLASTISCOPE_SMOLLM2");
  const fs::path model = named != nullptr ? fs::path(named)
                                          : fs::path(PLASTISCOPE_TEST_DATA).parent_path().parent_path() /
                                                "build" / "models" / "SmolLM2-135M-Instruct.Q4_1.gguf";
  if (!fs::exists(model)) GTEST_SKIP() << "no weights";
  writeTokens("tokens.jsonl", 1, 30);
  CaptureRequest probed = request("a.h5");
  probed.model = model;
  RecordedProgress progress;
  runCapture(probed, progress);
  const auto capture = openCapture(probed.out);
  const Json expected = readJsonFile(fs::path(PLASTISCOPE_TEST_DATA) / "scores" / "smollm2_probe.json");
  EXPECT_EQ(expected["tokens"], Json(capture->probeTokens()));
  std::map<double, std::string> byInduction;
  for (const CaptureLayerInfo& layer : capture->info().layerInfos) {
    for (const std::int64_t head : layer.queryHeads) {
      const std::string name = "L" + std::to_string(layer.layer) + "H" + std::to_string(head);
      const HeadTextScores scores = capture->probeScores(layer.layer, head).value();
      const Json& wanted = expected["heads"][name];
      const HeadScore compared[] = {HeadScore::Induction, HeadScore::PreviousToken,
                                    HeadScore::DuplicateToken};
      for (std::size_t i = 0; i < 3; ++i)
        EXPECT_NEAR(scores.sums[indexOf(compared[i])] / 256, wanted[i].get<double>(), 1e-5)
            << name << " " << i;
      byInduction[scores.sums[indexOf(HeadScore::Induction)] / 256] = name;
    }
  }
  EXPECT_EQ(byInduction.rbegin()->second, "L18H6");
  EXPECT_GT(byInduction.rbegin()->first, 0.85);
}

// Each part is computed separately and in any order, as on several machines.
TEST_F(CaptureJob, MergedPartsEqualTheWholeCapture) {
  writeLetterTokenizer(m_folder / "model");
  writeTokens("tokens.jsonl", 5, 700);  // ids up to 63, of which 27 are letters
  RecordedProgress progress;
  CaptureRequest whole = request("whole.h5");
  runCapture(whole, progress);
  EXPECT_TRUE(openCapture(m_folder / "whole.h5")->hasTexts());
  for (const std::int64_t count : {1, 2, 3, 4, 7}) {
    std::vector<fs::path> parts;
    for (std::int64_t index = count - 1; index >= 0; --index) {
      CaptureRequest part = request("part" + std::to_string(index) + "of" + std::to_string(count) + ".h5");
      part.part = {index, count};
      RecordedProgress told;
      runCapture(part, told);
      EXPECT_EQ(std::ssize(told.units), part.part.end(5) - part.part.begin(5));
      const auto capture = openCapture(part.out);
      EXPECT_EQ(capture->info().window, 700) << "window of the whole list";
      EXPECT_EQ(std::ssize(capture->info().examples), std::ssize(told.units));
      EXPECT_THAT(verifyFile(part.out).problems, IsEmpty());
      parts.push_back(part.out);
    }
    mergeCaptures(parts, m_folder / "merged.h5", true, progress);
    EXPECT_TRUE(bytesOf("merged.h5") == bytesOf("whole.h5")) << count;
  }
}

TEST_F(CaptureJob, AnEstimateOfAPartCountsItsShare) {
  RecordedProgress progress;
  CaptureRequest part = request("a.h5");
  part.part = {1, 3};
  const CaptureEstimate third = estimateCapture(part, progress);
  EXPECT_EQ(third.examples, 3);
  EXPECT_EQ(third.tokens, 1100 + 1000 + 900);
  EXPECT_EQ(third.settings["part"], "1/3");
  EXPECT_LT(third.fileBytes, estimateCapture(request("a.h5"), progress).fileBytes);
  part.part = {0, 20};
  const CaptureEstimate none = estimateCapture(part, progress);
  EXPECT_EQ(none.examples, 0);
  EXPECT_EQ(none.seconds, 0);
  EXPECT_TRUE(none.fits);
}

TEST_F(CaptureJob, ResultDoesNotDependOnGroups) {
  RecordedProgress progress;
  runCapture(request("whole.h5"), progress);
  // Just enough memory for the longest example: one example a group.
  CaptureRequest small = request("small.h5");
  RecordedProgress quiet;
  const CaptureEstimate all = estimateCapture(small, quiet);
  small.memoryLimit = all.memoryBytes - 1000;
  runCapture(small, quiet);
  EXPECT_TRUE(bytesOf("whole.h5") == bytesOf("small.h5"));
}

TEST_F(CaptureJob, ResultDoesNotDependOnThreads) {
  RecordedProgress progress;
  CaptureRequest one = request("one.h5"), two = request("two.h5");
  one.threads = 1;
  two.threads = 2;
  runCapture(one, progress);
  runCapture(two, progress);
  EXPECT_TRUE(bytesOf("one.h5") == bytesOf("two.h5"));
}

TEST_F(CaptureJob, BothPointsAgreeWithEachAlone) {
  RecordedProgress progress;
  CaptureRequest both = request("both.h5"), pre = request("pre.h5"), post = request("post.h5");
  both.plan.point = CapturePoints::Both;
  pre.plan.point = CapturePoints::PreRope;
  runCapture(both, progress);
  runCapture(pre, progress);
  runCapture(post, progress);
  const auto b = openCapture(m_folder / "both.h5"), r = openCapture(m_folder / "pre.h5"),
             o = openCapture(m_folder / "post.h5");
  EXPECT_EQ(r->info().point, "pre-rope");
  EXPECT_EQ(b->rows({1, 2, RowSet::Query}).vectors, o->rows({1, 2, RowSet::Query}).vectors);
  EXPECT_EQ(b->rows({1, 2, RowSet::QueryPreRope}).vectors, r->rows({1, 2, RowSet::Query}).vectors);
  EXPECT_EQ(b->rows({1, 1, RowSet::KeyPreRope}).vectors, r->rows({1, 1, RowSet::Key}).vectors);
  EXPECT_NE(b->rows({1, 2, RowSet::QueryPreRope}).vectors, b->rows({1, 2, RowSet::Query}).vectors);
}

TEST_F(CaptureJob, StoredFloat32RoundsToStoredFloat16) {
  RecordedProgress progress;
  CaptureRequest exact = request("exact.h5");
  exact.plan.store = StoredFormat::Float32;
  runCapture(exact, progress);
  runCapture(request("half.h5"), progress);
  const auto a = openCapture(m_folder / "exact.h5")->rows({0, 1, RowSet::Query}).vectors;
  const auto b = openCapture(m_folder / "half.h5")->rows({0, 1, RowSet::Query}).vectors;
  ASSERT_EQ(a.size(), b.size());
  EXPECT_NE(a, b);
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], std::abs(a[i]) / 2048 + 1e-7);
}

TEST_F(CaptureJob, PairedRowsShareTheirPositions) {
  RecordedProgress progress;
  CaptureRequest paired = request("a.h5");
  paired.plan.paired = true;
  runCapture(paired, progress);
  const auto capture = openCapture(m_folder / "a.h5");
  EXPECT_EQ(capture->rows({1, 0, RowSet::Key}).position, capture->rows({1, 0, RowSet::Query}).position);
}

TEST_F(CaptureJob, WarnsOnceOfAWindowBeyondTheContext) {
  writeTokens("tokens.jsonl", 1, 5000);
  RecordedProgress progress;
  runCapture(request("a.h5"), progress);
  EXPECT_EQ(openCapture(m_folder / "a.h5")->info().window, 4096);  // the model's context
  EXPECT_EQ(openCapture(m_folder / "a.h5")->info().trainedContext, 4096);
  EXPECT_THAT(progress.warnings, IsEmpty());
  writeTokens("tokens.jsonl", 1, 300);  // even when no text is that long
  CaptureRequest longer = request("b.h5");
  longer.plan.window = 4500;
  EXPECT_THAT(estimateCapture(longer, progress).caution,
              HasSubstr("The window of 4,500 tokens is longer than the model's context of 4,096"));
  EXPECT_THAT(progress.warnings, IsEmpty()) << "the estimate contains this warning";
  runCapture(longer, progress);
  ASSERT_EQ(progress.warnings.size(), 1u);
  EXPECT_THAT(progress.warnings[0], HasSubstr("longer than the model's context of 4,096"));
}

// YaRN over 1,024 trained tokens with a factor of 8, and the like.
TEST_F(CaptureJob, ARopeOverrideChangesTheContext) {
  writeTokens("tokens.jsonl", 1, 300);
  const auto contextWith = [&](const Json& override) {
    CaptureRequest stretched = request("a.h5");
    stretched.plan.ropeOverride = override;
    stretched.plan.window = 8192;
    stretched.fresh = true;
    RecordedProgress progress;
    runCapture(stretched, progress);
    const std::int64_t context = openCapture(m_folder / "a.h5")->info().trainedContext;
    EXPECT_EQ(progress.warnings.empty(), context >= 8192) << override;
    return context;
  };
  EXPECT_EQ(contextWith({{"rope_type", "yarn"}, {"factor", 8}, {"original_max_position_embeddings", 1024}}),
            8192);
  EXPECT_EQ(contextWith({{"rope_type", "yarn"}, {"factor", 2}, {"original_max_position_embeddings", 1024}}),
            4096);
  EXPECT_EQ(contextWith({{"rope_type", "linear"}, {"factor", 2}}), 8192);
  EXPECT_EQ(contextWith({{"rope_theta", 500000}}), 4096);
  EXPECT_EQ(contextWith({{"max_position_embeddings", 16384}}), 16384);
}

TEST_F(CaptureJob, RefusesImpossibleRequestsBeforeTheStart) {
  CaptureRequest small = request("a.h5");
  small.memoryLimit = 1000000;
  EXPECT_THAT(failureOf(small), HasSubstr("of memory, the limit is 1.0 MB"));
  CaptureRequest none = request("a.h5");
  none.tokens.clear();
  EXPECT_THAT(failureOf(none), HasSubstr("either --text or --tokens"));
  CaptureRequest nowhere = request("a.h5");
  nowhere.out = "/proc/nowhere/a.h5";
  EXPECT_THAT(failureOf(nowhere), HasSubstr("/proc/nowhere"));
  writeFileAtomically(m_folder / "tokens.jsonl", std::string_view("{\"id\": 1, \"tokens\": [1, 64]}\n"));
  EXPECT_THAT(failureOf(request("a.h5")), HasSubstr("expected token ids from 0 to 63, found 64"));
  EXPECT_FALSE(fs::exists(m_folder / "a.h5"));
}

TEST(CaptureEstimateJson, HasGpuMemoryWhenAGpuComputes) {
  CaptureEstimate estimate;
  EXPECT_FALSE(estimate.toJson().contains("card_bytes"));
  EXPECT_FALSE(estimate.toJson().contains("card_free"));
  estimate.cardBytes = 5'000'000'000;
  EXPECT_TRUE(estimate.toJson().at("card_free").is_null()) << "this libtorch cannot tell";
  estimate.cardFree = 139'000'000'000;
  EXPECT_EQ(estimate.toJson().at("card_bytes"), 5'000'000'000);
  EXPECT_EQ(estimate.toJson().at("card_free"), 139'000'000'000);
}

TEST_F(CaptureJob, EstimateMatchesTheRun) {
  RecordedProgress progress;
  const CaptureEstimate estimate = estimateCapture(request("a.h5"), progress);
  runCapture(request("a.h5"), progress);
  const auto capture = openCapture(m_folder / "a.h5");
  EXPECT_EQ(estimate.settings, capture->info().settings);
  EXPECT_EQ(estimate.examples, 9);
  EXPECT_EQ(estimate.tokens, 9 * 1400 - 100 * 36);
  EXPECT_EQ(estimate.heads, 8);
  EXPECT_EQ(estimate.keyHeads, 4);
  const auto rows = static_cast<double>(capture->rows({0, 0, RowSet::Query}).position.size());
  EXPECT_NEAR(estimate.rowsPerHead, rows, 5 * std::sqrt(rows));
  const auto written = static_cast<double>(fs::file_size(m_folder / "a.h5"));
  EXPECT_NEAR(static_cast<double>(estimate.fileBytes), written, 0.25 * written);
  EXPECT_GT(estimate.diskBytes, 2 * fs::file_size(m_folder / "a.h5")) << "texts and the file exist together";
  EXPECT_THAT(estimate.caution, IsEmpty());
  CaptureRequest few = request("few.h5");
  few.plan.rate = 0.1;
  EXPECT_THAT(estimateCapture(few, progress).caution, HasSubstr("no profile"));
  EXPECT_GT(estimate.seconds, 0);
  EXPECT_TRUE(estimate.fits);
  CaptureRequest small = request("a.h5");
  small.memoryLimit = estimate.memoryBytes / 1000;
  const CaptureEstimate refused = estimateCapture(small, progress);
  EXPECT_FALSE(refused.fits);
  EXPECT_THAT(refused.advice, HasSubstr("of memory"));
}

TEST_F(CaptureJob, ProgressGrowsToTheEnd) {
  RecordedProgress progress;
  runCapture(request("a.h5"), progress);
  double last = 0;
  for (const ProgressState& state : progress.states) {
    if (state.stage != "capture") continue;
    EXPECT_GE(state.done, last);
    EXPECT_EQ(state.total, 9);
    last = state.done;
  }
  EXPECT_EQ(last, 9);
}

TEST(SeedId, KeepsIntegersAndHashesTexts) {
  EXPECT_EQ(seedIdOf({"17", true, "", {}}), 17);
  EXPECT_EQ(seedIdOf({"-5", true, "", {}}), -5);
  EXPECT_EQ(seedIdOf({"18446744073709551615", true, "", {}}), -1);
  EXPECT_EQ(seedIdOf({"17", false, "", {}}), blake2bInt64("17"));
  EXPECT_EQ(seedIdOf({"abc", false, "", {}}), 6455300059550759896);
  EXPECT_THROW(seedIdOf({"18446744073709551616", true, "", {}}), InputError);
}

TEST(CaptureInfoOf, AGgufModelIsNamedAfterItsFile) {
  const auto nameOf = [](const char* path) {
    auto model = std::make_shared<Model>();
    model->path = path;
    model->spec.name = "left by a trainer";
    CaptureSetup setup;
    setup.model = model;
    return captureInfoOf(setup).modelName;
  };
  EXPECT_EQ(nameOf("/models/Qwen3-4B-Q4_K_M.gguf"), "Qwen3-4B-Q4_K_M");
  EXPECT_EQ(nameOf("/models/big-00001-of-00003.gguf"), "big");
  EXPECT_EQ(nameOf("/models/folder"), "left by a trainer");
}

}  // namespace
}  // namespace plastiscope
