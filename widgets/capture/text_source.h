#pragma once
// What the texts of a capture come to in tokens, and the pages of the texts box that name them. Counting is
// work for a worker thread.
#include <QWidget>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/text/corpus.h"
#include "core/text/tokenizer.h"
#include "core/text/unusual_tokens.h"

namespace plastiscope {

// Tokens of a text file for one tokenizer.
struct TextCount {
  std::vector<std::int64_t> lengths;  // tokens of each text of the file
  std::int64_t characters = 0;        // bytes of UTF-8, all texts
  std::string firstId;
  std::vector<std::string> pieces;  // the first tokens of the first text, as they stand in it
  UnusualTokens unusual;            // of all texts
  bool moreTokens = false;          // the first text goes on after `pieces`

  std::int64_t total() const;
  std::int64_t longest() const;
};

// What texts of these lengths come to when they are cut to `window` tokens; 0 = the longest.
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

// One way to name the texts of a capture: a page of the texts box. To add one: its class, and a line in
// texts_box.cpp.
class TextSource : public QWidget {
  Q_OBJECT
 public:
  struct Words {
    QString title;       // of its tab, with a letter for the keyboard
    QString emptyHint;   // what to do while there is nothing; the page shows it
    QString fileFilter;  // of the files that it takes; "" = none
  };
  TextSource(Words words, QWidget* parent) : QWidget(parent), m_words(std::move(words)) {}

  const Words& words() const { return m_words; }
  bool takesFiles() const { return !m_words.fileFilter.isEmpty(); }
  virtual void addPaths(const std::vector<std::filesystem::path>&) {}
  virtual void clearFiles() {}  // of sources that are a list of files

  void setTokenizer(std::shared_ptr<const Tokenizer> tokenizer);  // null: nothing is counted
  // Text and id field and the most examples; files and selection are the source's own.
  void setOptions(const CorpusOptions& options);
  virtual void setWindow(std::int64_t) {}

  // What the command line would be told now; `out` is the capture's file.
  virtual CorpusOptions corpus(const std::filesystem::path& out) const = 0;
  virtual std::vector<std::int64_t> lengths() const = 0;  // tokens of the texts counted so far
  virtual bool counted() const = 0;                       // nothing is left to count
  virtual QString problem() const { return {}; }          // why the texts cannot be used
  virtual std::string label() const = 0;                  // a word for the file name
  // The same texts where another program can read them now, and what Start does so that it can read corpus().
  virtual CorpusOptions readableCorpus(const std::filesystem::path& out) const { return corpus(out); }
  virtual void prepare(const std::filesystem::path&) {}  // InputError, ResourceError
  virtual void showPreview() = 0;

 Q_SIGNALS:
  void changed();  // other texts, or new counts
  void previewChanged(const QString& name, const plastiscope::TextCount& count);

 protected:
  virtual void countAnew() = 0;  // another tokenizer, or other texts in the same files
  const std::shared_ptr<const Tokenizer>& tokenizer() const { return m_tokenizer; }
  const CorpusOptions& options() const { return m_options; }

 private:
  Words m_words;
  std::shared_ptr<const Tokenizer> m_tokenizer;
  CorpusOptions m_options;
};

}  // namespace plastiscope
