#pragma once
// The settings of a capture plan as form fields: window, sampler, heads, vectors, compute.
#include <QWidget>
#include <optional>

#include "core/capture/capture_plan.h"
#include "core/model/model_spec.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QSpinBox;

namespace plastiscope {

class PlanForm : public QWidget {
  Q_OBJECT
 public:
  explicit PlanForm(QWidget* parent = nullptr);

  void setModel(const std::optional<ModelSpec>& spec);
  // What the texts come to; moves the rate until it was set by hand.
  void setTexts(std::int64_t longest, std::int64_t tokensAfterCut);

  void chooseDevice(const std::string& device);  // auto, cpu, cuda

  CapturePlan plan() const;
  void setPlan(const CapturePlan& plan);  // a standard rate goes on following the texts
  bool rateByHand() const { return m_rateByHand; }
  std::int64_t effectiveWindow() const;  // tokens; 0 while not known
  QString problem() const;               // of the head list; "" when all is well

 Q_SIGNALS:
  void changed();

 private:
  void refresh();

  std::optional<ModelSpec> m_spec;
  std::int64_t m_longest = 0, m_tokens = 0;
  bool m_rateByHand = false;
  QSpinBox *m_window, *m_bucket;
  QDoubleSpinBox* m_rate;
  QComboBox *m_sampler, *m_heads, *m_point, *m_device, *m_dtype, *m_store;
  QCheckBox *m_paired, *m_allLayers;
  QLabel *m_windowNote, *m_headsNote;
};

}  // namespace plastiscope
