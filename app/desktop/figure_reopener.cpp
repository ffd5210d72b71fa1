#include "app/desktop/figure_reopener.h"

#include <algorithm>

#include "app/desktop/main_window.h"
#include "app/desktop/session.h"
#include "widgets/export/figure_kinds.h"
#include "widgets/export/thesis_figures.h"
#include "widgets/pages/benchmarks_page.h"
#include "widgets/pages/compare_page.h"
#include "widgets/pages/compare_panels.h"
#include "widgets/pages/model_page.h"
#include "widgets/panels/view_panel.h"
#include "widgets/state/file_text.h"

namespace fs = std::filesystem;

namespace plastiscope {

namespace {

constexpr int kReopenedMilliseconds = 8000;

// A head of the figure, for a tab that shows a single one.
std::optional<HeadName> headOf(const FigureSpec& spec) {
  return spec.heads.empty() ? spec.scope.head : std::optional(spec.heads.front());
}

// The figure that draws it: itself, or for a figure of the thesis the underlying one.
std::string drawnAs(const std::string& figure) {
  for (const ThesisFigure& thesis : thesisFigures()) {
    if (figure == thesis.id) return thesis.kind;
  }
  return figure;
}

// Id of the view of a model tab for the figure, or of the closest one.
QString viewOfModelTab(const std::string& figure) {
  const QString kind = QString::fromStdString(drawnAs(figure));
  for (const ViewSpec& view : viewCatalogue()) {
    if (view.figure == kind) return view.id;
  }
  for (const ViewSpec& view : viewCatalogue()) {
    if (view.nearby.contains(kind)) return view.id;
  }
  return viewCatalogue().front().id;
}

// Id of the panel of a compare tab; of two candidates the one with a metric, if the figure has one.
QString panelOfCompareTab(const FigureSpec& figure) {
  const QString kind = QString::fromStdString(drawnAs(figure.figure));
  const auto find = [&](const auto& fits) {
    const auto panel = std::ranges::find_if(comparePanels(), fits);
    return panel == comparePanels().end() ? QString() : panel->id;
  };
  for (const QString& id : {find([&](const ComparePanel& panel) {
                              return panel.figure == kind && panel.showsMetric == !figure.metric.empty();
                            }),
                            find([&](const ComparePanel& panel) { return panel.figure == kind; }),
                            find([&](const ComparePanel& panel) { return panel.nearby.contains(kind); })}) {
    if (!id.isEmpty()) return id;
  }
  return QString::fromLatin1(kProfilesPanel);
}

// Shows the text of the figure from its first token on, and its query.
void showText(StudyModel& model, const FigureSpec& spec) {
  const FigureKind& kind = figureKind(spec.figure);
  if (kind.takes("query_texts"))
    model.selection().setAttended(model.selection().value().attendedPart, spec.attended);
  if (!kind.takes("text")) return;
  const std::vector<std::string>& texts = model.facts().exampleIds;
  const auto found = std::ranges::find(texts, spec.text);
  const std::int64_t example = found == texts.end() ? 0 : found - texts.begin();
  if (kind.takes("token_colour"))
    model.setShownText({example, spec.firstToken.value_or(spec.query.value_or(0)), spec.tokenColour,
                        isOfQuery(spec.tokenColour) ? QueryOrKey::Key : spec.tokenRows});
  if (kind.takes("quantity")) {
    model.selection().setAttention(spec.attention);
    model.selection().setAttentionText(spec.text);
    const auto ends = [](const TokenRange& range) {
      return std::pair(static_cast<double>(range.first), static_cast<double>(range.end));
    };
    if (spec.queries && spec.keys) {
      const auto [yLow, yHigh] = ends(*spec.queries);
      const auto [xLow, xHigh] = ends(*spec.keys);
      model.selection().setZoom(kAttentionZoom, ViewRange{xLow, xHigh, yLow, yHigh});
    }
  }
  const auto head = headOf(spec);
  if (!spec.query || !head || !model.study()->capture) return;
  const auto query =
      resultOf<QueryChoice>([&] { return queryAt(*model.study(), *head, {example, *spec.query}); });
  if (!query.ok()) return;
  if (const auto* row = std::get_if<std::int64_t>(&*query.value))
    model.selection().setRows({*row}, {});
  else
    model.ask(std::get<TokenPlace>(*query.value));
}

}  // namespace

FigureReopener::FigureReopener(MainWindow& window, Session& session)
    : m_window(window), m_session(session), m_runner(session.workers, WorkLength::Long) {
  connect(&session.opener, &FileOpener::studyOpened, this,
          [this](const fs::path& path) { studyOpened(path); });
  connect(&session.opener, &FileOpener::openingFailed, this,
          [this](const fs::path& path) { m_waiting.erase(path); });
}

void FigureReopener::open(const std::vector<fs::path>& files, const ViewSelection& selection) {
  std::vector<fs::path> known;
  for (const RecentFile& recent : m_session.state.settings().recentFiles) known.push_back(recent.path);
  m_runner.start([files, known](Progress&) { return sort(files, known); },
                 [this, selection](JobResult<Sorted> sorted) {
                   if (!sorted.ok()) {
                     if (!sorted.stopped()) Q_EMIT failed(sorted.failure.sentence);
                     return;
                   }
                   if (!sorted.value->others.empty()) m_window.files().open(sorted.value->others, selection);
                   for (const Reopened& figure : sorted.value->figures) show(figure);
                   if (!sorted.value->problems.isEmpty())
                     Q_EMIT failed(sorted.value->problems.join(QLatin1Char(' ')));
                 });
}

FigureReopener::Sorted FigureReopener::sort(const std::vector<fs::path>& files,
                                            const std::vector<fs::path>& known) {
  Sorted sorted;
  for (const fs::path& file : files) {
    const bool json = fileText(file.extension()).toLower() == QLatin1String(".json");
    if (!mayBeFigure(file) || (json && !isProvenanceFile(file))) {
      sorted.others.push_back(file);
      continue;
    }
    const auto read = resultOf<Reopened>([&] {
      ExportedFigure figure = readExportedFigure(file);
      FoundStudies found = findStudies(figure, known);
      return Reopened{std::move(figure), std::move(found)};
    });
    if (read.ok())
      sorted.figures.push_back(*read.value);
    else
      sorted.problems.append(read.failure.sentence);
  }
  return sorted;
}

void FigureReopener::show(const Reopened& reopened) {
  if (drawnAs(reopened.figure.spec.figure) == "benchmark")
    showInBenchmarks(reopened);
  else if (reopened.found.files.empty())
    showAlone(reopened);
  else if (reopened.found.files.size() == 1)
    showInModelTab(reopened);
  else
    showInCompareTab(reopened);
}

void FigureReopener::showInModelTab(const Reopened& reopened) {
  const fs::path file = fs::absolute(reopened.found.files.front()).lexically_normal();
  ViewSelection selection;
  selection.head = headOf(reopened.figure.spec);
  m_waiting[file] = reopened;
  m_window.files().open({file}, selection);
  studyOpened(file);  // may be open already
}

void FigureReopener::studyOpened(const fs::path& path) {
  ModelPage* page = qobject_cast<ModelPage*>(m_window.tabs().pageOf(path));
  const auto waiting = page ? m_waiting.extract(path) : decltype(m_waiting)::node_type();
  if (!waiting.empty()) apply(*page, waiting.mapped());
}

void FigureReopener::apply(ModelPage& page, const Reopened& reopened) {
  const FigureSpec& spec = reopened.figure.spec;
  if (const auto head = headOf(spec)) page.selection().setHead(*head);
  if (!spec.scope.several.empty()) page.selection().setSeveral(spec.scope.several);
  if (figureKind(spec.figure).takes("plasticity")) page.selection().setPlasticity(spec.plasticity);
  if (figureKind(spec.figure).takes("grid_order")) page.selection().setGrid(spec.gridOrder, spec.gridShow);
  if (spec.figure == "head-metrics") {
    page.selection().setAxes(axesOf(spec));
  } else if (!spec.metrics().front().empty()) {
    page.selection().setMetric(spec.metrics().front());
  }
  if (figureKind(spec.figure).takes("colour")) page.selection().setRowColour(spec.colour);
  showText(page.model(), spec);
  page.showView(viewOfModelTab(spec.figure));
  keep(&page, spec, page.currentFigure());
  report(reopened);
}

void FigureReopener::showInCompareTab(const Reopened& reopened) {
  const FigureSpec& spec = reopened.figure.spec;
  SessionTab tab;
  tab.compared = reopened.found.files;
  tab.looks = looksOf(reopened.figure);
  QString more;
  if (tab.compared.size() > CompareModel::kMaximum) {
    tab.compared.resize(CompareModel::kMaximum);
    more = tr("A comparison holds up to %1 captures: these are the first of the %2 in the figure.")
               .arg(CompareModel::kMaximum)
               .arg(reopened.found.files.size());
  }
  if (const auto head = headOf(spec)) tab.selection.head = head;
  if (figureKind(spec.figure).takes("plasticity")) tab.selection.usePlasticity(spec.plasticity);
  if (!spec.metrics().front().empty()) tab.selection.metric = spec.metrics().front();
  tab.compare.charts = drawnAs(spec.figure) != "compare-matrix";
  tab.compare.ofHead = tab.compare.charts ? headOf(spec).has_value() : spec.ofHead;
  tab.compare.mapDifference = spec.figure == "map-difference";
  tab.compare.differences = {spec.differences.begin(), spec.differences.end()};
  for (const char* row : namesOf(MatrixRow())) {
    if (!spec.rows.empty() && std::ranges::count(spec.rows, row) == 0) tab.compare.hiddenRows.insert(row);
  }
  if (spec.matching) tab.compare.matching = namesOf(*spec.matching)[static_cast<std::size_t>(*spec.matching)];
  tab.compare.tokens = spec.axis == PositionAxis::Tokens;
  tab.compare.published = spec.published;
  tab.compare.allHeads = !spec.commonHeads;
  tab.compare.intervals = spec.intervals;
  m_window.openComparison(tab);
  ComparePage* page = m_window.currentCompare();
  if (!page) return;
  if (auto* dock = page->findChild<PanelDock*>(panelOfCompareTab(spec))) dock->bringForward();
  keep(page, spec, page->currentFigure());
  report(reopened, more);
}

void FigureReopener::showInBenchmarks(const Reopened& reopened) {
  const FigureSpec& spec = reopened.figure.spec;
  SessionTab tab;
  tab.compared = reopened.found.files;
  BenchmarkChoices choices;
  if (!spec.scores.empty()) choices.scores = spec.scores;
  if (!spec.metric.empty()) choices.predictor = spec.metric;
  choices.group = spec.group;
  tab.benchmark = choices;
  m_window.openBenchmarks(tab);
  BenchmarksPage* page = m_window.currentBenchmarks();
  page->model().setChoices(choices);  // also in a tab that was already open
  keep(page, spec, QStringLiteral("benchmark"));
  report(reopened);
}

// Drawn only from published numbers: there is no capture to open.
void FigureReopener::showAlone(const Reopened& reopened) {
  const QString name = fileText(reopened.figure.file.filename());
  Q_EMIT said(
      {.text =
           tr("%1 was drawn only from the thesis' published numbers: there is no capture to open.").arg(name),
       .actionTitle = tr("Export again …"),
       .action = [this, spec = reopened.figure.spec] { m_window.exports().exportPublished(spec); }});
}

void FigureReopener::keep(QWidget* page, const FigureSpec& spec, const QString& currentFigure) {
  if (!m_kept.contains(page)) connect(page, &QObject::destroyed, this, [this, page] { m_kept.remove(page); });
  m_kept[page] = {spec, currentFigure};
}

std::optional<FigureSpec> FigureReopener::figureOf(const QWidget* page, const QString& currentFigure) const {
  const auto kept = m_kept.constFind(page);
  if (kept == m_kept.constEnd() || kept->currentFigure != currentFigure) return std::nullopt;
  return kept->spec;
}

void FigureReopener::report(const Reopened& reopened, const QString& more) {
  QStringList sentences;
  for (const std::string& difference : reopened.found.differences)
    sentences.append(QString::fromStdString(difference));
  if (!more.isEmpty()) sentences.append(more);
  Message message;
  message.kind = sentences.isEmpty() ? Message::Kind::Good : Message::Kind::Caution;
  if (sentences.isEmpty()) {
    sentences.append(tr("Opened the data of %1; Export starts with its settings.")
                         .arg(fileText(reopened.figure.file.filename())));
    message.hideAfterMilliseconds = kReopenedMilliseconds;
  }
  message.text = sentences.join(QLatin1Char(' '));
  Q_EMIT said(message);
}

}  // namespace plastiscope

#include "moc_figure_reopener.cpp"
