// English and Chinese: complete, and changed while the window is open.
#include "gui/app/language.hpp"

#include <gtest/gtest.h>

#include <QAbstractButton>
#include <QAction>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDockWidget>
#include <QFile>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QProcess>
#include <QPushButton>
#include <QTabBar>
#include <QTableView>
#include <QTextBrowser>
#include <QXmlStreamReader>
#include <fstream>

#include "gui/app/options.hpp"
#include "gui/app/panel_docks.hpp"
#include "gui/app/settings.hpp"
#include "gui/models/finding_model.hpp"
#include "gui/widgets/run_bar.hpp"
#include "gui/widgets/table_view.hpp"
#include "profiler/query/findings.hpp"
#include "tests/gui/gui_fixture.hpp"

namespace fusescope::gui {

using testing::waitFor;
using testing::WindowTest;
namespace sample = fusescope::testing::sample;

namespace {

struct Message {
    QString source;
    QString translation;
};

QVector<Message> catalogue() {
    QFile file(QStringLiteral(FUSESCOPE_SOURCE_DIR "/resources/translations/fusescope_zh_CN.ts"));
    EXPECT_TRUE(file.open(QIODevice::ReadOnly));
    QXmlStreamReader xml(&file);
    QVector<Message> messages;
    while (!xml.atEnd()) {
        if (xml.readNext() == QXmlStreamReader::StartElement && xml.name() == QStringLiteral("source")) {
            messages.push_back({xml.readElementText(), {}});
        } else if (xml.isStartElement() && xml.name() == QStringLiteral("translation")) {
            messages.back().translation = xml.readElementText();
        }
    }
    EXPECT_FALSE(xml.hasError());
    EXPECT_GE(messages.size(), 400);
    return messages;
}

QString plain(QString text) { return text.remove('&'); }

// Every text that a widget of the window shows or tells a screen reader, and where it is.
QVector<QPair<QString, QString>> textsOf(QWidget& window) {
    QVector<QPair<QString, QString>> texts;
    const auto add = [&texts](const QObject* at, const QString& text) {
        QString path;
        for (const QObject* object = at; object; object = object->parent()) {
            path = QString::fromLatin1(object->metaObject()->className()) + "#" + object->objectName() + " " + path;
        }
        texts.push_back({plain(text), path});
    };
    QList<QWidget*> widgets = window.findChildren<QWidget*>();
    widgets << &window;
    for (QWidget* widget : widgets) {
        add(widget, widget->toolTip());
        add(widget, widget->accessibleName());
        add(widget, widget->accessibleDescription());
        if (auto* label = qobject_cast<QLabel*>(widget)) {
            add(label, label->text());
        } else if (auto* button = qobject_cast<QAbstractButton*>(widget)) {
            add(button, button->text());
        } else if (auto* box = qobject_cast<QComboBox*>(widget)) {
            for (int i = 0; i < box->count(); ++i) {
                add(box, box->itemText(i));
            }
        } else if (auto* line = qobject_cast<QLineEdit*>(widget)) {
            add(line, line->placeholderText());
        } else if (auto* edit = qobject_cast<QPlainTextEdit*>(widget)) {
            add(edit, edit->placeholderText());
        } else if (auto* tabs = qobject_cast<QTabBar*>(widget)) {
            for (int i = 0; i < tabs->count(); ++i) {
                add(tabs, tabs->tabText(i));
            }
        } else if (auto* dock = qobject_cast<QDockWidget*>(widget)) {
            add(dock, dock->windowTitle());
        } else if (auto* menu = qobject_cast<QMenu*>(widget)) {
            add(menu, menu->title());
        } else if (auto* view = qobject_cast<QAbstractItemView*>(widget); view && view->model()) {
            for (int i = 0; i < view->model()->columnCount(); ++i) {
                add(view, view->model()->headerData(i, Qt::Horizontal).toString());
            }
        }
    }
    for (const QAction* action : window.findChildren<QAction*>()) {
        add(action, action->text());
        add(action, action->toolTip());
    }
    return texts;
}

class LanguageTest : public WindowTest {
 protected:
    void SetUp() override {
        applyLanguage(LanguageChoice::English);
        WindowTest::SetUp();
    }
    void TearDown() override {
        WindowTest::TearDown();
        applyLanguage(LanguageChoice::English);
        settings::setLanguage(LanguageChoice::System);
    }

    // As the menu does, and waits until the window has followed.
    void change(LanguageChoice choice) {
        auto* action = window_->findChild<QAction*>(QStringLiteral("language_") + nameOf(choice));
        ASSERT_NE(action, nullptr);
        const QPointer<QAction> old = action;
        action->trigger();
        ASSERT_TRUE(waitFor([&] { return old.isNull(); }));
        settle();
    }

    void expectNoEnglish() {
        QHash<QString, QString> english;
        for (const Message& message : catalogue()) {
            if (message.source != message.translation && message.source.size() > 1) {
                english.insert(plain(message.source), message.translation);
            }
        }
        int looked = 0;
        for (const auto& [text, where] : textsOf(*window_)) {
            EXPECT_FALSE(english.contains(text))
                << "still English: " << text.toStdString() << " at " << where.toStdString();
            looked += text.isEmpty() ? 0 : 1;
        }
        EXPECT_GE(looked, 200);
    }
};

}  // namespace

TEST(Translations, EveryStringOfTheWindowHasOne) {
    QProcess program;
    program.setProcessChannelMode(QProcess::MergedChannels);
    program.start(QStringLiteral(FUSESCOPE_SOURCE_DIR "/packaging/translate"), {QStringLiteral("--check")});
    ASSERT_TRUE(program.waitForFinished(60000)) << program.errorString().toStdString();
    const QString said = QString::fromUtf8(program.readAll());
    EXPECT_EQ(program.exitCode(), 0)
        << said.toStdString()
        << "New words in the window? Run packaging/translate, write their Chinese into "
           "resources/translations/fusescope_zh_CN.ts where it says unfinished, and run it "
           "again.";
}

TEST(Translations, KeepPlaceholdersTagsAndEnds) {
    static const QRegularExpression place(QStringLiteral("%L?[0-9n]|</?[a-z0-9]+>|%"));
    for (const Message& message : catalogue()) {
        const auto parts = [](const QString& text) {
            QStringList found;
            for (auto it = place.globalMatch(text); it.hasNext();) {
                found << it.next().captured();
            }
            found.sort();
            return found;
        };
        const std::string where = message.source.toStdString();
        EXPECT_EQ(parts(message.source), parts(message.translation)) << where;
        EXPECT_EQ(message.source.count('\n'), message.translation.count('\n')) << where;
        EXPECT_EQ(message.source.contains(QStringLiteral("…")), message.translation.contains(QStringLiteral("…")))
            << where;
        EXPECT_EQ(message.source.count(QStringLiteral(";;")), message.translation.count(QStringLiteral(";;"))) << where;
    }
}

TEST(Translations, AccessKeysOfAMenuDiffer) {
    applyLanguage(LanguageChoice::Chinese);
    {
        MainWindow window;
        for (const QMenu* menu : window.findChildren<QMenu*>()) {
            QSet<QChar> keys;
            for (const QAction* action : menu->actions()) {
                const auto at = action->text().indexOf('&');
                if (at >= 0) {
                    const QChar key = action->text()[at + 1].toLower();
                    EXPECT_FALSE(keys.contains(key)) << action->text().toStdString();
                    keys.insert(key);
                }
            }
        }
    }
    applyLanguage(LanguageChoice::English);
}

TEST_F(LanguageTest, StartPageFollows) {
    change(LanguageChoice::Chinese);
    EXPECT_EQ(find<QPushButton>("openButton")->text(), QStringLiteral("打开性能数据或脚本…"));
    expectNoEnglish();
    change(LanguageChoice::English);
    EXPECT_EQ(find<QPushButton>("openButton")->text(), QStringLiteral("Open a profile or a script…"));
}

TEST_F(LanguageTest, EveryPanelFollowsAndShowsWhatItShowed) {
    openSample();
    find<QComboBox>("opGrouping")->setCurrentIndex(1);
    raise("ops");
    const int rows = find<QTableView>("opTable")->model()->rowCount();
    ASSERT_GT(rows, 0);
    change(LanguageChoice::Chinese);
    EXPECT_EQ(settings::language(), LanguageChoice::Chinese);
    for (const auto& panel : panel_all()) {
        raise(panel.id.toUtf8().constData());
        auto* widget = static_cast<Panel*>(window_->panels().panel(panel.id));
        EXPECT_TRUE(widget->isInView()) << panel.id.toStdString();
    }
    expectNoEnglish();
    EXPECT_EQ(find<QComboBox>("opGrouping")->currentIndex(), 1);
    raise("ops");
    EXPECT_EQ(find<QTableView>("opTable")->model()->rowCount(), rows);
    change(LanguageChoice::English);
    raise("ops");
    EXPECT_EQ(find<QTableView>("opTable")->model()->headerData(0, Qt::Horizontal).toString(), "Line");
}

TEST_F(LanguageTest, SelectionAndItsDescriptionStay) {
    openSample();
    select(Selection::finding(1));
    change(LanguageChoice::Chinese);
    EXPECT_EQ(window_->session().selection(), Selection::finding(1));
    raise("inspector");
    const QString text = find<QTextBrowser>("inspectorText")->toPlainText();
    EXPECT_TRUE(text.contains(QStringLiteral("详细信息"))) << text.toStdString();
}

TEST_F(LanguageTest, BarsFollowInEveryState) {
    window_->openPath(QStringLiteral(FUSESCOPE_SOURCE_DIR "/resources/examples/nan_bug.py"));
    change(LanguageChoice::Chinese);
    EXPECT_TRUE(window_->runBar().text().startsWith(QStringLiteral("运行 <b>nan_bug.py</b>？")))
        << window_->runBar().text().toStdString();
    expectNoEnglish();
}

TEST_F(LanguageTest, QtsOwnWordsFollow) {
    change(LanguageChoice::Chinese);
    QDialogButtonBox box(QDialogButtonBox::Cancel);
    EXPECT_EQ(plain(box.button(QDialogButtonBox::Cancel)->text()), QStringLiteral("取消"));
}

TEST(Language, FindingsAreToldInIt) {
    query::FindingInfo finding;
    finding.kind = "nan";
    finding.message = "Log of a negative value gave NaN";
    finding.detail = R"({"op": "Log", "line": 12, "file": "a.py"})";
    EXPECT_EQ(findingSentence(finding), "Log of a negative value gave NaN");
    applyLanguage(LanguageChoice::Chinese);
    const QString sentence = findingSentence(finding);
    applyLanguage(LanguageChoice::English);
    EXPECT_TRUE(sentence.contains(QRegularExpression(QStringLiteral("\\p{Han}")))) << sentence.toStdString();
}

TEST(Language, IsAnOptionOfTheCommandLine) {
    QString message;
    bool done = false;
    const auto chosen = [&](const char* name) {
        const auto options = parseOptions({"fusescope-gui", "--language", QString::fromLatin1(name)}, &message, &done);
        return options ? options->language : std::nullopt;
    };
    EXPECT_EQ(chosen("zh_CN"), LanguageChoice::Chinese);
    EXPECT_EQ(chosen("zh"), LanguageChoice::Chinese);
    EXPECT_EQ(chosen("en"), LanguageChoice::English);
    EXPECT_EQ(chosen("system"), LanguageChoice::System);
    EXPECT_EQ(chosen("klingon"), std::nullopt);
    EXPECT_TRUE(message.contains("klingon"));
}

}  // namespace fusescope::gui
