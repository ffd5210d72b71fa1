// Messages about the progress of a capture: finished texts and the share of all work.
#include <gtest/gtest.h>

#include <QLabel>

#include "gui/wait_for.h"
#include "widgets/jobs/capture_process.h"
#include "widgets/jobs/job_bar.h"
#include "widgets/jobs/capture_list.h"

namespace plastiscope {
namespace {

TEST(FinishedTexts, TheBarShowsFinishedTextsAndTheShareOfWork) {
  JobList jobs;
  JobBar bar(jobs);
  JobHandle handle(QStringLiteral("words"));
  jobs.add(&handle);
  handle.setFinished(0);
  handle.report({"capture", 2.4, 6, "example", -1, -1});
  test::settleEvents();
  const auto* done = bar.findChild<QLabel*>(QStringLiteral("jobDone"));
  EXPECT_EQ(done->text(), QStringLiteral("0 / 6 texts · 40 %"));
  EXPECT_TRUE(done->toolTip().contains(QStringLiteral("together")));
  handle.setFinished(5);
  test::settleEvents();
  EXPECT_EQ(done->text(), QStringLiteral("5 / 6 texts · 40 %"));
  handle.report({"seal", 90, 360, "query and key head", -1, -1});
  test::settleEvents();
  EXPECT_EQ(done->text(), QStringLiteral("90 / 360 query and key heads · 25 %"));
  handle.end(JobHandle::State::Done);
}

TEST(FinishedTexts, MessagesReportFinishedTextsAndKeptWork) {
  UnfinishedCapture capture;
  capture.draft.out = "/captures/words.h5";
  capture.total = 6;
  EXPECT_EQ(capture.sentence(),
            QStringLiteral("The capture words was interrupted before the first of 6 texts was finished."));
  capture.finished = 2;
  EXPECT_TRUE(capture.sentence().contains(QStringLiteral("after 2 of 6 texts, which are kept")));
  EXPECT_EQ(captureEndOf(false, 5, {}, 0).sentence, QStringLiteral("Stopped. No text was finished yet."));
  EXPECT_EQ(captureEndOf(false, 5, {}, 1).sentence, QStringLiteral("Stopped. The finished text is kept."));
  EXPECT_EQ(captureEndOf(false, 5, {}, 0, 0.488).sentence,
            QStringLiteral("Stopped. No text was finished yet; 48 % of the work is kept."));
  EXPECT_EQ(captureEndOf(false, 5, {}, 2, 0.004).sentence,
            QStringLiteral("Stopped. The 2 finished texts are kept, and less than 1 % of all work."));
  capture.share = 0.61;
  EXPECT_TRUE(
      capture.sentence().contains(QStringLiteral("after 2 of 6 texts, at 61 % of its work, which is kept")));
  capture.finished = 0;
  EXPECT_TRUE(capture.sentence().contains(
      QStringLiteral("at 61 % of its work, which is kept, before the first of 6 texts")));
  const QString died = captureEndOf(true, 0, {}, 3).sentence;
  EXPECT_TRUE(died.contains(QStringLiteral("The 3 finished texts are kept"))) << died.toStdString();
}

}  // namespace
}  // namespace plastiscope
