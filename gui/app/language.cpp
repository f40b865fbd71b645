// English is in the sources; Chinese is two catalogues: ours, which is part of the program, and Qt's for its dialogs.
#include "gui/app/language.hpp"

#include <QApplication>
#include <QFile>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>
#include <atomic>

#include "profiler/query/finding_text.hpp"

namespace fusescope::gui {

namespace {

LanguageChoice choiceNow = LanguageChoice::English;
std::atomic<bool> chinese{false};

// Made once and kept: Qt removes a translator that is destroyed, and the application outlives all windows.
QTranslator& catalogue(int which) {
    static QTranslator* const all[2] = {new QTranslator(qApp), new QTranslator(qApp)};
    return *all[which];
}

bool systemIsChinese() { return QLocale::system().language() == QLocale::Chinese; }

}  // namespace

void applyLanguage(LanguageChoice choice) {
    choiceNow = choice;
    const bool wanted = choice == LanguageChoice::Chinese || (choice == LanguageChoice::System && systemIsChinese());
    QLocale::setDefault(choice == LanguageChoice::System ? QLocale::system()
                        : wanted                         ? QLocale(QLocale::Chinese, QLocale::China)
                                                         : QLocale(QLocale::English, QLocale::UnitedStates));
    if (wanted == chinese.exchange(wanted)) {
        return;
    }
    if (!wanted) {
        for (int i : {0, 1}) {
            QCoreApplication::removeTranslator(&catalogue(i));
        }
        return;
    }
    if (catalogue(0).load(QStringLiteral("qtbase_zh_CN"), QLibraryInfo::path(QLibraryInfo::TranslationsPath))) {
        QCoreApplication::installTranslator(&catalogue(0));
    }
    if (catalogue(1).load(QStringLiteral(":/i18n/fusescope_zh_CN.qm"))) {
        QCoreApplication::installTranslator(&catalogue(1));
    }
}

LanguageChoice languageChoice() { return choiceNow; }

bool isChinese() { return chinese; }

query::Language findingLanguage() { return chinese ? query::Language::chinese : query::Language::english; }

QString nameOf(LanguageChoice choice) {
    return choice == LanguageChoice::English   ? QStringLiteral("en")
           : choice == LanguageChoice::Chinese ? QStringLiteral("zh_CN")
                                               : QStringLiteral("system");
}

bool languageNamed(const QString& name, LanguageChoice* choice) {
    const QString word = name.toLower().replace('-', '_');
    if (word == QStringLiteral("system")) {
        *choice = LanguageChoice::System;
    } else if (word == QStringLiteral("en") || word.startsWith(QStringLiteral("en_"))) {
        *choice = LanguageChoice::English;
    } else if (word == QStringLiteral("zh") || word.startsWith(QStringLiteral("zh_"))) {
        *choice = LanguageChoice::Chinese;
    } else {
        return false;
    }
    return true;
}

}  // namespace fusescope::gui
