#include "app/desktop/sweep_dialog.h"

#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QTemporaryDir>
#include <algorithm>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/joined.h"
#include "core/base/json.h"
#include "core/base/path_text.h"
#include "core/compare/comparison.h"
#include "core/sweep/toml_entries.h"
#include "widgets/capture/capture_form.h"
#include "widgets/forms/dialog_parts.h"
#include "widgets/forms/option_form.h"
#include "widgets/jobs/capture_process.h"
#include "widgets/jobs/job_handle.h"
#include "widgets/state/file_text.h"
#include "widgets/state/small_widgets.h"

namespace fs = std::filesystem;

namespace plastiscope {

namespace {

constexpr QSize kSweepSize{760, 780};
constexpr int kListHeight = 92;
// Options that may be varied, with values for an example.
constexpr std::pair<const char*, const char*> kVariable[] = {
    {"window", "4096; 16384"},
    {"rope-override", R"({"rope_type": "default", "rope_theta": 10000}; {"rope_type": "yarn", "factor": 4})"},
    {"ablate", "L0H0; L1H2,L3H0"},
    {"rate", "8; 32"},
    {"heads", "all; 60"},
    {"dtype", "float32; bfloat16"},
    {"sampler", "uniform; log_uniform"},
    {"bucket-size", "64; 256"},
    {"sample-seed", "1; 2"},
    {"head-seed", "0; 1"}};

// A name that is valid in names of files.
std::string plainName(const std::string& text) {
  std::string name;
  for (const char c : text) name += isPlainName("a" + std::string(1, c)) ? c : '-';
  name.erase(std::ranges::unique(name, [](char a, char b) { return a == '-' && b == '-'; }).begin(),
             name.end());
  while (!name.empty() && !isPlainName(name.substr(0, 1))) name.erase(0, 1);
  return name.substr(0, kLongestPlainName / 2);
}

std::string nameOfValue(const std::string& option, const std::string& value) {
  const Json rope = Json::parse(value, nullptr, false);
  return plainName(rope.is_object() ? settingsText({{"rope", rope}}) : option + "-" + value);
}

}  // namespace

SweepDialog::SweepDialog(const std::vector<LibraryEntry>& models, fs::path folder, QWidget* parent)
    : QDialog(parent),
      m_folder(std::move(folder)),
      m_models(named("sweepModels", new QListWidget(this))),
      m_texts(named("sweepTexts", new QListWidget(this))),
      m_settings(new CaptureForm(this)),
      m_out(new SaveBox({tr("The folder of captures and analyses; the sweep is saved beside it"),
                         tr("Folder of the sweep"), QString()},
                        this)),
      m_summary(named("sweepSummary", styledLabel({}, "muted", this))),
      m_buttons(new DialogButtons({QStringLiteral("sweep"), tr("&Start"),
                                   tr("Run in the background; the tab Runs lists what is finished"),
                                   tr("Close and run nothing (Esc)")},
                                  this)),
      m_estimate(new EstimateProcess(commandLineProgram(), this)) {
  setObjectName(QStringLiteral("sweepDialog"));
  setWindowTitle(tr("Sweep: models × texts × settings"));
  auto* top = new QWidget(this);
  QFormLayout* form = formOf(top);
  const auto addList = [&](const QString& title, QListWidget& list, const QString& tip, auto add) {
    list.setFixedHeight(kListHeight);
    explain(list, QString(title).remove(QLatin1Char('&')), tip);
    auto* more = smallButton(tr("Add …"), tip, this);
    connect(more, &QPushButton::clicked, this, add);
    connect(&list, &QListWidget::itemChanged, this, &SweepDialog::refresh);
    auto* label = new QLabel(title, top);
    label->setBuddy(&list);
    form->addRow(label, rowOf({{&list, 1}, {more, 0, Qt::AlignTop}}, {.spacing = 8}));
  };
  addList(tr("&Models"), *m_models, tr("Each checked model is captured"), [this] {
    for (const QString& file :
         QFileDialog::getOpenFileNames(this, tr("Models"), {}, tr("Models (*.gguf config.json)")))
      addTo(*m_models, file.endsWith(QLatin1String("config.json")) ? QFileInfo(file).path() : file, {}, true);
  });
  addList(tr("&Texts"), *m_texts, tr("Each checked file is captured by itself"), [this] {
    for (const QString& file : QFileDialog::getOpenFileNames(this, tr("Texts")))
      addTo(*m_texts, file, {}, true);
  });
  for (const LibraryEntry& model : models) addTo(*m_models, fileText(model.path), model.name, false);
  for (int i = 0; i < 2; ++i) {
    auto* option = named(i == 0 ? "sweepVary1" : "sweepVary2", new QComboBox(top));
    auto* values = named(i == 0 ? "sweepValues1" : "sweepValues2", new QLineEdit(top));
    option->addItem(tr("nothing"), QString());
    for (const auto& [name, example] : kVariable)
      option->addItem(QLatin1String(name), QLatin1String(example));
    explain(*option, tr("Varied option"));
    explain(*values, tr("Values, separated by semicolons"));
    connect(option, &QComboBox::currentIndexChanged, this, [this, option, values] {
      values->setPlaceholderText(option->currentData().toString());
      refresh();
    });
    connect(values, &QLineEdit::textChanged, this, &SweepDialog::refresh);
    m_varied.push_back({option, values});
    form->addRow(i == 0 ? tr("Vary") : tr("and"), rowOf({option, {values, 1}}, {.spacing = 8}));
  }
  form->addRow(tr("Save &in"), m_out);
  auto* estimate =
      named("sweepEstimate", smallButton(tr("&Estimate"), tr("Time, memory and disk of all runs"), this));
  m_summary->setWordWrap(true);
  columnIn(this, {top, m_settings, rowOf({{m_summary, 1}, estimate}), Stretch(), m_buttons},
           {.margins = {18, 14, 18, 14}, .spacing = 12});
  connect(estimate, &QPushButton::clicked, this, &SweepDialog::estimate);
  connect(m_settings, &CaptureForm::changed, this, &SweepDialog::refresh);
  connect(m_out, &SaveBox::changed, this, &SweepDialog::refresh);
  connect(m_estimate, &EstimateProcess::ready, this, &SweepDialog::showEstimate);
  connect(m_estimate, &EstimateProcess::failed, this,
          [this](const QString& sentence) { m_summary->setText(sentence); });
  connect(m_buttons, &DialogButtons::startRequested, this, [this] {
    Q_EMIT startRequested({m_out->file(), content()});
    accept();
  });
  m_out->suggest(m_folder / "sweep");
  resizeOnScreen(*this, kSweepSize);
  refresh();
}

SweepDialog::~SweepDialog() = default;

void SweepDialog::addTo(QListWidget& list, const QString& path, const QString& name, bool chosen) {
  const QSignalBlocker quiet(list);
  auto* item = new QListWidgetItem(name.isEmpty() ? fileText(fileOfText(path).filename()) : name, &list);
  item->setData(Qt::UserRole, path);
  item->setToolTip(plainTip(path));
  item->setCheckState(chosen ? Qt::Checked : Qt::Unchecked);
  refresh();
}

std::vector<std::string> SweepDialog::chosen(const QListWidget& list) const {
  std::vector<std::string> paths;
  for (int i = 0; i < list.count(); ++i)
    if (list.item(i)->checkState() == Qt::Checked)
      paths.push_back(list.item(i)->data(Qt::UserRole).toString().toStdString());
  return paths;
}

std::vector<SweepDialog::Kind> SweepDialog::kinds() const {
  std::vector<Kind> kinds = {{}};
  for (const auto& [option, values] : m_varied) {
    const std::string name = option->currentIndex() == 0 ? "" : option->currentText().toStdString();
    std::vector<Kind> varied;
    for (const Kind& kind : kinds) {
      for (const QString& each : values->text().split(QLatin1Char(';'), Qt::SkipEmptyParts)) {
        const std::string value = each.trimmed().toStdString();
        varied.push_back({kind.name + (kind.name.empty() ? "" : "_") + nameOfValue(name, value),
                          kind.lines + name + " = " + tomlText(value) + "\n"});
      }
    }
    if (!name.empty() && !varied.empty()) kinds = std::move(varied);
  }
  return kinds;
}

std::string SweepDialog::content() const {
  CaptureRequest now = m_settings->request(), usual;
  std::string text = "[defaults.capture]\n" + tomlLines(captureOptions(now), captureOptions(usual));
  for (const std::string& model : chosen(*m_models)) text += "\n[[model]]\npath = " + tomlText(model) + "\n";
  for (const std::string& file : chosen(*m_texts))
    text += "\n[[texts]]\nname = " + tomlText(plainName(fs::path(file).stem().string())) +
            "\ntext = " + tomlText(file) + "\n";
  for (const Kind& kind : kinds())
    if (!kind.name.empty()) text += "\n[[capture]]\nname = " + tomlText(kind.name) + "\n" + kind.lines;
  return text;
}

QString SweepDialog::problem() const {
  if (chosen(*m_models).empty()) return tr("Check at least one model.");
  if (chosen(*m_texts).empty()) return tr("Add at least one text.");
  for (const auto& [option, values] : m_varied)
    if (option->currentIndex() > 0 && values->text().trimmed().isEmpty())
      return tr("Enter values of %1.").arg(option->currentText());
  if (const QString wrong = m_settings->problem(); !wrong.isEmpty()) return wrong;
  return m_out->file().empty() ? tr("Choose where to save the sweep.") : QString();
}

void SweepDialog::estimate() {
  if (!problem().isEmpty()) return;
  m_draft = std::make_unique<QTemporaryDir>();
  const fs::path file = fileOfText(m_draft->filePath(QStringLiteral("sweep.toml")));
  writeFileAtomically(file, content());
  m_summary->setText(tr("Estimating …"));
  m_estimate->run({QStringLiteral("batch"), fileText(file), QStringLiteral("--out"), fileText(m_out->file()),
                   QStringLiteral("--part"), QStringLiteral("0/1"), QStringLiteral("--dry-run")});
}

void SweepDialog::showEstimate(const Json& runs) {
  double seconds = 0, bytes = 0, memory = 0;
  int done = 0;
  QString refused;
  for (const Json& run : runs) {
    const Json estimate = run.value("estimate", Json::object());
    seconds += estimate.value("seconds", 0.0);
    bytes += estimate.value("file_bytes", 0.0);
    memory = std::max(memory, estimate.value("memory_bytes", 0.0));
    done += run.value("state", "") == "done before" ? 1 : 0;
    std::string reason = run.value("reason", "");
    if (!estimate.value("fits", true)) reason = estimate.value("advice", "");
    if (!reason.empty() && refused.isEmpty())
      refused = QString::fromStdString(run.value("run", "") + ": " + reason);
  }
  const auto size = [](double value) {
    return QString::fromStdString(byteText(static_cast<unsigned long long>(value)));
  };
  m_summary->setText(!refused.isEmpty()
                         ? refused
                         : tr("%1 runs (%2 done before): about %3, up to %4 of memory, %5 of files")
                               .arg(runs.size())
                               .arg(done)
                               .arg(durationText(seconds), size(memory), size(bytes)));
}

void SweepDialog::refresh() {
  if (m_buttons == nullptr) return;
  m_estimate->drop();
  const std::size_t models = chosen(*m_models).size(), texts = chosen(*m_texts).size(),
                    settings = kinds().size();
  m_summary->setText(tr("%1 models × %2 texts × %3 settings = %4 runs")
                         .arg(models)
                         .arg(texts)
                         .arg(settings)
                         .arg(models * texts * settings));
  m_buttons->showState(problem(), tr("The sweep is saved as a TOML file beside its folder."));
}

}  // namespace plastiscope

#include "moc_sweep_dialog.cpp"
