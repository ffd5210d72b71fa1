#pragma once
// Settings dialog: look, folders, work. Changes apply immediately; Cancel reverts them.
#include <QDialog>

#include "widgets/state/app_settings.h"

class QFormLayout;
class QListWidget;

namespace plastiscope {

class SettingsDialog : public QDialog {
  Q_OBJECT
 public:
  explicit SettingsDialog(const AppSettings& settings, QWidget* parent = nullptr);
  const AppSettings& settings() const { return m_settings; }

 Q_SIGNALS:
  void changed(const plastiscope::AppSettings& settings);  // on Cancel with the initial settings

 public Q_SLOTS:
  void reject() override;

 private:
  void addFolders(QFormLayout& form);
  void listFolders();
  void tell() { Q_EMIT changed(m_settings); }

  const AppSettings m_first;
  AppSettings m_settings, m_standard;
  OptionList m_options, m_standardOptions;
  QListWidget* m_folders = nullptr;
};

}  // namespace plastiscope
