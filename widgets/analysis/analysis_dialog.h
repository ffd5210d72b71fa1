#pragma once
// Analyses a capture again with other settings; the result is a separate file and tab.
#include <QDialog>
#include <QWidget>
#include <filesystem>
#include <memory>
#include <vector>

#include "core/analysis/settings.h"
#include "core/store/capture_file.h"
#include "widgets/jobs/job_runner.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QTabWidget;
class QTimer;

namespace plastiscope {

class CommandBox;
class DialogButtons;
class SaveBox;
class SettingsForm;

class AnalysisDialog : public QDialog {
  Q_OBJECT
 public:
  // start: settings of the shown analysis; threads: of the new analysis, 0 = all cores.
  AnalysisDialog(std::shared_ptr<const CaptureFile> capture, const AnalysisSettings& start, Workers& workers,
                 int threads, QWidget* parent = nullptr);

 Q_SIGNALS:
  void startRequested(const plastiscope::AnalysisSettings& settings, const std::filesystem::path& out);

 private:
  void refresh();
  void start();
  // Estimates the duration by analysing one head, debounced.
  void measure();
  void showEstimate(double secondsOfHead, std::size_t heads);
  // Why Start is disabled; "" = enabled.
  QString problem() const;

  std::shared_ptr<const CaptureFile> m_capture;
  int m_threads;
  JobRunner m_measuring;
  QTimer* m_rest;
  SettingsForm* m_settings;
  SaveBox* m_out;
  CommandBox* m_command;
  DialogButtons* m_buttons;
};

// "study.h5" with 200 resamples -> "study.bootstrap-200.analysis.h5": up to three settings that differ from
// the thesis', in the capture's folder; with a number if that file exists.
std::filesystem::path suggestedAnalysisFile(const std::filesystem::path& capture,
                                            const AnalysisSettings& settings);

// All settings of an analysis as a form, made from the list of settings.
class SettingsForm : public QWidget {
  Q_OBJECT
 public:
  // start: initial values, also offered beside the presets.
  explicit SettingsForm(const AnalysisSettings& start, QWidget* parent = nullptr);

  AnalysisSettings settings() const;  // UsageError naming the invalid setting
  std::string preset() const;         // first option of the command line

 Q_SIGNALS:
  void changed();

 private:
  // Combo box where the values are words, else a line edit.
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
  void markChanged();  // shows names of changed settings in bold

  AnalysisSettings m_start;
  QComboBox* m_preset;
  QTabWidget* m_groups;
  std::vector<Field> m_fields;
  SettingTexts m_base;  // values of the preset
};

}  // namespace plastiscope
