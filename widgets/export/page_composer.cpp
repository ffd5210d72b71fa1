#include "widgets/export/page_composer.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QScreen>
#include <QScrollArea>
#include <QShortcut>
#include <QTreeWidget>
#include <algorithm>

#include "core/base/error.h"
#include "widgets/export/figure_renderer.h"
#include "widgets/export/page_canvas.h"
#include "widgets/jobs/job_runner.h"
#include "widgets/state/app_settings.h"
#include "widgets/state/file_text.h"
#include "widgets/state/icons.h"
#include "widgets/state/small_widgets.h"

namespace plastiscope {

namespace {

constexpr QSize kComposerSize(1360, 800);
constexpr std::size_t kMaxSteps = 200;  // of undo
constexpr int kListWidth = 230, kFieldsWidth = 290;

// Figures by tab; dragged as PageFigureMime.
class FigureList : public QTreeWidget {
 public:
  std::vector<PageFigure> figures;  // by the number in Qt::UserRole

  const PageFigure* figureOf(const QTreeWidgetItem* item) const {
    const QVariant number = item ? item->data(0, Qt::UserRole) : QVariant();
    return number.isValid() ? &figures.at(number.toUInt()) : nullptr;
  }

 protected:
  QMimeData* mimeData(const QList<QTreeWidgetItem*>& items) const override {
    const PageFigure* figure = items.isEmpty() ? nullptr : figureOf(items.front());
    return figure ? new PageFigureMime(*figure) : nullptr;
  }
};

QString figureTitle(const FigureSpec& spec) {
  QString title = QString::fromStdString(figureKind(spec.figure).title);
  if (spec.scope.head || spec.scope.layer) title += ", " + QString::fromStdString(spec.scope.text());
  return title;
}

}  // namespace

struct PageComposer::Private {
  PagePlan plan;
  std::function<std::vector<PageOffer>()> offers;
  double screenDpi = 0;
  std::vector<PagePlan> undo, redo;
  std::shared_ptr<const PreparedFigure> prepared;
  std::unique_ptr<JobRunner> runner;
  FigureList* list = nullptr;
  PageCanvas* canvas = nullptr;
  QComboBox *venue = nullptr, *width = nullptr, *zoom = nullptr;
  QToolButton *undoButton = nullptr, *redoButton = nullptr, *removeButton = nullptr;
  QWidget* fields = nullptr;
  QLabel* letter = nullptr;
  QLineEdit *subject = nullptr, *title = nullptr;
  QPlainTextEdit* caption = nullptr;
  QLabel *problem = nullptr, *size = nullptr;
  QPushButton *copyCaption = nullptr, *write = nullptr;
};

PageComposer::PageComposer(PagePlan plan, std::function<std::vector<PageOffer>()> offers, double screenDpi,
                           Workers& workers, QWidget* parent)
    : QDialog(parent), d(std::make_unique<Private>()) {
  d->plan = std::move(plan);
  d->offers = std::move(offers);
  d->screenDpi = screenDpi;
  d->runner = std::make_unique<JobRunner>(workers, WorkLength::Quick);
  setObjectName(QStringLiteral("pageComposer"));
  setWindowTitle(tr("Compose page"));
  setWindowFlag(Qt::Window);
  resizeOnScreen(*this, kComposerSize);
  layOut();
  connectAll();
  listFigures();
  refresh(std::nullopt);
}

PageComposer::~PageComposer() {
  d->runner.reset();
}

const PagePlan& PageComposer::plan() const {
  return d->plan;
}

bool PageComposer::settled() const {
  return !d->runner->running();
}

void PageComposer::layOut() {
  d->list = named("pageFigures", new FigureList);
  d->list->setHeaderHidden(true);
  d->list->setDragEnabled(true);
  d->list->setFixedWidth(kListWidth);
  d->list->setAccessibleName(tr("Figures of the open tabs"));
  auto* add = named("pageAdd", smallButton(tr("Add"), tr("Add the figure at the first free place"), this));
  connect(add, &QPushButton::clicked, this, [this] {
    if (const PageFigure* figure = d->list->figureOf(d->list->currentItem())) this->add(*figure);
  });

  std::vector<std::pair<QString, QString>> venues;
  for (const VenuePreset& preset : venuePresets())
    venues.emplace_back(QString::fromStdString(preset.title), QString::fromStdString(preset.id));
  d->venue = named("pageVenue", choiceBox(venues));
  explain(*d->venue, tr("Venue"), tr("Sets the width of the page, its columns and the font size"));
  d->width = choiceBox({{tr("full width"), "full"}, {tr("one column"), "column"}});
  explain(*d->width, tr("Width of the page"), tr("Width of the page: of the text or of one column"));
  d->zoom = choiceBox({{tr("true size"), "1"}, {tr("150 %"), "1.5"}, {tr("200 %"), "2"}});
  explain(*d->zoom, tr("Zoom"), tr("Size of the page on the screen"));
  d->undoButton = iconButton(QStringLiteral("undo"), 16, tr("Undo (Ctrl+Z)"), this);
  d->redoButton = iconButton(QStringLiteral("redo"), 16, tr("Redo (Ctrl+Shift+Z)"), this);
  d->removeButton = iconButton(QStringLiteral("trash"), 16, tr("Remove the panel (Del)"), this);
  d->undoButton->setObjectName(QStringLiteral("pageUndo"));
  d->redoButton->setObjectName(QStringLiteral("pageRedo"));
  d->removeButton->setObjectName(QStringLiteral("pageRemove"));
  d->size = styledLabel({}, "muted", this);
  d->canvas = new PageCanvas;
  auto* scroll = new QScrollArea;
  scroll->setWidget(d->canvas);
  scroll->setWidgetResizable(true);
  d->problem = named("pageProblem", styledLabel({}, "bad", this));
  d->problem->setWordWrap(true);
  auto* clear = smallButton(tr("New page"), tr("Remove all panels"), this);
  connect(clear, &QPushButton::clicked, this, [this] {
    change([](PagePlan& plan) {
      FigureSpec empty = PagePlan::emptySpec();
      empty.preset = plan.spec.preset;
      plan = {{}, {}, empty};
      return std::nullopt;
    });
  });
  auto* close = new QPushButton(tr("Close"));
  connect(close, &QPushButton::clicked, this, &QDialog::reject);
  d->write = named("pageExport", new QPushButton(tr("Export …")));
  for (QPushButton* button : {close, d->write}) button->setAutoDefault(false);

  auto* left = columnOf({styledLabel(tr("Figures of the open tabs"), "strong", this), {d->list, 1}, add});
  auto* bar = rowOf({d->venue, d->width, d->zoom, Gap{8}, d->undoButton, d->redoButton, d->removeButton,
                     Stretch(), d->size});
  auto* middle = columnOf({bar, {scroll, 1}});
  auto* content = rowOf({left, {middle, 1}, panelFields()}, {.spacing = 10});
  columnIn(this, {{content, 1}, d->problem, rowOf({clear, Stretch(), close, d->write})});
}

QWidget* PageComposer::panelFields() {
  auto* side = new QWidget;
  side->setFixedWidth(kFieldsWidth);
  d->fields = new QWidget;
  auto* form = new QFormLayout(d->fields);
  form->setContentsMargins(0, 0, 0, 0);
  d->letter = styledLabel({}, "strong", this);
  d->subject = named("pageSubject", new QLineEdit);
  explain(*d->subject, tr("Figure"),
          tr("Figure, head, layer or metric, and numbers of the inputs: map:L12H6:1, head-grid:ap_drop:2"));
  d->title = named("pageTitle", new QLineEdit);
  d->title->setPlaceholderText(tr("from the figure"));
  explain(*d->title, tr("Title"), tr("Title beside the letter; empty: from the figure; -: none"));
  form->addRow(d->letter);
  form->addRow(tr("Figure"), d->subject);
  form->addRow(tr("Title"), d->title);
  d->caption = named("pageCaption", new QPlainTextEdit);
  d->caption->setReadOnly(true);
  d->caption->setAccessibleName(tr("Draft of the caption"));
  d->copyCaption = smallButton(tr("Copy"), tr("Copy the caption"), this);
  auto* heading = rowOf({styledLabel(tr("Draft of the caption"), "strong", this), Stretch(), d->copyCaption});
  columnIn(side, {d->fields, Gap{10}, heading, {d->caption, 1}}, {.margins = {}});
  return side;
}

void PageComposer::connectAll() {
  const auto selected = [this] { return d->canvas->selected(); };
  connect(d->canvas, &PageCanvas::selectionChanged, this, &PageComposer::showPanel);
  connect(d->canvas, &PageCanvas::placed, this, [this](std::size_t panel, const PanelPlace& place) {
    change([&](PagePlan& plan) { return plan.put(panel, place); });
  });
  connect(d->canvas, &PageCanvas::dropped, this,
          [this](const PageFigure& figure, const PanelPlace& place) { add(figure, place); });
  const auto remove = [this, selected] {
    if (const auto panel = selected())
      change([&](PagePlan& plan) {
        plan.remove(*panel);
        return std::nullopt;
      });
  };
  connect(d->canvas, &PageCanvas::removeRequested, this, remove);
  connect(d->removeButton, &QToolButton::clicked, this, remove);
  connect(d->undoButton, &QToolButton::clicked, this, [this] { step(d->undo, d->redo); });
  connect(d->redoButton, &QToolButton::clicked, this, [this] { step(d->redo, d->undo); });
  connect(new QShortcut(QKeySequence::Undo, this), &QShortcut::activated, d->undoButton, &QToolButton::click);
  connect(new QShortcut(QKeySequence::Redo, this), &QShortcut::activated, d->redoButton, &QToolButton::click);
  connect(d->list, &QTreeWidget::itemDoubleClicked, this, [this](const QTreeWidgetItem* item) {
    if (const PageFigure* figure = d->list->figureOf(item)) add(*figure);
  });
  connect(d->venue, &QComboBox::activated, this, [this] {
    change([&](PagePlan& plan) {
      plan.spec.preset = d->venue->currentData().toString().toStdString();
      return d->canvas->selected();
    });
  });
  connect(d->width, &QComboBox::activated, this, [this] {
    change([&](PagePlan& plan) {
      plan.spec.width = d->width->currentIndex() == 0 ? FigureWidth::Full : FigureWidth::Column;
      return d->canvas->selected();
    });
  });
  connect(d->zoom, &QComboBox::currentIndexChanged, this, &PageComposer::draw);
  const auto edits = [&](QLineEdit* field, void (PagePlan::*set)(std::size_t, const QString&)) {
    connect(field, &QLineEdit::editingFinished, this, [this, selected, field, set] {
      if (const auto panel = selected())
        change([&](PagePlan& plan) {
          (plan.*set)(*panel, field->text());
          return panel;
        });
    });
  };
  edits(d->title, &PagePlan::setTitle);
  edits(d->subject, &PagePlan::setSubject);
  connect(d->copyCaption, &QPushButton::clicked, this,
          [this] { QApplication::clipboard()->setText(d->caption->toPlainText()); });
  connect(d->write, &QPushButton::clicked, this, &PageComposer::exportRequested);
}

bool PageComposer::event(QEvent* event) {
  if (event->type() == QEvent::WindowActivate && d->list) listFigures();
  return QDialog::event(event);
}

void PageComposer::listFigures() {
  const std::vector<PageOffer> offers = d->offers();
  d->list->clear();
  d->list->figures.clear();
  for (const PageOffer& offer : offers) {
    auto* tab = new QTreeWidgetItem(d->list, {offer.tab});
    tab->setFlags(Qt::ItemIsEnabled);
    tab->setExpanded(true);
    for (const PageFigure& figure : offer.figures) {
      auto* item = new QTreeWidgetItem(tab, {figureTitle(figure.spec)});
      item->setData(0, Qt::UserRole, static_cast<uint>(d->list->figures.size()));
      item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsDragEnabled);
      d->list->figures.push_back(figure);
    }
  }
  if (offers.empty()) new QTreeWidgetItem(d->list, {tr("Open a capture first")});
}

void PageComposer::add(const PageFigure& figure, std::optional<PanelPlace> at) {
  change([&](PagePlan& plan) { return plan.add(figure, at); });
}

// Applies an edit, which returns the panel to select; a failed one changes nothing.
void PageComposer::change(const std::function<std::optional<std::size_t>(PagePlan&)>& edit) {
  PagePlan next = d->plan;
  std::optional<std::size_t> panel;
  try {
    panel = edit(next);
  } catch (const Error& error) {
    return d->problem->setText(sanitizedText(error.what()));
  }
  if (next == d->plan) return d->canvas->select(panel);
  d->undo.push_back(std::exchange(d->plan, std::move(next)));
  if (d->undo.size() > kMaxSteps) d->undo.erase(d->undo.begin());
  d->redo.clear();
  refresh(panel);
  Q_EMIT changed(d->plan);
}

void PageComposer::step(std::vector<PagePlan>& from, std::vector<PagePlan>& to) {
  if (from.empty()) return;
  to.push_back(std::exchange(d->plan, std::move(from.back())));
  from.pop_back();
  refresh(std::nullopt);
  Q_EMIT changed(d->plan);
}

void PageComposer::refresh(std::optional<std::size_t> panel) {
  d->undoButton->setEnabled(!d->undo.empty());
  d->redoButton->setEnabled(!d->redo.empty());
  select(*d->venue, QString::fromStdString(d->plan.spec.preset));
  d->width->setCurrentIndex(d->plan.spec.width == FigureWidth::Full ? 0 : 1);
  d->canvas->show(d->plan, dpi());
  d->canvas->select(panel);
  showPanel();
  prepare();
}

void PageComposer::showPanel() {
  const auto panel = d->canvas->selected();
  d->fields->setEnabled(panel.has_value());
  d->removeButton->setEnabled(panel.has_value());
  const FigureSize page = resolveSize(d->plan.spec);
  const QString width = QString::number(page.widthInches, 'f', 2);
  d->size->setText(d->plan.panels() == 0
                       ? tr("%1 in wide").arg(width)
                       : tr("%1 × %2 in").arg(width).arg(d->plan.height() * page.widthInches, 0, 'f', 2));
  const PagePart part = panel ? pagePart(d->plan.spec.parts.at(*panel)) : PagePart();
  const PanelPlace place = part.place.value_or(PanelPlace());
  d->letter->setText(panel ? tr("Panel (%1), %2 × %3 in")
                                 .arg(QChar::fromLatin1(static_cast<char>('a' + *panel)))
                                 .arg(place.width * page.widthInches, 0, 'f', 2)
                                 .arg(place.height * page.widthInches, 0, 'f', 2)
                           : tr("No panel is selected"));
  d->subject->setText(QString::fromStdString(part.subject));
  d->title->setText(panel ? d->plan.titleOf(*panel) : QString());
}

// Computes the numbers in a worker, then draws.
void PageComposer::prepare() {
  d->write->setEnabled(false);
  d->copyCaption->setEnabled(false);
  d->problem->setText(d->plan.overlap());
  if (d->plan.panels() == 0) {
    d->runner->drop();
    d->prepared.reset();
    d->caption->clear();
    return draw();
  }
  const PagePlan& plan = d->plan;
  const FigureSpec spec = sizedFor(plan.spec, plan.studies);
  d->runner->start(
      [studies = plan.studies, spec](Progress&) {
        PreparedFigure figure{spec, prepareFigure(studies, spec)};
        std::string caption = captionOf(studies, figure.content, spec);
        return std::pair(std::move(figure), std::move(caption));
      },
      [this](JobResult<std::pair<PreparedFigure, std::string>> outcome) {
        if (outcome.stopped()) return;
        if (!outcome.ok()) {
          d->problem->setText(outcome.failure.sentence);
        } else {
          d->prepared = std::make_shared<const PreparedFigure>(std::move(outcome.value->first));
          d->caption->setPlainText(QString::fromStdString(outcome.value->second));
          if (d->problem->text().isEmpty()) d->problem->setText(tooSmall(*d->prepared));
          d->write->setEnabled(true);
          d->copyCaption->setEnabled(true);
        }
        draw();
      });
}

double PageComposer::dpi() const {
  double dots = d->screenDpi;
  if (dots <= 0) dots = screen() ? screen()->physicalDotsPerInchX() : 0;
  if (dots < AppSettings::kLeastScreenDpi || dots > AppSettings::kMaxScreenDpi) dots = logicalDpiX();
  return dots * d->zoom->currentData().toDouble();
}

void PageComposer::draw() {
  d->canvas->show(d->plan, dpi());
  d->canvas->setPicture(
      d->prepared && d->plan.panels() > 0
          ? renderPreview(d->prepared->content, d->prepared->spec, dpi() * devicePixelRatioF())
          : QImage());
}

}  // namespace plastiscope

#include "moc_page_composer.cpp"
