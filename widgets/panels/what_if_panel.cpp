// Plasticity of the head under hypothetical changes: less drift, more variable content. Never written to a
// file.
#include <QCheckBox>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QSlider>

#include "core/jobs/inspect_job.h"
#include "core/views/explore_data.h"
#include "core/views/metric_info.h"
#include "widgets/models/study_model.h"
#include "widgets/panels/view_panel.h"
#include "widgets/plots/figure_view.h"
#include "widgets/state/small_widgets.h"

namespace plastiscope {
namespace {

constexpr int kMaxPercent = 200;

// Slider for one scale of the change.
struct Scale {
  double WhatIf::*value;
  const char* name;
  QString title, tip;
};

// The head and its unchanged values, with which every change is compared.
struct Prepared {
  WhatIfHead head;
  WhatIfResult asItIs;
};

// Check box that fixes one part at its mean.
struct Freeze {
  bool WhatIf::*value;
  const char* name;
  QString title, tip;
};

class WhatIfPanel : public ComputedPanel {
 public:
  WhatIfPanel(StudyModel& model, QWidget* parent)
      : ComputedPanel(model, parent),
        m_answerRunner(model.workers(), WorkLength::Quick),
        m_view(named("whatIfView", new FigureView(this))),
        m_numbers(named("whatIfNumbers", new QLabel(this))) {
    m_view->setAccessibleName(tr("Profile before and after the change"));
    build();
    model.watch([this] { return m_answerRunner.running(); });
    connect(&model, &StudyModel::headReady, this, &WhatIfPanel::setStale);
    m_view->setMessage(model.study()->capture
                           ? tr("Loading …")
                           : tr("This view needs the rows of the capture, but only its analysis was found."));
  }

 private:
  void build() {
    const Scale scales[] = {
        {&WhatIf::beta, "whatIfQueries", tr("Drift of queries"),
         tr("Scales how far queries move with their position; 0 %: all are at their mean")},
        {&WhatIf::alphaKey, "whatIfKeys", tr("Drift of keys"),
         tr("Scales how far keys move along a with their position; 0 %: no position bias")},
        {&WhatIf::contentVariance, "whatIfContent", tr("Content variance"),
         tr("Scales the queries' variance off the position axis")}};
    const Freeze freezes[] = {
        {&WhatIf::freezeMean, "whatIfFreezeMean", tr("Same mean content everywhere"),
         tr("Queries of all positions get the mean content of the whole window")},
        {&WhatIf::freezeVariance, "whatIfFreezeVariance", tr("Same content variance everywhere"),
         tr("Queries of all positions get the mean content variance of the whole window")}};
    auto* form = new QGridLayout;
    form->setContentsMargins(0, 0, 0, 0);
    form->setHorizontalSpacing(8);
    form->setVerticalSpacing(6);
    int row = 0;
    for (const Scale& scale : scales) addSlider(*form, row++, scale);
    for (const Freeze& freeze : freezes) addCheck(*form, row++, freeze);
    auto* reset = named("whatIfReset", smallButton(tr("Reset"), {}, this));
    connect(reset, &QPushButton::clicked, this, &WhatIfPanel::reset);
    m_numbers->setTextFormat(Qt::RichText);
    form->addWidget(m_numbers, row++, 0, 1, 3);
    form->addWidget(reset, row++, 0, Qt::AlignLeft);
    form->setRowStretch(row, 1);
    auto* left = new QWidget(this);
    left->setLayout(form);
    left->setMinimumWidth(kFormWidth);
    left->setMaximumWidth(kMaxForm);
    m_view->setMinimumWidth(kLeastPlot);
    rowIn(this, {{left, 1}, {m_view, 2}}, {.margins = {10, 8, 0, 0}, .spacing = 8});
  }

  void addSlider(QGridLayout& form, int row, const Scale& scale) {
    auto* title = new QLabel(scale.title, this);
    auto* slider = new QSlider(Qt::Horizontal, this);
    auto* value = new QLabel(this);
    slider->setObjectName(QString::fromLatin1(scale.name));
    slider->setAccessibleName(scale.title);
    slider->setRange(0, kMaxPercent);
    slider->setPageStep(25);
    slider->setValue(100);
    value->setText(tr("100 %"));
    value->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    value->setFixedWidth(value->fontMetrics().horizontalAdvance(tr("%1 %").arg(kMaxPercent)) + 2);
    for (QWidget* widget : {static_cast<QWidget*>(title), static_cast<QWidget*>(slider)})
      widget->setToolTip(scale.tip);
    form.addWidget(title, row, 0);
    form.addWidget(slider, row, 1);
    form.addWidget(value, row, 2);
    m_sliders.append(slider);
    connect(slider, &QSlider::valueChanged, this, [this, value, member = scale.value](int percent) {
      m_change.*member = percent / 100.0;
      value->setText(tr("%1 %").arg(percent));
      answer();
    });
  }

  void addCheck(QGridLayout& form, int row, const Freeze& freeze) {
    auto* check = new QCheckBox(freeze.title, this);
    check->setObjectName(QString::fromLatin1(freeze.name));
    check->setToolTip(freeze.tip);
    form.addWidget(check, row, 0, 1, 3);
    m_checks.append(check);
    connect(check, &QCheckBox::toggled, this, [this, member = freeze.value](bool on) {
      m_change.*member = on;
      answer();
    });
  }

  void reset() {
    for (QSlider* slider : m_sliders) slider->setValue(100);
    for (QCheckBox* check : m_checks) check->setChecked(false);
  }

  void compute() override {
    m_head = nullptr;
    m_answerRunner.drop();
    m_numbers->clear();
    const auto& head = m_model.selection().value().head;
    if (!head || !m_model.study()->capture) return;
    m_runner.start(
        [study = m_model.study(), head = *head](Progress& progress) {
          WhatIfHead prepared = prepareWhatIf(*study->capture, head, settingsOf(*study->analysis), progress);
          WhatIfResult asItIs = prepared.evaluate({});
          return std::make_shared<const Prepared>(std::move(prepared), std::move(asItIs));
        },
        [this](JobResult<std::shared_ptr<const Prepared>> prepared) {
          if (prepared.ok()) {
            m_head = std::move(*prepared.value);
            answer();
          } else if (!prepared.stopped()) {
            m_view->setMessage(prepared.failure.sentence);
          }
        });
  }

  void answer() {
    if (!m_head) return;
    m_answerRunner.start(
        [head = m_head, change = m_change, window = m_model.facts().window](Progress&) {
          return makeWhatIf(head->asItIs, head->head.evaluate(change), window);
        },
        [this](JobResult<WhatIfData> content) {
          if (!content.ok()) return;
          m_view->setPlot(whatIfPlot(*content.value));
          showNumbers(*content.value);
        });
  }

  void showNumbers(const WhatIfData& content) {
    const auto number = [](double value) { return QString::fromStdString(fixedText(value, 3)); };
    QString table = QStringLiteral("<table cellspacing='0' cellpadding='1'>");
    for (const WhatIfLine& line : content.lines) {
      table += QStringLiteral(
                   "<tr><td>%1&nbsp;&nbsp;</td><td align='right'>%2</td><td>&nbsp;→&nbsp;</td>"
                   "<td align='right'><b>%3</b></td></tr>")
                   .arg(QString::fromStdString(line.label), number(line.before), number(line.after));
    }
    m_numbers->setText(table + QStringLiteral("</table>"));
  }

  static constexpr int kFormWidth = 250, kMaxForm = 400, kLeastPlot = 62;

  JobRunner m_answerRunner;
  WhatIf m_change;
  std::shared_ptr<const Prepared> m_head;
  FigureView* m_view;
  QLabel* m_numbers;
  QList<QSlider*> m_sliders;
  QList<QCheckBox*> m_checks;
};

}  // namespace

ViewPanel* makeWhatIfPanel(StudyModel& model, QWidget* parent) {
  return new WhatIfPanel(model, parent);
}

}  // namespace plastiscope
