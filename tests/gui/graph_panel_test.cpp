// The graph panel: both sides of it, as one, and as files.
#include <QAbstractItemModelTester>
#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QtTest/QTest>

#include "gui/graph/graph_export.hpp"
#include "gui/graph/graph_view.hpp"
#include "gui/models/stage_model.hpp"
#include "gui/widgets/code_view.hpp"
#include "gui/widgets/table_view.hpp"
#include "tests/gui/gui_fixture.hpp"

namespace fusescope::gui::testing {

namespace {

class GraphPanelTest : public WindowTest {
 protected:
    void SetUp() override {
        WindowTest::SetUp();
        openSample();
        before_ = find<GraphView>("graphBefore");
        after_ = find<GraphView>("graphAfter");
        merged_ = find<GraphView>("graphMerged");
    }

    static qint64 nodeNamed(GraphView* view, const QString& name) {
        for (const GraphNode& node : view->graph().data()->nodes) {
            if (node.name == name) {
                return node.id;
            }
        }
        return 0;
    }

    static bool sees(GraphView* view, qint64 node) {
        const BoxItem* box = view->graph().boxOf(node);
        return box && view->shownRect().contains(box->rect().center());
    }

    // Looks at one corner of the graph, so closely that little else is seen.
    static void lookAway(GraphView* view) {
        view->moveTo(view->graph().bounds().bottomRight() + QPointF(1500, 1500), 1 / view->transform().m11());
    }

    void choose(const char* box, int index) {
        find<QComboBox>(box)->setCurrentIndex(index);
        settle();
    }

    GraphView *before_ = nullptr, *after_ = nullptr, *merged_ = nullptr;
};

TEST_F(GraphPanelTest, WhatIsChosenElsewhereComesIntoViewOnBothSides) {
    const qint64 here = nodeNamed(before_, "CNode_6"), there = nodeNamed(after_, "MatMul_BiasAdd_ReLU_5");
    ASSERT_NE(here, 0);
    ASSERT_NE(there, 0);
    // A node that is clicked twice must not make its side miss what is chosen next.
    before_->fit();
    const QPoint at = before_->mapFromScene(before_->graph().boxOf(nodeNamed(before_, "CNode_9"))->rect().center());
    for (int i = 0; i < 2; ++i) {
        QTest::mouseClick(before_->viewport(), Qt::LeftButton, {}, at);
        settle();
    }
    for (const qint64 node : {here, there}) {
        select({});
        lookAway(before_);
        lookAway(after_);
        ASSERT_FALSE(sees(before_, here));
        ASSERT_FALSE(sees(after_, there));
        select(Selection::node(node));
        EXPECT_TRUE(sees(before_, here)) << node;
        EXPECT_TRUE(sees(after_, there)) << node;
    }
}

TEST_F(GraphPanelTest, WhatIsClickedStaysWhereItIs) {
    before_->fit();
    const BoxItem* box = before_->graph().boxOf(nodeNamed(before_, "CNode_6"));
    const QPointF middle = before_->shownRect().center();
    QTest::mouseClick(before_->viewport(), Qt::LeftButton, {}, before_->mapFromScene(box->rect().center()));
    settle();
    EXPECT_EQ(before_->shownRect().center(), middle);
}

TEST_F(GraphPanelTest, BothSidesMoveTogether) {
    const qint64 here = nodeNamed(before_, "CNode_6"), there = nodeNamed(after_, "MatMul_BiasAdd_ReLU_5");
    before_->moveTo(before_->graph().bounds().center(), 3);
    after_->moveTo(after_->graph().bounds().center(), 3);
    lookAway(after_);
    ASSERT_FALSE(sees(after_, there));
    before_->goTo(before_->graph().boxOf(here)->rect().center());
    EXPECT_TRUE(sees(after_, there));
    const double size = after_->transform().m11();
    before_->zoomBy(1.5);
    EXPECT_NEAR(after_->transform().m11(), 1.5 * size, 1e-9);
    find<QAction>("graphSynchronous")->setChecked(false);
    before_->zoomBy(1.5);
    EXPECT_NEAR(after_->transform().m11(), 1.5 * size, 1e-9);
}

TEST_F(GraphPanelTest, MergedShowsKernelsAsHullsAroundWhatWentIntoThem) {
    choose("graphMode", 1);
    ASSERT_NE(merged_->graph().data(), nullptr);
    EXPECT_TRUE(merged_->graph().data()->merged);
    const qint64 kernel = nodeNamed(merged_, "Sub_Square_ReduceMean_8");
    for (const char* name : {"CNode_8", "CNode_9", "CNode_10"}) {
        const GraphNode* member = merged_->graph().data()->find(nodeNamed(merged_, name));
        ASSERT_NE(member, nullptr) << name;
        EXPECT_EQ(member->parent, kernel);
        EXPECT_EQ(member->change, Change::Fused);
    }
    EXPECT_TRUE(merged_->graph().boxOf(kernel)->box().expanded);
}

TEST_F(GraphPanelTest, EveryColouringHasALegend) {
    for (int i = 0; i < 6; ++i) {
        choose("graphColoring", i);
        EXPECT_FALSE(after_->graph().legend().title.isEmpty()) << i;
        EXPECT_FALSE(after_->graph().legend().entries.isEmpty()) << i;
    }
}

TEST_F(GraphPanelTest, IsSavedInEveryFormat) {
    const QPair<const char*, QByteArray> formats[] = {
        {"g.svg", "<?xml"}, {"g.png", "\x89PNG"}, {"g.pdf", "%PDF"}, {"g.dot", "digraph"}};
    for (const auto& [name, head] : formats) {
        const QString path = QString::fromStdString((folder_.path / name).string());
        EXPECT_EQ(exportGraph(after_->graph(), path, formatOf(path)), QString()) << name;
        QFile file(path);
        ASSERT_TRUE(file.open(QIODevice::ReadOnly)) << name;
        EXPECT_EQ(file.read(head.size()), head) << name;
        EXPECT_GT(file.size(), 500) << name;
    }
    EXPECT_NE(exportGraph(after_->graph(), "/no/such/folder/g.svg", GraphFormat::Svg), QString());
    const QString dot = graphDot(after_->graph());
    EXPECT_TRUE(dot.contains(QString::fromUtf8("Sub · Square"))) << dot.toStdString();
}

TEST_F(GraphPanelTest, PassesAreListedWithWhatTheyDidAndChoosingOneShowsItsTwoStages) {
    raise("passes");
    auto* passes = find<TableView>("passTable");
    auto* changes = find<TableView>("changeTable");
    const ShownStages& shown = window_->session().stages();
    ASSERT_EQ(passes->model()->rowCount(), static_cast<int>(shown.stages().size()));
    EXPECT_GT(changes->model()->rowCount(), 0);
    int chosen = 0;
    for (int row = 1; row < passes->model()->rowCount(); ++row) {
        passes->setCurrentIndex(passes->model()->index(row, 0));
        settle();
        EXPECT_EQ(shown.before(), shown.stages()[row - 1].id);
        EXPECT_EQ(shown.after(), shown.stages()[row].id);
        EXPECT_EQ(changes->model()->rowCount() > 0, shown.stages()[row].changed) << row;
        chosen += shown.stages()[row].changed;
    }
    EXPECT_GT(chosen, 1);
    find<QPushButton>("allPasses")->click();
    settle();
    EXPECT_EQ(shown.before(), shown.stages().front().id);
    EXPECT_EQ(shown.after(), shown.stages().back().id);
    // A change leads to its node.
    changes->setCurrentIndex(changes->model()->index(0, 0));
    settle();
    EXPECT_EQ(window_->session().selection().kind, Selection::Kind::Node);
}

TEST_F(GraphPanelTest, KernelShowsWhyItWasFormedAndItsCode) {
    raise("kernel");
    select(Selection::node(nodeNamed(before_, "CNode_9")));
    auto* why = find<QLabel>("kernelReason");
    auto* code = find<CodeView>("kernelCode");
    EXPECT_TRUE(find<QComboBox>("kernelPicker")->currentText().contains("Sub_Square_ReduceMean_8"));
    EXPECT_TRUE(why->text().contains("fuse-elementwise")) << why->text().toStdString();
    EXPECT_TRUE(why->text().contains("Sub · Square · ReduceMean")) << why->text().toStdString();
    EXPECT_TRUE(code->text().contains("define void @kernel_0"));
    choose("codeForm", 1);
    EXPECT_TRUE(code->text().contains("retq"));
    // One without generated code says so.
    select(Selection::node(nodeNamed(before_, "CNode_6")));
    EXPECT_TRUE(code->text().startsWith(';')) << code->text().toStdString();
}

TEST(StageModel, SumsOfOneStageAreWhereTheNextBegins) {
    fusescope::testing::TemporaryFolder folder;
    Database database = Database::open_readonly(fusescope::testing::write_sample_profile(folder.path));
    StageModel stages;
    ChangeModel changes;
    const QAbstractItemModelTester stagesTester(&stages, QAbstractItemModelTester::FailureReportingMode::Fatal);
    const QAbstractItemModelTester changesTester(&changes, QAbstractItemModelTester::FailureReportingMode::Fatal);
    const auto rows = stageRows(database, 1);
    ASSERT_GT(rows.size(), 2);
    stages.setRows(rows);
    for (int i = 1; i < rows.size(); ++i) {
        EXPECT_EQ(rows[i].previous, rows[i - 1].id);
        EXPECT_EQ(rows[i].ops[0], rows[i - 1].ops[1]);
        EXPECT_EQ(rows[i].bytes[0], rows[i - 1].bytes[1]);
        EXPECT_EQ(stages.rowOf(stages.selectionAt(i)), i);
        if (!rows[i].changed) {
            EXPECT_EQ(rows[i].ops[0], rows[i].ops[1]);
        }
    }
    changes.setRows(changeRows(database, 1, rows.front().id, rows.back().id));
    ASSERT_GT(changes.rowCount(), 0);
    EXPECT_EQ(changes.rows().front().change, Change::Fused);
    EXPECT_TRUE(changeRows(database, 1, rows.back().id, rows.back().id).isEmpty());
}

}  // namespace

}  // namespace fusescope::gui::testing
