#include "widgets/export/export_fields.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFontDatabase>
#include <QRadioButton>
#include <QSignalBlocker>
#include <QStandardPaths>
#include <QToolButton>
#include <algorithm>

#include "core/base/checked_json.h"
#include "core/base/json.h"
#include "widgets/export/figure_renderer.h"
#include "widgets/state/file_text.h"
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

void SizeFields::refresh(const FigureSpec& now) {
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

void SpecFields::refresh(const FigureKind& kind) {
  m_fields->showRows(m_layout, [&kind](const std::string& key) { return kind.takes(key); });
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

void StyleFields::refresh(const FigureSpec& now, const FigureKind& kind) {
  const bool ranged = kind.takes("range");
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

// ---- format and files

FileFields::FileFields(QFormLayout& layout, int figuresOfTab, QString folderOfAll, QObject* parent)
    : QObject(parent),
      m_format(new QButtonGroup(this)),
      m_which(new QButtonGroup(this)),
      m_folderOfAll(std::move(folderOfAll)) {
  addFormats(layout);
  addBeside(layout);
  addPlace(layout, figuresOfTab);
  for (QButtonGroup* group : {m_format, m_which})
    connect(group, &QButtonGroup::idToggled, this, &FileFields::changed);
  connect(m_dpi, &QComboBox::currentIndexChanged, this, &FileFields::changed);
}

void FileFields::addFormats(QFormLayout& layout) {
  std::vector<QWidget*> formats;
  for (const FormatInfo& format : kFigureFormats) {
    auto* button = new QRadioButton(QString::fromLatin1(format.extension).toUpper());
    button->setChecked(formats.empty());
    button->setToolTip(format.format == FigureFormat::Html
                           ? tr("A page with tool tips and the numbers, for a paper's supplement")
                           : tr("Format of the figure"));
    m_format->addButton(button, static_cast<int>(formats.size()));
    formats.push_back(button);
  }
  m_dpi = choiceBox({{tr("300 dpi"), "300"}, {tr("600 dpi"), "600"}});
  explain(*m_dpi, tr("Resolution"), tr("Resolution of PNG files"));
  formats.push_back(m_dpi);
  layout.addRow(tr("Format"), fieldRow(formats));
}

void FileFields::addBeside(QFormLayout& layout) {
  const auto box = [&](const QString& label, const QString& title, const QString& tip) {
    auto* made = new QCheckBox(title);
    made->setToolTip(tip);
    layout.addRow(label, made);
    connect(made, &QCheckBox::toggled, this, &FileFields::changed);
    return made;
  };
  m_table = box(tr("Also write"), tr("Numbers as CSV"), tr("Exactly the plotted numbers"));
  m_provenance = box({}, tr("Provenance as JSON"), tr("Captures, settings and versions behind the figure"));
  m_pgfplots =
      box({}, tr("LaTeX source for pgfplots"),
          tr("A .tex file that draws the figure with the fonts of the paper, and the table it reads"));
  m_caption =
      box({}, tr("Draft of the caption"),
          tr("Panels, models, texts, heads, pairs, bins and intervals as .caption.tex and .caption.txt"));
  m_embed = box({}, tr("Provenance inside the file"),
                tr("Provenance inside the figure: drop the figure on the window to open this view again"));
  m_fixedDate = box({}, tr("No dates, same bytes each time"),
                    tr("Omits dates and folders, so that files can be compared"));
  for (QCheckBox* checked : {m_table, m_provenance, m_embed}) checked->setChecked(true);
}

void FileFields::addPlace(QFormLayout& layout, int figuresOfTab) {
  auto* one = new QRadioButton(tr("This figure"));
  auto* all = new QRadioButton(tr("All figures of this tab (%1)").arg(figuresOfTab));
  all->setToolTip(tr("Every figure that this tab can show, into a new folder"));
  m_which->addButton(one, 0);
  m_which->addButton(all, 1);
  one->setChecked(true);
  m_folder = new QLineEdit(
      QDir::toNativeSeparators(QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation)));
  m_name = new QLineEdit;
  auto* browse = new QToolButton;
  browse->setText(QStringLiteral("\u2026"));
  explain(*browse, tr("Choose a folder"), tr("Choose a folder"));
  explain(*m_folder, tr("Folder"), tr("Where the files are written"));
  m_name->setObjectName(QStringLiteral("exportName"));
  all->setObjectName(QStringLiteral("exportAll"));
  explain(*m_name, tr("Name"),
          tr("Name of the files, without extension; for all figures, name of the new folder"));
  layout.addRow(tr("Which"), one);
  layout.addRow(QString(), all);
  layout.addRow(tr("Folder"), fieldRow({m_folder, browse}));
  layout.addRow(tr("Name"), m_name);
  for (QLineEdit* edit : {m_folder, m_name})
    connect(edit, &QLineEdit::textChanged, this, &FileFields::changed);
  connect(m_name, &QLineEdit::textEdited, this,
          [this](const QString& text) { m_nameEdited = !text.isEmpty(); });
  connect(browse, &QToolButton::clicked, this, [this, browse] { this->browse(browse->window()); });
}

void FileFields::browse(QWidget* parent) {
  const QString folder =
      QFileDialog::getExistingDirectory(parent, tr("Folder for figures"), m_folder->text());
  if (!folder.isEmpty()) m_folder->setText(fileText(folder.toStdString()));
}

void FileFields::show(const FigureSpec& spec) {
  selectOrAdd(*m_dpi, QString::number(spec.dpi), tr("%1 dpi").arg(spec.dpi));
}

void FileFields::read(FigureSpec& spec) const {
  spec.dpi = m_dpi->currentData().toString().toInt();
}

void FileFields::refresh(const FigureSpec& now) {
  m_dpi->setEnabled(extension() == QLatin1String("png"));
  const QSignalBlocker quiet(m_name);
  if (!m_nameEdited) m_name->setText(allFigures() ? m_folderOfAll : figureFileName(now));
}

ExportOptions FileFields::options() const {
  ExportOptions options;
  options.dataTable = m_table->isChecked();
  options.provenance = m_provenance->isChecked();
  options.pgfplots = m_pgfplots->isChecked();
  options.caption = m_caption->isChecked();
  options.embed = m_embed->isChecked();
  options.fixedDate = m_fixedDate->isChecked();
  options.remedy = tr("choose another name").toStdString();
  return options;
}

bool FileFields::allFigures() const {
  return m_which->checkedId() == 1;
}

QString FileFields::folder() const {
  const QString folder = QDir::fromNativeSeparators(m_folder->text());
  return allFigures() ? QDir(folder).filePath(m_name->text()) : folder;
}

QString FileFields::extension() const {
  return QString::fromLatin1(kFigureFormats[m_format->checkedId()].extension);
}

QString FileFields::file() const {
  return QDir(folder()).filePath(m_name->text() + "." + extension());
}

QStringList FileFields::filesToWrite() const {
  const QFileInfo file(this->file());
  QStringList names = {file.fileName()};
  if (m_table->isChecked()) names.append(file.completeBaseName() + ".csv");
  if (m_provenance->isChecked()) names.append(file.completeBaseName() + ".json");
  if (m_pgfplots->isChecked()) names.append(file.completeBaseName() + ".tex");
  if (m_caption->isChecked()) names.append(file.completeBaseName() + ".caption.tex");
  return names;
}

void FileFields::remember(Json& memory) const {
  memory["format"] = m_format->checkedId();
  memory["fixed_date"] = m_fixedDate->isChecked();
  memory["pgfplots"] = m_pgfplots->isChecked();
  memory["caption"] = m_caption->isChecked();
  memory["folder"] = m_folder->text().toStdString();
}

void FileFields::recall(const Json& memory) {
  if (auto* button = m_format->button(static_cast<int>(numberOr(memory, "format", 0))))
    button->setChecked(true);
  m_fixedDate->setChecked((memory.contains("fixed_date") && memory["fixed_date"] == true));
  m_pgfplots->setChecked((memory.contains("pgfplots") && memory["pgfplots"] == true));
  m_caption->setChecked((memory.contains("caption") && memory["caption"] == true));
  const QString folder = QString::fromStdString(textOr(memory, "folder"));
  std::error_code ignored;
  if (std::filesystem::is_directory(fileOfText(folder), ignored)) m_folder->setText(folder);
}

}  // namespace plastiscope

#include "moc_export_fields.cpp"
