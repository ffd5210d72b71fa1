#pragma once
// Texts of a capture: their token counts, the base class of their sources, and the box with a page for each
// source. Counting is slow: call it in a worker.
#include <QTemporaryDir>
#include <QWidget>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/text/corpus.h"
#include "core/text/tokenizer.h"
#include "core/text/token_types.h"
#include "widgets/jobs/job_runner.h"

class QLabel;
class QTabWidget;
class QPlainTextEdit;
class QTimer;

namespace plastiscope {

// Token counts of a text file for one tokenizer.
struct TextCount {
  std::vector<std::int64_t> lengths;  // tokens of each text of the file
  std::int64_t characters = 0;        // bytes of UTF-8, all texts
  std::string firstId;
  std::vector<std::string> pieces;  // the first tokens of the first text, as bytes of the text
  UnusualTokens unusual;            // in all texts
  bool moreTokens = false;          // the first text continues after `pieces`

  std::int64_t total() const;
  std::int64_t longest() const;
};

// Totals of texts of these lengths cut to `window` tokens; 0 = the longest.
struct TextTotals {
  std::int64_t texts = 0, tokens = 0, longest = 0;
  std::int64_t afterCut = 0;  // sum of min(length, window)
  std::int64_t shorter = 0;   // texts shorter than the window
};
TextTotals totalsOf(const std::vector<std::int64_t>& lengths, std::int64_t window);

// InputError, Stopped.
TextCount countText(const Tokenizer& tokenizer, const CorpusOptions& corpus, Progress& progress);
// The same for a text that is not in a file.
TextCount countText(const Tokenizer& tokenizer, const std::string& id, const std::string& text,
                    bool addSpecial = true);

// Source of the texts of a capture: a page of the texts box. To add one: its class, and a line in
// texts_box.cpp.
class TextSource : public QWidget {
  Q_OBJECT
 public:
  struct Words {
    QString title;       // title of its tab, with a shortcut letter
    QString emptyHint;   // hint shown while there are no texts
    QString fileFilter;  // for accepted files; "" = none
  };
  TextSource(Words words, QWidget* parent) : QWidget(parent), m_words(std::move(words)) {}

  const Words& words() const { return m_words; }
  bool takesFiles() const { return !m_words.fileFilter.isEmpty(); }
  virtual void addPaths(const std::vector<std::filesystem::path>&) {}
  virtual void clearFiles() {}  // for sources that are a list of files

  void setTokenizer(std::shared_ptr<const Tokenizer> tokenizer);  // null: no counting
  // Text and id field and the maximum number of examples; files and selection belong to the source.
  void setOptions(const CorpusOptions& options);
  virtual void setWindow(std::int64_t) {}

  // Current options as for the command line; `out` is the capture's file.
  virtual CorpusOptions corpus(const std::filesystem::path& out) const = 0;
  virtual std::vector<std::int64_t> lengths() const = 0;  // tokens of the texts counted so far
  virtual bool counted() const = 0;                       // counting is complete
  virtual QString problem() const { return {}; }          // why the texts cannot be used; "" = usable
  virtual std::string label() const = 0;                  // word for the file name
  // The same texts, readable by another program now; and preparation at Start, so that corpus() is readable.
  virtual CorpusOptions readableCorpus(const std::filesystem::path& out) const { return corpus(out); }
  virtual void prepare(const std::filesystem::path&) {}  // InputError, ResourceError
  virtual void showPreview() = 0;

 Q_SIGNALS:
  void changed();  // other texts, or new counts
  void previewChanged(const QString& name, const plastiscope::TextCount& count);

 protected:
  virtual void countAnew() = 0;  // after a change of the tokenizer or of texts in the same files
  const std::shared_ptr<const Tokenizer>& tokenizer() const { return m_tokenizer; }
  const CorpusOptions& options() const { return m_options; }

 private:
  Words m_words;
  std::shared_ptr<const Tokenizer> m_tokenizer;
  CorpusOptions m_options;
};

// One page for each kind of source, and totals of the chosen texts.
class TextsBox : public QWidget {
  Q_OBJECT
 public:
  explicit TextsBox(Workers& workers, QWidget* parent = nullptr);

  void setTokenizer(const std::shared_ptr<const Tokenizer>& tokenizer);
  void setOptions(const CorpusOptions& options);  // as TextSource::setOptions
  void addPaths(const std::vector<std::filesystem::path>& paths);
  void clearFiles();                    // only texts given as files, not records or pasted text
  void setWindow(std::int64_t window);  // as in CapturePlan

  TextSource& source() const;
  TextTotals totals(std::int64_t window) const;  // of texts counted so far

 Q_SIGNALS:
  void changed();  // other texts, or new counts
  void previewChanged(const QString& name, const plastiscope::TextCount& count);

 private:
  void showSummary();
  void askForFiles();
  void askForFolder();

  std::vector<TextSource*> m_sources;
  bool m_hasTokenizer = false;
  std::int64_t m_window = 0, m_most = -1;
  QTabWidget* m_tabs;
  QLabel* m_summary;
};

// Pasted or typed text; Start writes it to a file beside the capture.
class PastedSource : public TextSource {
  Q_OBJECT
 public:
  explicit PastedSource(Workers& workers, QWidget* parent = nullptr);

  CorpusOptions corpus(const std::filesystem::path& out) const override;
  std::vector<std::int64_t> lengths() const override;
  bool counted() const override { return m_count.has_value(); }
  QString problem() const override { return m_problem; }
  std::string label() const override { return "pasted text"; }
  CorpusOptions readableCorpus(const std::filesystem::path& out) const override;
  void prepare(const std::filesystem::path& out) override;
  void showPreview() override;

 private:
  void countAnew() override;
  void count();
  std::filesystem::path temporaryFile() const;
  void writeTemporary(const std::string& text);

  JobRunner m_runner;
  std::optional<TextCount> m_count;
  QTemporaryDir m_folder;  // copy of the counted text
  int m_version = 0;       // changes the file name with every change, so that it is estimated again
  QString m_problem;
  QPlainTextEdit* m_text;
  QTimer* m_delay;
};

}  // namespace plastiscope
