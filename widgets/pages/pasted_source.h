#pragma once
// A text that is pasted or typed; Start writes it into a file beside the capture.
#include <optional>

#include "widgets/jobs/job_relay.h"
#include "widgets/pages/text_source.h"

class QPlainTextEdit;
class QTimer;

namespace plastiscope {

class PastedSource : public TextSource {
  Q_OBJECT
 public:
  explicit PastedSource(Workers& workers, QWidget* parent = nullptr);

  QString title() const override { return tr("Pasted text"); }
  QString emptyHint() const override { return tr("Paste or type a text of some thousand words."); }
  bool takesFiles() const override { return false; }
  void setTokenizer(std::shared_ptr<const Tokenizer> tokenizer) override;
  CorpusOptions corpus(const std::filesystem::path& out) const override;
  std::vector<std::int64_t> lengths() const override;
  bool counted() const override { return m_count.has_value(); }
  std::string label() const override { return "pasted text"; }
  bool readable() const override { return false; }
  void prepare(const std::filesystem::path& out) override;
  void showPreview() override;

 private:
  void count();

  std::shared_ptr<const Tokenizer> m_tokenizer;
  JobRelay m_relay;
  std::optional<TextCount> m_count;
  QPlainTextEdit* m_text;
  QTimer* m_delay;
};

}  // namespace plastiscope
