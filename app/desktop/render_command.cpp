#include "app/desktop/command_line.h"

#include <QApplication>
#include <algorithm>
#include <iostream>

#include "app/command_line/command_line.h"
#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/foreign_text.h"
#include "core/base/path_text.h"
#include "core/jobs/study_job.h"
#include "widgets/export/figure_batch.h"
#include "widgets/export/figure_files.h"
#include "widgets/export/figure_panels.h"
#include "widgets/export/figure_renderer.h"
#include "widgets/export/figure_spec.h"
#include "widgets/export/study_figures.h"
#include "widgets/export/thesis_figures.h"

namespace plastiscope {

namespace {

struct RenderArguments {
  std::vector<std::string> files;
  FigureSpec spec;
  std::string head, out, data, format = "pdf";
  int threads = 0;
  bool list = false, listOptions = false, all = false, intervals = false;
  bool noSidecar = false, noData = false, noProvenance = false;
  ExportOptions beside;  // and inside the figure
};

// Options of a figure and of its output. --head is read again when the heads are known.
ProgramCommand renderCommandOf(RenderArguments& a) {
  a.spec.figure.clear();
  OptionList options = figureOptions(a.spec);
  findOption(options, "--head")->value = &a.head;
  options.insert(options.begin(),
                 {"FILE", "", &a.files, "Captures or analyses (.h5): as many as the figure shows"});
  const OptionList writing = {
      {"--all", "", &a.all, "Draw every figure that the inputs can show into the folder --out"},
      Option{"--format", "", &a.format, "Format of the figures of --all: pdf, svg, png or html",
             OptionTraits{.showsDefault = true, .words = {"pdf", "svg", "png", "html"}, .listsWords = true}},
      {"--out", "", &a.out, "FILE.pdf, .svg, .png or .html (a page with tool tips); with --all a folder"},
      {"--data", "", &a.data, "Write the plotted numbers here instead of beside the figure"},
      {"--threads", "", &a.threads, "Threads for an analysis that is not cached; 0 = all cores"},
      {"--pgfplots", "", &a.beside.pgfplots,
       "Also write FILE.tex, which draws the figure with LaTeX, and FILE.pgf.csv, which it reads"},
      {"--caption", "", &a.beside.caption,
       "Also write a draft of the caption, from the provenance: FILE.caption.tex and FILE.caption.txt"},
      {"--no-sidecar", "", &a.noSidecar, "Write neither FILE.csv nor FILE.json beside the figure"},
      {"--no-data", "", &a.noData, "Do not write FILE.csv"},
      {"--no-provenance", "", &a.noProvenance, "Do not write FILE.json"},
      {"--intervals", "", &a.intervals,
       "Also show 95 % intervals of captures: those added by the window, else computed and saved"},
      {"--no-embed", "", &a.beside.embed, "Do not embed provenance in the figure", {.clears = true}},
      {"--fixed-date", "", &a.beside.fixedDate, "Omit dates, so that each run writes the same bytes"},
      {"--force", "", &a.beside.force,
       "Replace files that Plastiscope did not export; never an input, a model's file, a folder or a device"},
      {"--list", "", &a.list, "List the figures and presets"},
      {"--list-options", "", &a.listOptions, "Print these options as JSON, for other programs"}};
  options.insert(options.end(), writing.begin(), writing.end());
  return {.name = "plastiscope render",
          .help = "Draws a figure without a screen, the same as the window's export",
          .footer =
              "Example: plastiscope render capture.h5 --figure map --head L16H4 --preset icml --out map.pdf",
          .options = std::move(options)};
}

// Spaces up to the next column; one space after longer texts.
std::string columnGap(const std::string& text, std::size_t width) {
  return std::string(std::max(width, text.size() + 1) - text.size(), ' ');
}

void printList() {
  FigureSpec plain;
  OptionList options = figureOptions(plain);
  std::cout << "Figures:\n";
  for (const FigureKind& kind : figureKinds()) {
    std::string takes;
    if (kind.head != HeadNeed::None) takes += kind.head == HeadNeed::Required ? " --head" : " [--head]";
    for (const std::string_view key : kind.options) takes += " [" + findOption(options, key)->name + "]";
    std::cout << "  " << kind.id << columnGap(kind.id, 20) << kind.title << columnGap(kind.title, 30) << takes
              << "\n";
  }
  std::cout << "Figures of the thesis (drawn as the figure in brackets; * also from the published numbers "
               "alone):\n";
  for (const ThesisFigure& figure : thesisFigures()) {
    const std::string id = std::string(figure.id) + (figure.shows.published != nullptr ? " *" : "");
    std::cout << "  " << id << columnGap(id, 20) << figure.title << " (" << figure.kind << ")"
              << (*figure.number == '\0' ? "" : ", thesis figure " + std::string(figure.number)) << "\n";
  }
  std::cout << "Presets (width of a column, of the text; inches):\n";
  for (const VenuePreset& preset : venuePresets()) {
    std::cout << "  " << preset.id << columnGap(preset.id, 20) << preset.title << ": " << preset.columnInches
              << ", " << preset.textInches << "\n";
  }
}

void require(const std::string& value, const char* what) {
  if (value.empty()) throw UsageError(std::string("render needs ") + what);
}

FigureSpec specOf(const RenderArguments& a) {
  FigureSpec spec = a.spec;
  spec.figure = a.spec.figure.empty() ? FigureSpec().figure : figureKind(a.spec.figure).id;
  if (!a.head.empty()) useHeads(spec, a.head);
  spec.validate();
  return spec;
}

Studies studiesOf(const RenderArguments& a) {
  Progress quiet;
  Studies studies;
  for (const std::string& file : a.files) {
    studies.push_back(openStudy(file, AnalysisSettings(), a.threads, quiet));
    if (!a.intervals) continue;
    studies.back() = withKeptIntervals(studies.back());
    if (lacksIntervals(*studies.back())) studies.back() = withIntervals(*studies.back(), a.threads, quiet);
  }
  return studies;
}

// Resolves ranges in --head: heads that all panels can show, in a comparison those of its first input.
FigureSpec withHeads(FigureSpec spec, const RenderArguments& a, const Studies& studies, bool compared) {
  if (a.head.empty() || studies.empty()) return spec;
  std::vector<HeadName> there = headsOf(*studies.front()->analysis);
  for (const auto& study : studies) {
    const std::vector<HeadName> own = headsOf(*study->analysis);
    if (!compared)
      std::erase_if(there, [&](const HeadName& head) { return std::ranges::find(own, head) == own.end(); });
  }
  useHeads(spec, a.head, there);
  return spec;
}

ExportOptions optionsOf(const RenderArguments& a) {
  ExportOptions options = a.beside;
  options.dataTable = !a.noSidecar && !a.noData;
  options.provenance = !a.noSidecar && !a.noProvenance;
  options.dataFile = a.data;
  return options;
}

// The first failure determines the exit code; the other figures are written.
int renderAll(const RenderArguments& a) {
  require(a.out, "--out FOLDER");
  if (!a.data.empty()) throw UsageError("--data is for one figure: it cannot be combined with --all");
  BatchOrder order;
  const FigureSpec spec = specOf(a);
  order.studies = studiesOf(a);
  order.figures = figuresOfTab(order.studies, withHeads(spec, a, order.studies, order.studies.size() > 1));
  order.folder = a.out;
  order.extension = a.format;
  order.options = optionsOf(a);
  requireBatchPlaces(order);
  const BatchResult result = exportAll(order);
  for (const auto& file : result.written) std::cout << sanitized(pathText(file), kLongestMessage) << "\n";
  for (const std::string& problem : result.problems)
    std::cerr << "plastiscope: " << sanitized(problem, kLongestMessage) << "\n";
  return result.exitCode;
}

void render(const RenderArguments& a) {
  require(a.spec.figure, "--figure ID (--list names all)");
  require(a.out, "--out FILE.pdf, .svg, .png or .html");
  const FigureSpec given = specOf(a);
  formatOf(a.out);
  const FigureKind& kind = figureKind(a.spec.figure);
  if (!kind.holds(a.files.size())) {
    throw UsageError("figure " + a.spec.figure + " shows " + kind.studies.text() + ", found " +
                     std::to_string(a.files.size()) +
                     ": plastiscope render FILE.h5 ... --figure ID --out FILE.pdf");
  }
  std::vector<std::filesystem::path> inputs(a.files.begin(), a.files.end());
  inputs.emplace_back(given.scores);
  requireFigurePlaces(a.out, optionsOf(a), inputs);
  requireWritableFolderOf(a.out);
  const Studies studies = studiesOf(a);
  const FigureSpec spec =
      sizedFor(withGroups(withHeads(given, a, studies, kind.studies.most > 1), studies), studies);
  const FigureContent content = prepareFigure(studies, spec);
  if (!content.remark.empty())
    std::cerr << "plastiscope: " << sanitized(content.remark, kLongestMessage) << "\n";
  for (const auto& file : exportFigure(studies, content, spec, a.out, optionsOf(a)))
    std::cout << sanitized(pathText(file), kLongestMessage) << "\n";
}

// QCustomPlot needs a QApplication.
std::unique_ptr<QApplication> makeApplication() {
  useNoDisplay();
  // Qt's warnings about the desktop session (no runtime folder, ...) are irrelevant here.
  qInstallMessageHandler([](QtMsgType type, const QMessageLogContext&, const QString& message) {
    if (type == QtCriticalMsg || type == QtFatalMsg) {
      std::cerr << "plastiscope: " << sanitized(message.toStdString(), kLongestMessage) << "\n";
    }
  });
  static int count = 1;
  static char name[] = "plastiscope";
  static char* arguments[] = {name, nullptr};
  return std::make_unique<QApplication>(count, arguments);
}

}  // namespace

bool printDocument(const std::vector<std::string>& arguments) {
  RenderArguments values;
  const auto text = documentText(arguments, renderCommandOf(values));
  if (text) std::cout << *text;
  return text.has_value();
}

int runRender(const std::vector<std::string>& args) {
  RenderArguments arguments;
  try {
    const ProgramCommand command = renderCommandOf(arguments);
    CommandLineParser parser(command, "");
    const CommandCall call = parser.parse(args);
    if (const std::string wrong = parser.readValues(); !wrong.empty()) throw UsageError(wrong);
    if (call.asked == CommandCall::Asked::Help) {
      std::cout << call.text;
      return 0;
    }
    if (arguments.list) {
      printList();
      return 0;
    }
    if (arguments.listOptions) {
      RenderArguments standard;
      std::cout << optionsJson(renderCommandOf(standard));
      return 0;
    }
    const auto application = makeApplication();
    if (arguments.all) return renderAll(arguments);
    render(arguments);
    return 0;
  } catch (...) {
    const Failure failure = caughtFailure();
    std::cerr << "plastiscope: " << failure.sentence << "\n";
    return static_cast<int>(failure.kind);
  }
}

}  // namespace plastiscope
