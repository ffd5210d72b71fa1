#include "widgets/analysis/analysis_dialog.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QTabWidget>
#include <QThread>
#include <QTimer>
#include <algorithm>
#include <cctype>
#include <chrono>
#include <cmath>

#include "core/base/error.h"
#include "core/capture/head_list.h"
#include "core/jobs/analyze_job.h"
#include "widgets/forms/dialog_parts.h"
#include "widgets/jobs/job_handle.h"
#include "widgets/state/file_text.h"
#include "widgets/state/small_widgets.h"

namespace fs = std::filesystem;

namespace plastiscope {

namespace {

constexpr QSize kSize(900, 640);
constexpr int kRestMilliseconds = 400;
constexpr std::size_t kNamed = 3;  // number of settings in a file name

// Characters that are safe on all file systems.
std::string plainName(std::string value) {
  std::replace_if(
      value.begin(), value.end(),
      [](unsigned char c) { return c > 127 || (std::isalnum(c) == 0 && c != '-' && c != '.'); }, '-');
  return value.substr(0, 24);
}

}  // namespace

fs::path suggestedAnalysisFile(const fs::path& capture, const AnalysisSettings& settings) {
  const std::vector<std::string> arguments = settingArguments(settingPresets().front().name, settings);
  std::string name = capture.stem().string();
  if (arguments.size() > 2 * kNamed) {
    name += "." + std::to_string(arguments.size() / 2) + "-settings";
  } else {
    for (std::size_t i = 0; i + 1 < arguments.size(); i += 2)
      name += "." + plainName(arguments[i].substr(2) + "-" + arguments[i + 1]);
  }
  if (arguments.empty()) name += ".thesis";
  fs::path file;
  std::error_code code;
  for (int number = 1; number == 1 || fs::exists(file, code); ++number)
    file = capture.parent_path() / (name + (number > 1 ? "." + std::to_string(number) : "") + ".analysis.h5");
  return file;
}

AnalysisDialog::AnalysisDialog(std::shared_ptr<const CaptureFile> capture, const AnalysisSettings& start,
                               Workers& workers, int threads, QWidget* parent)
    : QDialog(parent),
      m_capture(std::move(capture)),
      m_threads(threads > 0 ? threads : std::max(1, QThread::idealThreadCount())),
      m_measuring(workers, WorkLength::Long),
      m_rest(new QTimer(this)),
      m_settings(new SettingsForm(start, this)),
      m_out(new SaveBox({tr("The file of the analysis; its capture stays as it is"),
                         tr("Save the analysis as"), tr("Analyses (*.h5)")},
                        this)),
      m_command(new CommandBox(tr("Copy the command line; it computes the same without the window"), this)),
      m_buttons(new DialogButtons({QStringLiteral("analysis"), tr("&Analyse"),
                                   tr("Compute in the background and open the result in a new tab"),
                                   tr("Close without analysing (Esc)")},
                                  this)) {
  setObjectName(QStringLiteral("analysisDialog"));
  setWindowTitle(tr("Analyse %1").arg(fileText(m_capture->path().filename())));
  resizeOnScreen(*this, kSize);
  auto* saveName = new QLabel(tr("Save &as"), this);
  saveName->setBuddy(m_out);
  auto* save = rowOf({saveName, {m_out, 1}});
  columnIn(this, {{m_settings, 1}, save, m_command, m_buttons}, {.margins = {18, 14, 18, 14}, .spacing = 12});
  connect(m_buttons, &DialogButtons::startRequested, this, &AnalysisDialog::start);
  connect(m_settings, &SettingsForm::changed, this, &AnalysisDialog::refresh);
  connect(m_out, &SaveBox::changed, this, &AnalysisDialog::refresh);
  m_rest->setSingleShot(true);
  m_rest->setInterval(kRestMilliseconds);
  connect(m_rest, &QTimer::timeout, this, &AnalysisDialog::measure);
  connect(m_settings, &SettingsForm::changed, m_rest, qOverload<>(&QTimer::start));
  refresh();
  m_rest->start();
}

QString AnalysisDialog::problem() const {
  try {
    (void)m_settings->settings();
  } catch (const UsageError& error) {
    return sanitizedText(error.what());
  }
  std::error_code code;
  const fs::path out = m_out->file();
  if (out.empty()) return tr("Choose where to save the analysis.");
  if (fs::exists(fs::symlink_status(out, code)))
    return tr("%1 already exists: choose another name.").arg(fileText(out.filename()));
  if (!out.parent_path().empty() && !fs::is_directory(out.parent_path(), code))
    return tr("There is no folder %1.").arg(fileText(out.parent_path()));
  return {};
}

void AnalysisDialog::refresh() {
  try {
    const AnalysisSettings settings = m_settings->settings();
    m_out->suggest(suggestedAnalysisFile(m_capture->path(), settings));
    QStringList arguments = {fileText(m_capture->path()), QStringLiteral("--out"), fileText(m_out->file())};
    for (const std::string& argument : settingArguments(m_settings->preset(), settings))
      arguments << QString::fromStdString(argument);
    m_command->setCommand(QStringLiteral("analyze"), arguments);
  } catch (const UsageError&) {
    // problem() reports the invalid setting
  }
  m_buttons->showState(problem());
}

void AnalysisDialog::measure() {
  m_measuring.drop();
  if (!problem().isEmpty()) return;
  AnalysisSettings settings = m_settings->settings();
  std::vector<HeadName> heads;
  for (const CaptureLayerInfo& layer : m_capture->info().layerInfos) {
    for (const std::int64_t head : layer.queryHeads) heads.push_back({layer.layer, head});
  }
  if (!settings.heads.empty() || !settings.layers.empty() || heads.empty()) return;  // fast enough
  settings.heads = heads[heads.size() / 2].text();
  m_buttons->showState({}, tr("Measuring how long it will take …"));
  m_measuring.start(
      [capture = m_capture, settings](Progress& progress) {
        const auto begin = std::chrono::steady_clock::now();
        (void)analyzeCapture(*capture, settings, 1, progress);
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      },
      [this, count = heads.size()](JobResult<double> seconds) {
        if (seconds.ok()) showEstimate(*seconds.value, count);
      });
}

void AnalysisDialog::showEstimate(double secondsOfHead, std::size_t heads) {
  const double turns = std::ceil(1.0 * heads / m_threads);
  m_buttons->showState(problem(), tr("About %1 for %2 heads on %3 threads, from the time of one head.")
                                      .arg(durationText(std::max(1.0, turns * secondsOfHead)))
                                      .arg(groupedText(heads))
                                      .arg(m_threads));
}

void AnalysisDialog::start() {
  if (!problem().isEmpty()) {
    refresh();
    return;
  }
  Q_EMIT startRequested(m_settings->settings(), m_out->file());
  accept();
}

// ---- settings form

namespace {

constexpr int kFieldWidth = 190;

// "same_example" -> "same example"
QString readable(const std::string& name) {
  return QString::fromStdString(name).replace(QLatin1Char('_'), QLatin1Char(' '));
}

QString titleOf(const std::string& name) {
  QString title = readable(name);
  title[0] = title[0].toUpper();
  return title;
}

}  // namespace

SettingsForm::SettingsForm(const AnalysisSettings& start, QWidget* parent)
    : QWidget(parent),
      m_start(start),
      m_preset(named("settingPreset", new QComboBox(this))),
      m_groups(new QTabWidget(this)) {
  explain(*m_preset, tr("Start from"), tr("Fills all settings; single ones can be changed below"));
  m_preset->addItem(tr("settings of this tab"), QString());
  for (const SettingPreset& preset : settingPresets()) {
    const QString name = QString::fromLatin1(preset.name);
    m_preset->addItem(QStringLiteral("%1: %2").arg(name, QString::fromLatin1(preset.meaning)), name);
  }
  auto* from = new QLabel(tr("Start &from"), this);
  from->setBuddy(m_preset);
  auto* head = rowOf({from, {m_preset, 1}});
  columnIn(this, {head, {m_groups, 1}}, {.margins = {}, .spacing = 10});
  m_groups->setDocumentMode(true);
  m_groups->setAccessibleName(tr("Groups of settings"));
  addGroups();
  connect(m_preset, &QComboBox::currentIndexChanged, this, [this] {
    const std::string name = m_preset->currentData().toString().toStdString();
    show(name.empty() ? m_start : AnalysisSettings::preset(name));
  });
  show(m_start);
}

void SettingsForm::addGroups() {
  QWidget* page = nullptr;
  std::vector<QWidget*> pages;
  for (const SettingInfo& info : settingList()) {
    const QString group = QString::fromStdString(info.group);
    if (page == nullptr || m_groups->tabText(m_groups->count() - 1) != group) {
      page = new QWidget(this);
      auto* grid = new QGridLayout(page);
      grid->setContentsMargins(2, 10, 2, 2);
      grid->setHorizontalSpacing(12);
      grid->setVerticalSpacing(6);
      grid->setColumnStretch(2, 1);
      auto* area = new QScrollArea(this);
      area->setFrameShape(QFrame::NoFrame);
      area->setWidgetResizable(true);
      area->setWidget(page);
      area->viewport()->setAutoFillBackground(false);
      page->setAutoFillBackground(false);
      m_groups->addTab(area, group);
      pages.push_back(page);
    }
    addField(info, *page);
  }
  for (QWidget* each : pages) {
    auto* grid = static_cast<QGridLayout*>(each->layout());
    grid->setRowStretch(grid->rowCount(), 1);
  }
}

void SettingsForm::addField(const SettingInfo& info, QWidget& page) {
  auto* grid = static_cast<QGridLayout*>(page.layout());
  const int row = grid->rowCount();
  Field field{&info, new QLabel(titleOf(info.name), &page), nullptr, nullptr};
  QWidget* widget = nullptr;
  if (!info.words.empty()) {
    widget = field.box = new QComboBox(&page);
    field.box->setEditable(!info.form.empty());
    for (const std::string& word : info.words)
      field.box->addItem(field.box->isEditable() ? QString::fromStdString(word) : readable(word),
                         QString::fromStdString(word));
    field.box->setInsertPolicy(QComboBox::NoInsert);
    connect(field.box, &QComboBox::currentTextChanged, this, &SettingsForm::markChanged);
  } else {
    widget = field.line = new QLineEdit(&page);
    connect(field.line, &QLineEdit::textChanged, this, &SettingsForm::markChanged);
  }
  const QString values = QString::fromStdString(info.values());
  widget->setObjectName(QStringLiteral("setting-") + QString::fromStdString(info.name));
  explain(*widget, field.name->text(),
          tr("%1 (%2)").arg(values, QString::fromStdString(settingOption(info.name))));
  widget->setFixedWidth(kFieldWidth);
  field.name->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  field.name->setBuddy(widget);
  auto* help = styledLabel(QString::fromStdString(info.help), "muted", &page);
  help->setWordWrap(true);
  grid->addWidget(field.name, row, 0);
  grid->addWidget(widget, row, 1);
  grid->addWidget(help, row, 2);
  m_fields.push_back(field);
}

QString SettingsForm::textOf(const Field& field) const {
  if (field.line != nullptr) return field.line->text().trimmed();
  return field.box->isEditable() ? field.box->currentText().trimmed() : field.box->currentData().toString();
}

void SettingsForm::show(const AnalysisSettings& settings) {
  m_base = settingTexts(settings);
  for (const Field& field : m_fields) {
    const QString text = QString::fromStdString(m_base.at(field.info->name));
    if (field.line != nullptr) {
      const QSignalBlocker quiet(field.line);
      field.line->setText(text);
    } else {
      const QSignalBlocker quiet(field.box);
      if (field.box->isEditable())
        field.box->setCurrentText(text);
      else
        field.box->setCurrentIndex(field.box->findData(text));
    }
  }
  markChanged();
}

void SettingsForm::markChanged() {
  for (const Field& field : m_fields) {
    QFont font = field.name->font();
    font.setBold(textOf(field).toStdString() != m_base.at(field.info->name));
    field.name->setFont(font);
  }
  Q_EMIT changed();
}

AnalysisSettings SettingsForm::settings() const {
  SettingTexts texts;
  for (const Field& field : m_fields) texts[field.info->name] = textOf(field).toStdString();
  return settingsOf(preset(), texts);
}

std::string SettingsForm::preset() const {
  const QString name = m_preset->currentData().toString();
  return name.isEmpty() ? settingPresets().front().name : name.toStdString();
}

}  // namespace plastiscope

#include "moc_analysis_dialog.cpp"
