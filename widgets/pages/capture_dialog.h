#pragma once
// New capture: model, texts, settings; beside them the tokens of a text, a live estimate and the command line
// that does the same. The dialog decides nothing that the command line could not be told.
#include <QDialog>
#include <filesystem>
#include <optional>
#include <vector>

#include "core/model/model_spec.h"
#include "widgets/jobs/estimate_process.h"
#include "widgets/jobs/job_relay.h"
#include "widgets/models/library_entry.h"
#include "widgets/state/capture_draft.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;

namespace plastiscope {

class AdvancedForm;
class EstimateBox;
class PlanForm;
class TextsBox;
class Tokenizer;
class TokenPreview;

class CaptureDialog : public QDialog {
  Q_OBJECT
 public:
  // `program`: plastiscope-cli, "" when it was not found. `folder`: where captures are saved.
  CaptureDialog(const std::vector<LibraryEntry>& models, std::filesystem::path folder, const QString& program,
                Workers& workers, QWidget* parent = nullptr);

  void chooseModel(const std::filesystem::path& model);
  void chooseDevice(const std::string& device);  // auto, cpu, cuda
  void addTexts(const std::vector<std::filesystem::path>& paths);
  // What Start would run now; pasted text is written to a file only by Start.
  CaptureDraft draft() const;

 Q_SIGNALS:
  void startRequested(const plastiscope::CaptureDraft& draft);

 protected:
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  struct OpenedModel {
    ModelSpec spec;
    std::shared_ptr<const Tokenizer> tokenizer;
    QString tokenizerProblem;
  };

  QLayout* buildLeft();
  QLayout* buildRight();
  void openModel();
  void takeModel(const Outcome<OpenedModel>& model);
  void textsChanged();
  void refresh();
  void start();
  void browseModel();
  void browseOut();
  QString missing() const;  // what keeps Start from being possible; "" = nothing
  QWidget* buildSettings();

  std::vector<LibraryEntry> m_models;
  std::filesystem::path m_folder;
  QString m_program;
  JobRelay m_modelRelay;
  EstimateProcess m_estimate;
  std::optional<ModelSpec> m_spec;
  QString m_modelProblem;
  QStringList m_estimated;  // arguments of the last estimate asked for
  bool m_outByHand = false;

  QComboBox* m_model;
  QLabel *m_modelNote, *m_hint;
  TextsBox* m_texts;
  PlanForm* m_plan;
  AdvancedForm* m_advanced;
  QLineEdit* m_out;
  TokenPreview* m_preview;
  EstimateBox* m_estimateBox;
  QPlainTextEdit* m_command;
  QPushButton* m_start;
};

}  // namespace plastiscope
