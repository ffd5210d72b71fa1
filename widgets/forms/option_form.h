#pragma once
// Fields of a dialog, made of a list of options: rows of several fields in one line, labels at the right. A
// field writes into the value of its option at once.
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
// For screen readers: fields without a name get that of the row and of the label before them in the line.
void nameFields(const QFormLayout& form);

class OptionFields : public QObject {
  Q_OBJECT
 public:
  // Both lists live as long as the fields; `standard` has the defaults. Widgets are named `prefix` and the
  // last part of the key: "captureHeadSeed".
  OptionFields(const OptionList& options, const OptionList& standard, QString prefix, QWidget* parent);

  // The rows of one page, in the order in which they come in the list; `notes` stand at the ends of theirs.
  void addRows(QFormLayout& form, const std::string& page, const std::map<std::string, QWidget*>& notes = {});
  // Only rows with an option that is wanted, by its key.
  void showRows(QFormLayout& form, const std::function<bool(const std::string&)>& wanted);
  // Every field shows the value of its option, without a signal; or one of them does.
  void showAll();
  void show(const std::string& keyOrName);
  template <typename Widget>
  Widget* field(const std::string& keyOrName) const {
    return qobject_cast<Widget*>(fieldOf(keyOrName).widget);
  }
  // What could not be set from the texts of lines; "" when all is well.
  QString problem() const;

 Q_SIGNALS:
  void changed(const std::string& key);
  void finished(const std::string& key);  // a line that was changed

 private:
  struct Field {
    const Option *option, *standard;
    QWidget* widget;
    std::string problem = {};
    std::string key() const { return option->key.empty() ? option->name : option->key; }
  };
  const Field& fieldOf(const std::string& keyOrName) const;
  QWidget* makeField(std::size_t index);
  QWidget* makeBox(const Option& option);
  QWidget* makeNumber(const Option& option);
  void addBrowsing(std::vector<QWidget*>& line, const Field& field);
  void show(const Field& field);
  void take(std::size_t field);  // from the widget into the value

  QString m_prefix;
  QWidget* m_parent;
  const OptionList &m_options, &m_standard;
  std::vector<Field> m_fields;
};

}  // namespace plastiscope
