#pragma once
// The settings of a capture that most captures leave alone: seeds, RoPE, interventions, memory, fields of
// records.
#include <QWidget>
#include <optional>

#include "core/model/model_spec.h"
#include "widgets/state/capture_draft.h"

class QCheckBox;
class QLineEdit;
class QSpinBox;

namespace plastiscope {

class AdvancedForm : public QWidget {
  Q_OBJECT
 public:
  explicit AdvancedForm(QWidget* parent = nullptr);

  void setModel(const std::optional<ModelSpec>& spec);
  void addTo(CaptureDraft& draft) const;  // all but the fields of records
  void set(const CaptureDraft& draft);    // with them
  CorpusOptions recordOptions() const;    // text and id field, most examples
  QString problem() const;                // what is not understood; "" when all is well

 Q_SIGNALS:
  void changed();
  void recordOptionsChanged();

 private:
  QWidget* buildClampFrom();
  QString headsProblem(const QLineEdit* heads, const QString& option) const;

  std::optional<ModelSpec> m_spec;
  QSpinBox *m_headSeed, *m_sampleSeed, *m_memory, *m_most;
  QCheckBox* m_authorDraw;
  QLineEdit *m_rope, *m_ablate, *m_clamp, *m_clampFrom, *m_textField, *m_idField;
};

}  // namespace plastiscope
