#include <gtest/gtest.h>

#include <QLabel>
#include <QPushButton>
#include <functional>
#include <semaphore>
#include <thread>

#include "gui/wait_for.h"
#include "widgets/jobs/job_bar.h"
#include "widgets/jobs/job_handle.h"
#include "widgets/jobs/job_runner.h"

namespace plastiscope {
namespace {

using test::settleEvents;
using test::waitFor;

TEST(JobRunner, DeliversOnTheGuiThread) {
  Workers workers;
  JobRunner runner(workers, WorkLength::Quick);
  const std::thread::id gui = std::this_thread::get_id();
  std::thread::id workedIn;
  std::optional<int> delivered;
  runner.start(
      [&](Progress&) {
        workedIn = std::this_thread::get_id();
        return 42;
      },
      [&](JobResult<int> outcome) {
        EXPECT_EQ(std::this_thread::get_id(), gui);
        delivered = outcome.value;
      });
  EXPECT_TRUE(runner.running());
  ASSERT_TRUE(waitFor([&] { return delivered.has_value(); }));
  EXPECT_EQ(*delivered, 42);
  EXPECT_NE(workedIn, gui);
  EXPECT_FALSE(runner.running());
}

// Work that goes on until it is asked to stop.
struct EndlessWork {
  int operator()(Progress& progress) {
    begun.release();
    while (!progress.stopRequested()) std::this_thread::yield();
    stopped = true;
    return 1;
  }
  std::binary_semaphore begun{0};
  bool stopped = false;
};

TEST(JobRunner, OutdatedResultIsDroppedAndItsWorkCancelled) {
  Workers workers;
  JobRunner runner(workers, WorkLength::Quick);
  EndlessWork endless;
  std::vector<int> delivered;
  runner.start(std::ref(endless), [&](JobResult<int> outcome) { delivered.push_back(*outcome.value); });
  endless.begun.acquire();
  runner.start([](Progress&) { return 2; },
               [&](JobResult<int> outcome) { delivered.push_back(*outcome.value); });
  ASSERT_TRUE(waitFor([&] { return !delivered.empty(); }));
  workers.waitForDone();
  settleEvents();
  EXPECT_EQ(delivered, std::vector<int>{2});
  EXPECT_TRUE(endless.stopped);
}

TEST(JobRunner, ExceptionsBecomeOneMessage) {
  Workers workers;
  JobRunner runner(workers, WorkLength::Quick);
  const auto failureOf = [&](auto work) {
    std::optional<JobFailure> failure;
    runner.start(work, [&](JobResult<int> outcome) {
      EXPECT_FALSE(outcome.ok());
      failure = outcome.failure;
    });
    EXPECT_TRUE(waitFor([&] { return failure.has_value(); }));
    return failure.value_or(JobFailure{});
  };
  const JobFailure input = failureOf([](Progress&) -> int {
    throw InputError({"a.h5", "/model", "a name", "nothing"});
  });
  EXPECT_EQ(input.kind, ErrorKind::Input);
  EXPECT_TRUE(input.sentence.contains(QStringLiteral("a.h5")) &&
              input.sentence.contains(QStringLiteral("/model")));
  EXPECT_EQ(failureOf([](Progress&) -> int { throw std::bad_alloc(); }).kind, ErrorKind::Resources);
  EXPECT_EQ(failureOf([](Progress&) -> int { throw std::runtime_error("odd"); }).kind, ErrorKind::Internal);
  EXPECT_EQ(failureOf([](Progress&) -> int { throw 3; }).kind, ErrorKind::Internal);
  EXPECT_EQ(failureOf([](Progress&) -> int { throw Stopped(); }).kind, ErrorKind::Stopped);
}

TEST(JobRunner, DestructionDropsPendingResults) {
  Workers workers;
  std::binary_semaphore begun(0), mayEnd(0);
  bool delivered = false;
  {
    JobRunner runner(workers, WorkLength::Quick);
    runner.start(
        [&](Progress&) {
          begun.release();
          mayEnd.acquire();
          return 1;
        },
        [&](JobResult<int>) { delivered = true; });
    begun.acquire();
  }
  mayEnd.release();
  workers.waitForDone();
  settleEvents();
  EXPECT_FALSE(delivered);
}

TEST(JobRunner, ProgressReachesTheTicketAndCancelTheWork) {
  Workers workers;
  JobRunner runner(workers, WorkLength::Long);
  JobHandle handle(QStringLiteral("long work"));
  bool delivered = false;
  runner.start(
      [](Progress& progress) -> int {
        for (int i = 1;; ++i) {
          progress.advanced({"analyze", static_cast<double>(i % 100), 100, "head", -1, -1});
          progress.throwIfStopped();
          std::this_thread::yield();
        }
      },
      [&](JobResult<int> outcome) {
        EXPECT_TRUE(outcome.stopped());
        delivered = true;
      },
      &handle);
  ASSERT_TRUE(waitFor([&] { return handle.progress().total == 100; }));
  handle.cancel();
  EXPECT_EQ(handle.state(), JobHandle::State::Stopping);
  ASSERT_TRUE(waitFor([&] { return delivered; }));
  EXPECT_EQ(handle.state(), JobHandle::State::Stopped);
}

TEST(Workers, DestructionStopsRunningWork) {
  EndlessWork endless;
  {
    Workers workers;
    JobRunner runner(workers, WorkLength::Long);
    runner.start(std::ref(endless), [](JobResult<int>) {});
    endless.begun.acquire();
  }
  EXPECT_TRUE(endless.stopped);
}

TEST(JobBar, ShowsTheRunningJobAndCancels) {
  JobList jobs;
  JobBar bar(jobs);
  const auto text = [&](const char* name) {
    return bar.findChild<QLabel*>(QString::fromLatin1(name))->text();
  };
  EXPECT_TRUE(bar.findChild<QLabel*>(QStringLiteral("jobTitle"))->isHidden());
  JobHandle handle(QStringLiteral("Qwen3-4B books"));
  jobs.add(&handle);
  handle.report({"capture", 212, 500, "example", 813, 425});
  EXPECT_EQ(text("jobTitle"), QStringLiteral("Capturing · Qwen3-4B books"));
  EXPECT_EQ(text("jobDone"), QStringLiteral("212 / 500 texts · 42 %"));
  EXPECT_EQ(text("jobLeft"), QStringLiteral("7 min 5 s left"));
  bool asked = false;
  QObject::connect(&handle, &JobHandle::cancelRequested, [&] { asked = true; });
  bar.findChild<QPushButton*>(QStringLiteral("jobCancel"))->click();
  EXPECT_TRUE(asked);
  handle.end(JobHandle::State::Stopped);
  EXPECT_TRUE(jobs.active().isEmpty());
  EXPECT_TRUE(bar.findChild<QLabel*>(QStringLiteral("jobTitle"))->isHidden());
  {
    JobHandle brief(QStringLiteral("gone"));
    jobs.add(&brief);
    EXPECT_EQ(jobs.active().size(), 1);
  }
  EXPECT_TRUE(jobs.active().isEmpty());
}

}  // namespace
}  // namespace plastiscope
