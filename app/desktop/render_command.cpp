#include "app/desktop/render_command.h"

#include <CLI/CLI.hpp>
#include <QApplication>
#include <algorithm>
#include <iostream>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/foreign_text.h"
#include "core/base/path_text.h"
#include "core/jobs/study_job.h"
#include "widgets/export/figure_batch.h"
#include "widgets/export/figure_options.h"
#include "widgets/export/figure_places.h"
#include "widgets/export/figure_renderer.h"
#include "widgets/export/thesis_figures.h"

namespace plastiscope {

namespace {

struct RenderArguments {
  std::vector<std::string> files;
  std::string figure, head, size, fontSize, lineWidth, theme = "light", range, out, data, format = "pdf";
  std::int64_t layer = -1;
  int threads = 0;
  bool list = false, all = false, pgfplots = false, noSidecar = false, noData = false, noProvenance = false,
       noEmbed = false, fixedDate = false, intervals = false, noIntervals = false, force = false;
  FigureSpec spec;
};

void declare(CLI::App& app, RenderArguments& a) {
  app.description("Draws a figure without a screen, the same as the window's export");
  app.footer("Example: plastiscope render capture.h5 --figure map --head L12H6 --preset icml --out map.pdf");
  app.add_option("FILE", a.files, "Captures or analyses (.h5): as many as the figure shows");
  app.add_option("--figure", a.figure, "Figure id; --list names all");
  app.add_option("--head", a.head,
                 "One head, such as L12H6, or several for panels: L12H6,L3H0-7; of a range those that are "
                 "there");
  app.add_option("--layer", a.layer, "The heads of one layer")->check(CLI::NonNegativeNumber);
  app.add_option("--metric", a.spec.metric,
                 "Column of heads.csv, where a figure shows one; several for panels");
  app.add_option("--against", a.spec.against, "The other metric of figure head-scatter");
  app.add_option("--panels", a.spec.panels, "family: one panel for each family of models");
  app.add_option("--columns", a.spec.columns, "Of panels; default: about as many as rows");
  app.add_option("--reference", a.spec.reference,
                 "Published numbers of a model behind profile, quintiles or depth, such as qwen3-0.6b");
  app.add_option("--names", a.spec.names, "Names of several inputs, separated by commas")->delimiter(',');
  app.add_option("--order", a.spec.order, "Of several inputs: given, name, or tokens (by window)")
      ->capture_default_str();
  app.add_option("--axis", a.spec.axis,
                 "Positions: share (of each model's own window) or tokens; default: share in comparisons and "
                 "beside published numbers of another window, else tokens");
  app.add_flag("--no-intervals", a.noIntervals, "Means without their 95 % intervals");
  app.add_flag("--published", a.spec.published, "With the thesis' numbers of the inputs that it knows");
  app.add_option(
      "--scores", a.spec.scores,
      "Of figure benchmark: longbench_pro, ruler, ruler_base, or a CSV file (model, score [, length, "
      "suite, mode])");
  app.add_option("--group", a.spec.group, "Which of the scores: SUITE/MODE/LENGTH, or SUITE/MODE/lengths");
  app.add_option("--preset", a.spec.preset, "Venue: sizes and type")->capture_default_str();
  app.add_option("--width", a.spec.width, "Of the preset: column, full, half, third")->capture_default_str();
  app.add_option("--size", a.size, "Own size: WIDTHxHEIGHT in in, mm, cm or pt");
  app.add_option("--font-size", a.fontSize, "Axis titles, in points");
  app.add_option("--font", a.spec.family, "Font family; default: a Times-compatible serif");
  app.add_option("--line-width", a.lineWidth, "Axis lines, in points");
  app.add_option("--theme", a.theme, "light or dark")->capture_default_str();
  app.add_option("--range", a.range, "MIN,MAX of the colours or the value axis");
  app.add_option("--dpi", a.spec.dpi, "Of PNG files")->capture_default_str();
  app.add_flag("--all", a.all, "Every figure that the inputs can show, into the folder --out");
  app.add_option("--format", a.format, "Of --all: pdf, svg, png or html")
      ->check(CLI::IsMember({"pdf", "svg", "png", "html"}))
      ->capture_default_str();
  app.add_option("--out", a.out,
                 "FILE.pdf, .svg, .png or .html (a page with tool tips); with --all a folder");
  app.add_option("--data", a.data, "Write the plotted numbers here instead of beside the figure");
  app.add_option("--threads", a.threads, "For an analysis that is not cached; 0 = all cores");
  app.add_flag("--pgfplots", a.pgfplots,
               "Also FILE.tex, which draws the figure with LaTeX, and FILE.pgf.csv, which it reads");
  app.add_flag("--no-sidecar", a.noSidecar, "Neither FILE.csv nor FILE.json beside the figure");
  app.add_flag("--no-data", a.noData, "No FILE.csv");
  app.add_flag("--no-provenance", a.noProvenance, "No FILE.json");
  app.add_flag("--intervals", a.intervals,
               "95 % intervals of captures too: those that the window has added, else computed and kept");
  app.add_flag("--no-embed", a.noEmbed, "No provenance inside the figure");
  app.add_flag("--fixed-date", a.fixedDate, "No dates: the same bytes each time");
  app.add_flag(
      "--force", a.force,
      "Replace files that Plastiscope did not export; never an input, a model's file, a folder or a device");
  app.add_flag("--list", a.list, "Name the figures and presets");
}

// CLI11 says what is wrong with usage; the nearest option name is added here.
UsageError usageError(const CLI::App& app, const CLI::ParseError& error,
                      const std::vector<std::string>& args) {
  std::vector<std::string> known;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  }
  for (const std::string& argument : args) {
    const std::string name = argument.substr(0, argument.find('='));
    if (!name.starts_with("--") || std::find(known.begin(), known.end(), name) != known.end()) continue;
    const std::string near = nearestName(name, known);
    return UsageError("unknown option " + name + (near.empty() ? "" : "; did you mean " + near + "?"));
  }
  return UsageError(error.what());
}

void printList() {
  std::cout << "Figures:\n";
  for (const FigureKind& kind : figureKinds()) {
    std::string takes;
    if (kind.head != HeadNeed::None) takes += kind.head == HeadNeed::Required ? " --head" : " [--head]";
    for (const FigureOptionInfo& option : figureOptions()) {
      if (kind.takes(option.option)) takes += std::string(" [") + option.flag + "]";
    }
    std::cout << "  " << kind.id << std::string(20 - kind.id.size(), ' ') << kind.title
              << std::string(24 - kind.title.size(), ' ') << takes << "\n";
  }
  std::cout << "Figures of the thesis (drawn as the figure in brackets; * also from the published numbers "
               "alone):\n";
  for (const ThesisFigure& figure : thesisFigures()) {
    const std::string id = std::string(figure.id) + (figure.published != nullptr ? " *" : "");
    std::cout << "  " << id << std::string(20 - id.size(), ' ') << figure.title << " (" << figure.kind << ")"
              << (*figure.number == '\0' ? "" : ", thesis figure " + std::string(figure.number)) << "\n";
  }
  std::cout << "Presets (width of a column, of the text; inches):\n";
  for (const VenuePreset& preset : venuePresets()) {
    std::cout << "  " << preset.id << std::string(20 - preset.id.size(), ' ') << preset.title << ": "
              << preset.columnInches << ", " << preset.textInches << "\n";
  }
}

void require(const std::string& value, const char* what) {
  if (value.empty()) throw UsageError(std::string("render needs ") + what);
}

FigureSpec specOf(const RenderArguments& a) {
  FigureSpec spec = a.spec;
  if (!a.figure.empty()) spec.figure = figureKind(a.figure).id;
  if (!a.head.empty()) useHeads(spec, a.head);
  if (a.layer >= 0) spec.scope.layer = a.layer;
  spec.intervals = !a.noIntervals;
  if (!a.size.empty()) std::tie(spec.widthInches, spec.heightInches) = parseFigureSize(a.size);
  if (!a.fontSize.empty()) spec.fontPoints = parsePoints(a.fontSize);
  if (!a.lineWidth.empty()) spec.linePoints = parsePoints(a.lineWidth);
  if (!a.range.empty()) spec.range = parseRange(a.range);
  spec.theme = parseTheme(a.theme);
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

// What --head means here: of a range the heads that all panels can show, in a comparison those of its first
// input.
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
  ExportOptions options;
  options.dataTable = !a.noSidecar && !a.noData;
  options.provenance = !a.noSidecar && !a.noProvenance;
  options.embed = !a.noEmbed;
  options.pgfplots = a.pgfplots;
  options.fixedDate = a.fixedDate;
  options.dataFile = a.data;
  options.force = a.force;
  return options;
}

// The first failure decides about the exit code; the other figures are written.
int renderAll(const RenderArguments& a) {
  require(a.out, "--out FOLDER");
  if (!a.data.empty()) throw UsageError("--data belongs to one figure, and --all writes many");
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
  require(a.figure, "--figure ID (--list names all)");
  require(a.out, "--out FILE.pdf, .svg, .png or .html");
  const FigureSpec given = specOf(a);
  formatOf(a.out);
  const FigureKind& kind = figureKind(a.figure);
  if (!kind.holds(a.files.size())) {
    throw UsageError("figure " + a.figure + " shows " + kind.studies.text() + ", found " +
                     std::to_string(a.files.size()) +
                     ": plastiscope render FILE.h5 ... --figure ID --out FILE.pdf");
  }
  std::vector<std::filesystem::path> inputs(a.files.begin(), a.files.end());
  inputs.emplace_back(given.scores);
  requireFigurePlaces(a.out, optionsOf(a), inputs);
  requireWritableFolderOf(a.out);
  const Studies studies = studiesOf(a);
  const FigureSpec spec = sizedFor(withHeads(given, a, studies, kind.studies.most > 1), studies);
  for (const auto& file : exportFigure(studies, prepareFigure(studies, spec), spec, a.out, optionsOf(a)))
    std::cout << sanitized(pathText(file), kLongestMessage) << "\n";
}

// QCustomPlot needs a QApplication; without a display Qt's offscreen platform stands in.
std::unique_ptr<QApplication> makeApplication() {
  const bool display = qEnvironmentVariableIsSet("DISPLAY") || qEnvironmentVariableIsSet("WAYLAND_DISPLAY");
  if (!display && !qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
  // Qt's remarks about the desktop session (no runtime folder, ...) are not about the figure.
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

int runRender(const std::vector<std::string>& args) {
  CLI::App app{"", "plastiscope render"};
  RenderArguments arguments;
  declare(app, arguments);
  try {
    try {
      app.parse(std::vector<std::string>(args.rbegin(), args.rend()));
    } catch (const CLI::CallForHelp&) {
      std::cout << app.help();
      return 0;
    } catch (const CLI::ParseError& error) {
      throw usageError(app, error, args);
    }
    if (arguments.list) {
      printList();
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
