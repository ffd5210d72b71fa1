#pragma once
// All settings of an analysis as a form, made of the one list of settings.
#include <QWidget>
#include <vector>

#include "core/analysis/settings.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QTabWidget;

namespace plastiscope {

class SettingsForm : public QWidget {
  Q_OBJECT
 public:
  // start: what the form shows first, offered again beside the presets.
  explicit SettingsForm(const AnalysisSettings& start, QWidget* parent = nullptr);

  AnalysisSettings settings() const;  // UsageError that names what is not understood
  std::string preset() const;         // that the command line begins with

 Q_SIGNALS:
  void changed();

 private:
  // A box where words can be chosen, else a line.
  struct Field {
    const SettingInfo* info;
    QLabel* name;
    QComboBox* box;
    QLineEdit* line;
  };
  void addGroups();
  void addField(const SettingInfo& info, QWidget& page);
  QString textOf(const Field& field) const;
  void show(const AnalysisSettings& settings);
  void markChanged();  // names of settings that differ from what was chosen above are bold

  AnalysisSettings m_start;
  QComboBox* m_preset;
  QTabWidget* m_groups;
  std::vector<Field> m_fields;
  SettingTexts m_base;  // of the preset
};

}  // namespace plastiscope
