#pragma once
// Dialog that starts a sweep: models x texts x settings, as the file that `plastiscope-cli batch` takes.
#include <QDialog>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/base/json_value.h"
#include "widgets/models/library_entry.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QTemporaryDir;

namespace plastiscope {

class CaptureForm;
class DialogButtons;
class EstimateProcess;
class SaveBox;

// A folder of captures and analyses; the sweep's file is FOLDER.toml.
struct SweepStart {
  std::filesystem::path out;
  std::string content;  // of the file; "": the file is there
  std::filesystem::path file() const { return std::filesystem::path(out).concat(".toml"); }
};

class SweepDialog : public QDialog {
  Q_OBJECT
 public:
  // `folder`: of new captures.
  SweepDialog(const std::vector<LibraryEntry>& models, std::filesystem::path folder,
              QWidget* parent = nullptr);
  ~SweepDialog() override;

 Q_SIGNALS:
  void startRequested(const plastiscope::SweepStart& sweep);

 private:
  // An option of captures and its values.
  struct Varied {
    QComboBox* option;
    QLineEdit* values;
  };
  // Settings of one capture of each model and text: a name and lines of the file.
  struct Kind {
    std::string name, lines;
  };
  void addTo(QListWidget& list, const QString& path, const QString& name, bool chosen);
  std::vector<std::string> chosen(const QListWidget& list) const;
  std::vector<Kind> kinds() const;
  std::string content() const;
  QString problem() const;
  void estimate();
  void showEstimate(const Json& runs);  // of `batch --dry-run --json`
  void refresh();

  std::filesystem::path m_folder;
  QListWidget *m_models, *m_texts;
  CaptureForm* m_settings;
  std::vector<Varied> m_varied;
  SaveBox* m_out;
  QLabel* m_summary;
  DialogButtons* m_buttons = nullptr;
  EstimateProcess* m_estimate;
  std::unique_ptr<QTemporaryDir> m_draft;  // of the file that is estimated
};

}  // namespace plastiscope
