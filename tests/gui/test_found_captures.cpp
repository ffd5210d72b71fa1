// Unfinished captures that another process started.
#include <gtest/gtest.h>

#include <QLabel>
#include <QMenu>
#include <QToolButton>

#include "core/base/files.h"
#include "core/base/json.h"
#include "core/store/work_folder.h"
#include "gui/window_fixture.h"

namespace fs = std::filesystem;

namespace plastiscope {
namespace {

using test::waitFor;

class FoundCapturesTest : public test::WindowFixture {
 protected:
  CaptureRequest draft(const std::string& name) {
    CaptureRequest result;
    result.model = folder / "model";
    result.tokens = folder / "tokens.jsonl";
    result.storeTexts = false;
    result.out = folder / "captures" / (name + ".h5");
    return result;
  }
  // Leaves the work folder of a killed capture of ten texts.
  CaptureRequest begin(const std::string& name) {
    const CaptureRequest begun = draft(name);
    WorkFolder work(begun.out, {{"examples", 10}}, false);
    work.keepRequest(begun.toJson());
    return begun;
  }
  std::vector<UnfinishedCapture> offered() {
    renew();
    settle();
    return session->captures.unfinished();
  }
};

TEST_F(FoundCapturesTest, OffersUnfinishedWorkOfTheCaptureFolder) {
  begin("from the shell");
  const auto found = offered();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].total, 10);
  EXPECT_TRUE(message().isVisible());
  EXPECT_FALSE(message().geometry().intersects(tabs().geometry())) << "covers no page";
  EXPECT_TRUE(message().text().contains(QStringLiteral("from the shell"))) << message().text().toStdString();
  auto* button = window->findChild<QToolButton*>(QStringLiteral("jobUnfinished"));
  EXPECT_TRUE(button->isVisible());
  EXPECT_EQ(button->text(), QStringLiteral("1 unfinished capture"));
  const QStringList arguments = captureArguments(found[0].draft);
  EXPECT_TRUE(arguments.contains(QStringLiteral("--tokens")));
  EXPECT_TRUE(arguments.contains(QStringLiteral("--no-texts")));
}

TEST_F(FoundCapturesTest, ARunningCaptureIsNotOffered) {
  const CaptureRequest begun = begin("busy");
  {
    const WorkFolder held(begun.out, {{"examples", 10}}, false);
    EXPECT_TRUE(offered().empty());
    EXPECT_FALSE(message().isVisible());
    EXPECT_FALSE(window->findChild<QToolButton*>(QStringLiteral("jobUnfinished"))->isVisible());

    // The job bar shows it as running and offers its finished texts.
    auto* button = window->findChild<QToolButton*>(QStringLiteral("jobElsewhere"));
    EXPECT_TRUE(button->isVisible());
    EXPECT_EQ(button->text(), QStringLiteral("busy runs elsewhere: 0 / 10"));
    Q_EMIT button->menu()->aboutToShow();
    const QList<QAction*> actions = button->menu()->actions().front()->menu()->actions();
    ASSERT_EQ(actions.size(), 3);
    for (const QAction* action : actions) EXPECT_FALSE(action->isEnabled()) << "no text is finished yet";
  }
  EXPECT_EQ(session->captures.unfinished().size(), 1u) << "its process has ended";
  session->library.refresh();
  EXPECT_TRUE(waitFor(
      [this] { return !window->findChild<QToolButton*>(QStringLiteral("jobElsewhere"))->isVisible(); }));
}

TEST_F(FoundCapturesTest, WorkThatCannotBeResumedIsNotOffered) {
  { WorkFolder old(folder / "captures/old.h5", {{"examples", 3}}, false); }  // without the request
  {
    WorkFolder odd(folder / "captures/odd.h5", {{"examples", 3}}, false);
    odd.keepRequest({{"model", 7}});
  }
  fs::create_directories(folder / "captures/empty.h5.partial");
  EXPECT_TRUE(offered().empty());
}

TEST_F(FoundCapturesTest, AMovedFolderIsResumedInPlace) {
  const CaptureRequest begun = begin("first");
  fs::rename(WorkFolder::pathFor(begun.out), folder / "captures/second.h5.partial");
  const auto found = offered();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].draft.out, folder / "captures/second.h5");
}

TEST_F(FoundCapturesTest, DiscardRemovesIt) {
  const CaptureRequest begun = begin("unwanted");
  const auto found = offered();
  ASSERT_EQ(found.size(), 1u);
  session->captures.discard(found[0].draft);
  ASSERT_TRUE(waitFor([&] { return !fs::exists(WorkFolder::pathFor(begun.out)); }));
  EXPECT_TRUE(waitFor([this] { return session->captures.unfinished().empty(); }));
}

}  // namespace
}  // namespace plastiscope
