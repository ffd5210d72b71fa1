// Figures of the text of a study and of the keys of a query: exported by the window, drawn by the command,
// and opened again.
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QTest>
#include <algorithm>
#include <tuple>

#include "app/desktop/main_window.h"
#include "gui/same_bytes.h"
#include "gui/window_fixture.h"
#include "widgets/export/figure_kinds.h"
#include "widgets/export/figure_files.h"
#include "widgets/export/figure_panels.h"
#include "widgets/pages/model_page.h"
#include "widgets/panels/text_view.h"

namespace plastiscope {
namespace {

using test::waitFor;

constexpr HeadName kHead{16, 4};

class TextFigures : public test::WindowFixture {
 protected:
  TextFigures() {
    std::filesystem::copy_file(
        std::filesystem::path(PLASTISCOPE_RESOURCES) / "example" / "smollm2-135m-licences.h5", file());
    renew();
    open();
  }
  std::filesystem::path file() const { return folder / "licences.h5"; }
  void open() {
    window->openPaths({file()});
    settle();
    page().selection().setHead(kHead);
    settle();
  }
  ModelPage& page() { return *window->currentPage(); }
  TextView& showText() {
    page().showView(QStringLiteral("textDock"));
    auto* view = page().findChild<TextView*>();
    EXPECT_TRUE(waitFor([view] { return view->message().isEmpty(); }));
    settle();
    return *view;
  }
  // Export applies to the panel that the pointer entered last.
  void point(const char* view) {
    const auto* widget = page().findChild<QWidget*>(QString::fromLatin1(view));
    ASSERT_TRUE(waitFor([widget] { return widget->isVisible(); }));
    for (const QPoint& place : {QPoint(2, 2), widget->mapTo(window.get(), widget->rect().center())}) {
      QTest::mouseMove(window->windowHandle(), place);
      test::settleEvents();
    }
  }
  QString printedCommand() {
    const QString command = exportCommand();
    test::settleEvents();  // the dialog is gone
    return command;
  }
  QComboBox& choice(const char* name) { return *page().findChild<QComboBox*>(QString::fromLatin1(name)); }
  void chooseQuery(std::int64_t row) {
    page().selection().setRows({row}, {});
    settle();
  }
};

TEST_F(TextFigures, TheTextInSightIsExportedAsTheCommandDrawsIt) {
  TextView& view = showText();
  choice("textMeasure").setCurrentIndex(2);  // norm
  choice("textKind").setCurrentIndex(1);
  view.showFirst(900);
  point("textView");
  EXPECT_EQ(page().currentFigure(), QStringLiteral("text"));
  const QString command = printedCommand();
  for (const QString& part :
       {QStringLiteral("--figure text --head L16H4"), QStringLiteral("--text Apache-2.0"),
        QStringLiteral("--first-token %1").arg(view.seen().first), QStringLiteral("--token-colour norm"),
        QStringLiteral("--token-rows keys")})
    EXPECT_TRUE(command.contains(part)) << command.toStdString();
  test::expectTheCommandWritesTheSame(*window, folder.path());
}

TEST_F(TextFigures, TheKeysOfTheChosenQueryAreExportedAsTheCommandDrawsThem) {
  showText();
  chooseQuery(400);
  page().showView(QStringLiteral("strongestKeys"));
  point("strongestPlot");
  EXPECT_EQ(page().currentFigure(), QStringLiteral("keys"));
  const PlaneRows& queries = page().model().views()->plane->query;
  const QString command = printedCommand();
  EXPECT_TRUE(command.contains(QStringLiteral("--query %1 ").arg(queries.position[400])))
      << command.toStdString();
  const std::string& text = page().model().facts().exampleIds[static_cast<std::size_t>(queries.example[400])];
  EXPECT_TRUE(command.contains(QStringLiteral("--text %1 ").arg(QString::fromStdString(text))))
      << command.toStdString();
  test::expectTheCommandWritesTheSame(*window, folder.path());
}

TEST_F(TextFigures, TheDialogTakesAnotherTextStretchAndColour) {
  showText();
  point("textView");
  test::expectTheCommandWritesTheSame(*window, folder.path(), [this](ExportDialog& dialog) {
    auto* text = dialog.findChild<QComboBox*>(QStringLiteral("figureText"));
    auto* first = dialog.findChild<QSpinBox*>(QStringLiteral("figureFirstToken"));
    EXPECT_EQ(text->currentText(), QStringLiteral("Apache-2.0")) << "begins with the window's choice";
    EXPECT_EQ(first->value(), page().findChild<TextView*>()->seen().first);
    text->setCurrentText(QStringLiteral("GPL-1"));
    first->setValue(700);
    dialog.findChild<QSpinBox*>(QStringLiteral("figureTokens"))->setValue(60);
    dialog.findChild<QComboBox*>(QStringLiteral("figureTokenColour"))->setCurrentText(QStringLiteral("norm"));
    dialog.findChild<QComboBox*>(QStringLiteral("figureTokenRows"))->setCurrentText(QStringLiteral("keys"));
  });
  const std::string numbers = readFile(folder / "text-L16H4.csv");
  EXPECT_EQ(std::ranges::count(numbers, '\n'), 61) << "a header and a row for each token";
  EXPECT_NE(numbers.find("\nGPL-1,700,"), std::string::npos);
  EXPECT_NE(numbers.find("\nGPL-1,759,"), std::string::npos);
}

TEST_F(TextFigures, TheDialogShowsTheErrorsOfTheCommand) {
  showText();
  point("textView");
  window->exports().exportCurrent();
  auto* dialog = window->findChild<ExportDialog*>();
  auto* write = dialog->findChild<QPushButton*>(QStringLiteral("exportButton"));
  const auto* problem = dialog->findChild<QLabel*>(QStringLiteral("exportProblem"));
  for (const auto& [field, flag, value] :
       {std::tuple("figureTokens", "--tokens", 90000), std::tuple("figureFirstToken", "--first-token", 80000),
        std::tuple("figureQuery", "--query", 70001)}) {
    ASSERT_TRUE(waitFor([write] { return write->isEnabled(); })) << field;
    auto* number = dialog->findChild<QSpinBox*>(QLatin1String(field));
    const int usual = number->value();
    number->setValue(value);
    EXPECT_FALSE(write->isEnabled()) << field;
    ASSERT_TRUE(waitFor([problem] { return !problem->text().isEmpty(); })) << field;
    std::vector<std::string> arguments = {
        "render", file().string(), "--figure", "text",    "--head", kHead.text(),
        "--text", "Apache-2.0",    "--preset", "neurips", "--out",  (folder / "no.pdf").string()};
    for (const std::string& more : {std::string(flag), std::to_string(value)}) arguments.push_back(more);
    const auto ended = test::runProgram("plastiscope", arguments);
    EXPECT_NE(ended.exitCode, 0) << field;
    EXPECT_NE(ended.err.find(problem->text().toStdString()), std::string::npos)
        << ended.err << "\n"
        << problem->text().toStdString();
    number->setValue(usual);
  }
  dialog->close();
}

TEST_F(TextFigures, OpenAgainWhereTheyWereDrawn) {
  FigureSpec spec;
  spec.figure = "text";
  spec.scope.head = kHead;
  spec.text = "GPL-1";
  spec.firstToken = 700;
  spec.tokenColour = TokenMeasure::Score;
  const Studies studies = {page().model().study()};
  const std::int64_t example = 6;
  ASSERT_EQ(page().model().facts().exampleIds.at(example), spec.text);
  const QueryScores last = makeQueryScores(*studies[0], kHead, lastQuery(*studies[0], kHead, example));
  spec.query = last.position;
  exportFigure(studies, prepareFigure(studies, spec), spec, folder / "text.svg", {});
  renew();
  window->openPaths({folder / "text.svg"});
  ASSERT_TRUE(waitFor([this] { return window->currentPage() != nullptr; }));
  settle();
  auto* view = page().findChild<TextView*>();
  EXPECT_TRUE(waitFor([view] { return view->message().isEmpty() && view->seen().first > 0; }));
  settle();
  EXPECT_EQ(choice("textChoice").currentText(), QStringLiteral("GPL-1"));
  EXPECT_EQ(choice("textMeasure").currentText(), QStringLiteral("score"));
  EXPECT_LE(view->seen().first, 700);
  EXPECT_GT(view->seen().first, 640) << "the line that holds the token is the first one";
  ASSERT_NE(page().selection().value().rows, nullptr);
  EXPECT_EQ(page().selection().value().rows->query, std::vector<std::int64_t>{last.row});
}

}  // namespace
}  // namespace plastiscope
