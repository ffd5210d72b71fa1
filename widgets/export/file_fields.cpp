#include "widgets/export/file_fields.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QRadioButton>
#include <QSignalBlocker>
#include <QStandardPaths>
#include <QToolButton>

#include "core/base/checked_json.h"
#include "core/base/json.h"
#include "widgets/export/figure_kinds.h"
#include "widgets/state/file_text.h"
#include "widgets/state/small_widgets.h"

namespace plastiscope {

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

void FileFields::follow(const FigureSpec& now) {
  m_dpi->setEnabled(extension() == QLatin1String("png"));
  const QSignalBlocker quiet(m_name);
  if (!m_nameEdited) m_name->setText(allFigures() ? m_folderOfAll : figureFileName(now));
}

ExportOptions FileFields::options() const {
  ExportOptions options;
  options.dataTable = m_table->isChecked();
  options.provenance = m_provenance->isChecked();
  options.pgfplots = m_pgfplots->isChecked();
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
  return names;
}

void FileFields::remember(Json& memory) const {
  memory["format"] = m_format->checkedId();
  memory["fixed_date"] = m_fixedDate->isChecked();
  memory["pgfplots"] = m_pgfplots->isChecked();
  memory["folder"] = m_folder->text().toStdString();
}

void FileFields::recall(const Json& memory) {
  if (auto* button = m_format->button(static_cast<int>(numberOr(memory, "format", 0))))
    button->setChecked(true);
  m_fixedDate->setChecked((memory.contains("fixed_date") && memory["fixed_date"] == true));
  m_pgfplots->setChecked((memory.contains("pgfplots") && memory["pgfplots"] == true));
  const QString folder = QString::fromStdString(textOr(memory, "folder"));
  std::error_code ignored;
  if (std::filesystem::is_directory(fileOfText(folder), ignored)) m_folder->setText(folder);
}

}  // namespace plastiscope

#include "moc_file_fields.cpp"
