// Scatter of all heads: any metric against any other, coloured by a third or by class.
#include <QCheckBox>
#include <algorithm>

#include "core/views/head_metrics.h"
#include "widgets/models/metric_box.h"
#include "widgets/models/study_model.h"
#include "widgets/panels/group_menu.h"
#include "widgets/panels/view_panel.h"
#include "widgets/plots/figure_view.h"
#include "widgets/state/file_text.h"
#include "widgets/state/small_widgets.h"

namespace plastiscope {
namespace {

constexpr int kLeastAxis = 70;

class HeadMetricsPanel : public ComputedPanel {
 public:
  HeadMetricsPanel(StudyModel& model, QWidget* parent)
      : ComputedPanel(model, parent),
        m_view(named("headPoints", new HeadPointsView(this))),
        m_x(axisBox("headAxisX", tr("Metric across"))),
        m_y(axisBox("headAxisY", tr("Metric upwards"))),
        m_colour(axisBox("headAxisColour", tr("Colour: the class, or a metric"))),
        m_contours(named("headContours", new QCheckBox(tr("Contours"), this))) {
    m_view->setAccessibleName(tr("Heads as points"));
    m_view->setMessage(tr("Loading …"));
    addOption(m_colour);
    addOption(m_contours);
    const auto label = [](const QString& text) { return styledLabel(text, "muted", nullptr); };
    auto* line =
        rowOf({label(tr("X")), {m_x, 1}, label(tr("Y")), {m_y, 1}}, {.margins = {6, 4, 6, 0}, .spacing = 4});
    columnIn(this, {line, {m_view, 1}}, {.margins = {}, .spacing = 0});
    for (MetricBox* box : {m_x, m_y, m_colour})
      connect(box, &QComboBox::activated, this, [this] { choose(); });
    connect(m_contours, &QCheckBox::clicked, this, [this] {
      m_contoursChosen = true;
      show();
    });
    offerGroups(*m_view, model);
    connect(m_view, &HeadPointsView::headActivated, &model.selection(), &Selection::setHead);
    connect(m_view, &HeadPointsView::severalSelected, &model.selection(), &Selection::setSeveral);
    connect(&model.selection(), &Selection::changed, this, &HeadMetricsPanel::follow);
    connect(&model, &StudyModel::studyChanged, this, [this] {
      fill();
      setStale();
    });
    fill();
    follow(model.selection().value(), {});
    setStale();
  }

 private:
  MetricBox* axisBox(const char* name, const QString& tip) {
    auto* box = new MetricBox(name, this);
    explain(*box, tip);
    box->setMinimumWidth(kLeastAxis);
    return box;
  }

  void fill() {
    const Table* heads = m_model.study()->analysis->find("heads");
    const auto metrics = heads == nullptr ? std::vector<MetricInfo>() : metricsOf(*heads);
    for (MetricBox* box : {m_x, m_y, m_colour})
      box->setMetrics(metrics, box == m_colour ? tr("class") : QString());
    if (metrics.empty()) return;
    showAxes(m_model.selection().value().axes);
  }

  void showAxes(const HeadAxes& axes) {
    select(*m_x, QString::fromStdString(axes.x));
    select(*m_y, QString::fromStdString(axes.y));
    select(*m_colour, QString::fromStdString(axes.colour));
  }

  void choose() {
    const auto column = [](const QComboBox& box) { return box.currentData().toString().toStdString(); };
    m_model.selection().setAxes({column(*m_x), column(*m_y), column(*m_colour)});
  }

  void follow(const ViewSelection& now, const ViewSelection& before) {
    m_view->setSelectedHead(now.head);
    m_view->setSeveral(now.several);
    m_view->setGroups(now.drawnGroups());
    if (now.axes == before.axes) return;
    showAxes(now.axes);
    setStale();
  }

  void compute() override {
    m_runner.start(
        [study = m_model.study(), axes = m_model.selection().value().axes](Progress&) {
          return std::make_shared<const HeadMetricsData>(makeHeadMetrics(*study->analysis, axes));
        },
        [this](JobResult<std::shared_ptr<const HeadMetricsData>> made) {
          if (made.ok()) {
            m_data = *made.value;
            show();
          } else if (!made.stopped()) {
            m_view->setMessage(made.failure.sentence);
          }
        });
  }

  void show() {
    if (m_data == nullptr) return;
    const bool possible =
        std::ranges::any_of(m_data->contours, [](const auto& lines) { return !lines.empty(); });
    m_contours->setEnabled(possible);
    m_contours->setToolTip(possible
                               ? tr("Lines around the densest regions that hold 50, 80 and 95 % of the heads")
                               : tr("There are too few heads for lines around the densest regions"));
    if (!m_contoursChosen) m_contours->setChecked(possible && showsContours(*m_data));
    Plot plot = headMetricsPlot(*m_data, possible && m_contours->isChecked());
    plot.oneLine = false;  // all classes keep their names in narrow panels
    m_view->setHeads(std::move(plot), m_data->heads, m_data->across, m_data->up);
    Q_EMIT noteChanged(tr("%1 heads").arg(groupedText(std::ssize(m_data->heads))));
  }

  HeadPointsView* m_view;
  MetricBox *m_x, *m_y, *m_colour;
  QCheckBox* m_contours;
  bool m_contoursChosen = false;  // by the user
  std::shared_ptr<const HeadMetricsData> m_data;
};

}  // namespace

ViewPanel* makeHeadMetricsPanel(StudyModel& model, QWidget* parent) {
  return new HeadMetricsPanel(model, parent);
}

}  // namespace plastiscope
