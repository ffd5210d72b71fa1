#include "widgets/export/export_form.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QObject>
#include <QPushButton>
#include <algorithm>
#include <optional>

#include "core/base/joined.h"
#include "core/base/json.h"
#include "widgets/export/figure_batch.h"
#include "widgets/export/figure_kinds.h"
#include "widgets/state/file_text.h"
#include "widgets/state/small_widgets.h"

namespace plastiscope {

// Fields for figure, subject and metric.
class SubjectFields : public QObject {
  Q_OBJECT
 public:
  SubjectFields(QFormLayout& layout, const Studies& studies, const FigureSpec& initial, QObject* parent)
      : QObject(parent),
        m_figure(new QComboBox),
        m_subject(new QComboBox),
        m_metric(new QComboBox),
        m_parts(new QLineEdit(QString::fromStdString(joined(initial.parts, {}, ", ")))),
        m_layout(layout),
        m_head(initial.scope.head),
        m_heads(initial.heads),
        m_several(initial.scope.several) {
    if (m_heads.empty() && m_several.size() <= kMaxPanels) m_heads = m_several;
    if (!m_head && studies.size() == 1) {
      const auto heads = headsOf(*studies.front()->analysis);
      if (!heads.empty()) m_head = heads.front();
    }
    m_layer = initial.scope.layer.value_or(m_head ? m_head->layer : 0);
    for (const FigureKind* kind : figuresFor(studies, initial.figure))
      m_figure->addItem(QString::fromStdString(kind->title), QString::fromStdString(kind->id));
    m_figure->insertSeparator(m_figure->count());  // thesis figures follow
    const auto thesis = thesisKindsFor(studies);
    for (const FigureKind* kind : thesis)
      m_figure->addItem(QString::fromStdString(kind->id + ", " + kind->title),
                        QString::fromStdString(kind->id));
    // Figures of one study with several as panels are not in the list, but an exported one is offered.
    const FigureKind& shown = figureKind(initial.figure);
    selectOrAdd(*m_figure, QString::fromStdString(shown.id), QString::fromStdString(shown.title));
    // Figures of several studies have default charts besides that of a metric.
    if (studies.size() > 1) m_metric->addItem(tr("figure's default"), QString());
    for (const MetricInfo& metric : metricsFor(studies, initial.figure))
      m_metric->addItem(QString::fromStdString(metric.title), QString::fromStdString(metric.column));
    if (!initial.metric.empty())
      selectOrAdd(*m_metric, QString::fromStdString(initial.metric), QString::fromStdString(initial.metric));
    explain(*m_figure, tr("Figure"), tr("Figure to draw"));
    explain(*m_subject, tr("Heads of the figure"), tr("The head, layer or heads that the figure shows"));
    explain(*m_metric, tr("Metric of the figure"), tr("Column of heads.csv, for figures that show a metric"));
    layout.addRow(tr("Figure"), m_figure);
    layout.addRow(tr("Heads"), m_subject);
    layout.addRow(tr("Metric"), m_metric);
    explain(*m_parts, tr("Panels of the page"),
            tr("A figure for each panel, with its head, layer or metric, and the number of its capture: "
               "map:L12H6, head-grid:ap_drop, profile:L3:2. \"Add the view to the figure page\" in the menu "
               "of a view adds that view."));
    m_parts->setPlaceholderText(tr("default panels"));
    auto* compose =
        named("composePage", smallButton(tr("Compose …"), tr("Place the panels with the mouse"), nullptr));
    connect(compose, &QPushButton::clicked, this, &SubjectFields::composeRequested);
    m_page = fieldRow({m_parts, compose});
    layout.addRow(tr("Panels"), m_page);
    connect(m_parts, &QLineEdit::editingFinished, this, &SubjectFields::changed);
    refresh();
    if (initial.scope.layer) select(*m_subject, QStringLiteral("layer"));
    if (!initial.scope.layer && !initial.scope.head && initial.heads.empty())
      select(*m_subject, QStringLiteral("all"));
    if (!m_several.empty()) select(*m_subject, QStringLiteral("several"));
    for (QComboBox* box : {m_figure, m_subject, m_metric})
      connect(box, &QComboBox::currentIndexChanged, this, &SubjectFields::changed);
  }

  const FigureKind& kind() const { return figureKind(m_figure->currentData().toString().toStdString()); }

  void read(FigureSpec& spec) const {
    const FigureKind& kind = this->kind();
    const QString subject = m_subject->currentData().toString();
    spec.figure = kind.id;
    spec.scope = {};
    spec.heads.clear();
    if (subject == QLatin1String("heads")) spec.heads = m_heads;
    if (subject == QLatin1String("several")) spec.scope.several = m_several;
    if (m_head && (subject == QLatin1String("head") || (subject.isEmpty() && kind.head != HeadNeed::None)))
      spec.scope.head = m_head;
    if (subject == QLatin1String("layer")) spec.scope.layer = m_layer;
    spec.metric = m_metric->currentData().toString().toStdString();
    spec.parts.clear();
    for (const QString& part : m_parts->text().split(',', Qt::SkipEmptyParts))
      if (!part.trimmed().isEmpty()) spec.parts.push_back(part.trimmed().toStdString());
  }

  void refresh() {
    const FigureKind& kind = this->kind();
    const QString chosen = m_subject->currentData().toString();
    m_subject->clear();
    if (kind.takes("mean_of") && !m_several.empty())
      m_subject->addItem(tr("mean of %1 heads").arg(m_several.size()), "several");
    if (kind.head != HeadNeed::None && m_heads.size() > 1)
      m_subject->addItem(tr("%1 heads as panels").arg(m_heads.size()), "heads");
    if (kind.head != HeadNeed::None && m_head)
      m_subject->addItem(tr("head %1").arg(QString::fromStdString(m_head->text())), "head");
    if (kind.takes("layer") && m_head) m_subject->addItem(tr("layer %1").arg(m_layer), "layer");
    if (kind.head != HeadNeed::Required) m_subject->addItem(tr("all heads"), "all");
    if (kind.head == HeadNeed::None) m_subject->setCurrentIndex(m_subject->count() - 1);
    select(*m_subject, chosen);
    m_subject->setEnabled(m_subject->count() > 1);
    m_metric->setEnabled(kind.takes("metric"));
    m_layout.setRowVisible(m_page, kind.takes("parts"));
  }

 Q_SIGNALS:
  void changed();
  void composeRequested();

 private:
  QWidget* m_page = nullptr;  // row of the panels
  QComboBox *m_figure, *m_subject, *m_metric;
  QLineEdit* m_parts;
  QFormLayout& m_layout;
  std::optional<HeadName> m_head;
  std::int64_t m_layer = 0;
  std::vector<HeadName> m_heads, m_several;  // one panel each; shown as a mean
};

namespace {

// Folder for all figures of a tab.
QString folderOf(const Studies& studies) {
  if (studies.size() != 1) return ExportForm::tr("comparison-figures");
  return fileText(std::filesystem::path(studies.front()->file).stem()) + ExportForm::tr("-figures");
}

// The ids of all texts, each once.
std::vector<std::string> textsOf(const Studies& studies) {
  std::vector<std::string> texts;
  for (const auto& study : studies) {
    for (const std::string& id : factsOf(*study).exampleIds) {
      if (std::ranges::find(texts, id) == texts.end()) texts.push_back(id);
    }
  }
  return texts;
}

}  // namespace

ExportForm::ExportForm(const Studies& studies, const FigureSpec& initial, QWidget* parent)
    : QWidget(parent), m_initial(sizedFor(initial, studies)) {
  auto* layout = new QFormLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setVerticalSpacing(5);
  layout->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  layout->setLabelAlignment(Qt::AlignRight);
  m_subject = new SubjectFields(*layout, studies, m_initial, this);
  m_text = new SpecFields(*layout, "Text", this, {{"text", textsOf(studies)}});
  m_size = new SizeFields(*layout, this);
  m_style = new StyleFields(*layout, this);
  m_file = new FileFields(*layout, static_cast<int>(figuresOfTab(studies, m_initial).size()),
                          folderOf(studies), this);
  m_text->show(m_initial);
  m_size->show(initial);
  m_style->show(initial);
  m_file->show(initial);
  connect(m_subject, &SubjectFields::changed, this, [this] { changed(false, true); });
  connect(m_subject, &SubjectFields::composeRequested, this, &ExportForm::composeRequested);
  connect(m_text, &SpecFields::changed, this, [this] { changed(false, true); });
  connect(m_size, &SizeFields::changed, this, [this] { changed(false, true); });
  connect(m_size, &SizeFields::venueChanged, this, [this] { changed(true, true); });
  connect(m_style, &StyleFields::changed, this, [this] { changed(false, true); });
  connect(m_file, &FileFields::changed, this, [this] { changed(false, false); });
  refresh(false);
}

void ExportForm::changed(bool venue, bool picture) {
  if (m_quiet) return;
  refresh(venue);
  if (picture)
    Q_EMIT figureChanged();
  else
    Q_EMIT targetChanged();
}

// Shows computed values in the fields that can change them.
void ExportForm::refresh(bool venueChanged) {
  m_quiet = true;
  m_subject->refresh();
  m_text->refresh(m_subject->kind());
  if (venueChanged) m_style->useVenue(spec());
  m_size->refresh(spec());
  m_style->refresh(spec(), m_subject->kind());
  m_file->refresh(spec());
  m_quiet = false;
}

FigureSpec ExportForm::spec() const {
  FigureSpec spec = m_initial;
  m_subject->read(spec);
  m_text->read(spec);
  m_size->read(spec);
  m_style->read(spec);
  m_file->read(spec);
  return fitToKind(spec, m_subject->kind());
}

FigureSpec ExportForm::specOfTab() const {
  FigureSpec spec = m_initial;
  m_text->read(spec);
  m_size->read(spec);
  m_style->read(spec);
  m_file->read(spec);
  spec.scope.layer.reset();
  spec.range.reset();
  spec.heightInches = 0;
  return spec;
}

Json ExportForm::memory() const {
  Json memory = Json::object();
  m_size->remember(memory);
  m_style->remember(memory);
  m_file->remember(memory);
  return memory;
}

void ExportForm::recall(const Json& memory) {
  if (!memory.is_object()) return;
  m_size->recall(memory);
  m_style->recall(memory);
  m_file->recall(memory);
}

void ExportForm::recallPlace(const Json& memory) {
  if (memory.is_object()) m_file->recall(memory);
}

}  // namespace plastiscope

#include "export_form.moc"

#include "moc_export_form.cpp"
