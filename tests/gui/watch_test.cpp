// Watchpoints, data breakpoints and their hits in the window, and the values of names under the mouse.
#include <gtest/gtest.h>

#include <QComboBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QTest>
#include <QToolButton>
#include <QToolTip>
#include <QTreeView>
#include <QTreeWidget>

#include "gui/debug/breakpoint_dialog.hpp"
#include "gui/debug/watch_condition.hpp"
#include "gui/models/variable_model.hpp"
#include "gui/widgets/code_view.hpp"
#include "tests/gui/debug_fixture.hpp"

namespace fusescope::gui {

using testing::waitFor;
using State = DebugSession::State;

TEST(WatchCondition, AllThatTheDebuggerReadsComesBackTheSame) {
    int looked = 0;
    for (const auto& kind : WatchCondition::kinds()) {
        for (const auto& place : WatchCondition::places()) {
            WatchCondition c;
            c.kind = kind.word;
            c.on = place.word;
            EXPECT_EQ(c.text().isEmpty(), !kind.first.isEmpty() || !place.target.isEmpty());
            c.a = kind.first.isEmpty() ? QString() : kind.firstHint;
            c.b = kind.second.isEmpty() ? QString() : kind.secondHint;
            c.target = place.target.isEmpty() ? QString() : place.hint;
            const auto again = WatchCondition::of(c.text());
            ASSERT_TRUE(again) << c.text().toStdString();
            EXPECT_EQ(*again, c) << c.text().toStdString();
            EXPECT_NE(WatchCondition::sentence(c.text()), c.text());
            ++looked;
        }
    }
    EXPECT_EQ(looked, 13 * 6);
    EXPECT_EQ(WatchCondition::of("expr((max - min) > 3) on op Log")->a, "(max - min) > 3");
    for (const char* text : {"", "nonsense", "range", "range(", "range(1)", "range(1, x)", "nan(3)", "nan on op",
                             "nan on everything else", "nan x", "expr()"}) {
        EXPECT_FALSE(WatchCondition::of(text)) << text;
        EXPECT_EQ(WatchCondition::sentence(text), text);
    }
}

class BreakpointDialogTest : public ::testing::Test {
 protected:
    BreakpointDialog* show(const QString& text, Breakpoint::Kind kind = Breakpoint::Kind::Watch) {
        Breakpoint b;
        b.kind = kind;
        b.text = text;
        dialog_ = new BreakpointDialog(b, false, &parent_);
        QObject::connect(dialog_, &QDialog::accepted, &parent_, [this] { text_ = dialog_->breakpoint().text; });
        dialog_->open();
        return dialog_;
    }
    template <class Widget>
    Widget* find(const char* name) {
        return dialog_->findChild<Widget*>(QString::fromLatin1(name));
    }
    QPushButton* ok() { return dialog_->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok); }
    // As a user goes through a box: with the arrow keys.
    void choose(QComboBox* box, const QString& word) {
        box->setFocus();
        QTest::keyClick(box, Qt::Key_Home);
        for (int i = 0; i < box->count() && box->currentData().toString() != word; ++i) {
            QTest::keyClick(box, Qt::Key_Down);
        }
        EXPECT_EQ(box->currentData().toString(), word);
    }

    QWidget parent_;
    BreakpointDialog* dialog_ = nullptr;
    QString text_;
};

TEST_F(BreakpointDialogTest, PutsAWatchpointTogether) {
    show({});
    EXPECT_EQ(find<QLineEdit>("watchText")->text(), "nan");
    EXPECT_TRUE(find<QLineEdit>("watchFirst")->isHidden() && find<QLineEdit>("watchTarget")->isHidden());
    choose(find<QComboBox>("watchKind"), "range");
    EXPECT_FALSE(find<QLineEdit>("watchSecond")->isHidden());
    QStringList names;
    for (const QLabel* label : dialog_->findChildren<QLabel*>()) {
        names << (label->isHidden() ? QString() : label->text());
    }
    EXPECT_TRUE(names.contains("From") && names.contains("To")) << names.join(", ").toStdString();
    EXPECT_FALSE(ok()->isEnabled());
    QTest::keyClicks(find<QLineEdit>("watchFirst"), "-1");
    EXPECT_FALSE(ok()->isEnabled());
    QTest::keyClicks(find<QLineEdit>("watchSecond"), "2.5");
    EXPECT_TRUE(ok()->isEnabled());
    choose(find<QComboBox>("watchOn"), "op");
    EXPECT_FALSE(ok()->isEnabled());
    QTest::keyClicks(find<QLineEdit>("watchTarget"), "Softmax");
    EXPECT_EQ(find<QLineEdit>("watchText")->text(), "range(-1, 2.5) on op Softmax");
    choose(find<QComboBox>("watchOn"), "gradients");
    EXPECT_TRUE(find<QLineEdit>("watchTarget")->isHidden());
    QTest::keyClick(dialog_, Qt::Key_Return);
    EXPECT_EQ(text_, "range(-1, 2.5) on gradients");
}

TEST_F(BreakpointDialogTest, TakesAWatchpointApart) {
    show("expr(max > 10) on cell net.fc");
    EXPECT_EQ(find<QComboBox>("watchKind")->currentData().toString(), "expr");
    EXPECT_EQ(find<QLineEdit>("watchFirst")->text(), "max > 10");
    EXPECT_EQ(find<QLineEdit>("watchTarget")->text(), "net.fc");
    // What is written as text goes into the boxes, and what they do not know stays as it is.
    auto* text = find<QLineEdit>("watchText");
    text->setFocus();
    text->selectAll();
    QTest::keyClicks(text, "dead(0.5) on op ReLU");
    EXPECT_EQ(find<QComboBox>("watchKind")->currentData().toString(), "dead");
    EXPECT_EQ(find<QComboBox>("watchOn")->currentData().toString(), "op");
    text->selectAll();
    QTest::keyClicks(text, "some(new) form");
    EXPECT_TRUE(ok()->isEnabled());
    QTest::keyClick(text, Qt::Key_Return);
    EXPECT_EQ(text_, "some(new) form");
}

TEST_F(DebugTest, HitsOfAWatchpointAreListedAndGoneTo) {
    offer();
    Breakpoint b;
    b.kind = Breakpoint::Kind::Watch;
    b.text = "range(0, 0.5) on op Mul";
    breakpoints().add(b);
    press("go");
    stopped();
    // Why it stands is said once.
    EXPECT_EQ(debug().whyStopped().count("range(0, 0.5)"), 1) << debug().whyStopped().toStdString();
    go("go");
    ASSERT_TRUE(waitFor([this] { return breakpoints().all()[0].list.size() == 2; }))
        << breakpoints().all()[0].list.size();
    EXPECT_EQ(breakpoints().all()[0].list[0].op, "Mul");
    EXPECT_EQ(breakpoints().all()[0].list[0].line, 4);
    EXPECT_EQ(breakpoints().all()[0].list[0].path, script_);
    EXPECT_GT(breakpoints().all()[0].list[1].event, breakpoints().all()[0].list[0].event);
    ASSERT_TRUE(waitFor([this] { return window_->session().hasProfile(); }));
    settle();  // the docks of debugging come to the front first
    raise("breakpoints");
    auto* tree = find<QTreeWidget>("breakpoints");
    ASSERT_TRUE(waitFor([&] { return tree->topLevelItem(0)->childCount() == 2; }))
        << tree->topLevelItem(0)->childCount() << tree->topLevelItem(0)->text(0).toStdString() << tree->isVisible();
    EXPECT_EQ(tree->topLevelItem(0)->text(0), "watch range(0, 0.5) on op Mul");
    EXPECT_EQ(tree->topLevelItem(0)->text(2), "2");
    // By keyboard: open the list, and down to a hit.
    tree->setFocus();
    tree->setCurrentItem(tree->topLevelItem(0));
    QTest::keyClick(tree, Qt::Key_Right);
    EXPECT_TRUE(tree->topLevelItem(0)->isExpanded());
    QTest::keyClick(tree, Qt::Key_Down);
    EXPECT_TRUE(tree->currentItem()->text(0).startsWith("Mul at train.py:4"))
        << tree->currentItem()->text(0).toStdString();
    // The latest stands first.
    ASSERT_TRUE(waitFor(
        [this] { return window_->session().selection() == Selection::opEvent(breakpoints().all()[0].list[1].event); }));
    settle();
    // What is chosen and open stays while further hits come.
    go("go");
    ASSERT_TRUE(waitFor([&] { return tree->topLevelItem(0)->childCount() == 3; }));
    EXPECT_TRUE(tree->topLevelItem(0)->isExpanded());
    ASSERT_NE(tree->currentItem(), nullptr);
    EXPECT_EQ(tree->indexOfTopLevelItem(tree->currentItem()), -1);
    EXPECT_EQ(tree->topLevelItem(0)->indexOfChild(tree->currentItem()), 1);
    // By mouse, once it has ended: the hits stay.
    press("stop");
    ASSERT_TRUE(waitFor([this] { return debug().state() == State::Ended; }));
    settle();
    window_->session().select({});
    settle();
    ASSERT_EQ(tree->topLevelItem(0)->childCount(), 3);
    QTest::mouseClick(tree->viewport(), Qt::LeftButton, {},
                      tree->visualItemRect(tree->topLevelItem(0)->child(2)).center());
    EXPECT_TRUE(waitFor(
        [this] { return window_->session().selection() == Selection::opEvent(breakpoints().all()[0].list[0].event); }));
}

TEST_F(DebugTest, WatchpointsAreMadeEditedAndRemovedInThePanel) {
    startTo(4);
    ASSERT_TRUE(waitFor([this] { return window_->session().hasProfile(); }));
    settle();  // the docks of debugging come to the front first
    raise("breakpoints");
    auto* tree = find<QTreeWidget>("breakpoints");
    QMenu* const menu = find<QToolButton>("addBreakpoint")->menu();
    ASSERT_EQ(menu->actions().size(), 3);
    menu->actions()[1]->trigger();
    auto* dialog = window_->findChild<QDialog*>("breakpointDialog");
    ASSERT_NE(dialog, nullptr);
    auto* text = dialog->findChild<QLineEdit*>("watchText");
    text->selectAll();
    QTest::keyClicks(text, "inf on op Log");
    QTest::keyClick(text, Qt::Key_Return);
    ASSERT_EQ(breakpoints().all().size(), 2);
    EXPECT_TRUE(waitFor([this] { return breakpoints().all()[1].placed; }));
    ASSERT_TRUE(waitFor([&] { return tree->topLevelItem(1)->text(0) == "watch inf on op Log"; }))
        << tree->topLevelItem(1)->text(0).toStdString() << tree->topLevelItemCount() << tree->isVisible();
    // Off by its box, and into the dialog by double click.
    tree->topLevelItem(1)->setCheckState(0, Qt::Unchecked);
    EXPECT_FALSE(breakpoints().all()[1].enabled);
    settle();
    ASSERT_TRUE(waitFor([&] { return window_->findChild<QDialog*>("breakpointDialog") == nullptr; }));
    const QRect row = tree->visualItemRect(tree->topLevelItem(1));
    QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, {row.left() + 90, row.center().y()});
    QTest::mouseDClick(tree->viewport(), Qt::LeftButton, {}, {row.left() + 90, row.center().y()});
    dialog = window_->findChild<QDialog*>("breakpointDialog");
    ASSERT_NE(dialog, nullptr);
    text = dialog->findChild<QLineEdit*>("watchText");
    EXPECT_EQ(text->text(), "inf on op Log");
    QTest::keyClicks(text, "p");  // no such op: the debugger says so
    QTest::keyClick(text, Qt::Key_Return);
    EXPECT_EQ(breakpoints().all()[1].text, "inf on op Logp");
    Breakpoint b = breakpoints().all()[1];
    b.enabled = true;
    breakpoints().replace(1, b);
    ASSERT_TRUE(waitFor([this] { return breakpoints().all()[1].refused(); }));
    ASSERT_TRUE(waitFor([&] { return tree->topLevelItem(1)->text(1).contains("Logp"); }));
    window_->activateWindow();  // without a window manager nobody else does it after a dialog
    ASSERT_TRUE(waitFor([this] { return window_->isActiveWindow(); }));
    tree->setFocus();
    tree->setCurrentItem(tree->topLevelItem(1));
    QTest::keyClick(tree, Qt::Key_Delete);
    EXPECT_EQ(breakpoints().all().size(), 1);
}

constexpr const char* kTraining = R"(import mindspore as ms
from mindspore import Tensor, nn, ops
net = nn.Dense(3, 2)
weight = net.weight
x = Tensor([[1.0, 2.0, float('nan')]], ms.float32)
optimizer = nn.SGD(net.trainable_params(), learning_rate=0.1)
gradient = ms.value_and_grad(lambda a: net(a).sum(), None, optimizer.parameters)
for i in range(3):  # weight in a comment
    loss, grads = gradient(ops.ones((1, 3), ms.float32))
    optimizer(grads)
print("end", "weight")
)";

TEST_F(DebugTest, StopsWhenAParameterChanges) {
    write(kTraining);
    startTo(8);
    ASSERT_TRUE(waitFor([this] { return window_->session().hasProfile(); }));
    QString said;
    debug().askData("net.weight", window_.get(),
                    [&](bool ok, const QString& text) { said = ok ? text : "no: " + text; });
    ASSERT_TRUE(waitFor([&] { return !said.isEmpty(); }));
    EXPECT_EQ(said, "weight");
    QString refused;
    debug().askData("x", window_.get(), [&](bool ok, const QString& text) { refused = ok ? QString() : text; });
    ASSERT_TRUE(waitFor([&] { return !refused.isEmpty(); }));
    Breakpoint b;
    b.kind = Breakpoint::Kind::Data;
    b.text = said;
    breakpoints().add(b);
    ASSERT_TRUE(waitFor([this] { return breakpoints().all()[1].placed; }))
        << breakpoints().all()[1].message.toStdString();
    breakpoints().remove(0);
    go("go");
    EXPECT_TRUE(debug().whyStopped().contains("weight")) << debug().whyStopped().toStdString();
    ASSERT_TRUE(waitFor([this] { return breakpoints().all()[0].hits >= 1; }));
    settle();  // the docks of debugging come to the front first
    raise("breakpoints");
    auto* tree = find<QTreeWidget>("breakpoints");
    EXPECT_TRUE(waitFor([&] { return tree->topLevelItem(0)->text(0) == "change of weight"; }));
    // It is kept for the script.
    Breakpoints again;
    again.setScript(script_);
    ASSERT_EQ(again.all().size(), 1);
    EXPECT_EQ(again.all()[0].kind, Breakpoint::Kind::Data);
}

TEST_F(DebugTest, ANameUnderTheMouseShowsItsValue) {
    write(kTraining);
    startTo(8);
    ASSERT_TRUE(waitFor([this] { return window_->session().hasProfile(); }));
    settle();
    auto* code = find<CodeView>("sourceText");
    ASSERT_TRUE(waitFor([&] { return code->executionLine() == 7; }));
    auto* area = code->findChild<QAbstractScrollArea*>()->viewport();
    const auto at = [&](int line, int column) { return code->pointOf(line - 1, column) + QPoint(3, 6); };
    EXPECT_EQ(code->expressionAt(at(4, 1)), "weight");
    EXPECT_EQ(code->expressionAt(at(4, 10)), "net");
    EXPECT_EQ(code->expressionAt(at(4, 15)), "net.weight");
    EXPECT_EQ(code->expressionAt(at(8, 24)), "");   // a comment
    EXPECT_EQ(code->expressionAt(at(11, 15)), "");  // a string
    EXPECT_EQ(code->expressionAt(at(8, 1)), "");    // a keyword
    EXPECT_EQ(code->expressionAt(at(9, 2)), "");    // nothing
    // On a busy machine the source may still be scrolled to the stop, which ends the first look.
    bool shown = false;
    for (int turn = 0; turn < 5 && !shown; ++turn) {
        QTest::mouseMove(area, at(5, 0));
        QTest::mouseMove(area, at(5, 0) + QPoint(1, 0));
        shown = waitFor([] { return QToolTip::isVisible(); }, 3000);
    }
    ASSERT_TRUE(shown);
    const QString text = QToolTip::text();
    EXPECT_TRUE(text.contains("<b>x</b>") && text.contains("Float32[1, 3]")) << text.toStdString();
    EXPECT_TRUE(text.contains("1, 2, nan")) << text.toStdString();
    EXPECT_TRUE(text.contains("NaN")) << text.toStdString();
    // Values are looked at, and nothing else: the program stands where it stood.
    EXPECT_EQ(debug().state(), State::Stopped);
    QTest::mouseMove(area, at(8, 24));
    QTest::mouseMove(area, at(8, 24) + QPoint(1, 0));
    EXPECT_TRUE(waitFor([] { return !QToolTip::isVisible(); }, 5000));
}

}  // namespace fusescope::gui
