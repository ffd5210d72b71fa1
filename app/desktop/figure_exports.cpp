#include "app/desktop/figure_exports.h"

#include <QApplication>
#include <QClipboard>
#include <QDesktopServices>
#include <QDrag>
#include <QFileInfo>
#include <QMimeData>
#include <QUrl>
#include <algorithm>
#include <cmath>

#include "app/desktop/thesis_page.h"
#include "core/base/error.h"
#include "core/base/python_call.h"
#include "core/compare/compare_matrix.h"
#include "widgets/export/figure_panels.h"
#include "widgets/export/figure_renderer.h"
#include "widgets/pages/benchmarks_page.h"
#include "widgets/pages/compare_page.h"
#include "widgets/pages/model_page.h"
#include "widgets/panels/row_tables.h"
#include "widgets/state/file_text.h"
#include "widgets/state/icons.h"

namespace plastiscope {

namespace {

constexpr int kWrittenMilliseconds = 15000;

QStringList filesOf(const Studies& studies) {
  QStringList files;
  for (const auto& study : studies) files.append(QString::fromStdString(study->file));
  return files;
}

// Copies the text, its first token, and its colouring.
void copyText(FigureSpec& to, const FigureSpec& from) {
  to.text = from.text;
  to.query = from.query;
  to.firstToken = from.firstToken;
  to.tokenColour = from.tokenColour;
  to.tokenRows = from.tokenRows;
}

// Uses the options of an exported figure with the current head and metric.
void useExported(ExportStart& start, const std::optional<FigureSpec>& exported) {
  if (!exported) return;
  const FigureSpec tab = std::exchange(start.figure, *exported);
  start.asExported = true;
  start.figure.looks = tab.looks;  // captures may have been added, removed or moved since
  if (start.figure.scope.head && tab.scope.head) start.figure.scope.head = tab.scope.head;
  if (!start.figure.metric.empty() && start.figure.metrics().size() == 1 && !tab.metric.empty())
    start.figure.metric = tab.metric;
  copyText(start.figure, tab);
}

// Options of the matrix of a compare tab.
void useMatrix(FigureSpec& figure, const CompareChoices& choices) {
  for (const char* row : namesOf(MatrixRow())) {
    if (!choices.hiddenRows.contains(row)) figure.rows.emplace_back(row);
  }
  if (choices.hiddenRows.empty()) figure.rows.clear();
  figure.differences.assign(choices.differences.begin(), choices.differences.end());
  figure.ofHead = choices.ofHead;
  if (choices.matching == "name") figure.matching = HeadMatching::SameHead;
  if (choices.matching == "depth") figure.matching = HeadMatching::RelativeDepth;
}

// Looks of captures in a compare tab; empty if a file would get the same looks by default.
std::vector<int> givenLooks(const Comparison& comparison) {
  std::vector<ComparedName> names, plain;
  for (const ComparedModel& model : comparison.models) {
    names.push_back(comparedName(model));
    plain.push_back(names.back());
    plain.back().look.reset();
  }
  const auto looks = captureLooks(names);
  std::vector<int> given;
  for (const auto& look : looks) given.push_back(look.value_or(0));
  return looks == captureLooks(plain) ? std::vector<int>() : given;
}

// The shown part of the attention map.
void useAttention(FigureSpec& figure, const ViewSelection& selection) {
  figure.attention = selection.attention;
  figure.text = selection.attentionText;
  if (const auto zoom = zoomOf(selection, kAttentionZoom)) {
    figure.queries = TokenRange{std::llround(zoom->yLow), std::llround(zoom->yHigh)};
    figure.keys = TokenRange{std::llround(zoom->xLow), std::llround(zoom->xHigh)};
  }
}

// The visible text and the query of the shown scores, which may be in another text.
void useText(FigureSpec& figure, const StudyModel& model) {
  const std::vector<std::string>& texts = model.facts().exampleIds;
  const auto idOf = [&texts](std::int64_t example) {
    return texts.size() > 1 ? texts.at(static_cast<std::size_t>(example)) : std::string();
  };
  const auto query = queryToken(model);
  const auto& shown = model.shownText();
  if (figure.figure == "keys" && query) figure.text = idOf(query->example);
  if (figure.figure == "text" && shown) {
    figure.text = idOf(shown->example);
    figure.firstToken = shown->first;
    figure.tokenColour = shown->measure;
    if (!isOfQuery(shown->measure)) figure.tokenRows = shown->coloured;
  }
  if (figure.figure == "attention") useAttention(figure, model.selection().value());
  if (query &&
      (figure.figure == "keys" || (figure.figure == "attention" && idOf(query->example) == figure.text) ||
       (shown && query->example == shown->example)))
    figure.query = query->position;
}

// The compared group, the others that are drawn, and the heads they are compared with.
void useGroups(FigureSpec& figure, const ViewSelection& now) {
  const HeadGroup* group = now.findGroup(now.group);
  if (!figureKind(figure.figure).needsGroups || group == nullptr) return;
  HeadGroups groups = {*group};
  for (const HeadGroup& each : now.drawnGroups()) {
    if (each != *group && each.name != now.against) groups.push_back(each);
  }
  figure.groups = groupTexts(groups);
  const HeadGroup* other = now.findGroup(now.against);
  figure.against = other ? groupTexts({*other}).front() : now.against;
}

ExportStart startOf(ModelPage& page) {
  ExportStart start;
  FigureSpec& figure = start.figure;
  start.studies = {page.model().study()};
  start.files = {fileText(page.file())};
  const QString shown = page.currentFigure();
  figure.scope.head = page.selection().value().head;
  figure.metric = page.selection().value().metric;
  figure.scope.several = page.selection().value().several;
  if (shown == QLatin1String("attended")) figure.attended = page.selection().value().attended;
  figure.colour = page.selection().value().rowColour;
  figure.gridOrder = page.selection().value().order;
  if (figure.gridOrder != HeadOrder::Similar) figure.gridShow = page.selection().value().show;
  if (shown == QLatin1String("head-metrics")) {
    const HeadAxes& axes = page.selection().value().axes;
    figure.metric = axes.y;
    figure.against = axes.x;
    figure.colourMetric = axes.colour;
  }
  figure.figure = shown.toStdString();
  useGroups(figure, page.selection().value());
  useText(figure, page.model());
  return start;
}

ExportStart startOf(ComparePage& page) {
  ExportStart start;
  FigureSpec& figure = start.figure;
  const CompareChoices& choices = page.model().choices();
  const ViewSelection& selection = page.selection().value();
  start.studies = page.model().studies();
  start.files = filesOf(start.studies);
  const QString shown = page.currentFigure();
  figure.looks = givenLooks(*page.model().views()->comparison);
  if (shown == QLatin1String("drift") || shown.endsWith(QLatin1String("-difference"))) {
    const auto against = std::min(page.model().views()->against, start.studies.size() - 1);
    start.studies = {start.studies.front(), start.studies[against]};
    figure.looks.clear();
    start.files = filesOf(start.studies);
  }
  if (choices.ofHead || !choices.charts) figure.scope.head = selection.head;
  if (page.figureShowsMetric()) figure.metric = page.model().views()->metric;
  if (!choices.charts) useMatrix(figure, choices);
  if (choices.tokens) figure.axis = PositionAxis::Tokens;
  figure.published = choices.published;
  figure.commonHeads = std::ranges::any_of(page.model().views()->comparison->models,
                                           [](const auto& model) { return model.analysis != model.whole; });
  figure.intervals = choices.intervals;
  figure.figure = shown.toStdString();
  return start;
}

ExportStart startOf(BenchmarksPage& page) {
  ExportStart start;
  FigureSpec& figure = start.figure;
  const BenchmarkChoices& choices = page.model().choices();
  start.studies = page.model().studies();
  start.files = filesOf(start.studies);
  figure.figure = "benchmark";
  figure.scores = choices.scores;
  figure.group = choices.group;
  figure.metric = choices.predictor;
  return start;
}

}  // namespace

FigureExports::FigureExports(WindowTabs& tabs, FigureReopener& reopened, Session& session,
                             MessageBar& messages)
    : m_tabs(tabs),
      m_reopened(reopened),
      m_state(session.state),
      m_workers(session.workers),
      m_messages(messages),
      m_copying(session.workers, WorkLength::Quick) {}

std::optional<ExportStart> FigureExports::current() const {
  ExportStart start;
  if (auto* page = m_tabs.current<ModelPage>()) {
    start = startOf(*page);
  } else if (auto* compare = m_tabs.current<ComparePage>(); compare && compare->model().views()) {
    start = startOf(*compare);
  } else if (auto* benchmarks = m_tabs.current<BenchmarksPage>(); benchmarks && benchmarks->model().data()) {
    start = startOf(*benchmarks);
  } else if (const auto* thesis = m_tabs.current<ThesisPage>(); thesis && thesis->isDrawn()) {
    start.asExported = true;
    start.figure.figure = thesis->figure();
    return start;
  } else {
    return std::nullopt;
  }
  if (const Selection* selection = m_tabs.selection())
    start.figure.plasticity = selection->value().plasticity;
  const QString shown = QString::fromStdString(start.figure.figure);
  useExported(start, m_reopened.figureOf(m_tabs.currentWidget(), shown));
  return start;
}

void FigureExports::exportCurrent() {
  if (const auto start = current()) showDialog(*start);
}

namespace {

// The figure of a view for the page: a panel shows one head, a layer or all heads.
std::optional<PageFigure> pageFigure(std::optional<ExportStart> start) {
  if (!start || start->studies.empty()) return std::nullopt;
  start->figure.scope.several.clear();
  return PageFigure{start->studies, start->files, fitToKind(start->figure, figureKind(start->figure.figure))};
}

std::vector<PageFigure> pageFigures(const ExportStart& tab) {
  std::vector<PageFigure> figures;
  for (const FigureKind* kind : figuresFor(tab.studies, tab.figure.figure)) {
    if (kind->id == kPageFigure) continue;
    FigureSpec spec = fitToKind(tab.figure, *kind);
    if (!kind->takes("layer")) spec.scope.layer.reset();
    figures.push_back({tab.studies, tab.files, spec});
  }
  return figures;
}

}  // namespace

std::vector<PageOffer> FigureExports::offers() const {
  std::vector<PageOffer> offers;
  for (int i = 0; i < m_tabs.count(); ++i) {
    ExportStart start;
    auto* page = qobject_cast<ModelPage*>(m_tabs.widget(i));
    auto* compare = qobject_cast<ComparePage*>(m_tabs.widget(i));
    if (page != nullptr)
      start = startOf(*page);
    else if (compare != nullptr && compare->model().views())
      start = startOf(*compare);
    else
      continue;
    start.figure.scope.several.clear();
    offers.push_back({m_tabs.tabText(i), pageFigures(start)});
  }
  return offers;
}

void FigureExports::addToPage() {
  const auto figure = pageFigure(current());
  if (!figure) return;
  try {
    if (m_composer && m_composer->isVisible())
      m_composer->add(*figure);
    else
      m_page.add(*figure);
  } catch (const Error& error) {
    return m_messages.sayOf(m_tabs.currentWidget(), Message::Kind::Caution, sanitizedText(error.what()),
                            kWrittenMilliseconds);
  }
  m_messages.show({.kind = Message::Kind::Good,
                   .text = tr("%1: panel %2 of the figure page")
                               .arg(QString::fromStdString(partText(figure->spec)))
                               .arg(m_page.panels()),
                   .actionTitle = tr("Compose page …"),
                   .action = [this] { openPage(); },
                   .hideAfterMilliseconds = kWrittenMilliseconds,
                   .page = m_tabs.currentWidget()});
}

void FigureExports::dragCurrent() {
  const auto figure = pageFigure(current());
  if (!figure) return;
  auto* drag = new QDrag(m_tabs.window());
  drag->setMimeData(new PageFigureMime(*figure));
  drag->setPixmap(lineIcon(QStringLiteral("chart")).pixmap(32, 32));
  drag->exec(Qt::CopyAction);
}

void FigureExports::openPage() {
  if (m_composer && m_composer->isVisible()) {
    m_composer->raise();
    return m_composer->activateWindow();
  }
  m_composer = new PageComposer(
      m_page, [this] { return offers(); }, m_state.settings().screenDpi, m_workers, m_tabs.window());
  m_composer->setAttribute(Qt::WA_DeleteOnClose);
  connect(m_composer, &PageComposer::changed, this, [this](const PagePlan& plan) { m_page = plan; });
  connect(m_composer, &PageComposer::exportRequested, this, [this] {
    ExportStart start{m_page.studies, m_page.files, m_page.spec};
    start.asExported = true;
    showDialog(start);
  });
  m_composer->show();
}

void FigureExports::exportPublished(const FigureSpec& figure) {
  ExportStart start;
  start.figure = figure;
  start.asExported = true;
  showDialog(start);
}

void FigureExports::showDialog(ExportStart start) {
  start.screenDpi = m_state.settings().screenDpi;
  QWidget* parent = m_composer && m_composer->isActiveWindow() ? m_composer.data() : m_tabs.window();
  auto* dialog = new ExportDialog(start, m_workers, parent);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &ExportDialog::screenDpiChanged, this, [this](double dpi) {
    m_state.settings().screenDpi = dpi;
    m_state.saveSettings();
  });
  connect(dialog, &ExportDialog::composeRequested, this,
          [this, studies = start.studies, files = start.files](const FigureSpec& page) {
            m_page = PagePlan::of(studies, files, page);
            if (m_composer) m_composer->close();
            openPage();
          });
  connect(dialog, &ExportDialog::exported, this, [this](const QStringList& files) {
    const QString folder = QFileInfo(files.front()).absolutePath();
    QStringList names;
    for (const QString& file : files) names.append(QFileInfo(file).fileName());
    const QString text = files.size() > 6
                             ? tr("%1 files were written to %2").arg(files.size()).arg(folder)
                             : tr("Written to %1: %2").arg(folder, names.join(QStringLiteral(", ")));
    m_messages.show({.kind = Message::Kind::Good,
                     .text = text,
                     .actionTitle = tr("Open folder"),
                     .action = [folder] { QDesktopServices::openUrl(QUrl::fromLocalFile(folder)); },
                     .hideAfterMilliseconds = kWrittenMilliseconds,
                     .page = m_tabs.currentWidget()});
  });
  dialog->open();
}

// Copies the figure of the view as image, vectors and numbers; a view without a figure as on the screen.
void FigureExports::copyPicture() {
  const auto start = current();
  if (!start) return;
  QPixmap seen;
  if (const PanelWindow* panels = m_tabs.panels()) seen = panels->currentPicture();
  if (BenchmarksPage* page = m_tabs.current<BenchmarksPage>()) seen = page->currentPicture();
  if (const ThesisPage* page = m_tabs.current<ThesisPage>()) seen = page->currentPicture();
  m_copying.start(
      [studies = start->studies, spec = start->figure](Progress&) {
        const FigureSpec own = fitToKind(spec, figureKind(spec.figure));
        return PreparedFigure{own, prepareFigure(studies, own)};
      },
      [this, seen](JobResult<PreparedFigure> figure) {
        if (figure.stopped()) return;
        if (figure.ok())
          QApplication::clipboard()->setMimeData(clipboardData(*figure.value));
        else
          QApplication::clipboard()->setPixmap(seen);
        m_messages.say(Message::Kind::Good,
                       figure.ok() ? tr("Copied: the picture as PNG, SVG and PDF, and its numbers as CSV.")
                                   : tr("Copied as shown on the screen. %1").arg(figure.failure.sentence),
                       5000);
      });
}

void FigureExports::copyPython() {
  const auto start = current();
  if (!start) return;
  const FigureSpec spec = fitToKind(start->figure, figureKind(start->figure.figure));
  const QString name = figureFileName(spec);
  const auto arguments = start->arguments(spec, name.toStdString() + ".pdf");
  QApplication::clipboard()->setText(QString::fromStdString(pythonCall("render", arguments)));
  m_messages.say(Message::Kind::Good, tr("Copied: Python code that draws %1.").arg(name), 5000);
}

}  // namespace plastiscope
