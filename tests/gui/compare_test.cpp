// Two profiles side by side, and the memory of one.
#include <gtest/gtest.h>

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

#include "gui/app/session.hpp"
#include "gui/plots/memory_plot.hpp"
#include "tests/gui/gui_fixture.hpp"

namespace fusescope::gui {

class ComparePanel : public testing::WindowTest {
 protected:
    QString cell(int row, int column) {
        return find<QTableView>("compareTable")->model()->index(row, column).data().toString();
    }
    int rows() { return find<QTableView>("compareTable")->model()->rowCount(); }
    void compareWith(const std::string& path) {
        auto* other = find<QLineEdit>("otherProfile");
        other->setText(QString::fromStdString(path));
        QTest::keyClick(other, Qt::Key_Return);
        settle();
    }
};

TEST_F(ComparePanel, AProfileDoesNotDifferFromItself) {
    openSample();
    raise("compare");
    EXPECT_EQ(rows(), 0);
    compareWith(window_->session().path().toStdString());
    ASSERT_GT(rows(), 3);
    for (int what = 0; what < 5; ++what) {
        find<QComboBox>("compareWhat")->setCurrentIndex(what);
        for (int row = 0; row < rows(); ++row) {
            EXPECT_EQ(cell(row, 1), cell(row, 2));
            EXPECT_FALSE(cell(row, 3).startsWith('+') || cell(row, 3).startsWith(QChar(0x2212)));
        }
    }
}

TEST_F(ComparePanel, ARowLeadsToItsOpInTheOpenProfile) {
    openSample();
    raise("compare");
    compareWith(window_->session().path().toStdString());
    ASSERT_GT(rows(), 0);
    auto* table = find<QTableView>("compareTable");
    table->setCurrentIndex(table->model()->index(0, 0));
    settle();
    EXPECT_EQ(window_->session().selection().kind, Selection::Kind::OpKind);
    find<QComboBox>("compareWhat")->setCurrentIndex(1);
    for (int row = 0; row < rows(); ++row) {
        if (cell(row, 0).contains("ops.log")) {
            table->setCurrentIndex(table->model()->index(row, 0));
        }
    }
    settle();
    EXPECT_EQ(window_->session().selection().kind, Selection::Kind::Line);
    EXPECT_EQ(window_->session().selection().line, fusescope::testing::sample::kLogLine);
}

TEST_F(ComparePanel, WhatCannotBeReadIsSaid) {
    openSample();
    raise("compare");
    compareWith(folder_ / "missing.fscope");
    EXPECT_EQ(rows(), 0);
    bool said = false;
    for (const auto* label : find<QTableView>("compareTable")->findChildren<QLabel*>()) {
        said = said || label->text().contains("missing.fscope");
    }
    EXPECT_TRUE(said);
}

class MemoryPanel : public testing::WindowTest {};

TEST_F(MemoryPanel, ShowsWhoHoldsThePeakAndThenTheMomentOfAClick) {
    openSample();
    raise("memory");
    auto* table = find<QTableView>("memoryTable");
    auto* plot = find<MemoryPlot>("memoryPlot");
    ASSERT_EQ(plot->series().size(), 2);
    EXPECT_GT(table->model()->rowCount(), 0);
    const QString atPeak = find<QLabel>("memoryWords")->text();
    EXPECT_TRUE(atPeak.contains("80.0 KiB")) << atPeak.toStdString();
    const auto& series = plot->series()[find<QComboBox>("memoryDevice")->currentIndex()];
    QTest::mouseClick(plot->findChild<QWidget*>(), Qt::LeftButton, {},
                      QPoint(static_cast<int>(plot->positionOf(series.times.front())) + 1, plot->height() / 2));
    settle();
    EXPECT_NE(find<QLabel>("memoryWords")->text(), atPeak);
}

}  // namespace fusescope::gui
