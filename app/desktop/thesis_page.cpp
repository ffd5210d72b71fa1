#include "app/desktop/thesis_page.h"

#include <QLabel>
#include <QListWidget>
#include <algorithm>

#include "widgets/export/figure_panels.h"
#include "widgets/export/thesis_figures.h"
#include "widgets/plots/figure_view.h"
#include "widgets/state/small_widgets.h"

namespace plastiscope {

namespace {

constexpr int kListWidth = 290;

const ThesisFigure& thesisFigureOf(const std::string& id) {
  return *std::ranges::find_if(thesisFigures(),
                               [&id](const ThesisFigure& figure) { return figure.id == id; });
}

QString nameOf(const ThesisFigure& figure) {
  const QString number = QString::fromLatin1(figure.number);
  return number.isEmpty() ? QString::fromLatin1(figure.id) : ThesisPage::tr("Figure %1").arg(number);
}

}  // namespace

ThesisPage::ThesisPage(Workers& workers, QWidget* parent)
    : QWidget(parent),
      m_runner(workers, WorkLength::Quick),
      m_list(named("thesisList", new QListWidget(this))),
      m_title(styledLabel({}, "strong", this)),
      m_note(named("thesisNote", styledLabel({}, "muted", this))),
      m_view(named("thesisView", new FigureView(this))) {
  setObjectName(QStringLiteral("thesisPage"));
  m_list->setAccessibleName(tr("Figures of the thesis"));
  m_list->setFixedWidth(kListWidth);
  m_note->setWordWrap(true);
  for (const ThesisFigure& figure : thesisFigures()) {
    auto* item = new QListWidgetItem(
        QStringLiteral("%1 \u00b7 %2").arg(nameOf(figure), QString::fromUtf8(figure.title)), m_list);
    item->setData(Qt::UserRole, QString::fromLatin1(figure.id));
    item->setToolTip(QString::fromLatin1(figure.id));
    if (figure.shows.published == nullptr)
      item->setForeground(palette().brush(QPalette::Disabled, QPalette::Text));
  }
  auto* side = columnOf({m_title, {m_view, 1}, m_note}, {.margins = {12, 8, 8, 8}, .spacing = 6});
  rowIn(this, {m_list}, {.margins = {6, 6, 6, 6}})->addLayout(side, 1);
  connect(m_list, &QListWidget::currentItemChanged, this, [this](const QListWidgetItem* now) {
    if (now != nullptr) showFigure(now->data(Qt::UserRole).toString().toStdString());
  });
}

bool ThesisPage::isDrawn() const {
  return !m_figure.empty() && thesisFigureOf(m_figure).shows.published != nullptr;
}

QPixmap ThesisPage::currentPicture() const {
  return m_view->grab();
}

void ThesisPage::showFigure(const std::string& id) {
  if (id == m_figure) return;
  m_figure = id;
  const ThesisFigure& figure = thesisFigureOf(id);
  for (int i = 0; i < m_list->count(); ++i) {
    if (m_list->item(i)->data(Qt::UserRole).toString().toStdString() == id) m_list->setCurrentRow(i);
  }
  m_title->setText(QStringLiteral("%1 \u00b7 %2").arg(nameOf(figure), QString::fromUtf8(figure.title)));
  m_view->setAccessibleName(m_title->text());
  const QString lacks = QString::fromUtf8(figure.lacks);
  m_note->setText(lacks.isEmpty() ? QString() : tr("Not published: %1.").arg(lacks));
  if (!isDrawn()) {
    m_runner.drop();
    m_view->setMessage(
        tr("The thesis shows this figure, but its numbers are not published. Your own captures draw "
           "it: plastiscope render CAPTURE.h5 --figure %1")
            .arg(QString::fromStdString(id)));
    return Q_EMIT figureChanged();
  }
  m_runner.start(
      [id](Progress&) {
        FigureSpec spec;
        spec.figure = id;
        return prepareFigure({}, spec);
      },
      [this](JobResult<FigureContent> content) {
        if (content.stopped()) return;
        if (!content.ok()) return m_view->setMessage(content.failure.sentence);
        m_view->setPlot(std::move(content.value->plot));
      });
  Q_EMIT figureChanged();
}

}  // namespace plastiscope

#include "moc_thesis_page.cpp"
