#pragma once
// Analyse a capture once more with settings of one's own; the result is a file and a tab of its own.
#include <QDialog>
#include <filesystem>

#include "core/analysis/settings.h"

namespace plastiscope {

class CommandBox;
class DialogFoot;
class SaveBox;
class SettingsForm;

class AnalysisDialog : public QDialog {
  Q_OBJECT
 public:
  // start: the settings of the analysis that is shown.
  AnalysisDialog(std::filesystem::path capture, const AnalysisSettings& start, QWidget* parent = nullptr);

 Q_SIGNALS:
  void startRequested(const plastiscope::AnalysisSettings& settings, const std::filesystem::path& out);

 private:
  void refresh();
  void start();
  // What keeps Start from being possible; "" = nothing.
  QString problem() const;

  std::filesystem::path m_capture;
  SettingsForm* m_settings;
  SaveBox* m_out;
  CommandBox* m_command;
  DialogFoot* m_foot;
};

// "study.h5" with 200 resamples -> "study.bootstrap-200.analysis.h5": up to three settings that differ from
// the thesis', beside the capture; with a number behind when that file is there already.
std::filesystem::path suggestedAnalysisFile(const std::filesystem::path& capture,
                                            const AnalysisSettings& settings);

}  // namespace plastiscope
