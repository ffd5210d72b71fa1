#pragma once
// One way to name the texts of a capture: a page of the texts box. To add one: its class, and a line in
// texts_box.cpp.
#include <QWidget>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/text/tokenizer.h"
#include "widgets/capture/text_count.h"

namespace plastiscope {

class TextSource : public QWidget {
  Q_OBJECT
 public:
  using QWidget::QWidget;

  virtual QString title() const = 0;      // of its tab, with a letter for the keyboard
  virtual QString emptyHint() const = 0;  // what to do while there is nothing; the page shows it
  virtual bool takesFiles() const { return true; }
  virtual QString fileFilter() const { return {}; }
  virtual void addPaths(const std::vector<std::filesystem::path>&) {}
  virtual void clearFiles() {}  // of sources that are a list of files

  virtual void setTokenizer(std::shared_ptr<const Tokenizer> tokenizer) = 0;  // null: nothing is counted
  // Text and id field and the most examples; files and selection are the source's own.
  virtual void setOptions(const CorpusOptions&) {}
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
};

}  // namespace plastiscope
