#pragma once
// Choice of the rows that a tab is computed from: texts, positions, types of tokens.
#include <QDialog>
#include <memory>
#include <vector>

#include "core/analysis/row_choice.h"
#include "core/store/capture_file.h"

class QCheckBox;
class QListWidget;
class QSpinBox;

namespace plastiscope {

class CommandBox;
class DialogButtons;

class RowsDialog : public QDialog {
  Q_OBJECT
 public:
  // `capture`: with all of its rows; `shown`: initial choice.
  RowsDialog(std::shared_ptr<const CaptureFile> capture, const RowChoice& shown, QWidget* parent = nullptr);

  RowChoice choice() const;

 Q_SIGNALS:
  void chosen(const plastiscope::RowChoice& choice);

 private:
  QWidget* textsBox();
  QWidget* tokensBox();
  void show(const RowChoice& choice);
  void checkTexts(bool on);
  std::vector<std::int64_t> checkedTexts() const;
  void refresh();
  QString problem() const;  // "" = none

  std::shared_ptr<const CaptureFile> m_capture;
  QListWidget* m_texts;
  QSpinBox *m_from, *m_to;
  std::vector<QCheckBox*> m_types;
  CommandBox* m_command;
  DialogButtons* m_buttons;
};

}  // namespace plastiscope
