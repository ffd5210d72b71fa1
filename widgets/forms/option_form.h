#pragma once
// Dialog fields made from a list of options: rows of several fields in one line, labels at the right. A field
// writes to the value of its option immediately.
#include <QFormLayout>
#include <QObject>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/base/option.h"

class QLabel;

namespace plastiscope {

QFormLayout* formOf(QWidget* owner);
// For screen readers: gives fields without a name that of the row and of the label before them.
void nameFields(const QFormLayout& form);

class OptionFields : public QObject {
  Q_OBJECT
 public:
  // Both lists must outlive the fields; `standard` has the defaults. Widgets are named `prefix` plus the last
  // part of the key: "captureHeadSeed".
  OptionFields(const OptionList& options, const OptionList& standard, QString prefix, QWidget* parent);

  // Adds the rows of one page in the order of the list; `notes` are placed at the ends of their rows.
  void addRows(QFormLayout& form, const std::string& page, const std::map<std::string, QWidget*>& notes = {});
  // Shows only rows with a wanted option, by key.
  void showRows(QFormLayout& form, const std::function<bool(const std::string&)>& wanted);
  // Updates every field from its option, or one field, without signals.
  void showAll();
  void show(const std::string& keyOrName);
  template <typename Widget>
  Widget* field(const std::string& keyOrName) const {
    return qobject_cast<Widget*>(fieldOf(keyOrName).widget);
  }
  // Invalid texts of line edits; "" if there are none.
  QString problem() const;

 Q_SIGNALS:
  void changed(const std::string& key);
  void finished(const std::string& key);  // a line edit was changed

 private:
  struct Field {
    const Option *option, *standard;
    QWidget* widget = nullptr;
    std::function<void()> show = {}, read = {};  // from the value to the widget; back, UsageError
    std::string problem = {};
    std::string key() const { return option->key.empty() ? option->name : option->key; }
  };
  const Field& fieldOf(const std::string& keyOrName) const;
  QWidget* makeField(std::size_t index);
  void makeFlag(Field& field);
  void makeChoice(Field& field);
  void makeLine(Field& field);
  template <typename Box>
  void makeNumber(Field& field, Box* box);
  void addBrowsing(std::vector<QWidget*>& line, const Field& field);
  void show(const Field& field);
  void read(std::size_t at);

  QString m_prefix;
  QWidget* m_parent;
  const OptionList &m_options, &m_standard;
  std::vector<Field> m_fields;
};

}  // namespace plastiscope
