#pragma once
// RoPE settings in place of the model's own, as fields beside the model's values, and as the JSON object that
// --rope-override takes (core/model/rope_kinds.h).
#include <QWidget>
#include <map>
#include <string>

#include "core/base/json_value.h"

class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;

namespace plastiscope {

class RopeFields : public QWidget {
  Q_OBJECT
 public:
  explicit RopeFields(QWidget* parent = nullptr);

  // The model's own settings, under the names of Hugging Face's rope_parameters; null = not known.
  void setOwn(const Json& settings);
  // Text of the JSON object; "" = no change.
  void setText(const QString& text);
  QString text() const;
  // The changed settings; an empty object for none. InputError if the text is no JSON object.
  Json value() const;

 Q_SIGNALS:
  void changed();

 private:
  void writeText();   // from the fields
  void readText();    // to the fields, if it is valid
  void showFields();  // those that the kind takes
  std::string kind() const;

  JsonValue m_own;
  QFormLayout* m_form;
  QComboBox* m_kind;
  std::map<std::string, QLineEdit*> m_fields;  // by setting
  std::map<std::string, QLabel*> m_notes;      // the model's value
  QLineEdit* m_json;
};

}  // namespace plastiscope
