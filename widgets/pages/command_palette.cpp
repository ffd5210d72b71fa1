#include "widgets/pages/command_palette.h"

#include <QAbstractListModel>
#include <QApplication>
#include <QFrame>
#include <QKeyEvent>
#include <QListView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QTimer>
#include <algorithm>

#include "widgets/state/icons.h"
#include "widgets/state/small_widgets.h"
#include "widgets/state/theme.h"
#include "widgets/state/word_match.h"

namespace plastiscope {
namespace {

constexpr std::size_t kMaxHits = 200;
constexpr int kAfterAll = 1'000'000;  // above every score
constexpr int kRows = 12, kPaletteRowHeight = 26, kListWidth = 460;
constexpr int kDetailRole = Qt::UserRole, kCanRunRole = kDetailRole + 1;

class HitDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override {
    return {kListWidth - 4, kPaletteRowHeight};
  }
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    QStyleOptionViewItem item = option;
    if (!index.data(kCanRunRole).toBool())
      item.palette.setColor(QPalette::Text, currentTheme()[QStringLiteral("muted")]);
    QStyledItemDelegate::paint(painter, item, index);
    const bool chosen = option.state & QStyle::State_Selected;
    painter->setPen(chosen ? currentTheme()[QStringLiteral("row_text")]
                           : currentTheme()[QStringLiteral("muted")]);
    painter->drawText(option.rect.adjusted(0, 0, -10, 0), Qt::AlignRight | Qt::AlignVCenter,
                      index.data(kDetailRole).toString());
  }
};

}  // namespace

class CommandPalette::HitModel : public QAbstractListModel {
 public:
  explicit HitModel(CommandPalette& owner) : QAbstractListModel(&owner), m_owner(owner) {}
  int rowCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : std::max(1, static_cast<int>(m_owner.m_hits.size()));
  }
  // A row that reports no hits cannot be selected.
  Qt::ItemFlags flags(const QModelIndex& index) const override {
    return m_owner.m_hits.empty() ? Qt::NoItemFlags : QAbstractListModel::flags(index);
  }
  QVariant data(const QModelIndex& index, int role) const override {
    if (m_owner.m_hits.empty())
      return role == Qt::DisplayRole ? QVariant(CommandPalette::tr("Nothing found")) : QVariant();
    const Command& command = m_owner.m_commands[m_owner.m_hits[static_cast<std::size_t>(index.row())]];
    if (role == Qt::DisplayRole) return command.title;
    if (role == kCanRunRole) return command.needs.isEmpty();
    return role == kDetailRole ? QVariant(command.needs.isEmpty() ? command.detail : command.needs)
                               : QVariant();
  }
  void renew(std::vector<std::size_t> hits) {
    beginResetModel();
    m_owner.m_hits = std::move(hits);
    endResetModel();
  }

 private:
  CommandPalette& m_owner;
};

CommandPalette::CommandPalette(Source source, QWidget* parent)
    : QLineEdit(parent),
      m_source(std::move(source)),
      m_popup(named("paletteList", new QFrame(this, Qt::ToolTip))),
      m_list(new QListView(m_popup)),
      m_model(new HitModel(*this)) {
  setObjectName(QStringLiteral("commandSearch"));
  setPlaceholderText(tr("Search actions, heads, files"));
  addAction(lineIcon(QStringLiteral("search"), QStringLiteral("muted")), LeadingPosition);
  setAccessibleName(tr("Search actions, heads, files"));
  m_popup->setFocusPolicy(Qt::NoFocus);
  m_list->setFocusPolicy(Qt::NoFocus);
  m_list->setModel(m_model);
  m_list->setItemDelegate(new HitDelegate(m_list));
  m_list->setUniformItemSizes(true);
  m_list->setMinimumHeight(kPaletteRowHeight);  // the default minimum is larger than one row
  m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_list->setMouseTracking(true);
  columnIn(m_popup, {m_list}, {.margins = {1, 1, 1, 1}});
  connect(this, &QLineEdit::textEdited, this, &CommandPalette::showHits);
  connect(m_list, &QListView::clicked, this, [this](const QModelIndex& index) { runRow(index.row()); });
}

CommandPalette::~CommandPalette() = default;

void CommandPalette::open() {
  setFocus(Qt::ShortcutFocusReason);
  selectAll();
}

QStringList CommandPalette::shownTitles() const {
  QStringList titles;
  for (const std::size_t hit : m_hits) titles << m_commands[hit].title;
  return titles;
}

void CommandPalette::gather() {
  m_commands = m_source();
}

void CommandPalette::showHits() {
  std::vector<std::pair<int, std::size_t>> scored;
  const bool all = text().trimmed().isEmpty();
  for (std::size_t i = 0; i < m_commands.size(); ++i) {
    const Command& command = m_commands[i];
    if (all && (scored.size() == kMaxHits || !command.needs.isEmpty())) continue;
    const int score = wordScore(text(), command.title, command.words);
    if (score >= 0) scored.emplace_back(command.needs.isEmpty() ? -score : kAfterAll - score, i);
  }
  std::stable_sort(scored.begin(), scored.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::size_t> hits;
  for (const auto& [score, i] : scored) {
    if (hits.size() < kMaxHits) hits.push_back(i);
  }
  m_model->renew(std::move(hits));
  m_list->setCurrentIndex(m_model->index(0));
  const int rows = std::min(kRows, m_model->rowCount());
  const int width = std::max(kListWidth, this->width());
  m_popup->setGeometry(QRect(mapToGlobal(QPoint(this->width() - width, height() + 2)),
                             QSize(width, rows * kPaletteRowHeight + 4)));
  m_popup->show();
  m_popup->raise();
}

void CommandPalette::runRow(int row) {
  if (row < 0 || row >= static_cast<int>(m_hits.size())) return;
  const Command& command = m_commands[m_hits[static_cast<std::size_t>(row)]];
  if (!command.needs.isEmpty()) return;  // the row says what it needs
  const auto run = command.run;
  close();
  if (run) run();
}

void CommandPalette::close() {
  m_popup->hide();
  clear();
  clearFocus();
}

void CommandPalette::keyPressEvent(QKeyEvent* event) {
  const int row = m_list->currentIndex().row();
  const auto move = [this](int to) {
    m_list->setCurrentIndex(m_model->index(std::clamp(to, 0, m_model->rowCount() - 1)));
  };
  switch (event->key()) {
    case Qt::Key_Down:
      return move(row + 1);
    case Qt::Key_Up:
      return move(row - 1);
    case Qt::Key_PageDown:
      return move(row + kRows);
    case Qt::Key_PageUp:
      return move(row - kRows);
    case Qt::Key_Return:
    case Qt::Key_Enter:
      return runRow(row);
    case Qt::Key_Escape:
      return close();
    default:
      QLineEdit::keyPressEvent(event);
  }
}

void CommandPalette::focusInEvent(QFocusEvent* event) {
  QLineEdit::focusInEvent(event);
  gather();
  showHits();
}

void CommandPalette::focusOutEvent(QFocusEvent* event) {
  QLineEdit::focusOutEvent(event);
  m_popup->hide();
}

}  // namespace plastiscope

#include "moc_command_palette.cpp"
