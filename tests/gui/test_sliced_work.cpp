// Work of the GUI thread in slices: with any number of views, control returns to the event loop after a few
// milliseconds or one piece, and hidden views do no work.
#include "widgets/state/sliced_work.h"

#include <gtest/gtest.h>

#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "tests/gui/wait_for.h"
#include "widgets/plots/plot_view.h"

namespace plastiscope::test {
namespace {

// Duration of a piece that exceeds one turn.
constexpr std::chrono::milliseconds kLongPiece{6};
constexpr int kViews = 12;

// Counts the pieces done between two passes of the event loop.
class Pieces {
 public:
  Pieces() {
    QObject::connect(&m_loop, &QTimer::timeout, [this] { m_sinceLoop = 0; });
    m_loop.start(0);
  }
  void take() {
    std::this_thread::sleep_for(kLongPiece);
    ++all;
    mostTogether = std::max(mostTogether, ++m_sinceLoop);
  }
  int all = 0, mostTogether = 0;

 private:
  QTimer m_loop;
  int m_sinceLoop = 0;
};

class SlowView : public PlotView {
 public:
  explicit SlowView(Pieces& pieces) : m_pieces(pieces) {}

 protected:
  std::optional<Plot> makePlot() const override {
    m_pieces.take();
    return std::nullopt;
  }

 private:
  Pieces& m_pieces;
};

TEST(SlicedWork, RepeatedRequestsRunOnceInTheNextTurn) {
  QWidget view;
  int done = 0;
  SlicedWork turns(view, [&done] {
    ++done;
    return false;
  });
  view.show();
  settleEvents();
  turns.startLater();
  turns.startLater();
  EXPECT_EQ(done, 0);
  EXPECT_TRUE(waitFor([&done] { return done > 0; }));
  settleEvents();
  EXPECT_EQ(done, 1);
}

TEST(SlicedWork, AllViewsShareOneTurn) {
  constexpr int kPiecesEach = 3;
  Pieces pieces;
  QWidget window;
  std::vector<std::unique_ptr<SlicedWork>> works;
  std::vector<int> left(kViews, kPiecesEach);
  for (int& mine : left) {
    auto* view = new QWidget(&window);
    works.push_back(std::make_unique<SlicedWork>(*view, [&pieces, &mine] {
      pieces.take();
      return --mine > 0;
    }));
  }
  window.show();
  for (const auto& work : works) work->start();
  EXPECT_EQ(pieces.all, 1);  // one piece used up the turn
  EXPECT_FALSE(works.back()->done());
  ASSERT_TRUE(
      waitFor([&] { return std::ranges::all_of(works, [](const auto& work) { return work->done(); }); }));
  EXPECT_EQ(pieces.all, kViews * kPiecesEach);
  EXPECT_EQ(pieces.mostTogether, 1);
  EXPECT_EQ(std::ranges::count(left, 0), kViews);
}

TEST(SlicedWork, WorkOfAHiddenViewWaitsUntilItIsSeen) {
  QWidget view;
  int done = 0;
  SlicedWork work(view, [&done] { return ++done < 50; });
  work.start();
  settleEvents();
  EXPECT_EQ(done, 0);
  EXPECT_TRUE(work.done());  // nothing visible is left
  view.show();
  ASSERT_TRUE(waitFor([&] { return work.done(); }));
  EXPECT_EQ(done, 50);
}

TEST(SlicedWork, WorkPausesWhileItsViewIsHidden) {
  QWidget view;
  int done = 0;
  SlicedWork work(view, [&done] {
    std::this_thread::sleep_for(kLongPiece);
    return ++done < 4;
  });
  view.show();
  work.start();
  view.hide();
  const int then = done;
  settleEvents();
  EXPECT_EQ(done, then);
  EXPECT_LT(then, 4);
  view.show();
  ASSERT_TRUE(waitFor([&] { return work.done(); }));
  EXPECT_EQ(done, 4);
}

TEST(SlicedWork, WorkStartedByWorkIsNotNested) {
  QWidget first, second;
  int seconds = 0;
  bool nested = false, inFirst = false;
  SlicedWork after(second, [&] {
    nested = nested || inFirst;
    return ++seconds < 3;
  });
  SlicedWork before(first, [&] {
    inFirst = true;
    after.start();
    inFirst = false;
    return false;
  });
  first.show();
  second.show();
  before.start();
  ASSERT_TRUE(waitFor([&] { return after.done(); }));
  EXPECT_EQ(seconds, 3);
  EXPECT_FALSE(nested);
}

TEST(SlicedWork, WorkEndsWithItsView) {
  QWidget other;
  auto gone = std::make_unique<QWidget>();
  bool touched = false;
  SlicedWork first(other, [] {
    std::this_thread::sleep_for(kLongPiece);
    return false;
  });
  auto* waits = new SlicedWork(*gone, [&touched] {
    touched = true;
    return false;
  });
  other.show();
  gone->show();
  first.start();
  waits->start();
  EXPECT_FALSE(waits->done());
  gone.reset();
  settleEvents();
  EXPECT_FALSE(touched);
}

TEST(SlicedWork, VisiblePlotsAreDrawnOnePerTurnAndHiddenOnesNever) {
  Pieces pieces;
  QWidget window;
  auto* column = new QVBoxLayout(&window);
  std::vector<SlowView*> views;
  for (int i = 0; i < kViews; ++i) {
    views.push_back(new SlowView(pieces));
    column->addWidget(views.back());
  }
  SlowView& hidden = *views[3];
  hidden.hide();
  window.show();
  EXPECT_EQ(pieces.all, 1);
  ASSERT_TRUE(waitFor([&] { return pieces.all == kViews - 1; }));
  settleEvents();
  EXPECT_EQ(pieces.all, kViews - 1);
  EXPECT_EQ(pieces.mostTogether, 1);
  hidden.show();
  ASSERT_TRUE(waitFor([&] { return pieces.all == kViews; }));
}

}  // namespace
}  // namespace plastiscope::test
