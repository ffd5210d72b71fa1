// Lines of --progress json, as commands write them and the calling program reads them.
#include <gtest/gtest.h>

#include "core/base/progress_event.h"

namespace plastiscope {

TEST(ProgressEvents, AreParsedByKind) {
  const auto step = parseProgressEvent(
      R"({"event":"progress","stage":"capture","done":3,"total":8,"unit":"texts","tokens_per_second":1.5,"eta_seconds":4})");
  ASSERT_TRUE(step);
  EXPECT_EQ(step->kind, ProgressEvent::Kind::Progress);
  EXPECT_EQ(step->progress.stage, "capture");
  EXPECT_EQ(step->progress.done, 3);
  EXPECT_EQ(step->progress.total, 8);
  EXPECT_EQ(step->progress.unit, "texts");
  EXPECT_EQ(step->progress.tokensPerSecond, 1.5);
  EXPECT_EQ(step->progress.etaSeconds, 4);
  EXPECT_EQ(step->sentence, "");
  const auto warning = parseProgressEvent(R"({"event":"warning","message":"an empty text is left out"})");
  ASSERT_TRUE(warning);
  EXPECT_EQ(warning->kind, ProgressEvent::Kind::Warning);
  EXPECT_EQ(warning->sentence, "an empty text is left out");
  for (const auto& [name, kind] : {std::pair{"start", ProgressEvent::Kind::Start},
                                   {"unit", ProgressEvent::Kind::Unit},
                                   {"error", ProgressEvent::Kind::Error},
                                   {"done", ProgressEvent::Kind::Done}}) {
    const auto event = parseProgressEvent("{\"event\":\"" + std::string(name) + "\",\"message\":\"why\"}");
    ASSERT_TRUE(event) << name;
    EXPECT_EQ(event->kind, kind) << name;
    EXPECT_EQ(event->sentence, kind == ProgressEvent::Kind::Error ? "why" : "") << name;
  }
}

TEST(ProgressEvents, OtherTextIsNoEvent) {
  for (const char* line :
       {"", "hello", "[1]", "{\"event\":\"dance\"}", "{\"event\":3}", "{", "null", "{\"done\":1}"}) {
    EXPECT_FALSE(parseProgressEvent(line)) << line;
  }
  EXPECT_EQ(plainSentence("plastiscope-cli: unknown option"), "unknown option");
  EXPECT_EQ(plainSentence("the loader says so"), "the loader says so");
  const auto event = parseProgressEvent(R"({"event":"progress","done":"x","total":null})");
  ASSERT_TRUE(event);
  EXPECT_EQ(event->progress.done, 0);
  EXPECT_LT(event->progress.etaSeconds, 0);
}

}  // namespace plastiscope
