#include "widgets/export/export_dialog.h"

#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QStandardPaths>
#include <QStyle>
#include <QTimer>
#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/base/python_call.h"
#include "core/base/state_file.h"
#include "core/jobs/study_job.h"
#include "widgets/export/export_form.h"
#include "widgets/export/figure_batch.h"
#include "widgets/export/figure_panels.h"
#include "widgets/export/figure_renderer.h"
#include "widgets/export/preview_pane.h"
#include "widgets/jobs/job_runner.h"
#include "widgets/state/file_text.h"
#include "widgets/state/small_widgets.h"

namespace plastiscope {

namespace {

constexpr int kRestMilliseconds = 60;
constexpr QSize kSize(1190, 760);

// Scroll area as wide as its content on low screens.
class FieldsArea : public QScrollArea {
 public:
  explicit FieldsArea(QWidget* fields) {
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
    setWidget(fields);
    viewport()->setAutoFillBackground(false);
    fields->setAutoFillBackground(false);
  }
  QSize sizeHint() const override {
    return {widget()->sizeHint().width() + style()->pixelMetric(QStyle::PM_ScrollBarExtent),
            widget()->sizeHint().height()};
  }
};

StateFile memoryFile() {
  const QString folder = QStandardPaths::writableLocation(QStandardPaths::AppConfigLocation);
  return StateFile((folder + "/export.json").toStdString(), "plastiscope-export", 1);
}

}  // namespace

std::vector<std::string> ExportStart::arguments(const FigureSpec& spec, const std::string& out,
                                                std::vector<std::string> flags) const {
  std::vector<std::string> given;
  for (const QString& file : files) given.push_back(file.toStdString());
  if (std::ranges::any_of(studies, [](const auto& study) { return study && hasAddedIntervals(*study); }))
    flags.emplace_back("--intervals");
  return renderArguments(spec, given, out, flags);
}

struct ExportDialog::Private {
  ExportStart start;
  ExportForm* form = nullptr;
  PreviewPane* preview = nullptr;
  QLabel *checks = nullptr, *writes = nullptr, *problem = nullptr;
  QLineEdit* command = nullptr;
  QProgressBar* progress = nullptr;
  QPushButton *copyPython = nullptr, *copy = nullptr, *cancel = nullptr, *write = nullptr;
  std::vector<std::string> arguments = {};  // of the command
  QTimer* wait = nullptr;
  std::shared_ptr<const PreparedFigure> prepared;
  std::unique_ptr<JobRunner> content;
  std::unique_ptr<FigureBatch> batch;
};

ExportDialog::ExportDialog(const ExportStart& start, Workers& workers, QWidget* parent)
    : QDialog(parent), d(std::make_unique<Private>()) {
  d->start = start;
  d->content = std::make_unique<JobRunner>(workers, WorkLength::Quick);
  d->batch = std::make_unique<FigureBatch>(workers);
  d->form = new ExportForm(start.studies, start.figure);
  setWindowTitle(tr("Export figure"));
  resizeOnScreen(*this, kSize);
  layOut();
  d->preview->setScreenDpi(start.screenDpi);
  try {
    const Json memory = memoryFile().read();
    start.asExported ? d->form->recallPlace(memory) : d->form->recall(memory);
  } catch (const Error&) {
    // first use, or saved by another version: keeps the defaults
  }
  connectAll();
  setReady(false);
  describe();
  prepare();
}

ExportDialog::~ExportDialog() {
  // Stops deliveries before members are destroyed.
  d->content.reset();
  d->batch.reset();
}

void ExportDialog::layOut() {
  setObjectName(QStringLiteral("exportDialog"));
  d->preview = new PreviewPane;
  d->checks = new QLabel;
  d->writes = new QLabel;
  d->problem = new QLabel;
  for (QLabel* label : {d->checks, d->writes, d->problem}) label->setTextFormat(Qt::PlainText);
  d->problem->setObjectName(QStringLiteral("exportProblem"));
  d->problem->setWordWrap(true);
  d->problem->setTextInteractionFlags(Qt::TextSelectableByMouse);
  d->problem->hide();
  d->command = new QLineEdit;
  d->command->setReadOnly(true);
  explain(*d->command, tr("Command line"), tr("Draws the same figure without a window"));
  QFont fixed(QStringLiteral("monospace"));
  fixed.setStyleHint(QFont::Monospace);
  d->command->setFont(fixed);
  auto* copyCommand = new QPushButton(tr("Copy"));
  explain(*copyCommand, tr("Copy the command line"), tr("Copy the command line"));
  connect(copyCommand, &QPushButton::clicked, this,
          [this] { QApplication::clipboard()->setText(d->command->text()); });
  d->copyPython = named("copyPython", new QPushButton(tr("Copy as Python")));
  d->copyPython->setToolTip(tr("Python code that draws the same figure"));
  connect(d->copyPython, &QPushButton::clicked, this, [this] {
    QApplication::clipboard()->setText(QString::fromStdString(pythonCall("render", d->arguments)));
  });
  d->progress = new QProgressBar;
  d->progress->setTextVisible(false);
  d->progress->setAccessibleName(tr("Figures written"));
  d->progress->hide();
  d->copy = named("copyFigure", new QPushButton(tr("Copy to clipboard")));
  d->copy->setToolTip(tr("The picture as PNG, SVG and PDF, and its numbers as CSV"));
  d->cancel = new QPushButton(tr("Cancel"));
  d->write = named("exportButton", new QPushButton(tr("Export")));
  d->write->setDefault(true);

  auto* commandRow = rowOf({{d->command, 1}, copyCommand, d->copyPython});
  auto* right = columnOf({{d->preview, 1}, d->checks, commandRow});
  auto* middle = rowOf({new FieldsArea(d->form), {right, 1}}, {.spacing = 12});
  auto* buttons = rowOf({{d->writes, 1}, d->progress, d->copy, d->cancel, d->write});
  columnIn(this, {{middle, 1}, d->problem, buttons});
}

void ExportDialog::connectAll() {
  // Typing a number redraws once it rests.
  d->wait = new QTimer(this);
  d->wait->setSingleShot(true);
  d->wait->setInterval(kRestMilliseconds);
  connect(d->wait, &QTimer::timeout, this, &ExportDialog::prepare);
  connect(d->form, &ExportForm::figureChanged, this, [this] {
    setReady(false);  // the prepared figure is outdated
    describe();
    d->wait->start();
  });
  connect(d->form, &ExportForm::targetChanged, this, &ExportDialog::describe);
  connect(d->form, &ExportForm::composeRequested, this, [this] {
    const FigureSpec page = d->form->spec();
    reject();
    Q_EMIT composeRequested(page);
  });
  connect(d->preview, &PreviewPane::screenDpiChanged, this, &ExportDialog::screenDpiChanged);
  connect(d->copy, &QPushButton::clicked, this, &ExportDialog::copyPicture);
  connect(d->cancel, &QPushButton::clicked, this, &ExportDialog::reject);
  connect(d->write, &QPushButton::clicked, this, &ExportDialog::exportChosen);
  connect(d->batch.get(), &FigureBatch::finished, this, &ExportDialog::endBatch);
  connect(d->batch.get(), &FigureBatch::progressed, this, [this](int done, int total) {
    d->progress->setMaximum(total);
    d->progress->setValue(done);
  });
}

// Computes the numbers in a worker, then draws.
void ExportDialog::prepare() {
  d->content->start(
      [studies = d->start.studies, spec = d->form->spec()](Progress&) {
        return PreparedFigure{spec, prepareFigure(studies, spec)};
      },
      [this](JobResult<PreparedFigure> outcome) {
        if (outcome.stopped() || d->wait->isActive()) return;  // the fields have changed meanwhile
        d->prepared =
            outcome.ok() ? std::make_shared<const PreparedFigure>(std::move(*outcome.value)) : nullptr;
        showProblem(outcome.ok() ? QString() : outcome.failure.sentence);
        setReady(d->prepared != nullptr);
        d->preview->show(d->form->spec(), d->form->millimetres(), d->prepared);
      });
}

void ExportDialog::setReady(bool ready) {
  d->write->setEnabled(ready && !d->batch->running());
  d->copy->setEnabled(ready);
}

// Everything that follows from the settings without the numbers.
void ExportDialog::describe() {
  const FigureSpec spec = d->form->spec();
  const FigureSize size = resolveSize(spec);
  const QString file = d->form->files().file();
  QStringList facts = {
      tr("smallest text %1 pt").arg(std::min(size.numberPoints, size.tickPoints), 0, 'f', 1)};
  if (file.endsWith(".pdf")) {
    facts.prepend(tr("fonts embedded as TrueType"));
  } else if (file.endsWith(".svg")) {
    facts.append(tr("text kept as text: the reader needs the font"));
  } else if (file.endsWith(".html")) {
    facts.append(tr("tool tips and numbers; opens without a network"));
  } else {
    facts.append(tr("%1 \u00d7 %2 pixels")
                     .arg(std::lround(size.widthInches * spec.dpi))
                     .arg(std::lround(size.heightInches * spec.dpi)));
  }
  d->checks->setText(facts.join(QStringLiteral("  \u00b7  ")));
  const bool all = d->form->files().allFigures();
  const QString out = QDir::toNativeSeparators(all ? d->form->files().folder() : file);
  std::vector<std::string> flags = flagsOf(d->form->files().options());
  FigureSpec drawn = spec;
  if (all) {
    drawn = d->form->specOfTab();
    // Figures that need no capture are listed separately and must be named in the command.
    if (figureKind(drawn.figure).studies.fewest == 0)
      flags.emplace_back("--all");
    else
      drawn.figure.clear();
    flags.insert(flags.end(), {"--format", d->form->files().extension().toStdString()});
  }
  d->arguments = d->start.arguments(drawn, out.toStdString(), flags);
  d->command->setText(QString::fromStdString(renderCommand(d->arguments)));
  d->command->setCursorPosition(0);
  d->copyPython->setEnabled(!all);  // a call draws one figure
  d->writes->setText(all ? tr("Writes every figure of this tab, named by figure and head")
                         : tr("Writes %1").arg(d->form->files().filesToWrite().join(QStringLiteral(", "))));
}

void ExportDialog::showProblem(const QString& sentence) {
  d->problem->setText(sentence);
  d->problem->setVisible(!sentence.isEmpty());
}

void ExportDialog::copyPicture() {
  QApplication::clipboard()->setMimeData(clipboardData(*d->prepared));
}

void ExportDialog::exportChosen() {
  showProblem({});
  d->form->files().allFigures() ? exportAllOfTab() : exportOne();
}

void ExportDialog::exportOne() {
  try {
    finish(exportFigure(d->start.studies, d->prepared->content, d->prepared->spec,
                        fileOfText(d->form->files().file()), d->form->files().options()));
    accept();
  } catch (const Error& error) {
    showProblem(sanitizedText(error.what()));
  }
}

void ExportDialog::exportAllOfTab() {
  BatchOrder order;
  order.studies = d->start.studies;
  order.figures = figuresOfTab(d->start.studies, d->form->specOfTab());
  order.folder = fileOfText(d->form->files().folder());
  order.extension = d->form->files().extension().toStdString();
  order.options = d->form->files().options();
  try {
    requireWritableFolderOf(order.folder / "figure");
    requireBatchPlaces(order);
  } catch (const Error& error) {
    return showProblem(sanitizedText(error.what()));
  }
  d->progress->show();
  d->form->setEnabled(false);
  d->write->setEnabled(false);
  d->batch->start(std::move(order));
}

void ExportDialog::endBatch() {
  const BatchResult& result = d->batch->result();
  d->progress->hide();
  d->form->setEnabled(true);
  setReady(d->prepared != nullptr);
  if (!result.written.empty()) finish(result.written);
  if (d->batch->stopped())
    return showProblem(tr("Stopped: %n file(s) are written.", nullptr, static_cast<int>(result.written.size())));
  QStringList problems;
  for (const std::string& problem : result.problems) problems.append(QString::fromStdString(problem));
  if (problems.isEmpty()) return accept();
  showProblem(tr("%n figure(s) could not be drawn, the others are written.\n", nullptr,
              static_cast<int>(problems.size())) +
           problems.join(QLatin1Char('\n')));
}

void ExportDialog::reject() {
  if (d->batch->running())
    d->batch->cancel();
  else
    QDialog::reject();
}

void ExportDialog::finish(const std::vector<std::filesystem::path>& written) {
  keepMemory();
  QStringList files;
  for (const auto& file : written) files.append(fileText(file));
  Q_EMIT exported(files);
}

void ExportDialog::keepMemory() {
  try {
    std::filesystem::create_directories(memoryFile().path().parent_path());
    memoryFile().write(d->form->memory());
  } catch (const std::exception&) {
    // the figure is written; only the next dialog starts with the defaults
  }
}

}  // namespace plastiscope

#include "moc_export_dialog.cpp"
