#pragma once
// Dialog that starts probes of a study's model, an intervention study on its heads, or a composition.
#include <QDialog>
#include <QStringList>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/causal/composition_request.h"
#include "core/causal/experiment_file.h"
#include "core/views/study.h"
#include "widgets/state/selection.h"

class QComboBox;
class QLayout;
class QLineEdit;
class QStackedWidget;

namespace plastiscope {

class CommandBox;
class DialogButtons;
class OptionFields;
class SaveBox;

// A run of plastiscope-cli in the background, and the study into which its results are imported.
struct CausesRun {
  QStringList arguments;      // of plastiscope-cli
  std::string plan;           // content of the study's file; "": none
  bool ownTexts = false;      // the plan reads the texts of the study's capture from a file beside it
  std::filesystem::path out;  // folder of the tables
  std::shared_ptr<const Study> study;
  ViewSelection view;  // of the tab with the results
  std::filesystem::path beside(const char* ending) const { return std::filesystem::path(out).concat(ending); }
};
// Endings of files beside the folder of the tables: the study's file, the analysis that it ranks heads by,
// the analysis with the results, and the tokens of its capture.
inline constexpr const char *kPlanFile = ".toml", *kRankingFile = ".ranking.analysis.h5",
                            *kResultFile = ".analysis.h5", *kTokensFile = ".tokens.jsonl";

// Input of the dialog.
struct CausesStart {
  std::shared_ptr<const Study> study;
  ViewSelection view;                   // of its tab: several selected heads are a set of a study
  std::filesystem::path model, folder;  // of the outputs
};

class CausesDialog : public QDialog {
  Q_OBJECT
 public:
  explicit CausesDialog(CausesStart start, QWidget* parent = nullptr);

 Q_SIGNALS:
  void startRequested(const plastiscope::CausesRun& run);

 private:
  enum Kind { Probes, ChangedHeads, Composition };
  QWidget* probesPage();
  QWidget* headsPage();
  QWidget* compositionPage();
  QLayout* textsLine();
  Kind kind() const;
  QString problem() const;
  CausesRun run() const;
  // With model, texts and the options that are changed.
  QStringList command(const char* name, const OptionList& now, const OptionList& usual) const;
  std::string plan(const std::string& analysis) const;  // the file that heads are ranked by
  void refresh();

  CausesStart m_start;
  ExperimentPlan m_plan, m_usual;
  CompositionRequest m_composition, m_usualComposition;
  OptionList m_probeOptions, m_usualProbes, m_headOptions, m_usualHeads, m_edgeOptions, m_usualEdges;
  OptionFields *m_probeFields, *m_headFields, *m_edgeFields;
  QComboBox *m_kind, *m_column, *m_order;
  QLineEdit *m_ways, *m_texts;
  QStackedWidget* m_pages;
  SaveBox* m_out;
  CommandBox* m_command;
  DialogButtons* m_buttons;
};

}  // namespace plastiscope
