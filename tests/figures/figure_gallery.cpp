// Draws every figure of the formula study into a folder: figure_gallery OUT [pdf|svg|png]
// [light|dark] [rows] [width in inches]
#include <QApplication>
#include <QTest>
#include <iostream>

#include "core/base/error.h"
#include "figures/figure_cases.h"
#include "figures/figure_study.h"
#include "widgets/export/export_dialog.h"
#include "widgets/export/figure_files.h"
#include "widgets/export/figure_panels.h"
#include "widgets/jobs/job_runner.h"

using namespace plastiscope;

int main(int argc, char** argv) {
  qputenv("QT_QPA_PLATFORM", "offscreen");
  QApplication app(argc, argv);
  try {
    const std::filesystem::path out = argc > 1 ? argv[1] : ".";
    const std::string format = argc > 2 ? argv[2] : "png";
    const std::int64_t rows = argc > 4 ? std::stoll(argv[4]) : 800;
    const double width = argc > 5 ? std::stod(argv[5]) : 3.25;
    for (test::FigureCase figure : test::figureCases()) {
      setTexts({"theme", "", choiceOf(figure.theme)}, {argc > 3 ? argv[3] : "light"});
      const FigureSpec spec = test::specOf(figure, width);
      const auto studies = test::studiesOf(figure, rows);
      exportFigure(studies, prepareFigure(studies, spec), spec, out / (spec.figure + "." + format), {});
    }
    FigureSpec first;
    first.figure = "quintiles";
    first.scope.head = HeadName{4, 2};
    Workers workers;
    ExportDialog dialog({{test::figureStudy(rows)}, {"formula.h5"}, first}, workers);
    dialog.resize(1190, 740);
    dialog.show();
    QTest::qWait(1000);
    dialog.grab().save(QString::fromStdString((out / "export-dialog.png").string()));
  } catch (const Error& error) {
    std::cerr << "figure_gallery: " << error.what() << "\n";
    return error.exitCode();
  }
  return 0;
}
