#include <gmock/gmock.h>

#include <map>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/capture/capture_request.h"
#include "core/capture/head_list.h"
#include "tests/support/failure.h"

namespace plastiscope {
namespace {

using ::testing::HasSubstr;

std::string failureOf(const Json& settings) {
  return test::failureOf<UsageError>([&] { CapturePlan::fromJson(settings); });
}

TEST(CapturePlan, JsonRoundTrip) {
  CapturePlan plan;
  plan.window = 4096;
  plan.sampler = "exact_per_bucket";
  plan.bucketSize = 128;
  plan.rate = 2.5;
  plan.sampleSeed = 18446744073709551615u;
  plan.heads = "L12H6,L3H0-7";
  plan.headSeed = 3;
  plan.allLayers = true;
  plan.authorParity = false;
  plan.point = CapturePoints::Both;
  plan.paired = true;
  plan.store = StoredFormat::Float32;
  plan.dtype = "bfloat16";
  plan.device = "cuda:1";
  plan.ropeOverride = Json{{"factor", 4.0}};
  EXPECT_EQ(plan.toJson().size(), 15u);
  plan.ablate = "L1H2";
  plan.clampBias = "L0H0-3";
  plan.dense = "L12H6,L3H0-2";
  plan.loss = true;
  EXPECT_EQ(CapturePlan::fromJson(plan.toJson()).toJson(), plan.toJson());
  EXPECT_EQ(CapturePlan::fromJson(plan.toJson()).dense, "L12H6,L3H0-2");
  plan.dense = "all";
  const std::vector<HeadName> chosen = {{0, 1}, {3, 2}};
  EXPECT_EQ(chooseDenseHeads(CapturePlan::fromJson(plan.toJson()), chosen), chosen);
  plan.dense = "L12H6,L3H0-2";
  EXPECT_EQ(plan.toJson().size(), 19u);
  EXPECT_EQ(plan.toJson().at("sample_seed"), 18446744073709551615u);
  EXPECT_EQ(CapturePlan::fromJson(Json::object()).toJson(), CapturePlan{}.toJson());
}

TEST(CapturePlan, WrongValuesNameTheNearestKnownOne) {
  EXPECT_THAT(failureOf({{"sampler", "unifrom"}}), HasSubstr("did you mean uniform?"));
  EXPECT_THAT(failureOf({{"bucketsize", 3}}), HasSubstr("did you mean bucket_size?"));
  EXPECT_THAT(failureOf({{"point", "pre_rope"}}), HasSubstr("did you mean pre-rope?"));
  EXPECT_THAT(failureOf({{"store", "float61"}}), HasSubstr("did you mean float16?"));
  EXPECT_THAT(failureOf({{"dtype", "bf16"}}), HasSubstr("bfloat16"));
  EXPECT_THAT(failureOf({{"device", "cuda:x"}}), HasSubstr("cuda"));
  EXPECT_THAT(failureOf({{"heads", "some"}}), HasSubstr("stratified:N"));
  EXPECT_THAT(failureOf({{"ablate", "12"}}), HasSubstr("--ablate: \"12\" is not understood"));
  EXPECT_THAT(failureOf({{"clamp_bias", "L3H"}}), HasSubstr("--clamp-bias: \"L3H\""));
}

TEST(CapturePlan, RefusesWrongTypesAndRanges) {
  EXPECT_THAT(failureOf({{"window", "8"}}), HasSubstr("expected an integer"));
  EXPECT_THAT(failureOf({{"window", -1}}), HasSubstr("--window"));
  EXPECT_THAT(failureOf({{"window", 18446744073709551615u}}), HasSubstr("expected an integer"));
  EXPECT_THAT(failureOf({{"bucket_size", -4}}), HasSubstr("--bucket-size"));
  EXPECT_THAT(failureOf({{"rate", 0}}), HasSubstr("--rate"));
  EXPECT_THAT(failureOf({{"rate", "1"}}), HasSubstr("expected a number"));
  EXPECT_THAT(failureOf({{"sample_seed", -1}}), HasSubstr("sample_seed"));
  EXPECT_THAT(failureOf({{"paired", 1}}), HasSubstr("true or false"));
  EXPECT_THAT(failureOf({{"rope_override", 1}}), HasSubstr("object"));
  EXPECT_THAT(failureOf(Json::array()), HasSubstr("JSON object"));
}

CaptureRequest unusualRequest() {
  CaptureRequest request;
  request.model = "/m/model.gguf";
  request.corpus = {{"/t/a.txt", "/t/b.txt"},         "body", "key", 12, true, true,
                    {{"lang", "en"}, {"kind", "x=y"}}};
  request.tokens = "/t/ids.jsonl";
  request.plan.window = 4096;
  request.plan.sampleSeed = 0;
  request.plan.authorParity = false;
  request.plan.point = CapturePoints::Both;
  request.plan.store = StoredFormat::Float32;
  request.plan.ropeOverride = Json{{"factor", 4.0}};
  request.plan.clampBias = "L0H0";
  request.clampFrom = "/a.analysis.h5";
  request.out = "/o.h5";
  request.memoryLimit = std::uint64_t{3} << 30;
  request.part = {1, 4};
  request.fresh = true;
  request.storeTexts = false;
  request.plan.dense = "L12H6,L3H0-2";
  return request;
}

// The printed command equals the request, for every option in the list.
TEST(CaptureRequest, ItsArgumentsAndItsJsonMeanTheSame) {
  const CaptureRequest request = unusualRequest();
  CaptureRequest given;
  OptionList options = captureOptions(given);
  const std::vector<std::string> arguments = request.arguments();
  std::map<std::string, std::vector<std::string>> values;
  std::string name;
  for (const std::string& argument : arguments) {
    if (argument.starts_with("--"))
      values[name = argument];
    else
      values[name].push_back(argument);
  }
  for (const auto& [option, texts] : values) {
    ASSERT_NE(findOption(options, option), nullptr) << option;
    setTexts(*findOption(options, option), texts);
  }
  EXPECT_EQ(given.toJson(), request.toJson());
  EXPECT_EQ(CaptureRequest::fromJson(request.toJson()).toJson(), request.toJson());
  EXPECT_EQ(values.at("--memory-limit"), std::vector<std::string>{"3072MiB"});
  EXPECT_EQ(values.at("--select"), (std::vector<std::string>{"lang=en", "kind=x=y"}));
  EXPECT_TRUE(CaptureRequest().arguments().empty());
}

TEST(CaptureRequest, SizesOfMemoryHaveUnits) {
  CaptureRequest request;
  OptionList options = captureOptions(request);
  const auto bytes = [&](const char* text) {
    setTexts(*findOption(options, "--memory-limit"), {text});
    return request.memoryLimit;
  };
  EXPECT_EQ(bytes("8GB"), 8000000000U);
  EXPECT_EQ(bytes("8g"), 8000000000U);
  EXPECT_EQ(bytes("512 MiB"), 512U << 20);
  EXPECT_EQ(bytes("1024"), 1024U);
  EXPECT_EQ(bytes("7b"), 7U);
  for (const char* wrong : {"much", "1.5GB", "8QB", "-1", "8 GB of it", "99999999999999999999", "20EB"})
    EXPECT_THROW(bytes(wrong), UsageError) << wrong;
}

}  // namespace
}  // namespace plastiscope
