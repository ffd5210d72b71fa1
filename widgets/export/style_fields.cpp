#include "widgets/export/style_fields.h"

#include <QFontDatabase>
#include <QSignalBlocker>

#include "core/base/json.h"
#include "widgets/export/form_fields.h"
#include "widgets/export/form_memory.h"

namespace plastiscope {

StyleFields::StyleFields(QFormLayout& layout, QObject* parent)
    : QObject(parent),
      m_font(choiceBox({{tr("Times-compatible serif"), ""}})),
      m_theme(choiceBox({{tr("light"), "light"}, {tr("dark"), "dark"}})),
      m_range(choiceBox({{tr("automatic"), "auto"}, {tr("own"), "own"}})),
      m_labels(numberBox(6, 24, 0.5, 1, tr(" pt"))),
      m_lines(numberBox(0.2, 3, 0.1, 1, tr(" pt"))),
      m_low(numberBox(-1e6, 1e6, 0.1, 3, {})),
      m_high(numberBox(-1e6, 1e6, 0.1, 3, {})),
      m_ticks(new QLabel) {
  for (const QString& family : QFontDatabase::families()) m_font->addItem(family, family);
  m_font->setMinimumContentsLength(16);
  m_font->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  m_high->setValue(1);
  explain(*m_font, tr("Font"), tr("Font of all texts"));
  explain(*m_labels, tr("Size of titles"), tr("Axis titles; ticks are two points smaller, at least 6"));
  explain(*m_lines, tr("Line width"), tr("Of axes; curves follow"));
  explain(*m_theme, tr("Theme"), tr("On white or on dark"));
  explain(*m_range, tr("Range"), tr("Of the colours or of the value axis"));
  explain(*m_low, tr("Lowest value"), tr("Lower end of the range"));
  explain(*m_high, tr("Highest value"), tr("Upper end of the range"));
  layout.addRow(tr("Font"), m_font);
  layout.addRow(tr("Sizes"), fieldRow({new QLabel(tr("titles")), m_labels, m_ticks}));
  layout.addRow(tr("Lines"), fieldRow({m_lines, new QLabel(tr("theme")), m_theme}));
  layout.addRow(tr("Range"), fieldRow({m_range, m_low, m_high}));
  for (QComboBox* box : {m_font, m_theme, m_range})
    connect(box, &QComboBox::currentIndexChanged, this, &StyleFields::changed);
  for (QDoubleSpinBox* box : {m_labels, m_lines, m_low, m_high})
    connect(box, &QDoubleSpinBox::valueChanged, this, &StyleFields::changed);
}

void StyleFields::show(const FigureSpec& spec) {
  const QString family = QString::fromStdString(spec.family);
  if (!family.isEmpty()) selectOrAdd(*m_font, family, family);
  select(*m_theme, spec.theme == Theme::Dark ? "dark" : "light");
  m_lines->setValue(spec.linePoints);
  m_labels->setValue(resolveSize(spec).labelPoints);
  if (!spec.range) return;
  select(*m_range, "own");
  m_low->setValue(spec.range->first);
  m_high->setValue(spec.range->second);
}

void StyleFields::read(FigureSpec& spec) const {
  spec.fontPoints = m_labels->value();
  spec.family = m_font->currentData().toString().toStdString();
  spec.linePoints = m_lines->value();
  spec.theme = parseTheme(m_theme->currentData().toString().toStdString());
  spec.range.reset();
  if (m_range->currentData() == "own" && m_low->value() < m_high->value())
    spec.range = std::pair{m_low->value(), m_high->value()};
}

void StyleFields::useVenue(FigureSpec spec) {
  spec.fontPoints = 0;
  const QSignalBlocker quiet(m_labels);
  m_labels->setValue(resolveSize(spec).labelPoints);
}

void StyleFields::follow(const FigureSpec& now, const FigureKind& kind) {
  const bool ranged = kind.takes(FigureOption::Range);
  m_range->setEnabled(ranged);
  for (QDoubleSpinBox* box : {m_low, m_high}) box->setVisible(ranged && m_range->currentData() == "own");
  m_ticks->setText(tr("ticks %1 pt").arg(resolveSize(now).tickPoints, 0, 'f', 1));
}

void StyleFields::remember(Json& memory) const {
  memory["font"] = m_font->currentData().toString().toStdString();
  memory["labels"] = m_labels->value();
  memory["lines"] = m_lines->value();
}

void StyleFields::recall(const Json& memory) {
  select(*m_font, remembered(memory, "font"));
  m_labels->setValue(rememberedNumber(memory, "labels", m_labels->value()));
  m_lines->setValue(rememberedNumber(memory, "lines", m_lines->value()));
}

}  // namespace plastiscope
