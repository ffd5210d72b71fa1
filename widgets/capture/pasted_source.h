#pragma once
// A text that is pasted or typed; Start writes it into a file beside the capture.
#include <QTemporaryDir>
#include <optional>

#include "widgets/capture/text_source.h"
#include "widgets/jobs/job_runner.h"

class QPlainTextEdit;
class QTimer;

namespace plastiscope {

class PastedSource : public TextSource {
  Q_OBJECT
 public:
  explicit PastedSource(Workers& workers, QWidget* parent = nullptr);

  QString title() const override { return tr("&Pasted text"); }
  QString emptyHint() const override { return tr("Paste or type a text of some thousand words."); }
  bool takesFiles() const override { return false; }
  void setTokenizer(std::shared_ptr<const Tokenizer> tokenizer) override;
  CorpusOptions corpus(const std::filesystem::path& out) const override;
  std::vector<std::int64_t> lengths() const override;
  bool counted() const override { return m_count.has_value(); }
  QString problem() const override { return m_problem; }
  std::string label() const override { return "pasted text"; }
  CorpusOptions readableCorpus(const std::filesystem::path& out) const override;
  void prepare(const std::filesystem::path& out) override;
  void showPreview() override;

 private:
  void count();
  std::filesystem::path temporaryFile() const;
  void writeTemporary(const std::string& text);

  std::shared_ptr<const Tokenizer> m_tokenizer;
  JobRelay m_relay;
  std::optional<TextCount> m_count;
  QTemporaryDir m_folder;  // of the text as far as it is counted
  int m_version = 0;       // its file has another name after every change, so that it is estimated anew
  QString m_problem;
  QPlainTextEdit* m_text;
  QTimer* m_delay;
};

}  // namespace plastiscope
