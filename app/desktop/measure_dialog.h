#pragma once
// Measurements of what a head, or the model's RoPE, does: the texts of a capture run through the model again
// with one thing changed. The list of them, and the dialog that begins one.
#include <QDialog>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "core/jobs/capture_again.h"
#include "core/views/study.h"

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace plastiscope {

class DialogButtons;

// To add one: its kind in capture_again.h, its line in measure_dialog.cpp.
struct MeasurementKind {
  Intervention kind;
  const char* action;    // object name of its command
  QString menu;          // behind "Measure"
  QString title, about;  // of the dialog; %1: the head
  bool ofHead = true;    // else of the whole model
};
const std::vector<MeasurementKind>& measurementKinds();

// What is measured, before the change is chosen.
struct MeasurementStart {
  std::shared_ptr<const Study> origin;  // with its capture
  std::optional<HeadName> head;
  std::filesystem::path model;   // where it lies
  std::filesystem::path folder;  // where the new capture goes
};

class MeasureDialog : public QDialog {
  Q_OBJECT
 public:
  MeasureDialog(const MeasurementKind& kind, const MeasurementStart& start, QWidget* parent = nullptr);
  QString text() const;  // rich; what it says

 Q_SIGNALS:
  void startRequested(const plastiscope::CaptureChange& change, const std::filesystem::path& out);
  void lossRequested();  // to be measured first

 private:
  QWidget* ropeFields();
  void fillRope();     // as the choice and its number say
  QString readRope();  // into the change; "" or what is wrong with it
  QString lacking();   // "" or why this cannot be measured
  void refresh();
  std::filesystem::path file() const;

  MeasurementStart m_start;
  CaptureChange m_change;
  QString m_about;
  QComboBox* m_kind = nullptr;
  QDoubleSpinBox* m_number = nullptr;
  QLineEdit* m_json = nullptr;
  QLabel *m_text, *m_file;
  QPushButton* m_loss;
  DialogButtons* m_buttons;
};

}  // namespace plastiscope
