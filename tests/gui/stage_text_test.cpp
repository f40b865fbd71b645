// Two texts of a graph next to each other.
#include "gui/graph/stage_text.hpp"

#include <gtest/gtest.h>

#include "gui/widgets/code_view.hpp"
#include "tests/gui/gui_fixture.hpp"

namespace fusescope::gui {

namespace {

GraphNode node(qint64 id, const QString& name, const QString& op, Change change = Change::None, qint64 parent = 0) {
    GraphNode n;
    n.id = id;
    n.name = name;
    n.op = op;
    n.change = change;
    n.parent = parent;
    return n;
}

GraphData made(QVector<GraphNode> nodes) {
    GraphData data;
    data.nodes = std::move(nodes);
    data.index();
    return data;
}

const char* const kBefore =
    "%para1_x: <Tensor>\n"
    "  %0(CNode_1) = Mul(%para1_x, 2)\n"
    "      : types\n"
    "      # Fullname with scope: (Default/Mul-op0)\n"
    "  %1(CNode_2) = Add(%0, 1)\n"
    "  %2(CNode_3) = Exp(%1)\n"
    "  %3(CNode_4) = MatMul(%2, %2)\n"
    "  Return(%3)";
const char* const kAfter =
    "%para1_x: <Tensor>\n"
    "  %0(CNode_9) = call @Mul_Add_fusion_2(%para1_x)\n"
    "  %1(CNode_12) = MatMul(%0, %0)\n"
    "  Return(%1)\n"
    "subgraph @Mul_Add_fusion_2(%para2_x) {\n"
    "  %0(CNode_10) = Mul(%para2_x, 2)\n"
    "}";

GraphData lower() {
    return made({node(7, "x", "Parameter"), node(1, "CNode_1", "Mul", Change::Fused),
                 node(2, "CNode_2", "Add", Change::Fused), node(3, "CNode_3", "Exp", Change::Removed),
                 node(4, "CNode_4", "MatMul")});
}

GraphData upper() {
    return made({node(7, "x", "Parameter"), node(19, "Mul_Add_fusion_9", "Mul_Add_fusion", Change::Fused),
                 node(20, "CNode_10", "Mul", Change::None, 19), node(22, "CNode_12", "MatMul")});
}

struct Both {
    StageText earlier = readText(kBefore, lower()), later = readText(kAfter, upper());
    Alignment alignment = align(earlier, later);
    Both() { markText(earlier, later, alignment, lower(), upper()); }

    Change of(const StageText& text, int line) const {
        for (const TextBlock& block : text.blocks) {
            if (line >= block.first && line < block.first + block.count) {
                return block.change;
            }
        }
        return Change::None;
    }
};

}  // namespace

TEST(StageText, KernelsAreFoundByTheirNumber) {
    const StageText text = readText(kAfter, upper());
    EXPECT_EQ(text.lineOf.value(19, -1), 1);
    EXPECT_EQ(text.lineOf.value(22, -1), 2);
    EXPECT_EQ(text.lineOf.value(20, -1), 5);
    EXPECT_EQ(text.lineOf.value(7, -1), 0);
}

TEST(StageText, LinesThatSayTheSameUnderOtherNumbersAreNoDifference) {
    const Both both;
    EXPECT_EQ(both.of(both.earlier, 6), Change::None);  // MatMul
    EXPECT_EQ(both.of(both.later, 2), Change::None);
    EXPECT_EQ(both.of(both.earlier, 7), Change::None);  // Return
    EXPECT_EQ(both.of(both.later, 3), Change::None);
}

TEST(StageText, DifferentLinesHaveTheChangeOfTheirNode) {
    const Both both;
    for (const int line : {1, 2, 3, 4}) {  // with what is written below Mul
        EXPECT_EQ(both.of(both.earlier, line), Change::Fused) << line;
    }
    EXPECT_EQ(both.of(both.earlier, 5), Change::Removed);
    EXPECT_EQ(both.of(both.later, 1), Change::Fused);
    EXPECT_EQ(both.of(both.later, 5), Change::Fused);  // inside the kernel
    EXPECT_EQ(both.of(both.later, 4), Change::Added);
}

TEST(StageText, MergedHasEveryLineOnceWithASign) {
    const Both both;
    const StageText merged = mergeTexts(both.earlier, both.later, both.alignment);
    // Those of the earlier text that have no partner, and all of the later one.
    EXPECT_EQ(merged.lines.size(), 8 + 7 - 3);
    EXPECT_EQ(merged.lines[0], QStringLiteral("  %para1_x: <Tensor>"));
    EXPECT_TRUE(merged.text().contains(QStringLiteral("−   %2(CNode_3) = Exp(%1)"))) << merged.text().toStdString();
    EXPECT_TRUE(merged.text().contains(QStringLiteral("⊂   %0(CNode_9) = call")));
    EXPECT_TRUE(merged.text().contains(QStringLiteral("    %1(CNode_12) = MatMul(%0, %0)")));
    // The node of either stage leads to the one line.
    EXPECT_EQ(merged.lineOf.value(4, -1), merged.lineOf.value(22, -2));
}

TEST(StageText, ScrollingGoesToWhatBelongsBeside) {
    const Both both;
    EXPECT_EQ(lineBeside(6, both.earlier, both.later, both.alignment, true), 2);
    EXPECT_EQ(lineBeside(2, both.later, both.earlier, both.alignment, false), 6);
    EXPECT_EQ(lineBeside(0, both.earlier, both.later, both.alignment, true), 0);
    int last = 0;
    for (int line = 0; line < both.earlier.lines.size(); ++line) {
        const int beside = lineBeside(line, both.earlier, both.later, both.alignment, true);
        EXPECT_GE(beside, last);
        EXPECT_LT(beside, both.later.lines.size());
        last = beside;
    }
}

TEST(StageText, EqualTextsHaveNoDifferenceAndEmptyOnesNoLine) {
    StageText a = readText(kBefore, lower()), b = a;
    const Alignment alignment = align(a, b);
    EXPECT_EQ(alignment.size(), a.blocks.size());
    EXPECT_TRUE(align(readText({}, {}), a).isEmpty());
    EXPECT_EQ(mergeTexts(a, b, alignment).lines.size(), a.lines.size());
}

// Thousands of lines without one that is unique would take a table of their square.
TEST(StageText, LongTextsOfEqualLinesEnd) {
    const QString many = QStringLiteral("a\nb\n").repeated(5000), more = QStringLiteral("b\nb\na\n").repeated(5000);
    const StageText a = readText(many, {}), b = readText(more, {});
    const Alignment alignment = align(a, b);
    for (const auto& [i, j] : alignment) {
        EXPECT_EQ(a.blocks[i].key, b.blocks[j].key);
    }
}

using GraphTextPanel = testing::WindowTest;

TEST_F(GraphTextPanel, MergedShowsWhatBothSidesShow) {
    openSample();
    raise("ir_text");
    auto* before = find<CodeView>("textBefore");
    auto* after = find<CodeView>("textAfter");
    auto* merged = find<CodeView>("textMerged");
    EXPECT_FALSE(before->text().isEmpty());
    EXPECT_FALSE(after->text().isEmpty());
    EXPECT_GE(merged->text().count('\n'), std::max(before->text().count('\n'), after->text().count('\n')));
    EXPECT_TRUE(merged->text().contains(QStringLiteral("ReLU(%6)")));
}

}  // namespace fusescope::gui
