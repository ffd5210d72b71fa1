#pragma once
// Measurements of the effect of heads or the model's RoPE: runs the texts of a capture through the model
// again with one change. List of measurements, and the dialog that starts one.
#include <QDialog>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "app/desktop/causes_dialog.h"
#include "core/jobs/capture_again.h"
#include "core/views/study.h"

class QComboBox;
class QLabel;
class QPushButton;

namespace plastiscope {

class DialogButtons;
class RopeFields;

// To add one: its kind in capture_again.h, its line in measure_dialog.cpp.
struct MeasurementKind {
  Intervention kind;
  const char* action;    // object name of its command
  QString menu;          // text after "Measure"
  QString title, about;  // texts of the dialog; %1: the heads
  bool ofHead = true;    // false: of the whole model
};
const std::vector<MeasurementKind>& measurementKinds();

// Input of a measurement.
struct MeasurementStart {
  std::shared_ptr<const Study> origin;  // with its capture
  std::vector<HeadName> heads;          // to be changed; empty if none is selected
  std::filesystem::path model;          // path of the model
  std::filesystem::path folder;         // folder of the new capture
};

class MeasureDialog : public QDialog {
  Q_OBJECT
 public:
  MeasureDialog(const MeasurementKind& kind, const MeasurementStart& start, QWidget* parent = nullptr);
  QString text() const;  // text of the dialog, rich

 Q_SIGNALS:
  void startRequested(const plastiscope::CaptureChange& change, const std::filesystem::path& out);
  void studyRequested(const plastiscope::CausesRun& run);  // the loss alone, by an intervention study
  void lossRequested();                                    // losses must be measured first

 private:
  QWidget* ropeFields();
  QString readRope();  // sets the change; returns "" or an error
  QString lacking();   // "" or why this cannot be measured
  void refresh();
  QString way() const;      // "zero", "mean", "resample"
  CausesRun study() const;  // for mean and resample
  std::filesystem::path file() const;

  MeasurementStart m_start;
  CaptureChange m_change;
  QString m_about;
  RopeFields* m_rope = nullptr;
  QComboBox* m_way = nullptr;
  QLabel *m_text, *m_file;
  QPushButton* m_loss;
  DialogButtons* m_buttons;
};

}  // namespace plastiscope
