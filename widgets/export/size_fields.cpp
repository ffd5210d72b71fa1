#include "widgets/export/size_fields.h"

#include <QSignalBlocker>

#include "core/base/json.h"
#include "widgets/export/form_fields.h"
#include "widgets/export/form_memory.h"

namespace plastiscope {

namespace {
constexpr double kMillimetres = 25.4;  // in an inch
const QString kOwn = QStringLiteral("own");
}  // namespace

SizeFields::SizeFields(QFormLayout& layout, QObject* parent)
    : QObject(parent),
      m_venue(new QComboBox),
      m_width(choiceBox({{tr("one column"), "column"},
                         {tr("full text width"), "full"},
                         {tr("half of the text"), "half"},
                         {tr("third of the text"), "third"},
                         {tr("own"), kOwn}})),
      m_unit(choiceBox({{tr("in"), "in"}, {tr("mm"), "mm"}})),
      m_widthBox(numberBox(0.01, 1500, 0.05, 2, {})),
      m_heightBox(numberBox(0.01, 1500, 0.05, 2, {})),
      m_ownHeight(new QCheckBox(tr("own"))) {
  for (const VenuePreset& preset : venuePresets())
    m_venue->addItem(QString::fromStdString(preset.title), QString::fromStdString(preset.id));
  explain(*m_venue, tr("Venue"), tr("Whose column widths and type sizes are used"));
  explain(*m_width, tr("Width"), tr("Share of the venue's page, or an own width"));
  explain(*m_unit, tr("Unit"), tr("Inches or millimetres"));
  explain(*m_widthBox, tr("Own width"), tr("Width of the figure"));
  explain(*m_heightBox, tr("Height"), tr("Height of the figure"));
  explain(*m_ownHeight, tr("Own height"), tr("An own height instead of the figure's proportions"));
  layout.addRow(tr("Venue"), m_venue);
  layout.addRow(tr("Width"), fieldRow({m_width, m_widthBox, m_unit}));
  layout.addRow(tr("Height"), fieldRow({m_heightBox, m_ownHeight}));
  connect(m_venue, &QComboBox::currentIndexChanged, this, &SizeFields::venueChanged);
  connect(m_width, &QComboBox::currentIndexChanged, this, &SizeFields::changed);
  connect(m_unit, &QComboBox::currentIndexChanged, this, &SizeFields::changeUnit);
  connect(m_ownHeight, &QCheckBox::toggled, this, &SizeFields::changed);
  for (QDoubleSpinBox* box : {m_widthBox, m_heightBox})
    connect(box, &QDoubleSpinBox::valueChanged, this, &SizeFields::changed);
}

bool SizeFields::millimetres() const {
  return m_unit->currentData() == "mm";
}
double SizeFields::inches(double shown) const {
  return millimetres() ? shown / kMillimetres : shown;
}
double SizeFields::shown(double inches) const {
  return millimetres() ? inches * kMillimetres : inches;
}

void SizeFields::show(const FigureSpec& spec) {
  select(*m_venue, QString::fromStdString(spec.preset));
  select(*m_width, spec.widthInches > 0 ? kOwn : QString::fromStdString(spec.width));
  if (spec.widthInches > 0) m_widthBox->setValue(shown(spec.widthInches));
  m_ownHeight->setChecked(spec.heightInches > 0);
  if (spec.heightInches > 0) m_heightBox->setValue(shown(spec.heightInches));
}

void SizeFields::read(FigureSpec& spec) const {
  spec.preset = m_venue->currentData().toString().toStdString();
  const bool ownWidth = m_width->currentData() == kOwn;
  spec.width = ownWidth ? "column" : m_width->currentData().toString().toStdString();
  spec.widthInches = ownWidth ? inches(m_widthBox->value()) : 0;
  spec.heightInches = m_ownHeight->isChecked() ? inches(m_heightBox->value()) : 0;
}

void SizeFields::follow(const FigureSpec& now) {
  const FigureSize size = resolveSize(now);
  for (QDoubleSpinBox* box : {m_widthBox, m_heightBox}) {
    const QSignalBlocker quiet(box);
    box->setDecimals(millimetres() ? 1 : 2);
    box->setSingleStep(millimetres() ? 1 : 0.05);
    const bool own = box == m_widthBox ? m_width->currentData() == kOwn : m_ownHeight->isChecked();
    box->setEnabled(own);
    if (!own) box->setValue(shown(box == m_widthBox ? size.widthInches : size.heightInches));
  }
}

// The same size in the other unit.
void SizeFields::changeUnit() {
  const double factor = millimetres() ? kMillimetres : 1 / kMillimetres;
  for (QDoubleSpinBox* box : {m_widthBox, m_heightBox}) {
    const QSignalBlocker quiet(box);
    const double value = box->value() * factor;
    box->setDecimals(2);
    box->setValue(value);
  }
  Q_EMIT changed();
}

void SizeFields::remember(Json& memory) const {
  memory["preset"] = m_venue->currentData().toString().toStdString();
  memory["width"] = m_width->currentData().toString().toStdString();
  memory["unit"] = m_unit->currentData().toString().toStdString();
}

void SizeFields::recall(const Json& memory) {
  select(*m_venue, remembered(memory, "preset"));
  if (remembered(memory, "width") != kOwn) select(*m_width, remembered(memory, "width"));
  select(*m_unit, remembered(memory, "unit"));
}

}  // namespace plastiscope
