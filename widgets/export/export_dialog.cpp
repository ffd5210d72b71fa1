#include "widgets/export/export_dialog.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QStandardPaths>
#include <QTimer>
#include <cmath>

#include "core/base/error.h"
#include "widgets/export/export_form.h"
#include "widgets/export/figure_preview.h"
#include "widgets/jobs/job_relay.h"
#include "widgets/state/state_file.h"

namespace plastiscope {

namespace {

StateFile memoryFile() {
  const QString folder = QStandardPaths::writableLocation(QStandardPaths::AppConfigLocation);
  return StateFile((folder + "/export.json").toStdString(), "plastiscope-export", 1);
}

// What the command line calls the choices beside the figure.
std::vector<std::string> flagsOf(const ExportOptions& options) {
  std::vector<std::string> flags;
  if (!options.dataTable && !options.provenance)
    flags.emplace_back("--no-sidecar");
  else if (!options.dataTable)
    flags.emplace_back("--no-data");
  else if (!options.provenance)
    flags.emplace_back("--no-provenance");
  if (!options.embed) flags.emplace_back("--no-embed");
  if (options.fixedDate) flags.emplace_back("--fixed-date");
  return flags;
}

// What a worker hands over: content of one figure, or of all with their specs.
struct Prepared {
  FigureSpec spec;
  FigureContent content;
};

}  // namespace

struct ExportDialog::Private {
  Studies studies;
  std::vector<std::string> files;
  ExportForm* form = nullptr;
  FigurePreview* preview = nullptr;
  QScrollArea* scroll = nullptr;
  QComboBox* zoom = nullptr;
  QSpinBox* dpi = nullptr;
  QCheckBox *page = nullptr, *grey = nullptr;
  QLabel *checks = nullptr, *amount = nullptr, *writes = nullptr, *problem = nullptr;
  QLineEdit* command = nullptr;
  QPushButton *copy = nullptr, *write = nullptr;
  QTimer* wait = nullptr;
  std::shared_ptr<const Prepared> prepared;
  Workers workers;
  std::unique_ptr<JobRelay> content, all;
};

ExportDialog::ExportDialog(Studies studies, const QStringList& files, const FigureSpec& initial,
                           QWidget* parent)
    : QDialog(parent), d(std::make_unique<Private>()) {
  d->studies = std::move(studies);
  for (const QString& file : files) d->files.push_back(file.toStdString());
  d->content = std::make_unique<JobRelay>(d->workers, WorkLength::Quick);
  d->all = std::make_unique<JobRelay>(d->workers, WorkLength::Quick);
  d->form = new ExportForm(d->studies, initial);
  setWindowTitle(tr("Export figure"));
  resize(1190, 740);
  layOut();
  // Typing a number redraws once it rests.
  d->wait = new QTimer(this);
  d->wait->setSingleShot(true);
  d->wait->setInterval(60);
  connect(d->wait, &QTimer::timeout, this, &ExportDialog::prepare);
  connect(d->form, &ExportForm::figureChanged, this, [this] {
    setReady(false);  // what is prepared is another figure now
    describe();
    d->wait->start();
  });
  connect(d->form, &ExportForm::targetChanged, this, &ExportDialog::describe);
  try {
    d->form->recall(memoryFile().read());
  } catch (const Error&) {
    // a first time, or another version's memory: the defaults stand
  }
  setReady(false);
  describe();
  prepare();
}

ExportDialog::~ExportDialog() {
  // Nothing may be delivered to a dialog that is half gone.
  d->content.reset();
  d->all.reset();
}

void ExportDialog::layOut() {
  d->preview = new FigurePreview;
  d->scroll = new QScrollArea;
  d->scroll->setWidget(d->preview);
  d->scroll->setWidgetResizable(true);
  d->scroll->setMinimumSize(560, 420);
  d->zoom = new QComboBox;
  for (const int percent : {100, 150, 200, 300}) {
    d->zoom->addItem(percent == 100 ? tr("true size, 100 %") : tr("%1 %").arg(percent), percent / 100.0);
  }
  d->dpi = new QSpinBox;
  d->dpi->setRange(50, 400);
  d->dpi->setSuffix(tr(" dpi screen"));
  d->dpi->setValue(static_cast<int>(std::lround(logicalDpiX())));
  d->dpi->setToolTip(tr("Correct it until the ruler agrees with a real one"));
  d->page = new QCheckBox(tr("Page around it"));
  d->page->setChecked(true);
  d->grey = new QCheckBox(tr("Grey scale"));
  d->checks = new QLabel;
  d->amount = new QLabel;
  d->writes = new QLabel;
  d->problem = new QLabel;
  d->problem->setWordWrap(true);
  d->problem->hide();
  d->command = new QLineEdit;
  d->command->setReadOnly(true);
  QFont fixed(QStringLiteral("monospace"));
  fixed.setStyleHint(QFont::Monospace);
  d->command->setFont(fixed);
  auto* copyCommand = new QPushButton(tr("Copy"));
  d->copy = new QPushButton(tr("Copy to clipboard"));
  auto* cancel = new QPushButton(tr("Cancel"));
  d->write = new QPushButton(tr("Export"));
  d->write->setDefault(true);

  auto* top = new QHBoxLayout;
  top->addWidget(new QLabel("<b>" + tr("Preview") + "</b>"));
  top->addWidget(d->zoom);
  top->addWidget(d->dpi);
  top->addStretch(1);
  top->addWidget(d->page);
  top->addWidget(d->grey);
  auto* facts = new QHBoxLayout;
  facts->addWidget(d->checks, 1);
  facts->addWidget(d->amount);
  auto* commandRow = new QHBoxLayout;
  commandRow->addWidget(d->command, 1);
  commandRow->addWidget(copyCommand);
  auto* right = new QVBoxLayout;
  right->addLayout(top);
  right->addWidget(d->scroll, 1);
  right->addLayout(facts);
  right->addLayout(commandRow);
  auto* left = new QVBoxLayout;
  left->addWidget(d->form);
  left->addStretch(1);
  auto* middle = new QHBoxLayout;
  middle->setSpacing(16);
  middle->addLayout(left);
  middle->addLayout(right, 1);
  auto* buttons = new QHBoxLayout;
  buttons->addWidget(d->writes, 1);
  buttons->addWidget(d->copy);
  buttons->addWidget(cancel);
  buttons->addWidget(d->write);
  auto* whole = new QVBoxLayout(this);
  whole->addLayout(middle, 1);
  whole->addWidget(d->problem);
  whole->addLayout(buttons);

  for (QCheckBox* box : {d->page, d->grey}) connect(box, &QCheckBox::toggled, this, &ExportDialog::draw);
  connect(d->zoom, &QComboBox::currentIndexChanged, this, &ExportDialog::draw);
  connect(d->dpi, &QSpinBox::valueChanged, this, &ExportDialog::draw);
  connect(copyCommand, &QPushButton::clicked, this,
          [this] { QApplication::clipboard()->setText(d->command->text()); });
  connect(d->copy, &QPushButton::clicked, this, &ExportDialog::copyPicture);
  connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
  connect(d->write, &QPushButton::clicked, this, &ExportDialog::exportChosen);
}

// The numbers in a worker; the picture when they are there.
void ExportDialog::prepare() {
  d->content->start(
      [studies = d->studies, spec = d->form->spec()](Progress&) {
        return Prepared{spec, prepareFigure(studies, spec)};
      },
      [this](Outcome<Prepared> outcome) {
        if (outcome.stopped()) return;
        d->prepared = outcome.ok() ? std::make_shared<const Prepared>(std::move(*outcome.value)) : nullptr;
        complain(outcome.ok() ? QString() : outcome.failure.sentence);
        setReady(d->prepared != nullptr);
        draw();
      });
}

void ExportDialog::setReady(bool ready) {
  d->write->setEnabled(ready);
  d->copy->setEnabled(ready);
}

void ExportDialog::draw() {
  const FigureSpec spec = d->form->spec();
  const FigureSize size = resolveSize(spec);
  PreviewSettings settings;
  settings.widthInches = size.widthInches;
  settings.heightInches = size.heightInches;
  settings.textInches = venuePreset(spec.preset).textInches;
  settings.dpi = d->dpi->value();
  settings.zoom = d->zoom->currentData().toDouble();
  settings.page = d->page->isChecked();
  settings.grey = d->grey->isChecked();
  settings.millimetres = d->form->millimetres();
  d->preview->setSettings(settings);
  const bool ready = d->prepared != nullptr;
  d->preview->setPicture(
      ready ? renderPreview(d->prepared->content, d->prepared->spec, d->preview->dpi()) : QImage(),
      tr("No picture"));
}

// Everything that follows from the settings without the numbers.
void ExportDialog::describe() {
  const FigureSpec spec = d->form->spec();
  const FigureSize size = resolveSize(spec);
  const QString file = d->form->file();
  QStringList facts = {
      tr("smallest text %1 pt").arg(std::min(size.numberPoints, size.tickPoints), 0, 'f', 1)};
  if (file.endsWith(".pdf")) {
    facts.prepend(tr("fonts embedded as TrueType"));
  } else if (file.endsWith(".svg")) {
    facts.append(tr("text kept as text: the reader needs the font"));
  } else {
    facts.append(tr("%1 \u00d7 %2 pixels")
                     .arg(std::lround(size.widthInches * spec.dpi))
                     .arg(std::lround(size.heightInches * spec.dpi)));
  }
  d->checks->setText(facts.join(QStringLiteral("  \u00b7  ")));
  d->command->setText(QString::fromStdString(renderCommand(
      spec, d->files, QDir::toNativeSeparators(file).toStdString(), flagsOf(d->form->options()))));
  d->command->setCursorPosition(0);
  d->writes->setText(d->form->allFigures()
                         ? tr("Writes every figure of this tab, named by figure and head")
                         : tr("Writes %1").arg(d->form->filesToWrite().join(QStringLiteral(", "))));
}

void ExportDialog::complain(const QString& sentence) {
  d->problem->setText(sentence);
  d->problem->setVisible(!sentence.isEmpty());
}

// The same figure as PNG and SVG, and its numbers as text: the other program takes what it can.
void ExportDialog::copyPicture() {
  const FigureContent& content = d->prepared->content;
  const FigureSpec& spec = d->prepared->spec;
  auto* mime = new QMimeData;
  mime->setImageData(renderPreview(content, spec, spec.dpi));
  mime->setData(QStringLiteral("image/svg+xml"),
                renderFigure(content, spec, FigureFormat::Svg, Json(), true));
  mime->setText(QString::fromStdString(toCsv(content.data)));
  QApplication::clipboard()->setMimeData(mime);
}

void ExportDialog::exportChosen() {
  if (!d->form->allFigures()) {
    writeFigures({{d->prepared->spec, d->prepared->content, d->form->file()}});
    return;
  }
  setReady(false);
  d->all->start([studies = d->studies, spec = d->form->spec(), file = d->form->file()](
                    Progress& progress) { return prepareAll(studies, spec, file, progress); },
                [this](Outcome<std::vector<FigureFile>> outcome) {
                  setReady(d->prepared != nullptr);
                  if (outcome.ok())
                    writeFigures(*outcome.value);
                  else if (!outcome.stopped())
                    complain(outcome.failure.sentence);
                });
}

void ExportDialog::writeFigures(const std::vector<FigureFile>& figures) {
  try {
    QStringList written;
    for (const FigureFile& figure : figures) {
      const auto files = exportFigure(d->studies, figure.content, figure.spec, figure.file.toStdString(),
                                      d->form->options());
      for (const auto& file : files) written.append(QString::fromStdString(file.string()));
    }
    keepMemory();
    Q_EMIT exported(written);
    accept();
  } catch (const Error& error) {
    complain(QString::fromUtf8(error.what()));
  }
}

void ExportDialog::keepMemory() {
  try {
    std::filesystem::create_directories(memoryFile().path().parent_path());
    memoryFile().write(d->form->memory());
  } catch (const std::exception&) {
    // the figure is written; only the next dialog starts with the defaults
  }
}

// Figures of the tab: each kind with the head, layer or metric that it takes.
std::vector<ExportDialog::FigureFile> ExportDialog::prepareAll(const Studies& studies, const FigureSpec& spec,
                                                               const QString& file, Progress& progress) {
  const QFileInfo target(file);
  std::vector<FigureFile> figures;
  for (const FigureKind* kind : figuresFor(studies, spec.figure)) {
    progress.throwIfStopped();
    FigureSpec own = fitToKind(spec, *kind);
    own.range.reset();  // a range belongs to one figure
    if (kind->head == HeadNeed::Required && !own.scope.head)
      own.scope.head = headsOf(*studies.front()->analysis).front();
    figures.push_back({own, prepareFigure(studies, own),
                       target.dir().filePath(figureFileName(own) + "." + target.suffix())});
  }
  return figures;
}

}  // namespace plastiscope
