#include "widgets/analysis/analysis_dialog.h"

#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>
#include <cctype>

#include "core/analysis/settings.h"
#include "core/base/error.h"
#include "widgets/analysis/settings_form.h"
#include "widgets/forms/command_box.h"
#include "widgets/forms/dialog_foot.h"
#include "widgets/forms/save_box.h"
#include "widgets/state/file_text.h"
#include "widgets/state/shell_text.h"

namespace fs = std::filesystem;

namespace plastiscope {
namespace {

constexpr QSize kSize(900, 640);
constexpr std::size_t kNamed = 3;  // settings in the name of a file

// What file systems take without questions.
std::string plainName(std::string value) {
  std::replace_if(
      value.begin(), value.end(),
      [](unsigned char c) { return c > 127 || (std::isalnum(c) == 0 && c != '-' && c != '.'); }, '-');
  return value.substr(0, 24);
}

}  // namespace

fs::path suggestedAnalysisFile(const fs::path& capture, const AnalysisSettings& settings) {
  const std::vector<std::string> arguments = settingArguments(settingPresets().front().name, settings);
  std::string name = capture.stem().string();
  if (arguments.size() > 2 * kNamed) {
    name += "." + std::to_string(arguments.size() / 2) + "-settings";
  } else {
    for (std::size_t i = 0; i + 1 < arguments.size(); i += 2)
      name += "." + plainName(arguments[i].substr(2) + "-" + arguments[i + 1]);
  }
  if (arguments.empty()) name += ".thesis";
  fs::path file;
  std::error_code code;
  for (int number = 1; number == 1 || fs::exists(file, code); ++number)
    file = capture.parent_path() / (name + (number > 1 ? "." + std::to_string(number) : "") + ".analysis.h5");
  return file;
}

AnalysisDialog::AnalysisDialog(fs::path capture, const AnalysisSettings& start, QWidget* parent)
    : QDialog(parent),
      m_capture(std::move(capture)),
      m_settings(new SettingsForm(start, this)),
      m_out(new SaveBox({tr("The file of the analysis; its capture stays as it is"),
                         tr("Save the analysis as"), tr("Analyses (*.h5)")},
                        this)),
      m_command(new CommandBox(tr("Copy the command line; it computes the same without the window"), this)),
      m_foot(new DialogFoot({QStringLiteral("analysis"), tr("&Analyse"),
                             tr("Compute in the background and open the result in a tab of its own"),
                             tr("Close without analysing (Esc)")},
                            this)) {
  setObjectName(QStringLiteral("analysisDialog"));
  setWindowTitle(tr("Analyse %1").arg(fileText(m_capture.filename())));
  resize(kSize);
  auto* saveName = new QLabel(tr("Save &as"), this);
  saveName->setBuddy(m_out);
  auto* save = new QHBoxLayout;
  save->addWidget(saveName);
  save->addWidget(m_out, 1);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(18, 14, 18, 14);
  column->setSpacing(12);
  column->addWidget(m_settings, 1);
  column->addLayout(save);
  column->addWidget(m_command);
  column->addWidget(m_foot);
  connect(m_foot, &DialogFoot::startRequested, this, &AnalysisDialog::start);
  connect(m_settings, &SettingsForm::changed, this, &AnalysisDialog::refresh);
  connect(m_out, &SaveBox::changed, this, &AnalysisDialog::refresh);
  refresh();
}

QString AnalysisDialog::problem() const {
  try {
    (void)m_settings->settings();
  } catch (const UsageError& error) {
    return sanitizedText(error.what());
  }
  std::error_code code;
  const fs::path out = m_out->file();
  if (out.empty()) return tr("Choose where to save the analysis.");
  if (fs::exists(fs::symlink_status(out, code)))
    return tr("%1 is there already: choose another name.").arg(fileText(out.filename()));
  if (!out.parent_path().empty() && !fs::is_directory(out.parent_path(), code))
    return tr("There is no folder %1.").arg(fileText(out.parent_path()));
  return {};
}

void AnalysisDialog::refresh() {
  try {
    const AnalysisSettings settings = m_settings->settings();
    m_out->suggest(suggestedAnalysisFile(m_capture, settings));
    QStringList arguments = {fileText(m_capture), QStringLiteral("--out"), fileText(m_out->file())};
    for (const std::string& argument : settingArguments(m_settings->preset(), settings))
      arguments << QString::fromStdString(argument);
    m_command->setCommand(shellCommand(QStringLiteral("plastiscope-cli analyze"), arguments));
  } catch (const UsageError&) {
    // problem() says what is not understood
  }
  m_foot->showState(problem());
}

void AnalysisDialog::start() {
  if (!problem().isEmpty()) {
    refresh();
    return;
  }
  Q_EMIT startRequested(m_settings->settings(), m_out->file());
  accept();
}

}  // namespace plastiscope
