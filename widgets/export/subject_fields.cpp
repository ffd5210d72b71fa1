#include "widgets/export/subject_fields.h"

#include "widgets/export/form_fields.h"

namespace plastiscope {

SubjectFields::SubjectFields(QFormLayout& layout, const Studies& studies, const FigureSpec& initial,
                             QObject* parent)
    : QObject(parent),
      m_figure(new QComboBox),
      m_subject(new QComboBox),
      m_metric(new QComboBox),
      m_head(initial.scope.head),
      m_heads(initial.heads) {
  if (!m_head && studies.size() == 1) {
    const auto heads = headsOf(*studies.front()->analysis);
    if (!heads.empty()) m_head = heads.front();
  }
  m_layer = initial.scope.layer.value_or(m_head ? m_head->layer : 0);
  for (const FigureKind* kind : figuresFor(studies, initial.figure))
    m_figure->addItem(QString::fromStdString(kind->title), QString::fromStdString(kind->id));
  m_figure->insertSeparator(m_figure->count());  // those of the thesis follow
  const auto thesis = thesisKindsFor(studies);
  for (const FigureKind* kind : thesis)
    m_figure->addItem(QString::fromStdString(kind->id + ", " + kind->title),
                      QString::fromStdString(kind->id));
  // A figure of one study shows several as panels: not in the list, but what was exported so is offered.
  const FigureKind& shown = figureKind(initial.figure);
  selectOrAdd(*m_figure, QString::fromStdString(shown.id), QString::fromStdString(shown.title));
  // Figures of several studies have charts of their own beside that of a metric.
  if (studies.size() > 1) m_metric->addItem(tr("the figure's own"), QString());
  for (const MetricInfo& metric : metricsFor(studies, initial.figure))
    m_metric->addItem(QString::fromStdString(metric.title), QString::fromStdString(metric.column));
  if (!initial.metric.empty())
    selectOrAdd(*m_metric, QString::fromStdString(initial.metric), QString::fromStdString(initial.metric));
  explain(*m_figure, tr("Figure"), tr("What is drawn"));
  explain(*m_subject, tr("Heads of the figure"), tr("The head, layer or heads that the figure shows"));
  explain(*m_metric, tr("Metric of the figure"), tr("Column of heads.csv, where a figure shows one"));
  layout.addRow(tr("Figure"), m_figure);
  layout.addRow(tr("Of"), m_subject);
  layout.addRow(tr("Metric"), m_metric);
  follow();
  if (initial.scope.layer) select(*m_subject, QStringLiteral("layer"));
  if (!initial.scope.layer && !initial.scope.head && initial.heads.empty())
    select(*m_subject, QStringLiteral("all"));
  for (QComboBox* box : {m_figure, m_subject, m_metric})
    connect(box, &QComboBox::currentIndexChanged, this, &SubjectFields::changed);
}

const FigureKind& SubjectFields::kind() const {
  return figureKind(m_figure->currentData().toString().toStdString());
}

void SubjectFields::follow() {
  const FigureKind& kind = this->kind();
  const QString chosen = m_subject->currentData().toString();
  m_subject->clear();
  if (kind.head != HeadNeed::None && m_heads.size() > 1)
    m_subject->addItem(tr("%1 heads as panels").arg(m_heads.size()), "heads");
  if (kind.head != HeadNeed::None && m_head)
    m_subject->addItem(tr("head %1").arg(QString::fromStdString(m_head->text())), "head");
  if (kind.takes(FigureOption::Layer) && m_head) m_subject->addItem(tr("layer %1").arg(m_layer), "layer");
  if (kind.head != HeadNeed::Required) m_subject->addItem(tr("all heads"), "all");
  if (kind.head == HeadNeed::None) m_subject->setCurrentIndex(m_subject->count() - 1);
  select(*m_subject, chosen);
  m_subject->setEnabled(m_subject->count() > 1);
  m_metric->setEnabled(kind.takes(FigureOption::Metric));
}

void SubjectFields::read(FigureSpec& spec) const {
  const FigureKind& kind = this->kind();
  const QString subject = m_subject->currentData().toString();
  spec.figure = kind.id;
  spec.scope = {};
  spec.heads.clear();
  if (subject == QLatin1String("heads")) spec.heads = m_heads;
  if (m_head && (subject == QLatin1String("head") || (subject.isEmpty() && kind.head != HeadNeed::None)))
    spec.scope.head = m_head;
  if (subject == QLatin1String("layer")) spec.scope.layer = m_layer;
  spec.metric = m_metric->currentData().toString().toStdString();
}

}  // namespace plastiscope
