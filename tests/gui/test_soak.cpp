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

// Memory that is allocated, in MB. What the allocator holds in reserve for its threads is left out: it
// depends on which thread has freed what, and jumps by 60 MB.
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

  // Several analyses may be under way, and other tests beside them.
  bool settles() {
    return waitFor([this] { return window->settled(); }, 240000);
  }
  // With a study in front, which is opened last: a session that still opens closes every tab.
  bool rests() {
    if (!settles()) return false;
    if (!window->currentPage()) window->openPaths({first});
    return waitFor([this] { return window->currentPage() && window->settled(); }, 240000);
  }
  // What keeps it from resting.
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

  // One fresh tab and nothing else: how many captures happen to be open decides the memory otherwise.
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
  // After the first cycles caches are full, fonts and styles are loaded.
  EXPECT_LT(megabytes.back(), megabytes[kCycles / 2 - 1] + 40) << testing::PrintToString(megabytes);
  // Still a whole window.
  window->currentPage()->selection().setHead(window->currentPage()->model().heads().front());
  EXPECT_TRUE(waitFor([this] { return window->settled(); }));
}

}  // namespace
}  // namespace plastiscope
