#pragma once
// New capture dialog: model, texts, settings; beside them the tokens of a text, a live estimate and the
// equivalent command line. It offers nothing that the command line does not have.
#include <QDialog>
#include <filesystem>
#include <vector>

#include "widgets/jobs/capture_process.h"
#include "widgets/jobs/job_runner.h"
#include "widgets/models/library_entry.h"

namespace plastiscope {

class CaptureForm;
class CommandBox;
class DialogButtons;
class EstimateBox;
class ModelBox;
class SaveBox;
class TextsBox;
class TokenPreview;

class CaptureDialog : public QDialog {
  Q_OBJECT
 public:
  // `program`: path of plastiscope-cli, "" when not found. `folder`: for new captures.
  CaptureDialog(const std::vector<LibraryEntry>& models, std::filesystem::path folder, const QString& program,
                Workers& workers, QWidget* parent = nullptr);

  void chooseModel(const std::filesystem::path& model);
  void chooseDevice(const std::string& device);  // auto, cpu, cuda
  void choosePython(const std::string& python);  // of the engine transformers
  void addTexts(const std::vector<std::filesystem::path>& paths);
  void replaceTexts(const std::vector<std::filesystem::path>& paths);             // those given as files
  void setFolder(std::filesystem::path folder) { m_folder = std::move(folder); }  // before it is shown
  void addModels(const std::vector<LibraryEntry>& models);  // found since it was created
  // State for the next opening: model and settings, without texts and output file.
  Json settings() const;
  void restore(const Json& settings);  // from settings(); invalid values are left out
  // Request that Start would run now; pasted text is written to a file only by Start.
  CaptureRequest draft() const;

 Q_SIGNALS:
  void startRequested(const plastiscope::CaptureRequest& draft);

 protected:
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  QLayout* buildForm();
  void connectParts();
  void modelChanged();
  void textsChanged();
  void refresh();
  void estimate(const CaptureRequest& draft, const QString& lacking);
  void estimateFailed(const QString& sentence, bool refused);
  QString previewHint() const;
  void allowStart(const QString& lacking);
  void start();
  QStringList estimateArguments(CaptureRequest draft) const;  // with texts that another program can read now
  QString missing() const;                                    // why Start is disabled; "" = enabled

  std::filesystem::path m_folder;
  QString m_program;
  EstimateProcess m_estimate;
  QStringList m_estimated;  // arguments of the last estimate
  QString m_refusal;        // why Start cannot succeed according to the estimate; "" = it can

  ModelBox* m_model;
  TextsBox* m_texts;
  CaptureForm* m_settings;
  SaveBox* m_out;
  TokenPreview* m_preview;
  EstimateBox* m_estimateBox;
  CommandBox* m_command;
  DialogButtons* m_buttons;
};

// "SmolLM2-135M-Instruct" and "licences", 4096 -> "smollm2-135m-instruct licences 4k.h5"; without characters
// that file systems refuse.
std::string suggestedCaptureName(const std::string& model, const std::string& texts, std::int64_t window);

}  // namespace plastiscope
