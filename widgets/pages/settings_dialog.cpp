#include "widgets/pages/settings_dialog.h"

#include <QAbstractButton>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>

#include "widgets/forms/option_form.h"
#include "widgets/state/file_text.h"
#include "widgets/state/small_widgets.h"

namespace plastiscope {
namespace {

constexpr int kSectionsHeight = 76, kDialogWidth = 520;

void addHeading(QFormLayout& form, const QString& text) {
  auto* label = styledLabel(text, "strong", nullptr);
  label->setContentsMargins(0, form.rowCount() == 0 ? 0 : 10, 0, 0);
  form.addRow(label);
}

}  // namespace

SettingsDialog::SettingsDialog(const AppSettings& settings, QWidget* parent)

    : QDialog(parent),
      m_first(settings),
      m_settings(settings),
      m_options(preferences(m_settings)),
      m_standardOptions(preferences(m_standard)) {
  setObjectName(QStringLiteral("settingsDialog"));
  setWindowTitle(tr("Settings"));
  auto* form = new QFormLayout;
  form->setLabelAlignment(Qt::AlignRight | Qt::AlignVCenter);
  form->setHorizontalSpacing(12);
  form->setVerticalSpacing(7);
  auto* fields = new OptionFields(m_options, m_standardOptions, QStringLiteral("settings"), this);
  connect(fields, &OptionFields::changed, this, &SettingsDialog::tell);
  addHeading(*form, tr("Look"));
  fields->addRows(*form, "Look");
  addFolders(*form);
  addHeading(*form, tr("Work"));
  fields->addRows(*form, "Work");
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
  for (QAbstractButton* button : buttons->buttons()) button->setIcon({});
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  columnIn(this, {form, Stretch(), buttons}, {.margins = {18, 14, 18, 14}, .spacing = 14});
  setMinimumWidth(kDialogWidth);
}

void SettingsDialog::addFolders(QFormLayout& form) {
  addHeading(form, tr("Folders"));
  auto* captures = named("settingsCaptures", new QLineEdit(fileText(m_settings.captureFolder), this));
  captures->setAccessibleName(tr("Folder of new captures"));
  captures->setPlaceholderText(fileText(defaultCaptureFolder()));
  connect(captures, &QLineEdit::editingFinished, this, [this, captures] {
    m_settings.captureFolder = fileOfText(captures->text().trimmed());
    tell();
  });
  auto* browse = smallButton(tr("Choose …"), {}, this);
  connect(browse, &QPushButton::clicked, this, [this, captures] {
    const QString folder =
        QFileDialog::getExistingDirectory(this, tr("Folder of captures"), captures->text());
    if (folder.isEmpty()) return;
    captures->setText(fileText(folder.toStdString()));
    Q_EMIT captures->editingFinished();
  });
  auto* line = rowOf({{captures, 1}, browse}, {.spacing = 8});
  form.addRow(tr("New captures"), line);

  m_folders = named("settingsModels", new QListWidget(this));
  m_folders->setFixedHeight(kSectionsHeight);
  explain(*m_folders, tr("Folders with models"),
          tr("Searched in addition to the caches of Hugging Face, LM Studio and Ollama"));
  auto* add = smallButton(tr("Add …"), {}, this);
  auto* remove = named("settingsRemoveModels", smallButton(tr("Remove"), {}, this));
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
  auto* buttons = columnOf({add, remove, Stretch()}, {.spacing = 6});
  auto* models = rowOf({{m_folders, 1}, buttons}, {.spacing = 8});
  form.addRow(tr("Models"), models);
  listFolders();
}

void SettingsDialog::listFolders() {
  m_folders->clear();
  for (const auto& folder : m_settings.modelFolders) m_folders->addItem(fileText(folder));
}

void SettingsDialog::reject() {
  m_settings = m_first;
  tell();
  QDialog::reject();
}

}  // namespace plastiscope

#include "moc_settings_dialog.cpp"
