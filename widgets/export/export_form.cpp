#include "widgets/export/export_form.h"

#include <QButtonGroup>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFontDatabase>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QRadioButton>
#include <QStandardPaths>
#include <QToolButton>

#include "core/compare/benchmark_data.h"
#include "widgets/export/thesis_figures.h"

namespace plastiscope {

namespace {

constexpr double kMillimetres = 25.4;

QDoubleSpinBox* numberBox(double low, double high, double step, int decimals, const QString& suffix) {
  auto* box = new QDoubleSpinBox;
  box->setRange(low, high);
  box->setSingleStep(step);
  box->setDecimals(decimals);
  box->setSuffix(suffix);
  box->setKeyboardTracking(false);
  return box;
}

QComboBox* choice(const std::vector<std::pair<QString, QString>>& items) {
  auto* box = new QComboBox;
  for (const auto& [title, value] : items) box->addItem(title, value);
  return box;
}

void select(QComboBox& box, const QString& value) {
  const int index = box.findData(value);
  if (index >= 0) box.setCurrentIndex(index);
}

QWidget* row(const std::vector<QWidget*>& widgets) {
  auto* holder = new QWidget;
  auto* layout = new QHBoxLayout(holder);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(6);
  for (QWidget* widget : widgets)
    layout->addWidget(widget, qobject_cast<QComboBox*>(widget) || qobject_cast<QLineEdit*>(widget) ? 1 : 0);
  if (std::none_of(widgets.begin(), widgets.end(),
                   [](QWidget* w) { return qobject_cast<QComboBox*>(w) || qobject_cast<QLineEdit*>(w); })) {
    layout->addStretch(1);
  }
  return holder;
}

}  // namespace

std::vector<const FigureKind*> figuresFor(const Studies& studies, const std::string& shown) {
  const bool apart = studies.empty() || (!shown.empty() && figureKind(shown).studies.fewest == 0);
  const bool rows = std::all_of(studies.begin(), studies.end(),
                                [](const auto& study) { return study->capture != nullptr; });
  std::vector<const FigureKind*> kinds;
  for (const FigureKind& kind : figureKinds()) {
    const bool fits = kind.studies.holds(studies.size()) && (kind.studies.fewest == 0) == apart;
    if (fits && (rows || !kind.needsRows)) kinds.push_back(&kind);
  }
  return kinds;
}

std::vector<const FigureKind*> thesisKindsFor(const Studies& studies) {
  std::vector<const FigureKind*> kinds;
  for (const FigureKind& kind : thesisKinds()) {
    const bool rows = std::all_of(studies.begin(), studies.end(),
                                  [](const auto& study) { return study->capture != nullptr; });
    if (kind.holds(studies.size()) && (rows || !kind.needsRows)) kinds.push_back(&kind);
  }
  return kinds;
}

namespace {

std::vector<MetricInfo> metricsFor(const Studies& studies, const std::string& shown) {
  if (studies.empty() || figureKind(shown).studies.fewest == 0) return benchmarkPredictors();
  return metricsOf(requiredTable(*studies.front()->analysis, "heads"));
}

}  // namespace

struct ExportForm::Private {
  FigureSpec initial;
  std::optional<HeadName> head;
  QComboBox *figure, *subject, *metric, *venue, *width, *unit, *font, *theme, *range, *dpi;
  QDoubleSpinBox *widthBox, *heightBox, *labels, *lines, *low, *high;
  QCheckBox *ownHeight, *table, *provenance, *embed, *fixedDate;
  QButtonGroup *format, *which;
  QLineEdit *folder, *name;
  QFormLayout* layout;
  QLabel* ticks;
  QToolButton* browse;
  bool nameEdited = false, quiet = false;
  int ofTab = 0;  // the first figures of the list; those of the thesis follow

  const FigureKind& kind() const { return figureKind(figure->currentData().toString().toStdString()); }
  double inches(double value) const { return unit->currentData() == "mm" ? value / kMillimetres : value; }
  double shown(double value) const { return unit->currentData() == "mm" ? value * kMillimetres : value; }
};

QString figureFileName(const FigureSpec& spec) {
  QString name = QString::fromStdString(spec.figure);
  if (spec.scope.head) name += "-" + QString::fromStdString(spec.scope.head->text());
  if (spec.scope.layer) name += QStringLiteral("-L%1").arg(*spec.scope.layer);
  if (figureKind(spec.figure).takes(FigureOption::Metric) && !spec.metric.empty())
    name += "-" + QString::fromStdString(spec.metric);
  return name;
}

ExportForm::ExportForm(const Studies& studies, const FigureSpec& initial, QWidget* parent)
    : QWidget(parent), d(std::make_unique<Private>()) {
  d->initial = initial;
  d->initial.studies = std::max<std::size_t>(1, studies.size());
  d->head = initial.scope.head;
  if (!d->head && studies.size() == 1) {
    const auto heads = headsOf(*studies.front()->analysis);
    if (!heads.empty()) d->head = heads.front();
  }
  makeFigureFields(studies);
  makeStyleFields();
  makeFileFields();
  start(initial);
  connectFields();
  follow(true);
}

void ExportForm::makeFigureFields(const Studies& studies) {
  d->layout = new QFormLayout(this);
  d->layout->setContentsMargins(0, 0, 0, 0);
  d->layout->setVerticalSpacing(5);
  d->layout->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  d->layout->setLabelAlignment(Qt::AlignRight);
  d->figure = new QComboBox;
  for (const FigureKind* kind : figuresFor(studies, d->initial.figure)) {
    d->figure->addItem(QString::fromStdString(kind->title), QString::fromStdString(kind->id));
  }
  d->ofTab = d->figure->count();
  d->figure->insertSeparator(d->ofTab);
  for (const FigureKind* kind : thesisKindsFor(studies)) {
    d->figure->addItem(QString::fromStdString(kind->id + ", " + kind->title),
                       QString::fromStdString(kind->id));
  }
  d->subject = new QComboBox;
  d->metric = new QComboBox;
  // Figures of several studies have charts of their own beside that of a metric.
  if (studies.size() > 1) d->metric->addItem(tr("the figure's own"), QString());
  for (const MetricInfo& metric : metricsFor(studies, d->initial.figure))
    d->metric->addItem(QString::fromStdString(metric.title), QString::fromStdString(metric.column));
  d->venue = new QComboBox;
  for (const VenuePreset& preset : venuePresets()) {
    d->venue->addItem(QString::fromStdString(preset.title), QString::fromStdString(preset.id));
  }
  d->width = choice({{tr("one column"), "column"},
                     {tr("full text width"), "full"},
                     {tr("half of the text"), "half"},
                     {tr("third of the text"), "third"},
                     {tr("own"), "own"}});
  d->unit = choice({{tr("in"), "in"}, {tr("mm"), "mm"}});
  d->widthBox = numberBox(0.5, 60, 0.05, 2, {});
  d->heightBox = numberBox(0.3, 60, 0.05, 2, {});
  d->ownHeight = new QCheckBox(tr("own"));
  d->layout->addRow(tr("Figure"), d->figure);
  d->layout->addRow(tr("Of"), d->subject);
  d->layout->addRow(tr("Metric"), d->metric);
  d->layout->addRow(tr("Venue"), d->venue);
  d->layout->addRow(tr("Width"), row({d->width, d->widthBox, d->unit}));
  d->layout->addRow(tr("Height"), row({d->heightBox, d->ownHeight}));
}

void ExportForm::makeStyleFields() {
  d->font = choice({{tr("Times-compatible serif"), ""}});
  for (const QString& family : QFontDatabase::families()) d->font->addItem(family, family);
  d->font->setMinimumContentsLength(16);
  d->font->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  d->labels = numberBox(6, 24, 0.5, 1, tr(" pt"));
  d->ticks = new QLabel;
  d->lines = numberBox(0.2, 3, 0.1, 1, tr(" pt"));
  d->theme = choice({{tr("light"), "light"}, {tr("dark"), "dark"}});
  d->range = choice({{tr("automatic"), "auto"}, {tr("own"), "own"}});
  d->low = numberBox(-1e6, 1e6, 0.1, 3, {});
  d->high = numberBox(-1e6, 1e6, 0.1, 3, {});
  d->high->setValue(1);
  d->layout->addRow(tr("Font"), d->font);
  d->layout->addRow(tr("Sizes"), row({new QLabel(tr("titles")), d->labels, d->ticks}));
  d->layout->addRow(tr("Lines"), row({d->lines, new QLabel(tr("theme")), d->theme}));
  d->layout->addRow(tr("Range"), row({d->range, d->low, d->high}));
}

void ExportForm::makeFileFields() {
  d->format = new QButtonGroup(this);
  std::vector<QWidget*> formats;
  for (const QString& name : {tr("PDF"), tr("SVG"), tr("PNG")}) {
    auto* button = new QRadioButton(name);
    button->setChecked(formats.empty());
    d->format->addButton(button, static_cast<int>(formats.size()));
    formats.push_back(button);
  }
  d->dpi = choice({{tr("300 dpi"), "300"}, {tr("600 dpi"), "600"}});
  formats.push_back(d->dpi);
  d->table = new QCheckBox(tr("Numbers as CSV"));
  d->provenance = new QCheckBox(tr("Provenance as JSON"));
  d->embed = new QCheckBox(tr("Provenance inside the file"));
  d->fixedDate = new QCheckBox(tr("No dates, same bytes each time"));
  for (QCheckBox* box : {d->table, d->provenance, d->embed}) box->setChecked(true);
  d->which = new QButtonGroup(this);
  auto* one = new QRadioButton(tr("This figure"));
  auto* all = new QRadioButton(tr("All figures of this tab (%1)").arg(d->ofTab));
  d->which->addButton(one, 0);
  d->which->addButton(all, 1);
  one->setChecked(true);
  d->folder = new QLineEdit(
      QDir::toNativeSeparators(QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation)));
  d->name = new QLineEdit;
  d->browse = new QToolButton;
  d->browse->setText(QStringLiteral("\u2026"));
  d->browse->setToolTip(tr("Choose a folder"));
  d->layout->addRow(tr("Format"), row(formats));
  d->layout->addRow(tr("Beside it"), d->table);
  for (QCheckBox* box : {d->provenance, d->embed, d->fixedDate}) d->layout->addRow(QString(), box);
  d->layout->addRow(tr("Which"), one);
  d->layout->addRow(QString(), all);
  d->layout->addRow(tr("Folder"), row({d->folder, d->browse}));
  d->layout->addRow(tr("Name"), d->name);
}

void ExportForm::start(const FigureSpec& initial) {
  select(*d->figure, QString::fromStdString(initial.figure));
  select(*d->metric, QString::fromStdString(initial.metric));
  select(*d->venue, QString::fromStdString(initial.preset));
  select(*d->theme, initial.theme == Theme::Dark ? "dark" : "light");
  d->lines->setValue(initial.linePoints);
  if (!initial.range) return;
  select(*d->range, "own");
  d->low->setValue(initial.range->first);
  d->high->setValue(initial.range->second);
}

void ExportForm::connectFields() {
  const auto picture = [this] { changed(false, true); };
  const auto target = [this] { changed(false, false); };
  for (QComboBox* box : {d->figure, d->subject, d->metric, d->width, d->font, d->theme, d->range}) {
    connect(box, &QComboBox::currentIndexChanged, this, picture);
  }
  for (QDoubleSpinBox* box : {d->widthBox, d->heightBox, d->labels, d->lines, d->low, d->high}) {
    connect(box, &QDoubleSpinBox::valueChanged, this, picture);
  }
  connect(d->venue, &QComboBox::currentIndexChanged, this, [this] { changed(true, true); });
  connect(d->unit, &QComboBox::currentIndexChanged, this, &ExportForm::changeUnit);
  connect(d->ownHeight, &QCheckBox::toggled, this, picture);
  for (QCheckBox* box : {d->table, d->provenance, d->embed, d->fixedDate}) {
    connect(box, &QCheckBox::toggled, this, target);
  }
  for (QButtonGroup* group : {d->format, d->which}) connect(group, &QButtonGroup::idToggled, this, target);
  connect(d->dpi, &QComboBox::currentIndexChanged, this, target);
  for (QLineEdit* edit : {d->folder, d->name}) connect(edit, &QLineEdit::textChanged, this, target);
  connect(d->name, &QLineEdit::textEdited, this,
          [this](const QString& text) { d->nameEdited = !text.isEmpty(); });
  connect(d->browse, &QToolButton::clicked, this, [this] {
    const QString folder =
        QFileDialog::getExistingDirectory(this, tr("Folder for figures"), d->folder->text());
    if (!folder.isEmpty()) d->folder->setText(QDir::toNativeSeparators(folder));
  });
}

void ExportForm::changed(bool venue, bool picture) {
  if (d->quiet) return;
  follow(venue);
  if (picture)
    Q_EMIT figureChanged();
  else
    Q_EMIT targetChanged();
}

// The same size in the other unit.
void ExportForm::changeUnit() {
  const double factor = millimetres() ? kMillimetres : 1 / kMillimetres;
  d->quiet = true;
  for (QDoubleSpinBox* box : {d->widthBox, d->heightBox}) {
    const double value = box->value() * factor;
    box->setRange(0.01, 1500);
    box->setDecimals(2);
    box->setValue(value);
  }
  d->quiet = false;
  changed(false, true);
}

// Values that follow from others are shown where they can be changed.
void ExportForm::follow(bool venueChanged) {
  d->quiet = true;
  offerSubjects();
  if (venueChanged) {
    FigureSpec fresh = spec();
    fresh.fontPoints = 0;
    d->labels->setValue(resolveSize(fresh).labelPoints);
  }
  const FigureKind& kind = d->kind();
  const FigureSpec now = spec();
  const FigureSize size = resolveSize(now);
  d->metric->setEnabled(kind.takes(FigureOption::Metric));
  d->range->setEnabled(kind.takes(FigureOption::Range));
  for (QDoubleSpinBox* box : {d->low, d->high})
    box->setVisible(kind.takes(FigureOption::Range) && d->range->currentData() == "own");
  for (QDoubleSpinBox* box : {d->widthBox, d->heightBox}) {
    box->setDecimals(millimetres() ? 1 : 2);
    box->setSingleStep(millimetres() ? 1 : 0.05);
  }
  d->widthBox->setEnabled(d->width->currentData() == "own");
  d->heightBox->setEnabled(d->ownHeight->isChecked());
  d->widthBox->setValue(d->shown(size.widthInches));
  d->heightBox->setValue(d->shown(size.heightInches));
  d->ticks->setText(tr("ticks %1 pt").arg(size.tickPoints, 0, 'f', 1));
  d->dpi->setEnabled(d->format->checkedId() == 2);
  d->name->setEnabled(!allFigures());
  if (!d->nameEdited) d->name->setText(figureFileName(now));
  d->quiet = false;
}

// What the chosen figure can speak about.
void ExportForm::offerSubjects() {
  const FigureKind& kind = d->kind();
  const QString chosen = d->subject->currentData().toString();
  d->subject->clear();
  if (kind.head != HeadNeed::None && d->head) {
    d->subject->addItem(tr("head %1").arg(QString::fromStdString(d->head->text())), "head");
  }
  if (kind.takes(FigureOption::Layer) && d->head)
    d->subject->addItem(tr("layer %1").arg(d->head->layer), "layer");
  if (kind.head != HeadNeed::Required) d->subject->addItem(tr("all heads"), "all");
  if (kind.head == HeadNeed::None) d->subject->setCurrentIndex(d->subject->count() - 1);
  select(*d->subject, chosen);
  d->subject->setEnabled(d->subject->count() > 1);
}

ExportForm::~ExportForm() = default;

FigureSpec ExportForm::spec() const {
  FigureSpec spec = d->initial;
  spec.figure = d->figure->currentData().toString().toStdString();
  spec.scope = {};
  const QString subject = d->subject->currentData().toString();
  const FigureKind& kind = d->kind();
  if (d->head && (subject == "head" || (subject.isEmpty() && kind.head != HeadNeed::None)))
    spec.scope.head = d->head;
  if (d->head && subject == "layer") spec.scope.layer = d->head->layer;
  spec.metric = d->metric->currentData().toString().toStdString();
  spec.preset = d->venue->currentData().toString().toStdString();
  const bool ownWidth = d->width->currentData() == "own";
  spec.width = ownWidth ? "column" : d->width->currentData().toString().toStdString();
  spec.widthInches = ownWidth ? d->inches(d->widthBox->value()) : 0;
  spec.heightInches = d->ownHeight->isChecked() ? d->inches(d->heightBox->value()) : 0;
  spec.fontPoints = d->labels->value();
  spec.family = d->font->currentData().toString().toStdString();
  spec.linePoints = d->lines->value();
  spec.theme = parseTheme(d->theme->currentData().toString().toStdString());
  spec.range.reset();
  if (d->range->currentData() == "own" && d->low->value() < d->high->value()) {
    spec.range = std::pair{d->low->value(), d->high->value()};
  }
  spec.dpi = d->dpi->currentData().toString().toInt();
  return fitToKind(spec, kind);
}

ExportOptions ExportForm::options() const {
  ExportOptions options;
  options.dataTable = d->table->isChecked();
  options.provenance = d->provenance->isChecked();
  options.embed = d->embed->isChecked();
  options.fixedDate = d->fixedDate->isChecked();
  return options;
}

bool ExportForm::millimetres() const {
  return d->unit->currentData() == "mm";
}
bool ExportForm::allFigures() const {
  return d->which->checkedId() == 1;
}

QString ExportForm::file() const {
  static const char* const kExtensions[] = {".pdf", ".svg", ".png"};
  return QDir(QDir::fromNativeSeparators(d->folder->text()))
      .filePath(d->name->text() + kExtensions[d->format->checkedId()]);
}

QStringList ExportForm::filesToWrite() const {
  const QFileInfo file(this->file());
  QStringList names = {file.fileName()};
  if (d->table->isChecked()) names.append(file.completeBaseName() + ".csv");
  if (d->provenance->isChecked()) names.append(file.completeBaseName() + ".json");
  return names;
}

Json ExportForm::memory() const {
  return {{"preset", spec().preset},
          {"width", d->width->currentData().toString().toStdString()},
          {"unit", d->unit->currentData().toString().toStdString()},
          {"font", spec().family},
          {"labels", d->labels->value()},
          {"lines", d->lines->value()},
          {"format", d->format->checkedId()},
          {"fixed_date", d->fixedDate->isChecked()},
          {"folder", d->folder->text().toStdString()}};
}

void ExportForm::recall(const Json& memory) {
  if (!memory.is_object()) return;
  const auto text = [&memory](const char* key) {
    const auto found = memory.find(key);
    return found != memory.end() && found->is_string() ? QString::fromStdString(found->get<std::string>())
                                                       : QString();
  };
  const auto number = [&memory](const char* key, double otherwise) {
    const auto found = memory.find(key);
    return found != memory.end() && found->is_number() ? found->get<double>() : otherwise;
  };
  select(*d->venue, text("preset"));
  if (text("width") != "own") select(*d->width, text("width"));
  select(*d->unit, text("unit"));
  select(*d->font, text("font"));
  d->labels->setValue(number("labels", d->labels->value()));
  d->lines->setValue(number("lines", d->lines->value()));
  if (auto* button = d->format->button(static_cast<int>(number("format", 0)))) button->setChecked(true);
  d->fixedDate->setChecked(memory.value("fixed_date", Json()) == true);
  if (QDir(text("folder")).exists() && !text("folder").isEmpty()) d->folder->setText(text("folder"));
}

}  // namespace plastiscope
