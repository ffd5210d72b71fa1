#pragma once
// Settings of a capture on two pages, made from the list of its options (core/capture/capture_request.h).
#include <QTabWidget>
#include <optional>

#include "core/capture/capture_request.h"
#include "core/model/model_spec.h"

class QLabel;

namespace plastiscope {

class ElidedLabel;
class OptionFields;

class CaptureForm : public QTabWidget {
  Q_OBJECT
 public:
  explicit CaptureForm(QWidget* parent = nullptr);

  void setModel(const std::optional<ModelSpec>& spec);
  // Size of the texts; sets the rate unless it was set by hand.
  void setTexts(std::int64_t longest, std::int64_t tokensAfterCut);
  void chooseDevice(const std::string& device);  // auto, cpu, cuda
  void choosePython(const std::string& python);

  // Current settings with the options of records, without model, texts and output file.
  const CaptureRequest& request() const { return m_request; }
  void setRequest(const CaptureRequest& request);  // a default rate continues to follow the texts
  bool rateByHand() const { return m_rateByHand; }
  std::int64_t effectiveWindow() const;  // tokens; 0 if unknown
  QString problem() const;               // invalid fields; "" when there are none

 Q_SIGNALS:
  void changed();
  void recordOptionsChanged();

 private:
  void fieldChanged(const std::string& key);
  void refresh();
  void editRope();
  QString headsProblem() const;
  QString problemOf(const std::string& heads, const QString& option) const;

  CaptureRequest m_request;
  CaptureRequest m_standard;
  OptionList m_options, m_standardOptions;
  OptionFields* m_fields;
  std::optional<ModelSpec> m_spec;
  std::int64_t m_longest = 0, m_tokens = 0;
  bool m_rateByHand = false;
  QLabel* m_windowNote;
  ElidedLabel* m_headsNote;
};

// The smallest integer rate with about 2,000 rows per head, at least 1 and at most one row per token.
double suggestedRate(std::int64_t tokensAfterCut, std::int64_t bucketSize);

}  // namespace plastiscope
