#pragma once
// Boxes of the capture dialog: its model, the tokens of a text, and the estimated needs.
#include <QFrame>

#include "core/base/json_value.h"
#include "core/model/model_spec.h"
#include "core/transformers/engine_choice.h"
#include "widgets/capture/texts_box.h"
#include "widgets/jobs/job_runner.h"
#include "widgets/models/library_entry.h"

class QComboBox;
class QGridLayout;
class QLabel;
class QProgressBar;
class QTextEdit;

namespace plastiscope {

// Chosen from the models found, or browsed for; opened in a worker for its shape and tokenizer.
class ModelBox : public QWidget {
  Q_OBJECT
 public:
  ModelBox(const std::vector<LibraryEntry>& models, Workers& workers, QWidget* parent = nullptr);

  void add(const std::vector<LibraryEntry>& models);  // new ones only
  void choose(const std::filesystem::path& model);
  void useTokenizer(const std::filesystem::path& file);  // instead of the model's own; "" = its own
  void useEngine(const EngineOptions& engine);           // what will run it
  std::filesystem::path path() const;
  QString name() const;
  // Settings of the chosen model, once it is open; else empty.
  const std::optional<ModelSpec>& spec() const { return m_spec; }
  const std::shared_ptr<const Tokenizer>& tokenizer() const { return m_tokenizer; }
  QString tokenizerText() const { return m_tokenizerText; }  // description, or why there is none
  const QString& problem() const { return m_problem; }  // why it cannot be used; "" also while it is read

 Q_SIGNALS:
  void changed();  // another model was chosen or has been opened

 private:
  struct Opened;
  void open();
  void showOpened(const JobResult<Opened>& opened);
  void browse();

  JobRunner m_runner;
  std::filesystem::path m_tokenizerFile;
  EngineOptions m_engine;
  std::optional<ModelSpec> m_spec;
  std::shared_ptr<const Tokenizer> m_tokenizer;
  QString m_tokenizerText, m_problem;
  QComboBox* m_model;
  QLabel* m_note;
};

// The first tokens of a text, each with its own background.
class TokenPreview : public QFrame {
  Q_OBJECT
 public:
  explicit TokenPreview(QWidget* parent = nullptr);
  void setTokenizerText(const QString& description);
  void setHint(const QString& hint);
  void showText(const QString& name, const TextCount& count);

 private:
  QLabel *m_title, *m_tokenizer, *m_count, *m_ratio, *m_unusual;
  QTextEdit* m_text;
};

// Estimated needs of a capture: tokens, time, memory, disk, rows, and whether it fits.
class EstimateBox : public QFrame {
  Q_OBJECT
 public:
  explicit EstimateBox(QWidget* parent = nullptr);
  void showWaiting(const QString& sentence);  // no estimate yet, or running
  void showEstimate(const Json& estimate);    // CaptureEstimate::toJson()
  void showFailure(const QString& sentence);

 private:
  struct Line {  // `bar` may be null
    QLabel *name, *value, *remark;
    QProgressBar* bar;
    void show(const QString& text, const QString& comment, int steps = 0);
    void setVisible(bool visible);
  };
  Line addLine(const QString& name, bool withBar);
  void showSentence(const QString& sentence, const char* look);

  QGridLayout* m_grid;
  Line m_tokens = {}, m_time = {}, m_memory = {}, m_card = {}, m_disk = {}, m_rows = {};
  QLabel *m_state, *m_verdict;
};

}  // namespace plastiscope
