#pragma once
// What a person may choose about the program: look, folders, work. Changes are seen at once; Cancel takes
// them back.
#include <QDialog>

#include "widgets/state/app_settings.h"

class QComboBox;
class QFormLayout;
class QListWidget;

namespace plastiscope {

class SettingsDialog : public QDialog {
  Q_OBJECT
 public:
  explicit SettingsDialog(const AppSettings& settings, QWidget* parent = nullptr);
  const AppSettings& settings() const { return m_settings; }

 Q_SIGNALS:
  void changed(const plastiscope::AppSettings& settings);  // also by Cancel: the first ones again

 public Q_SLOTS:
  void reject() override;

 private:
  void addLook(QFormLayout& form);
  void addFolders(QFormLayout& form);
  void addWork(QFormLayout& form);
  // A box of (value, title) that writes into a text of the settings.
  QComboBox* choice(const char* name, const std::vector<std::pair<QString, QString>>& values,
                    std::string AppSettings::*value);
  void listFolders();
  void tell() { Q_EMIT changed(m_settings); }

  const AppSettings m_first;
  AppSettings m_settings;
  QListWidget* m_folders = nullptr;
};

}  // namespace plastiscope
