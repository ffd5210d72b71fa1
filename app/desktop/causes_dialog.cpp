#include "app/desktop/causes_dialog.h"

#include <QComboBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QStackedWidget>
#include <QToolButton>
#include <algorithm>

#include "core/base/error.h"
#include "core/base/joined.h"
#include "core/sweep/toml_entries.h"
#include "core/views/metric_info.h"
#include "core/views/study_facts.h"
#include "widgets/forms/dialog_parts.h"
#include "widgets/forms/option_form.h"
#include "widgets/jobs/capture_process.h"
#include "widgets/state/file_text.h"
#include "widgets/state/small_widgets.h"

namespace fs = std::filesystem;

namespace plastiscope {

namespace {

constexpr QSize kSize{640, 560};

// The label of a row with several fields.
QLabel* labelFor(const QString& text, QWidget& field) {
  auto* label = new QLabel(text, field.parentWidget());
  label->setBuddy(&field);
  return label;
}

// The parts of a line, without space around them.
std::vector<std::string> partsOf(const QLineEdit& line, QChar between) {
  std::vector<std::string> parts;
  for (const QString& each : line.text().split(between, Qt::SkipEmptyParts))
    parts.push_back(each.trimmed().toStdString());
  return parts;
}

}  // namespace

CausesDialog::CausesDialog(CausesStart start, QWidget* parent)
    : QDialog(parent),
      m_start(std::move(start)),
      m_probeOptions(probeOptions(m_plan.probes.settings)),
      m_usualProbes(probeOptions(m_usual.probes.settings)),
      m_headOptions(experimentOptions(m_plan)),
      m_usualHeads(experimentOptions(m_usual)),
      m_edgeOptions(compositionOptions(m_composition)),
      m_usualEdges(compositionOptions(m_usualComposition)),
      m_probeFields(new OptionFields(m_probeOptions, m_usualProbes, QStringLiteral("probe"), this)),
      m_headFields(new OptionFields(m_headOptions, m_usualHeads, QStringLiteral("study"), this)),
      m_edgeFields(new OptionFields(m_edgeOptions, m_usualEdges, QStringLiteral("composition"), this)),
      m_kind(named("causesKind", new QComboBox(this))),
      m_column(named("causesColumn", new QComboBox(this))),
      m_order(named("causesOrder", new QComboBox(this))),
      m_ways(named("causesWays", new QLineEdit(this))),
      m_texts(named("causesTexts", new QLineEdit(this))),
      m_pages(new QStackedWidget(this)),
      m_out(new SaveBox({tr("The folder of the tables"), tr("Folder for the results"), QString()}, this)),
      m_command(new CommandBox(tr("Copy the command line; it computes the same without the window"), this)),
      m_buttons(new DialogButtons({QStringLiteral("causes"), tr("&Start"),
                                   tr("Run in the background, then open the study with the results"),
                                   tr("Close and run nothing (Esc)")},
                                  this)) {
  setObjectName(QStringLiteral("causesDialog"));
  setWindowTitle(tr("Causes: %1").arg(QString::fromStdString(m_start.study->title)));
  m_kind->addItem(tr("Probes: does the model find answers, and which heads attend to them?"));
  m_kind->addItem(tr("Changed heads: what does it cost to remove or change them?"));
  m_kind->addItem(tr("Composition: which heads feed which later heads?"));
  m_pages->addWidget(probesPage());
  m_pages->addWidget(headsPage());
  m_pages->addWidget(compositionPage());
  auto* common = new QWidget(this);
  QFormLayout* form = formOf(common);
  form->addRow(labelFor(tr("&Texts"), *m_texts), textsLine());
  form->addRow(tr("Save &in"), m_out);
  columnIn(this, {m_kind, {m_pages, 1}, common, m_command, m_buttons},
           {.margins = {18, 14, 18, 14}, .spacing = 12});
  connect(m_kind, &QComboBox::currentIndexChanged, this, [this](int index) {
    m_pages->setCurrentIndex(index);
    refresh();
  });
  for (OptionFields* fields : {m_probeFields, m_headFields, m_edgeFields})
    connect(fields, &OptionFields::changed, this, &CausesDialog::refresh);
  connect(m_texts, &QLineEdit::textChanged, this, &CausesDialog::refresh);
  connect(m_out, &SaveBox::changed, this, &CausesDialog::refresh);
  connect(m_buttons, &DialogButtons::startRequested, this, [this] {
    Q_EMIT startRequested(run());
    accept();
  });
  resizeOnScreen(*this, kSize);
  refresh();
}

CausesDialog::Kind CausesDialog::kind() const {
  return static_cast<Kind>(m_kind->currentIndex());
}

QWidget* CausesDialog::probesPage() {
  auto* page = new QWidget(this);
  QFormLayout* form = formOf(page);
  m_probeFields->addRows(*form, "probes");
  nameFields(*form);
  return page;
}

QWidget* CausesDialog::headsPage() {
  auto* page = new QWidget(this);
  QFormLayout* form = formOf(page);
  m_column->addItem(tr("no ranking"), QString());
  if (const Table* heads = m_start.study->analysis->find("heads")) {
    for (const MetricInfo& metric : metricsOf(*heads))
      m_column->addItem(QString::fromStdString(metric.title), QString::fromStdString(metric.column));
  }
  m_column->setCurrentIndex(std::max(0, m_column->findData(QStringLiteral("ap_aligned"))));
  m_order->addItems({tr("highest and lowest"), tr("highest first"), tr("lowest first")});
  explain(*m_column, tr("Metric by which heads are ranked"));
  explain(*m_order, tr("End of the ranking that is changed"));
  for (QComboBox* box : {m_column, m_order})
    connect(box, &QComboBox::currentIndexChanged, this, &CausesDialog::refresh);
  form->addRow(labelFor(tr("&Rank heads by"), *m_column), rowOf({{m_column, 1}, m_order}));
  const std::size_t selected = m_start.view.several.size();
  auto* note =
      styledLabel(selected == 0 ? tr("Heads selected in the tab would be one more set.")
                                : tr("The selected heads are one more set: %1.")
                                      .arg(QString::fromStdString(headListText(m_start.view.several))),
                  "muted", page);
  note->setWordWrap(selected > 0);
  form->addRow(QString(), note);
  m_headFields->addRows(*form, "study");
  m_ways->setPlaceholderText(QStringLiteral("zero, mean, mask_first:4"));
  explain(*m_ways,
          tr("How heads are changed, separated by commas: zero, mean, resample, clamp, distance:TOKENS, "
             "mask_first:TOKENS, rope_band:FROM-TO; empty: zero"));
  form->addRow(tr("&Ways"), m_ways);
  connect(m_ways, &QLineEdit::textChanged, this, &CausesDialog::refresh);
  nameFields(*form);
  return page;
}

QWidget* CausesDialog::compositionPage() {
  auto* page = new QWidget(this);
  QFormLayout* form = formOf(page);
  m_edgeFields->addRows(*form, "composition");
  m_edgeFields->addRows(*form, "probes");
  nameFields(*form);
  connect(m_edgeFields, &OptionFields::changed, form, [this, form] {
    m_edgeFields->showRows(*form, [this](const std::string& key) {
      const bool ofRuns = key == "replace" || findOption(m_edgeOptions, key)->field.page == "probes";
      return !ofRuns || !m_composition.weightsOnly;
    });
  });
  return page;
}

QLayout* CausesDialog::textsLine() {
  m_texts->setPlaceholderText(tr("random tokens, without meaning"));
  explain(*m_texts,
          tr("Text files that fill the probes, separated by semicolons. For a study take others than those "
             "of the ranking"));
  QToolButton* browse = iconButton(QStringLiteral("folder"), 14, tr("Choose text files"), this);
  connect(browse, &QToolButton::clicked, this, [this] {
    const QStringList files = QFileDialog::getOpenFileNames(this, tr("Texts for the probes"));
    if (!files.isEmpty()) m_texts->setText(files.join(QStringLiteral("; ")));
  });
  return rowOf({{m_texts, 1}, browse});
}

std::string CausesDialog::plan(const std::string& analysis) const {
  std::string text = "model = " + tomlText(m_start.model.string()) + "\n";
  const std::vector<std::string> texts = partsOf(*m_texts, QLatin1Char(';')),
                                 ways = partsOf(*m_ways, QLatin1Char(','));
  if (!texts.empty()) text += "text = [" + joined(texts, tomlText) + "]\n";
  text += tomlLines(m_headOptions, m_usualHeads);
  if (!ways.empty()) text += "ways = [" + joined(ways, tomlText) + "]\n";
  if (std::ranges::count(ways, "clamp") > 0) text += "clamp_from = " + tomlText(analysis) + "\n";
  if (!m_start.view.several.empty()) text += "heads = " + tomlText(headListText(m_start.view.several)) + "\n";
  text += "\n[probes]\n" + tomlLines(m_probeOptions, m_usualProbes);
  const std::string column = m_column->currentData().toString().toStdString();
  for (const char* order : {"highest", "lowest"}) {
    const bool wanted = m_order->currentIndex() == 0 || (m_order->currentIndex() == 1) == (*order == 'h');
    if (!column.empty() && wanted)
      text += "\n[[ranking]]\nanalysis = " + tomlText(analysis) + "\ncolumn = " + tomlText(column) +
              "\norder = " + tomlText(order) + "\n";
  }
  return text;
}

CausesRun CausesDialog::run() const {
  CausesRun run;
  run.study = m_start.study;
  run.view = m_start.view;
  if (kind() != Composition) run.view.causes = kind() == Probes ? "probes" : "doses";
  run.out = m_out->file();
  if (kind() == ChangedHeads) {
    run.plan = plan(run.beside(kRankingFile).filename().string());
    run.arguments = {QStringLiteral("study"), fileText(run.beside(kPlanFile)), QStringLiteral("--part"),
                     QStringLiteral("0/1"),   QStringLiteral("--out"),         fileText(run.out)};
    return run;
  }
  run.arguments = kind() == Probes ? command("probe", m_probeOptions, m_usualProbes)
                                   : command("composition", m_edgeOptions, m_usualEdges);
  run.arguments += {QStringLiteral("--csv"), fileText(run.out)};
  return run;
}

QStringList CausesDialog::command(const char* name, const OptionList& now, const OptionList& usual) const {
  QStringList arguments{QString::fromLatin1(name), QStringLiteral("--model"), fileText(m_start.model)};
  for (const std::string& each : partsOf(*m_texts, QLatin1Char(';')))
    arguments += {QStringLiteral("--text"), QString::fromStdString(each)};
  for (const std::string& argument : argumentsOf(now, usual)) arguments << QString::fromStdString(argument);
  return arguments;
}

QString CausesDialog::problem() const {
  for (const OptionFields* fields : {m_probeFields, m_headFields, m_edgeFields})
    if (const QString wrong = fields->problem(); !wrong.isEmpty()) return wrong;
  if (kind() == ChangedHeads && m_column->currentIndex() == 0 && m_start.view.several.empty())
    return tr("Choose a ranking, or select heads in the tab first.");
  if (m_out->file().empty()) return tr("Choose where to save the results.");
  return {};
}

void CausesDialog::refresh() {
  constexpr const char* kEndings[] = {"-probes", "-study", "-composition"};
  const std::string name = fs::path(m_start.study->file).filename().replace_extension().string();
  m_out->suggest(m_start.folder / (name + kEndings[kind()]));
  const QStringList arguments = run().arguments;
  m_command->setCommand(arguments.front(), arguments.mid(1));
  m_buttons->showState(problem(), kind() == ChangedHeads
                                      ? tr("The study is saved as a TOML file beside its results.")
                                      : QString());
}

}  // namespace plastiscope

#include "moc_causes_dialog.cpp"
