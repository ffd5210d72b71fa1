#include "widgets/export/look_fields.h"

#include <QFontDatabase>
#include <QSignalBlocker>
#include <algorithm>

#include "core/base/checked_json.h"
#include "core/base/json.h"
#include "widgets/state/small_widgets.h"

namespace plastiscope {

namespace {
constexpr double kMillimetres = 25.4;  // per inch
const QString kOwn = QStringLiteral("own");
}  // namespace

SizeFields::SizeFields(QFormLayout& layout, QObject* parent)
    : QObject(parent),
      m_venue(new QComboBox),
      m_width(choiceBox({{tr("one column"), "column"},
                         {tr("full text width"), "full"},
                         {tr("half of the text"), "half"},
                         {tr("third of the text"), "third"},
                         {tr("custom"), kOwn}})),
      m_unit(choiceBox({{tr("in"), "in"}, {tr("mm"), "mm"}})),
      m_widthBox(numberBox(0.01, 1500, 0.05, 2, {})),
      m_heightBox(numberBox(0.01, 1500, 0.05, 2, {})),
      m_ownHeight(new QCheckBox(tr("custom"))) {
  for (const VenuePreset& preset : venuePresets())
    m_venue->addItem(QString::fromStdString(preset.title), QString::fromStdString(preset.id));
  explain(*m_venue, tr("Venue"), tr("Venue whose column widths and font sizes are used"));
  explain(*m_width, tr("Width"), tr("Share of the venue's page, or a custom width"));
  explain(*m_unit, tr("Unit"), tr("Inches or millimetres"));
  explain(*m_widthBox, tr("Custom width"), tr("Width of the figure"));
  explain(*m_heightBox, tr("Height"), tr("Height of the figure"));
  explain(*m_ownHeight, tr("Custom height"), tr("Custom height instead of the figure's proportions"));
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
  select(*m_width, spec.widthInches > 0 ? kOwn : QString::fromStdString(nameOf(spec.width)));
  if (spec.widthInches > 0) m_widthBox->setValue(shown(spec.widthInches));
  m_ownHeight->setChecked(spec.heightInches > 0);
  if (spec.heightInches > 0) m_heightBox->setValue(shown(spec.heightInches));
}

void SizeFields::read(FigureSpec& spec) const {
  spec.preset = m_venue->currentData().toString().toStdString();
  const bool ownWidth = m_width->currentData() == kOwn;
  setTexts({"--width", "", choiceOf(spec.width)},
           {ownWidth ? nameOf(FigureWidth::Column) : m_width->currentData().toString().toStdString()});
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

// Converts the size to the other unit.
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
  select(*m_venue, QString::fromStdString(textOr(memory, "preset")));
  if (const QString width = QString::fromStdString(textOr(memory, "width")); width != kOwn)
    select(*m_width, width);
  select(*m_unit, QString::fromStdString(textOr(memory, "unit")));
}

// ---- fields of a page of the list of options

SpecFields::SpecFields(QFormLayout& layout, std::string page, QWidget* parent,
                       const std::map<std::string, std::vector<std::string>>& words)
    : QObject(parent),
      m_layout(layout),
      m_page(std::move(page)),
      m_options(figureOptions(m_spec)),
      m_standard(figureOptions(m_plain)),
      m_fields(new OptionFields(m_options, m_standard, QStringLiteral("figure"), parent)) {
  for (const auto& [key, ofOption] : words) {
    Option& option = *findOption(m_options, key);
    option.traits.words = option.field.words = ofOption;
    option.traits.words.emplace(option.traits.words.begin());  // none given
    option.field.words.insert(option.field.words.begin(), option.field.special);
  }
  m_fields->addRows(layout, m_page);
  for (const auto& each : words) {
    auto* box = m_fields->field<QComboBox>(each.first);
    box->setMinimumContentsLength(16);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  }
  connect(m_fields, &OptionFields::changed, this, &SpecFields::changed);
}

// Copies the options that have a field on this page.
void SpecFields::copy(FigureSpec& to, FigureSpec from) const {
  const OptionList targets = figureOptions(to), sources = figureOptions(from);
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const OptionField& field = targets[i].field;
    if (field.page == m_page && !field.row.empty()) copyValue(targets[i], sources[i]);
  }
}

void SpecFields::show(const FigureSpec& spec) {
  copy(m_spec, spec);
  m_fields->showAll();
}

void SpecFields::read(FigureSpec& spec) const {
  copy(spec, m_spec);
}

void SpecFields::follow(const FigureKind& kind) {
  m_fields->showRows(m_layout, [&kind](const std::string& key) {
    return std::ranges::any_of(kind.options, [&key](FigureOption option) { return nameOf(option) == key; });
  });
}

// ---- style fields

StyleFields::StyleFields(QFormLayout& layout, QWidget* parent)
    : QObject(parent),
      m_font(choiceBox({{tr("Times-compatible serif"), ""}})),
      m_range(choiceBox({{tr("automatic"), "auto"}, {tr("custom"), "own"}})),
      m_labels(numberBox(6, 24, 0.5, 1, tr(" pt"))),
      m_low(numberBox(-1e6, 1e6, 0.1, 3, {})),
      m_high(numberBox(-1e6, 1e6, 0.1, 3, {})),
      m_ticks(new QLabel) {
  for (const QString& family : QFontDatabase::families()) m_font->addItem(family, family);
  m_font->setMinimumContentsLength(16);
  m_font->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  m_high->setValue(1);
  explain(*m_font, tr("Font"), tr("Font of all texts"));
  explain(*m_labels, tr("Size of titles"), tr("Axis titles; ticks are two points smaller, at least 6"));
  explain(*m_range, tr("Range"), tr("Range of the colours or of the value axis"));
  explain(*m_low, tr("Lowest value"), tr("Lower end of the range"));
  explain(*m_high, tr("Highest value"), tr("Upper end of the range"));
  layout.addRow(tr("Font"), m_font);
  layout.addRow(tr("Sizes"), fieldRow({new QLabel(tr("titles")), m_labels, m_ticks}));
  m_lines = new SpecFields(layout, "Style", parent);
  layout.addRow(tr("Range"), fieldRow({m_range, m_low, m_high}));
  for (QComboBox* box : {m_font, m_range})
    connect(box, &QComboBox::currentIndexChanged, this, &StyleFields::changed);
  for (QDoubleSpinBox* box : {m_labels, m_low, m_high})
    connect(box, &QDoubleSpinBox::valueChanged, this, &StyleFields::changed);
  connect(m_lines, &SpecFields::changed, this, &StyleFields::changed);
}

void StyleFields::show(const FigureSpec& spec) {
  const QString family = QString::fromStdString(spec.family);
  if (!family.isEmpty()) selectOrAdd(*m_font, family, family);
  m_lines->show(spec);
  m_labels->setValue(resolveSize(spec).labelPoints);
  if (!spec.range) return;
  select(*m_range, "own");
  m_low->setValue(spec.range->first);
  m_high->setValue(spec.range->second);
}

void StyleFields::read(FigureSpec& spec) const {
  spec.fontPoints = m_labels->value();
  spec.family = m_font->currentData().toString().toStdString();
  m_lines->read(spec);
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
  memory["lines"] = m_lines->spec().linePoints;
}

void StyleFields::recall(const Json& memory) {
  select(*m_font, QString::fromStdString(textOr(memory, "font")));
  m_labels->setValue(numberOr(memory, "labels", m_labels->value()));
  FigureSpec lines = m_lines->spec();
  lines.linePoints = numberOr(memory, "lines", lines.linePoints);
  m_lines->show(lines);
}

}  // namespace plastiscope

#include "moc_look_fields.cpp"
