// The language of the window, which can be changed while it is open.
#pragma once

#include <QString>

namespace fusescope::query {
enum class Language;
}

namespace fusescope::gui {

enum class LanguageChoice { System, English, Chinese };

/// Loads the translations and has every widget sent a LanguageChange event. GUI thread only.
void applyLanguage(LanguageChoice choice);
LanguageChoice languageChoice();
/// What the choice comes to. Any thread.
bool isChinese();
/// The same, for sentences about findings. Any thread.
query::Language findingLanguage();

/// "system", "en" and "zh_CN": for settings and the command line.
QString nameOf(LanguageChoice choice);
/// Takes those names, and what else people write for them; false when it is none.
bool languageNamed(const QString& name, LanguageChoice* choice);

}  // namespace fusescope::gui
