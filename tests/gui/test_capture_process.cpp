// The capture process with small scripts in place of plastiscope-cli.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "core/base/json.h"
#include "gui/wait_for.h"
#include "support/temporary_folder.h"
#include "widgets/jobs/capture_process.h"

namespace plastiscope {
namespace {

using test::TemporaryFolder;
using test::waitFor;

QString script(const TemporaryFolder& folder, const std::string& body) {
  const std::filesystem::path file = folder / "child.sh";
  std::ofstream(file) << "#!/bin/sh\n" << body;
  ::chmod(file.c_str(), 0755);
  return QString::fromStdString(file.string());
}

struct Ran {
  CaptureEnd end;
  ProgressState last;
  JobHandle::State state;
  int texts = 0;
  QStringList warnings;
};

Ran run(const std::string& body, const std::function<void(CaptureProcess&)>& onText = {}) {
  const TemporaryFolder folder;
  CaptureProcess process(script(folder, body),
                         captureChildArguments({QStringLiteral("--model"), QStringLiteral("m")}),
                         QStringLiteral("o.h5"), QStringLiteral("o"));
  process.setGraceMilliseconds(300);
  Ran ran;
  std::optional<CaptureEnd> end;
  QObject::connect(&process, &CaptureProcess::textFinished, [&](std::int64_t count) {
    ran.texts = static_cast<int>(count);
    if (onText) onText(process);
  });
  QObject::connect(process.handle(), &JobHandle::changed, [&] {
    if (process.handle()->active()) ran.warnings << process.handle()->sentence();
  });
  QObject::connect(&process, &CaptureProcess::ended, [&](const CaptureEnd& how) { end = how; });
  process.start();
  EXPECT_TRUE(waitFor([&] { return end.has_value(); }));
  ran.end = end.value_or(CaptureEnd{});
  ran.last = process.handle()->progress();
  ran.state = process.handle()->state();
  return ran;
}

TEST(CaptureProcess, ReadsProgressAndEndsDone) {
  const Ran ran = run(R"(
test "$*" = "capture --model m --part 0/1 --progress json" || exit 2
echo '{"event":"start","stage":"capture","settings":{}}' >&2
echo '{"event":"progress","stage":"capture","done":12,"total":500,"unit":"example","tokens_per_second":812.4,"eta_seconds":431}' >&2
echo '{"event":"warning","message":"a text was empty"}' >&2
echo '{"event":"unit","unit":"a"}' >&2
echo '{"event":"unit","unit":"b"}' >&2
echo '{"event":"done","command":"capture"}' >&2
)");
  EXPECT_EQ(ran.end.kind, CaptureEnd::Kind::Done);
  EXPECT_EQ(ran.state, JobHandle::State::Done);
  EXPECT_EQ(ran.texts, 2);
  EXPECT_EQ(ran.last.stage, "capture");
  EXPECT_EQ(ran.last.done, 12);
  EXPECT_EQ(ran.last.total, 500);
  EXPECT_DOUBLE_EQ(ran.last.tokensPerSecond, 812.4);
  EXPECT_DOUBLE_EQ(ran.last.etaSeconds, 431);
  EXPECT_TRUE(ran.warnings.contains(QStringLiteral("a text was empty")));
}

TEST(CaptureProcess, ErrorEventTakesPrecedenceOverLaterLines) {
  const Ran ran = run(R"(
echo '{"event":"error","message":"m: no such model","code":3}' >&2
echo 'plastiscope-cli: something else' >&2
exit 3
)");
  EXPECT_EQ(ran.end.kind, CaptureEnd::Kind::Refused);
  EXPECT_EQ(ran.end.sentence, QStringLiteral("m: no such model"));
  EXPECT_FALSE(ran.end.canResume);
}

TEST(CaptureProcess, PlainLineIsTheMessageWithoutAnEvent) {
  const Ran ran = run("echo 'plastiscope-cli: not enough disk' >&2; exit 4");
  EXPECT_EQ(ran.end.sentence, QStringLiteral("not enough disk"));
  EXPECT_TRUE(ran.end.canResume);
  EXPECT_EQ(ran.state, JobHandle::State::Failed);
}

TEST(CaptureProcess, CrashCanBeResumed) {
  const Ran ran = run("kill -SEGV $$");
  EXPECT_EQ(ran.end.kind, CaptureEnd::Kind::Died);
  EXPECT_TRUE(ran.end.canResume);
  EXPECT_FALSE(ran.end.sentence.isEmpty());
}

TEST(CaptureProcess, CancelSendsSigtermAndKeepsFinishedWork) {
  const Ran ran = run(R"(
trap 'echo "{\"event\":\"error\",\"message\":\"stopped on request\",\"code\":5}" >&2; exit 5' TERM
echo '{"event":"unit","unit":"a"}' >&2
while :; do sleep 0.02; done
)",
                      [](CaptureProcess& process) { process.handle()->cancel(); });
  EXPECT_EQ(ran.end.kind, CaptureEnd::Kind::Stopped);
  EXPECT_EQ(ran.state, JobHandle::State::Stopped);
  EXPECT_TRUE(ran.end.canResume);
}

TEST(CaptureProcess, ChildThatIgnoresTheSignalIsKilled) {
  const Ran ran =
      run("trap '' TERM\necho '{\"event\":\"unit\",\"unit\":\"a\"}' >&2\nwhile :; do sleep 0.02; done\n",
          [](CaptureProcess& process) { process.handle()->cancel(); });
  EXPECT_EQ(ran.end.kind, CaptureEnd::Kind::Stopped);
}

TEST(CaptureProcess, MissingProgramIsReported) {
  CaptureProcess process(QStringLiteral("/nonexistent/plastiscope-cli"), {}, QStringLiteral("o.h5"),
                         QStringLiteral("o"));
  std::optional<CaptureEnd> end;
  QObject::connect(&process, &CaptureProcess::ended, [&](const CaptureEnd& how) { end = how; });
  process.start();
  ASSERT_TRUE(waitFor([&] { return end.has_value(); }));
  EXPECT_EQ(end->kind, CaptureEnd::Kind::Refused);
  EXPECT_TRUE(end->sentence.contains(QStringLiteral("could not be started")));
}

TEST(EstimateProcess, OnlyTheLastRequestAnswers) {
  const TemporaryFolder folder;
  EstimateProcess estimate(
      script(folder, "test \"$2\" = slow && sleep 5\necho \"{\\\"tokens\\\":7,\\\"for\\\":\\\"$2\\\"}\"\n"));
  estimate.setDelayMilliseconds(1);
  std::vector<Json> answers;
  QObject::connect(&estimate, &EstimateProcess::ready,
                   [&](const Json& answer) { answers.push_back(answer); });
  bool started = false;
  QObject::connect(&estimate, &EstimateProcess::started, [&] { started = true; });
  estimate.request({QStringLiteral("slow")});
  ASSERT_TRUE(waitFor([&] { return started; }));
  estimate.request({QStringLiteral("quick")});
  ASSERT_TRUE(waitFor([&] { return !answers.empty(); }));
  EXPECT_EQ(answers.size(), 1u);
  EXPECT_EQ(answers[0]["for"], "quick");
}

TEST(EstimateProcess, RefusalShowsTheMessageOfTheProgram) {
  const TemporaryFolder folder;
  EstimateProcess estimate(script(
      folder,
      "echo 'plastiscope-cli: warning: x' >&2; echo 'plastiscope-cli: built without libtorch' >&2; exit 2"));
  estimate.setDelayMilliseconds(1);
  QString sentence;
  QObject::connect(&estimate, &EstimateProcess::failed, [&](const QString& said) { sentence = said; });
  estimate.request({});
  ASSERT_TRUE(waitFor([&] { return !sentence.isEmpty(); }));
  EXPECT_EQ(sentence, QStringLiteral("built without libtorch"));
}

}  // namespace
}  // namespace plastiscope
