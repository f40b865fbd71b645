// Item models over the sample profile, under Qt's own tester.
#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QSortFilterProxyModel>

#include "gui/models/event_model.hpp"
#include "gui/models/finding_model.hpp"
#include "gui/models/op_model.hpp"
#include "gui/widgets/format.hpp"
#include "profiler/query/findings.hpp"
#include "tests/gui/gui_fixture.hpp"

namespace fusescope::gui {

using testing::waitFor;
namespace sample = fusescope::testing::sample;

class OpRows : public ::testing::TestWithParam<OpGrouping> {};

TEST_P(OpRows, FillTheTableAndSharesOfAClockAddUpToOne) {
    fusescope::testing::TemporaryFolder folder;
    Database database = Database::open_readonly(fusescope::testing::write_sample_profile(folder.path));
    OpModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    QSortFilterProxyModel proxy;
    const QAbstractItemModelTester proxyTester(&proxy, QAbstractItemModelTester::FailureReportingMode::Fatal);
    proxy.setSourceModel(&model);
    proxy.setSortRole(SortRole);
    model.setGrouping(GetParam());
    const auto rows = opRows(database, GetParam());
    ASSERT_FALSE(rows.isEmpty());
    model.setRows(rows);
    proxy.sort(OpModel::Total, Qt::DescendingOrder);
    double share[2] = {0, 0};
    for (int row = 0; row < model.rowCount(); ++row) {
        share[rows[row].modelled] += rows[row].share;
        EXPECT_EQ(model.index(row, OpModel::ClockColumn).data().toString(),
                  rows[row].modelled ? "modelled" : "measured");
        EXPECT_EQ(model.index(row, OpModel::Total).data(ModelledRole).toBool(), rows[row].modelled);
        if (!rows[row].target.isNone()) {
            EXPECT_EQ(model.selectionAt(model.rowOf(rows[row].target)), rows[row].target);
        }
    }
    EXPECT_NEAR(share[1], 1, 1e-9);
    EXPECT_TRUE(GetParam() == OpGrouping::Kernel ? share[0] == 0 : std::abs(share[0] - 1) < 1e-9);
    for (int row = 1; row < proxy.rowCount(); ++row) {
        EXPECT_GE(proxy.index(row - 1, OpModel::Total).data(SortRole).toDouble(),
                  proxy.index(row, OpModel::Total).data(SortRole).toDouble());
    }
}

INSTANTIATE_TEST_SUITE_P(All, OpRows,
                         ::testing::Values(OpGrouping::Kind, OpGrouping::Line, OpGrouping::Kernel, OpGrouping::Scope));

TEST(EventModel, FetchesPagesAsTheyAreShown) {
    fusescope::testing::TemporaryFolder folder;
    Session session;
    EventModel model(session);
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    session.open(QString::fromStdString(fusescope::testing::write_sample_profile(folder.path)));
    ASSERT_TRUE(waitFor([&] { return session.hasProfile(); }));
    model.reload();
    ASSERT_EQ(model.rowCount(), sample::kEagerEvents + sample::kGraphEvents);
    const QModelIndex op = model.index(static_cast<int>(sample::kNanEvent) - 1, EventModel::Op);
    op.data();
    ASSERT_TRUE(waitFor([&] { return op.data().toString() == "Log"; }));
    EXPECT_EQ(model.index(op.row(), EventModel::Where).data().toString(), "train.py:10");
    EXPECT_EQ(model.selectionAt(op.row()), Selection::opEvent(sample::kNanEvent));
    EXPECT_EQ(model.rowOf(Selection::opEvent(sample::kNanEvent)), op.row());
    model.clear();
    EXPECT_EQ(model.rowCount(), 0);
}

TEST(FindingModel, ShowsTheWorstFirst) {
    fusescope::testing::TemporaryFolder folder;
    Database database = Database::open_readonly(fusescope::testing::write_sample_profile(folder.path));
    FindingModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.setRows(findingRows(query::findings(database)));
    ASSERT_EQ(model.rowCount(), 3);
    EXPECT_EQ(model.index(0, FindingModel::Kind).data().toString(), "nan");
    EXPECT_EQ(model.index(0, FindingModel::Where).data().toString(), "train.py:10");
    EXPECT_FALSE(model.index(0, FindingModel::What).data().toString().isEmpty());
}

TEST(Format, WritesNumbersAsPeopleReadThem) {
    EXPECT_EQ(durationText(0), "0 ns");
    EXPECT_EQ(durationText(999), "999 ns");
    EXPECT_EQ(durationText(1240), "1.24 µs");
    EXPECT_EQ(durationText(15'400'000), "15.4 ms");
    EXPECT_EQ(durationText(2'000'000'000), "2.00 s");
    EXPECT_EQ(axisTimeText(0, 10), "0");
    EXPECT_EQ(axisTimeText(2'000'000, 1'000'000), "2 ms");
    EXPECT_EQ(axisTimeText(2'500'000, 500'000), "2.5 ms");
    EXPECT_EQ(axisTimeText(244'172'500, 500), "244.1725 ms");
    EXPECT_EQ(bytesText(512), "512 B");
    EXPECT_EQ(bytesText(1024), "1.00 KiB");
    EXPECT_EQ(bytesText(1536.0 * 1024), "1.50 MiB");
    EXPECT_EQ(countText(1'500'000), "1.50 M");
    EXPECT_EQ(percentText(0.123), "12.3 %");
    EXPECT_EQ(percentText(0.0001), "<0.1 %");
    EXPECT_EQ(percentText(0), "0.0 %");
}

}  // namespace fusescope::gui
