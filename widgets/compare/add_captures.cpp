#include "widgets/compare/add_captures.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScreen>
#include <QShortcut>
#include <QTreeWidget>
#include <algorithm>
#include <map>

#include "widgets/state/file_text.h"
#include "widgets/state/small_widgets.h"

namespace plastiscope {

namespace {

constexpr QSize kPopup(380, 430);
constexpr int kFileRole = Qt::UserRole + 1;

template <typename Work>
void eachCapture(const QTreeWidget& list, const Work& work) {
  for (int g = 0; g < list.topLevelItemCount(); ++g) {
    QTreeWidgetItem* group = list.topLevelItem(g);
    for (int i = 0; i < group->childCount(); ++i) work(*group->child(i));
  }
}

}  // namespace

AddCaptures::AddCaptures(const std::vector<AddableCapture>& captures, std::size_t room, QWidget* parent)
    : QFrame(parent, Qt::Popup),
      m_room(room),
      m_filter(named("addFilter", new QLineEdit(this))),
      m_list(named("addList", new QTreeWidget(this))),
      m_note(styledLabel({}, "muted", this)),
      m_add(named("addChosen", new QPushButton(tr("Add"), this))) {
  setObjectName(QStringLiteral("addCaptures"));
  setAttribute(Qt::WA_DeleteOnClose);
  setFrameShape(QFrame::StyledPanel);
  m_filter->setPlaceholderText(tr("Filter tabs, library, atlas"));
  m_filter->setClearButtonEnabled(true);
  m_filter->setAccessibleName(tr("Filter"));
  m_list->setAccessibleName(tr("Captures that can be added"));
  m_list->setColumnCount(2);
  m_list->setHeaderHidden(true);
  m_list->setIndentation(10);
  m_list->setRootIsDecorated(false);
  m_list->header()->setStretchLastSection(false);
  m_list->header()->setSectionResizeMode(0, QHeaderView::Stretch);
  m_list->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
  std::map<QString, QTreeWidgetItem*> groups;
  for (const AddableCapture& capture : captures) {
    QTreeWidgetItem*& group = groups[capture.group];
    if (group == nullptr) {
      group = new QTreeWidgetItem(m_list, {capture.group});
      QFont bold = font();
      bold.setBold(true);
      group->setFont(0, bold);
      group->setFlags(Qt::ItemIsEnabled);
      group->setExpanded(true);
    }
    auto* item = new QTreeWidgetItem(group, {capture.name, capture.note});
    item->setIcon(0, capture.icon);
    item->setToolTip(0, plainTip(capture.tip));
    item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
    item->setData(0, kFileRole, fileText(capture.file));
    item->setCheckState(0, Qt::Unchecked);
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);  // clicks are handled below
  }
  auto* files = smallButton(tr("Choose files …"), tr("A capture or analysis that is not in this list"), this);
  m_add->setDefault(true);
  columnIn(this, {m_filter, {m_list, 1}, rowOf({files, Stretch(), m_note, m_add}, {.spacing = 8})},
           {.margins = {10, 10, 10, 10}, .spacing = 8});
  connect(m_filter, &QLineEdit::textChanged, this, &AddCaptures::filter);
  connect(m_list, &QTreeWidget::itemChanged, this, &AddCaptures::count);
  const auto turn = [](QTreeWidgetItem* item) {
    if (item != nullptr && item->parent() != nullptr)
      item->setCheckState(0, item->checkState(0) == Qt::Checked ? Qt::Unchecked : Qt::Checked);
  };
  connect(m_list, &QTreeWidget::itemClicked, this, turn);  // anywhere on the line
  auto* space = new QShortcut(QKeySequence(Qt::Key_Space), m_list);
  space->setContext(Qt::WidgetShortcut);
  connect(space, &QShortcut::activated, this, [this, turn] { turn(m_list->currentItem()); });
  connect(files, &QPushButton::clicked, this, [this] {
    Q_EMIT filesRequested();
    close();
  });
  connect(m_add, &QPushButton::clicked, this, [this] {
    Q_EMIT chosen(marked());
    close();
  });
  resize(kPopup);
  count();
}

void AddCaptures::showBelow(const QWidget& button) {
  const QPoint corner = button.mapToGlobal(QPoint(0, button.height() + 2));
  const QRect screen = button.screen()->availableGeometry();
  move(withinScreen({corner, size()}, screen).topLeft());
  show();
  m_filter->setFocus();
}

void AddCaptures::filter(const QString& text) {
  const QStringList words = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
  std::map<QTreeWidgetItem*, int> seen;
  eachCapture(*m_list, [&](QTreeWidgetItem& item) {
    const QString all =
        item.text(0) + QLatin1Char(' ') + item.text(1) + QLatin1Char(' ') + item.parent()->text(0);
    const bool fits = std::all_of(words.begin(), words.end(), [&all](const QString& word) {
      return all.contains(word, Qt::CaseInsensitive);
    });
    item.setHidden(!fits);
    seen[item.parent()] += fits ? 1 : 0;
  });
  for (const auto& [group, count] : seen) group->setHidden(count == 0);
}

std::vector<std::filesystem::path> AddCaptures::marked() const {
  std::vector<std::filesystem::path> files;
  eachCapture(*m_list, [&files](const QTreeWidgetItem& item) {
    if (item.checkState(0) == Qt::Checked) files.push_back(fileOfText(item.data(0, kFileRole).toString()));
  });
  return files;
}

void AddCaptures::count() {
  const std::size_t wanted = marked().size();
  m_add->setEnabled(wanted > 0 && wanted <= m_room);
  m_note->setText(wanted > m_room ? tr("room for %1").arg(m_room)
                                  : tr("%1 chosen, room for %2").arg(wanted).arg(m_room));
}

// Down moves from the filter into the list; Enter adds the checked captures, or the only one listed.
void AddCaptures::keyPressEvent(QKeyEvent* event) {
  const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  std::vector<QTreeWidgetItem*> listed;
  eachCapture(*m_list, [&listed](QTreeWidgetItem& item) {
    if (!item.isHidden()) listed.push_back(&item);
  });
  if (enter && marked().empty() && listed.size() == 1) listed.front()->setCheckState(0, Qt::Checked);
  if (enter && m_add->isEnabled()) return m_add->click();
  if (event->key() == Qt::Key_Down && m_filter->hasFocus() && !listed.empty()) {
    m_list->setCurrentItem(listed.front());
    return m_list->setFocus();
  }
  QFrame::keyPressEvent(event);
}

}  // namespace plastiscope

#include "moc_add_captures.cpp"
