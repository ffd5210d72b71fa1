#pragma once
// Analyse a capture once more with settings of one's own; the result is a file and a tab of its own.
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
  // start: the settings of the analysis that is shown; threads: that the analysis will have, 0 = all cores.
  AnalysisDialog(std::shared_ptr<const CaptureFile> capture, const AnalysisSettings& start, Workers& workers,
                 int threads, QWidget* parent = nullptr);

 Q_SIGNALS:
  void startRequested(const plastiscope::AnalysisSettings& settings, const std::filesystem::path& out);

 private:
  void refresh();
  void start();
  // How long it will take: one head is analysed with the settings, when they have rested.
  void measure();
  void showEstimate(double secondsOfHead, std::size_t heads);
  // What keeps Start from being possible; "" = nothing.
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
// the thesis', beside the capture; with a number behind when that file is there already.
std::filesystem::path suggestedAnalysisFile(const std::filesystem::path& capture,
                                            const AnalysisSettings& settings);

// All settings of an analysis as a form, made of the one list of settings.
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
