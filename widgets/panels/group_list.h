#pragma once
// List of a study's groups of heads: makes, renames, colours and deletes them, and selects their heads.
#include <QAbstractTableModel>
#include <QTableView>

#include "core/views/head_group.h"

class QMenu;

namespace plastiscope {

class StudyModel;

// The first word of a condition or of a list of heads, as the name of their group.
std::string firstWord(const std::string& text);

// Groups with a check box for those that are drawn; a name can be edited.
class GroupTable : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum { NameColumn, HeadsColumn, KeyHeadsColumn, OriginColumn, kColumns };

  explicit GroupTable(StudyModel& model, QObject* parent = nullptr);

  const HeadGroup& groupAt(int row) const { return m_groups.at(static_cast<std::size_t>(row)); }
  int rowOf(const std::string& name) const;  // -1: no such group

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;

 Q_SIGNALS:
  void refused(const QString& sentence);  // a name that a group cannot have

 private:
  void follow();
  bool isShown(const HeadGroup& group) const;
  std::int64_t keyHeads(const HeadGroup& group) const;
  bool rename(const HeadGroup& group, const std::string& name);

  StudyModel& m_model;
  HeadGroups m_groups;
};

class GroupListView : public QTableView {
  Q_OBJECT
 public:
  explicit GroupListView(StudyModel& model, QWidget* parent = nullptr);

  // Groups of another study, to be offered in the menu of new groups.
  struct Offer {
    QString from;  // its name
    HeadGroups groups;
  };
  void setOffers(std::vector<Offer> offers) { m_offers = std::move(offers); }
  const std::vector<Offer>& offers() const { return m_offers; }
  void take(const Offer& offer);  // adds its groups

  // Entries that make groups, and those for the current group; filled when they open.
  void fillNewMenu(QMenu& menu);
  void fillGroupMenu(QMenu& menu);

 Q_SIGNALS:
  void refused(const QString& sentence);

 protected:
  void contextMenuEvent(QContextMenuEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;  // Delete deletes the current group

 private:
  void follow();
  void showCurrent();
  void deleteCurrent();
  void addClasses(QMenu& menu);
  void addColours(QMenu& menu, const HeadGroup& group);
  void askForHeads();
  void takeFromFile();

  StudyModel& m_model;
  GroupTable m_table;
  std::vector<Offer> m_offers;
  bool m_following = false;
};

}  // namespace plastiscope
