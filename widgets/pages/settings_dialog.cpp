#include "widgets/pages/settings_dialog.h"

#include <QAbstractButton>
#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSpinBox>

#include "widgets/state/file_text.h"

namespace plastiscope {
namespace {

constexpr int kSectionsHeight = 76, kDialogWidth = 520;

void addHeading(QFormLayout& form, const QString& text) {
  auto* label = new QLabel(text);
  label->setProperty("strong", true);
  label->setContentsMargins(0, form.rowCount() == 0 ? 0 : 10, 0, 0);
  form.addRow(label);
}

QPushButton* smallButton(const QString& text, QWidget* parent) {
  auto* button = new QPushButton(text, parent);
  button->setProperty("small", true);
  button->setAutoDefault(false);
  return button;
}

}  // namespace

SettingsDialog::SettingsDialog(const AppSettings& settings, QWidget* parent)
    : QDialog(parent), m_first(settings), m_settings(settings) {
  setObjectName(QStringLiteral("settingsDialog"));
  setWindowTitle(tr("Settings"));
  auto* form = new QFormLayout;
  form->setLabelAlignment(Qt::AlignRight | Qt::AlignVCenter);
  form->setHorizontalSpacing(12);
  form->setVerticalSpacing(7);
  addLook(*form);
  addFolders(*form);
  addWork(*form);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
  for (QAbstractButton* button : buttons->buttons()) button->setIcon({});
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(18, 14, 18, 14);
  column->setSpacing(14);
  column->addLayout(form);
  column->addStretch(1);
  column->addWidget(buttons);
  setMinimumWidth(kDialogWidth);
}

QComboBox* SettingsDialog::choice(const char* name, const std::vector<std::pair<QString, QString>>& values,
                                  std::string AppSettings::*value) {
  auto* box = new QComboBox(this);
  box->setObjectName(QString::fromLatin1(name));
  for (const auto& [data, title] : values) box->addItem(title, data);
  box->setCurrentIndex(std::max(0, box->findData(QString::fromStdString(m_settings.*value))));
  connect(box, &QComboBox::currentIndexChanged, this, [this, box, value] {
    m_settings.*value = box->currentData().toString().toStdString();
    tell();
  });
  return box;
}

void SettingsDialog::addLook(QFormLayout& form) {
  const auto map = [](const char* id, const QString& title) {
    return std::pair(QString::fromLatin1(id), title);
  };
  addHeading(form, tr("Look"));
  form.addRow(tr("Theme"), choice("settingsTheme",
                                  {{QStringLiteral("system"), tr("like the system")},
                                   {QStringLiteral("light"), tr("light")},
                                   {QStringLiteral("dark"), tr("dark")}},
                                  &AppSettings::theme));
  auto* size = new QDoubleSpinBox(this);
  size->setObjectName(QStringLiteral("settingsFont"));
  size->setRange(AppSettings::kSmallestFont - 0.5, AppSettings::kLargestFont);
  size->setSingleStep(0.5);
  size->setDecimals(1);
  size->setSuffix(tr(" pt"));
  size->setSpecialValueText(tr("like the system"));
  size->setValue(m_settings.fontPoints > 0 ? m_settings.fontPoints : size->minimum());
  connect(size, &QDoubleSpinBox::valueChanged, this, [this, size](double points) {
    m_settings.fontPoints = points > size->minimum() ? points : 0;
    tell();
  });
  form.addRow(tr("Size of texts"), size);
  const auto maps =
      std::vector{map("viridis", tr("viridis")), map("cividis", tr("cividis")), map("magma", tr("magma"))};
  auto* metrics = choice("settingsMetricColours", maps, &AppSettings::metricColours);
  metrics->setToolTip(tr("Signed metrics always have blue, white and red around zero"));
  form.addRow(tr("Colours of metrics"), metrics);
  form.addRow(tr("Colours of maps"), choice("settingsMapColours", maps, &AppSettings::mapColours));
}

void SettingsDialog::addFolders(QFormLayout& form) {
  addHeading(form, tr("Folders"));
  auto* captures = new QLineEdit(fileText(m_settings.captureFolder), this);
  captures->setObjectName(QStringLiteral("settingsCaptures"));
  captures->setAccessibleName(tr("Folder of new captures"));
  captures->setPlaceholderText(fileText(defaultCaptureFolder()));
  connect(captures, &QLineEdit::editingFinished, this, [this, captures] {
    m_settings.captureFolder = fileOfText(captures->text().trimmed());
    tell();
  });
  auto* browse = smallButton(tr("Choose …"), this);
  connect(browse, &QPushButton::clicked, this, [this, captures] {
    const QString folder =
        QFileDialog::getExistingDirectory(this, tr("Folder of captures"), captures->text());
    if (folder.isEmpty()) return;
    captures->setText(fileText(folder.toStdString()));
    Q_EMIT captures->editingFinished();
  });
  auto* line = new QHBoxLayout;
  line->setSpacing(8);
  line->addWidget(captures, 1);
  line->addWidget(browse);
  form.addRow(tr("New captures"), line);

  m_folders = new QListWidget(this);
  m_folders->setObjectName(QStringLiteral("settingsModels"));
  m_folders->setFixedHeight(kSectionsHeight);
  m_folders->setToolTip(tr("Searched in addition to the caches of Hugging Face, LM Studio and Ollama"));
  m_folders->setAccessibleName(tr("Folders with models"));
  auto* add = smallButton(tr("Add …"), this);
  auto* remove = smallButton(tr("Remove"), this);
  remove->setObjectName(QStringLiteral("settingsRemoveModels"));
  connect(add, &QPushButton::clicked, this, [this] {
    const QString folder = QFileDialog::getExistingDirectory(this, tr("A folder that holds models"));
    if (folder.isEmpty()) return;
    m_settings.modelFolders.emplace_back(folder.toStdString());
    listFolders();
    tell();
  });
  connect(remove, &QPushButton::clicked, this, [this] {
    const int row = m_folders->currentRow();
    if (row < 0) return;
    m_settings.modelFolders.erase(m_settings.modelFolders.begin() + row);
    listFolders();
    tell();
  });
  auto* buttons = new QVBoxLayout;
  buttons->setSpacing(6);
  buttons->addWidget(add);
  buttons->addWidget(remove);
  buttons->addStretch(1);
  auto* models = new QHBoxLayout;
  models->setSpacing(8);
  models->addWidget(m_folders, 1);
  models->addLayout(buttons);
  form.addRow(tr("Models"), models);
  listFolders();
}

void SettingsDialog::listFolders() {
  m_folders->clear();
  for (const auto& folder : m_settings.modelFolders) m_folders->addItem(fileText(folder));
}

void SettingsDialog::addWork(QFormLayout& form) {
  addHeading(form, tr("Work"));
  auto* threads = new QSpinBox(this);
  threads->setObjectName(QStringLiteral("settingsThreads"));
  threads->setRange(0, AppSettings::kMostThreads);
  threads->setSpecialValueText(tr("all cores"));
  threads->setValue(m_settings.threads);
  threads->setToolTip(tr("Threads for analyses; results do not depend on the number"));
  connect(threads, &QSpinBox::valueChanged, this, [this](int value) {
    m_settings.threads = value;
    tell();
  });
  form.addRow(tr("Threads"), threads);
  form.addRow(tr("Device of new captures"), choice("settingsDevice",
                                                   {{QStringLiteral("auto"), tr("automatic")},
                                                    {QStringLiteral("cpu"), tr("CPU")},
                                                    {QStringLiteral("cuda"), tr("GPU (CUDA)")}},
                                                   &AppSettings::device));
  auto* restore = new QCheckBox(tr("Open the tabs of the last session at the start"), this);
  restore->setObjectName(QStringLiteral("settingsRestore"));
  restore->setChecked(m_settings.restoreSession);
  connect(restore, &QCheckBox::toggled, this, [this](bool on) {
    m_settings.restoreSession = on;
    tell();
  });
  form.addRow(QString(), restore);
  auto* intervals = new QCheckBox(tr("Compute the 95 % intervals of a capture that is opened"), this);
  intervals->setObjectName(QStringLiteral("settingsIntervals"));
  intervals->setToolTip(
      tr("In the background, by leaving out its texts one at a time; they are kept for "
         "the next time"));
  intervals->setChecked(m_settings.intervals);
  connect(intervals, &QCheckBox::toggled, this, [this](bool on) {
    m_settings.intervals = on;
    tell();
  });
  form.addRow(QString(), intervals);
}

void SettingsDialog::reject() {
  m_settings = m_first;
  tell();
  QDialog::reject();
}

}  // namespace plastiscope
