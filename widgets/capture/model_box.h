#pragma once
// Model of a capture: chosen from those found, or browsed for; opened in a worker for its shape and
// tokenizer.
#include <QWidget>
#include <filesystem>
#include <optional>
#include <vector>

#include "core/model/model_spec.h"
#include "widgets/jobs/job_runner.h"
#include "widgets/models/library_entry.h"

class QComboBox;
class QLabel;

namespace plastiscope {

class Tokenizer;

class ModelBox : public QWidget {
  Q_OBJECT
 public:
  ModelBox(const std::vector<LibraryEntry>& models, Workers& workers, QWidget* parent = nullptr);

  void add(const std::vector<LibraryEntry>& models);  // new ones only
  void choose(const std::filesystem::path& model);
  void useTokenizer(const std::filesystem::path& file);  // instead of the model's own; "" = its own
  std::filesystem::path path() const;
  QString name() const;
  // Settings of the chosen model, once it is open; else empty.
  const std::optional<ModelSpec>& spec() const { return m_spec; }
  const std::shared_ptr<const Tokenizer>& tokenizer() const { return m_tokenizer; }
  QString tokenizerText() const { return m_tokenizerText; }  // description, or why there is none
  QString problem() const;  // why it cannot be used; "" also while it is read

 Q_SIGNALS:
  void changed();  // another model was chosen or has been opened

 private:
  struct Opened;
  void open();
  void take(const JobResult<Opened>& opened);
  void browse();

  JobRunner m_runner;
  std::filesystem::path m_tokenizerFile;
  std::optional<ModelSpec> m_spec;
  std::shared_ptr<const Tokenizer> m_tokenizer;
  QString m_tokenizerText, m_problem;
  QComboBox* m_model;
  QLabel* m_note;
};

}  // namespace plastiscope
