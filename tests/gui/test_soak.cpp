// Thousands of random events, with captures being opened, analysed and closed meanwhile. Nothing may crash,
// hang or grow; tests/sweeps/window_soak has the long form.
#include <gtest/gtest.h>
#include <malloc.h>

#include "gui/clumsy_person.h"
#include "gui/window_fixture.h"
#include "widgets/pages/model_page.h"

namespace plastiscope {
namespace {

using test::waitFor;

constexpr int kCycles = 4, kRoundsACycle = 3, kEventsARound = 200;
constexpr double kMegabyte = 1024.0 * 1024.0;

// Allocated memory in MB, without the reserves that the allocator keeps per thread, which vary by 60 MB.
double megabytesInUse() {
  const struct mallinfo2 info = mallinfo2();
  return static_cast<double>(info.uordblks + info.hblkhd) / kMegabyte;
}

class SoakTest : public test::WindowFixture {
 protected:
  SoakTest() : first(provide("grouped.h5", "first.h5")), second(provide("small.h5", "second.h5")) {
    renew();
    m_person.emplace(*session, *window, test::ClumsyPerson::Belongings{{first, second}, folder.path(), {}},
                     20261122);
    m_person->log = [this](const QString& line) { m_last = line; };
  }

  // Long timeout: several analyses and other tests may run at the same time.
  bool settles() {
    return waitFor([this] { return window->settled(); }, 240000);
  }
  // Opens a study last, because a session that is still opening closes every tab.
  bool rests() {
    if (!settles()) return false;
    if (!window->currentPage()) window->openPaths({first});
    return waitFor([this] { return window->currentPage() && window->settled(); }, 240000);
  }
  // Describes why the window is not idle.
  std::string state() {
    std::string state = std::string("; a study is ") + (window->currentPage() ? "" : "not ") +
                        "in front, the window is " + (window->settled() ? "" : "not ") +
                        "settled, the session is " + (session->busy() ? "" : "not ") + "busy; tabs:";
    for (int i = 0; i < tabs().count(); ++i)
      state += std::string(i == tabs().currentIndex() ? " in front" : "") + " \"" +
               tabs().tabText(i).toStdString() + "\" (" + tabs().widget(i)->metaObject()->className() + ")";
    for (const JobHandle* job : session->jobs.active())
      state += "; " + job->title().toStdString() + ": " + std::to_string(job->progress().done) + " of " +
               std::to_string(job->progress().total);
    return state;
  }

  void round(int number) {
    m_person->live(kEventsARound, 0);
    ASSERT_TRUE(rests()) << "round " << number << ", behind " << m_last.toStdString() << state();
    window->currentPage()->resetLayout();
    test::settleEvents();
  }

  // Leaves one new tab, so that memory does not depend on the number of open captures.
  void startOver() {
    for (JobHandle* job : QList<JobHandle*>(session->jobs.active())) job->cancel();
    ASSERT_TRUE(settles()) << state();
    while (window->currentPage() || tabs().count() > 1) {
      Q_EMIT tabs().tabCloseRequested(tabs().count() - 1);
      test::settleEvents();
    }
    ASSERT_TRUE(rests()) << state();
    test::settleEvents();
  }

  std::filesystem::path first, second;
  QString m_last;
  std::optional<test::ClumsyPerson> m_person;
};

TEST_F(SoakTest, ThousandsOfEventsNeitherBreakNorGrow) {
  startOver();
  std::vector<double> megabytes;
  for (int number = 0; number < kCycles * kRoundsACycle; ++number) {
    round(number);
    if (HasFatalFailure()) return;
    if (number % kRoundsACycle != kRoundsACycle - 1) continue;
    startOver();
    megabytes.push_back(megabytesInUse());
    RecordProperty("megabytes_" + std::to_string(megabytes.size()), std::to_string(megabytes.back()));
  }
  // The first cycles fill caches and load fonts and styles.
  EXPECT_LT(megabytes.back(), megabytes[kCycles / 2 - 1] + 40) << testing::PrintToString(megabytes);
  // The window still works.
  window->currentPage()->selection().setHead(window->currentPage()->model().heads().front());
  EXPECT_TRUE(waitFor([this] { return window->settled(); }));
}

}  // namespace
}  // namespace plastiscope
