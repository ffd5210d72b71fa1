// The whole window on a small capture file.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <QComboBox>
#include <QDialog>
#include <QFile>
#include <QHeaderView>
#include <QImage>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTabWidget>
#include <QTableView>
#include <QTest>
#include <QTextBlock>
#include <QToolButton>
#include <algorithm>
#include <fstream>
#include <set>

#include "app/desktop/main_window.h"
#include "gui/window_fixture.h"
#include "widgets/pages/command_palette.h"
#include "widgets/pages/file_pages.h"
#include "widgets/pages/help_panel.h"
#include "widgets/pages/model_page.h"
#include "widgets/pages/panel_dock.h"
#include "widgets/pages/welcome_page.h"
#include "widgets/plots/head_grid_view.h"
#include "widgets/plots/plasticity_map_view.h"
#include "widgets/plots/plot_style.h"
#include "widgets/state/small_widgets.h"
#include "widgets/state/theme.h"

namespace fs = std::filesystem;

namespace plastiscope {
namespace {

using test::waitFor;

class WindowTest : public test::WindowFixture {
 protected:
  WindowTest() : capture(provide("grouped.h5", "small capture.h5")) { renew(); }
  ~WindowTest() override { applyTheme(*qApp, QStringLiteral("light")); }

  ModelPage* open() {
    window->openPaths({capture});
    EXPECT_TRUE(waitFor([this] { return window->currentPage() && window->settled(); }));
    test::settleEvents();
    return window->currentPage();
  }

  fs::path capture;
};

TEST_F(WindowTest, StartsOnTheWelcomePage) {
  ASSERT_EQ(tabs().count(), 1);
  EXPECT_NE(qobject_cast<WelcomePage*>(tabs().currentWidget()), nullptr);
  EXPECT_EQ(window->currentPage(), nullptr);
  EXPECT_FALSE(window->findChild<QAction*>(QStringLiteral("actionExport"))->isEnabled());
  EXPECT_FALSE(window->findChild<QComboBox*>(QStringLiteral("metricBox"))->isEnabled());
}

TEST_F(WindowTest, OpensACaptureAnalysesItAndDrawsIt) {
  ModelPage* page = open();
  ASSERT_NE(page, nullptr);
  EXPECT_EQ(page->file(), capture);
  EXPECT_TRUE(page->selection().value().head.has_value());
  EXPECT_TRUE(window->findChild<QAction*>(QStringLiteral("actionExport"))->isEnabled());
  ASSERT_FALSE(session->state.settings().recentFiles.empty());
  EXPECT_EQ(session->state.settings().recentFiles.front().path, capture);
  // Opening the same file again shows its tab.
  const int count = tabs().count();
  window->openPaths({capture});
  test::settleEvents();
  EXPECT_EQ(tabs().count(), count);

  const QImage picture = window->grab().toImage();
  std::set<QRgb> colours;
  for (int y = 0; y < picture.height(); y += 7) {
    for (int x = 0; x < picture.width(); x += 7) colours.insert(picture.pixel(x, y));
  }
  EXPECT_GT(colours.size(), 60u) << "a window full of plots has many colours";
}

TEST_F(WindowTest, HelpBeginsWithTheViewUnderThePointer) {
  open();
  auto* help = window->findChild<HelpPanel*>();
  window->findChild<PanelDock*>(QStringLiteral("helpDock"))->show();
  const auto pointAt = [this](const char* dock) {
    QEvent enter(QEvent::Enter);
    QApplication::sendEvent(window->findChild<PanelDock*>(QLatin1String(dock)), &enter);
  };
  pointAt("mapDock");
  EXPECT_TRUE(help->toPlainText().startsWith(QStringLiteral("Plasticity map")));
  EXPECT_TRUE(help->toHtml().contains(QStringLiteral(":/plastiscope/help/map.png")));
  waitFor([this] { return window->settled(); });
  const auto picture =
      help->document()
          ->resource(QTextDocument::ImageResource, QUrl(QStringLiteral("qrc:/plastiscope/help/map.png")))
          .value<QImage>();
  EXPECT_GT(picture.width(), 150) << "read by a worker, as wide as it is drawn";
  EXPECT_GT(qAlpha(picture.pixel(picture.rect().center())), 0);
  applyTheme(*qApp, QStringLiteral("dark"));
  test::settleEvents();
  EXPECT_TRUE(help->toHtml().contains(QStringLiteral(":/plastiscope/help/map-dark.png")));
  applyTheme(*qApp, QStringLiteral("light"));
  pointAt("profileDock");
  EXPECT_TRUE(help->toPlainText().startsWith(QStringLiteral("Profile and quintiles")));
  window->findChild<QTabWidget*>(QStringLiteral("details"))->setCurrentIndex(1);
  pointAt("detailsDock");
  EXPECT_TRUE(help->toPlainText().startsWith(QStringLiteral("Taxonomy")));
  window->openBenchmarks();
  EXPECT_TRUE(help->toPlainText().startsWith(QStringLiteral("Benchmarks")));
}

TEST_F(WindowTest, HelpHasEveryEntryOnce) {
  open();
  QFile entries(QStringLiteral(":/plastiscope/help/views.json"));
  ASSERT_TRUE(entries.open(QIODevice::ReadOnly));
  const auto count = static_cast<std::size_t>(QJsonDocument::fromJson(entries.readAll()).array().size());
  auto* dock = window->findChild<PanelDock*>(QStringLiteral("helpDock"));
  dock->show();
  for (const int width : {260, 420, 300}) {
    window->resizeDocks({dock}, {width}, Qt::Horizontal);
    waitFor([this] { return window->settled(); });
    std::set<QString> titles;
    const QTextDocument* page = window->findChild<HelpPanel*>()->document();
    for (QTextBlock block = page->begin(); block.isValid(); block = block.next()) {
      if (block.blockFormat().headingLevel() == 0) continue;
      EXPECT_TRUE(titles.insert(block.text()).second) << block.text().toStdString();
    }
    EXPECT_EQ(titles.size(), count + 1) << "and one of the metric";
  }
}

TEST_F(WindowTest, MetricBoxAndStepperChangeTheSelection) {
  ModelPage* page = open();
  auto* box = window->findChild<QComboBox*>(QStringLiteral("metricBox"));
  EXPECT_EQ(box->currentData().toString(), QStringLiteral("ap_aligned"));
  const int index = box->findData(QStringLiteral("bias_window"));
  ASSERT_GE(index, 0);
  box->setCurrentIndex(index);
  Q_EMIT box->activated(index);
  EXPECT_EQ(page->selection().value().metric, "bias_window");
  auto* name = window->findChild<QLineEdit*>(QStringLiteral("headName"));
  const HeadName before = *page->selection().value().head;
  QTest::keyClick(window.get(), Qt::Key_BracketRight);
  EXPECT_NE(*page->selection().value().head, before);
  EXPECT_EQ(name->text().remove(QLatin1Char(' ')).toStdString(), page->selection().value().head->text());
  name->setText(QStringLiteral("l0 h0"));
  QTest::keyClick(name, Qt::Key_Return);
  EXPECT_EQ(page->selection().value().head, (HeadName{0, 0}));
  name->setText(QStringLiteral("L99H99"));
  QTest::keyClick(name, Qt::Key_Return);
  EXPECT_EQ(page->selection().value().head, (HeadName{0, 0}));
  EXPECT_TRUE(message().text().contains(QStringLiteral("L99H99")));
}

TEST_F(WindowTest, WrongFilesShowOneMessageAndNothingElseChanges) {
  open();
  const int count = tabs().count();
  const struct {
    const char* name;
    const char* content;
    const char* says;
  } kFiles[] = {{"picture.png", "\x89PNG", "picture.png"}, {"broken.h5", "not HDF5 at all", "broken.h5"}};
  for (const auto& file : kFiles) {
    std::ofstream(folder / file.name) << file.content;
    message().hide();
    window->openPaths({folder / file.name});
    ASSERT_TRUE(waitFor([this] { return message().isVisible(); })) << file.name;
    EXPECT_TRUE(message().text().contains(QLatin1String(file.says))) << message().text().toStdString();
    EXPECT_EQ(tabs().count(), count);
  }
  message().hide();
  window->openPaths({folder / "missing.h5"});
  ASSERT_TRUE(waitFor([this] { return message().isVisible(); }));
  message().findChild<QWidget*>(QStringLiteral("messageClose"))->setFocus();
  Q_EMIT message().findChild<QAbstractButton*>(QStringLiteral("messageClose")) -> clicked();
  EXPECT_FALSE(message().isVisible());
}

// Nothing writes to the pipe; waiting for it would prevent the capture from opening.
TEST_F(WindowTest, APipeIsRefusedAndOtherFilesOpen) {
  ASSERT_EQ(::mkfifo((folder / "pipe.h5").c_str(), 0600), 0);
  QStringList sentences;
  QObject::connect(window.get(), &MainWindow::openingFailed,
                   [&](const QString& sentence) { sentences.append(sentence); });
  window->openPaths({folder / "pipe.h5", capture});
  ASSERT_TRUE(waitFor([this] { return window->currentPage() && window->settled(); }));
  EXPECT_EQ(window->currentPage()->file(), capture);
  ASSERT_EQ(sentences.size(), 1);
  EXPECT_TRUE(sentences.front().contains(QStringLiteral("found a named pipe")))
      << sentences.front().toStdString();
}

TEST_F(WindowTest, TruncatedCaptureFailsInItsTabWithTheReason) {
  const fs::path broken = folder / "cut.h5";
  fs::copy_file(capture, broken);
  fs::resize_file(broken, fs::file_size(capture) / 2);
  window->openPaths({broken});
  ASSERT_TRUE(waitFor([this] { return message().isVisible(); }));
  EXPECT_TRUE(message().text().contains(QStringLiteral("cut.h5"))) << message().text().toStdString();
  EXPECT_EQ(window->currentPage(), nullptr);
}

TEST_F(WindowTest, OpeningAFileThatIsLoadingShowsItsTab) {
  int openings = 0;
  QObject::connect(&session->opener, &FileOpener::openingStarted, window.get(), [&] {
    ++openings;
    const QWidget* opening = tabs().currentWidget();
    tabs().setCurrentIndex(0);
    window->openPaths({capture});
    EXPECT_EQ(tabs().currentWidget(), opening);
  });
  window->openPaths({capture});  // its kind is not known yet
  ASSERT_NE(open(), nullptr);
  EXPECT_EQ(openings, 1);
  EXPECT_EQ(tabs().count(), 2);
}

TEST_F(WindowTest, CancelledOpeningLeavesNoTab) {
  QObject::connect(&session->opener, &FileOpener::openingStarted,
                   [](const fs::path&, JobHandle* handle) { handle->cancel(); });
  window->openPaths({capture});
  bool started = false;
  QObject::connect(&session->opener, &FileOpener::openingStarted,
                   [&](const fs::path&, JobHandle*) { started = true; });
  ASSERT_TRUE(waitFor([&] { return started; }));
  ASSERT_TRUE(waitFor([&] { return !session->busy(); }));
  test::settleEvents();
  // The job was stopped, or it had finished before.
  for (int i = 0; i < tabs().count(); ++i) EXPECT_EQ(qobject_cast<LoadingPage*>(tabs().widget(i)), nullptr);
  EXPECT_TRUE(session->jobs.active().isEmpty());
}

TEST_F(WindowTest, ThemesSwitchWhileItIsOpen) {
  open();
  EXPECT_GT(window->palette().color(QPalette::Window).lightness(), 128);
  const QImage light = window->grab().toImage();
  window->findChild<QAction*>(QStringLiteral("theme-dark"))->trigger();
  test::settleEvents();
  EXPECT_LT(window->palette().color(QPalette::Window).lightness(), 128);
  EXPECT_TRUE(currentTheme().dark);
  EXPECT_EQ(session->state.settings().theme, "dark");
  const QImage picture = window->grab().toImage();
  EXPECT_LT(QColor(picture.pixel(picture.width() / 2, 4)).lightness(), 128);
  window->findChild<QAction*>(QStringLiteral("theme-light"))->trigger();
  EXPECT_FALSE(currentTheme().dark);
  EXPECT_TRUE(waitFor([&] { return window->grab().toImage() == light; })) << "sizes and fonts are unchanged";
}

TEST_F(WindowTest, DropOpensAndTextsOfferACapture) {
  QMimeData data;
  data.setUrls({QUrl::fromLocalFile(QString::fromStdString(capture.string()))});
  QDragEnterEvent enter(QPoint(300, 300), Qt::CopyAction, &data, Qt::LeftButton, {});
  QApplication::sendEvent(window.get(), &enter);  // a drop goes to the widget that was entered
  ASSERT_TRUE(enter.isAccepted());
  QDropEvent drop(QPointF(300, 300), Qt::CopyAction, &data, Qt::LeftButton, {});
  QApplication::sendEvent(window.get(), &drop);
  ASSERT_TRUE(waitFor([this] { return window->currentPage() && window->settled(); }));
  std::ofstream(folder / "text.txt") << "Some words.";
  window->openPaths({folder / "text.txt"});
  ASSERT_TRUE(
      waitFor([this] { return window->findChild<QDialog*>(QStringLiteral("captureDialog")) != nullptr; }));
  window->findChild<QDialog*>(QStringLiteral("captureDialog"))->reject();
}

TEST_F(WindowTest, SessionAndLayoutComeBack) {
  ModelPage* page = open();
  page->selection().setHead(page->model().heads().back());
  page->selection().setMetric("ap_drop");
  page->selection().setFilter("layer >= 0");
  page->findChild<PanelDock*>(QStringLiteral("mapDock"))->hide();
  window->findChild<PanelDock*>(QStringLiteral("cardDock"))->hide();
  const ViewSelection chosen = page->selection().value();
  window->close();
  renew();
  EXPECT_TRUE(window->findChild<PanelDock*>(QStringLiteral("cardDock"))->isHidden());
  window->sessions().restore({}, {});
  ASSERT_TRUE(waitFor([this] { return window->currentPage() && window->settled(); }));
  EXPECT_EQ(window->currentPage()->selection().value(), chosen);
  EXPECT_TRUE(window->currentPage()->findChild<PanelDock*>(QStringLiteral("mapDock"))->isHidden());
}

TEST_F(WindowTest, ClosingTheLastTabShowsTheWelcomePage) {
  open();
  while (tabs().count() > 1) Q_EMIT tabs().tabCloseRequested(tabs().count() - 1);
  Q_EMIT tabs().tabCloseRequested(0);
  ASSERT_EQ(tabs().count(), 1);
  EXPECT_NE(qobject_cast<WelcomePage*>(tabs().currentWidget()), nullptr);
}

TEST_F(WindowTest, MessagesCoverNothing) {
  open();
  for (const QSize size : {QSize(1280, 720), QSize(1000, 700)}) {
    window->resize(size);
    test::settleEvents();
    const QRect without = tabs().geometry();
    Message said;
    said.text = QStringLiteral("Something took place. ").repeated(20);
    message().show(said);
    test::settleEvents();
    EXPECT_FALSE(message().geometry().intersects(tabs().geometry()));
    EXPECT_TRUE(message().parentWidget()->rect().contains(message().geometry()));
    auto* text = message().findChild<QLabel*>(QStringLiteral("messageText"));
    EXPECT_GE(text->height(), text->heightForWidth(text->width())) << "no line is cut";
    message().hide();
    test::settleEvents();
    EXPECT_EQ(tabs().geometry(), without);
  }
}

TEST_F(WindowTest, AMessageAboutATabIsHiddenOnAnotherTab) {
  open();
  Message said;
  said.text = QStringLiteral("About all.");
  message().show(said);
  tabs().setCurrentIndex(1 - tabs().currentIndex());
  EXPECT_TRUE(message().isVisible());
  said.page = tabs().currentWidget();
  message().show(said);
  EXPECT_TRUE(message().isVisible());
  tabs().setCurrentIndex(1 - tabs().currentIndex());
  EXPECT_FALSE(message().isVisible());
  tabs().setCurrentIndex(1 - tabs().currentIndex());
  EXPECT_TRUE(message().isVisible()) << "shown on its tab until it is dismissed";
  message().findChild<QToolButton*>(QStringLiteral("messageClose"))->click();
  for (int i = 0; i < 2; ++i) tabs().setCurrentIndex(1 - tabs().currentIndex());
  EXPECT_FALSE(message().isVisible());
}

TEST_F(WindowTest, AMessageAboutAnotherTabWaitsForIt) {
  open();
  Message said;
  said.text = QStringLiteral("About the other.");
  said.page = tabs().widget(1 - tabs().currentIndex());
  message().show(said);
  EXPECT_FALSE(message().isVisible());
  tabs().setCurrentIndex(1 - tabs().currentIndex());
  EXPECT_TRUE(message().isVisible());
  EXPECT_EQ(message().text(), said.text);
}

TEST_F(WindowTest, DialogsFitASmallScreen) {
  open();
  constexpr QSize kRoom(1280 - 16, 720 - 40);
  for (const char* action : {"actionExport", "actionAnalyse", "actionCapture", "actionSettings"}) {
    window->findChild<QAction*>(QString::fromLatin1(action))->trigger();
    test::settleEvents();
    auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget());
    ASSERT_NE(dialog, nullptr) << action;
    dialog->resize(kRoom);
    test::settleEvents();
    EXPECT_LE(dialog->width(), kRoom.width()) << action;
    EXPECT_LE(dialog->height(), kRoom.height()) << action;
    for (const QPushButton* button : dialog->findChildren<QPushButton*>()) {
      if (!button->isVisible() || !button->isDefault()) continue;
      const QRect place(button->mapTo(dialog, QPoint()), button->size());
      EXPECT_TRUE(dialog->rect().contains(place)) << action << " hides " << button->text().toStdString();
    }
    dialog->reject();
    test::settleEvents();
  }
}

// A narrow panel hides columns and shows them again when it is wider.
TEST_F(WindowTest, TheHeadTableIsNotScrolledSideways) {
  ModelPage* page = open();
  auto* table = page->findChild<QTableView*>(QStringLiteral("headTable"));
  const auto shown = [table] {
    const QHeaderView& header = *table->horizontalHeader();
    return header.count() - header.hiddenSectionCount();
  };
  window->resize(1280, 720);
  test::settleEvents();
  EXPECT_EQ(table->horizontalScrollBar()->maximum(), 0);
  const int narrow = shown();
  window->resize(2400, 900);
  test::settleEvents();
  EXPECT_EQ(table->horizontalScrollBar()->maximum(), 0);
  EXPECT_EQ(shown(), table->model()->columnCount());
  EXPECT_LT(narrow, shown());
}

TEST_F(WindowTest, TheWelcomePageIsNotScrolledSideways) {
  renew();
  auto* welcome = qobject_cast<WelcomePage*>(tabs().currentWidget());
  ASSERT_NE(welcome, nullptr);
  for (const QSize& size : {QSize(1264, 680), QSize(1100, 700), QSize(1600, 1000)}) {
    window->resize(size);
    settle();
    EXPECT_EQ(welcome->findChild<QScrollArea*>()->horizontalScrollBar()->maximum(), 0) << size.width();
  }
}

TEST_F(WindowTest, IconsOfTheWelcomePageFollowTheTheme) {
  open();
  for (int i = 0; i < tabs().count(); ++i) {
    if (qobject_cast<WelcomePage*>(tabs().widget(i)) != nullptr) tabs().setCurrentIndex(i);
  }
  auto* welcome = qobject_cast<WelcomePage*>(tabs().currentWidget());
  ASSERT_NE(welcome, nullptr);
  const auto* icon = welcome->findChild<IconLabel*>();
  ASSERT_NE(icon, nullptr);
  window->setTheme(QStringLiteral("light"));
  test::settleEvents();
  const QImage light = icon->pixmap().toImage();
  window->setTheme(QStringLiteral("dark"));
  test::settleEvents();
  EXPECT_NE(icon->pixmap().toImage(), light);
  window->setTheme(QStringLiteral("light"));
  test::settleEvents();
}

TEST_F(WindowTest, TheMapsColoursAreChosenInItsMenu) {
  ModelPage* page = open();
  auto* view = page->findChild<PlasticityMapView*>();
  const QImage before = view->grab().toImage();
  auto* menu = view->findChild<QMenu*>(QStringLiteral("colours"));
  ASSERT_NE(menu, nullptr);
  Q_EMIT menu->aboutToShow();
  const QList<QAction*> colours = menu->actions();
  const auto checked = std::ranges::find(colours, true, &QAction::isChecked);
  ASSERT_NE(checked, colours.end());
  EXPECT_EQ((*checked)->text(), QStringLiteral("magma"));
  const auto cividis = std::ranges::find(colours, QStringLiteral("cividis"), &QAction::text);
  ASSERT_NE(cividis, colours.end());
  (*cividis)->trigger();
  test::settleEvents();
  EXPECT_EQ(session->state.settings().mapColours, "cividis");
  EXPECT_NE(view->grab().toImage(), before);
  setScreenColours(QStringLiteral("viridis"), QStringLiteral("magma"));
}

TEST(WindowPlace, IsBroughtOntoTheScreen) {
  const QRect screen(0, 0, 1280, 720);
  const auto room = screen.adjusted(8, 32, -8, -8);
  EXPECT_EQ(withinScreen({900, 400, 800, 600}, screen).size(), QSize(800, 600));
  for (const QRect& lost : {QRect(900, 400, 800, 600), QRect(-700, -90, 800, 600),
                            QRect(2000, 3000, 640, 480), QRect(-50, -50, 2560, 1600)})
    EXPECT_TRUE(room.contains(withinScreen(lost, screen))) << lost.x() << " " << lost.y();
  EXPECT_EQ(withinScreen({100, 100, 400, 300}, screen), QRect(100, 100, 400, 300));
  const QRect second(1280, 0, 1920, 1080);
  EXPECT_TRUE(second.contains(withinScreen({0, 0, 900, 700}, second)));
}

TEST_F(WindowTest, PaletteKnowsActionsHeadsAndMetrics) {
  ModelPage* page = open();
  auto* palette = window->findChild<CommandPalette*>();
  palette->open();
  QApplication::setActiveWindow(window.get());
  palette->setFocus();
  test::settleEvents();
  QTest::keyClicks(palette, "colour by ap drop");
  ASSERT_FALSE(palette->shownTitles().isEmpty());
  QTest::keyClick(palette, Qt::Key_Return);
  EXPECT_EQ(page->selection().value().metric, "ap_drop");
}

}  // namespace
}  // namespace plastiscope
