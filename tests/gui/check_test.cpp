// Comparing eager and graph runs in the window: models over answers, and the panel over real comparisons.
#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QAction>
#include <QComboBox>
#include <QDialog>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QProcess>
#include <QTableView>
#include <QTest>
#include <QToolButton>
#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "gui/app/check_command.hpp"
#include "gui/app/check_run.hpp"
#include "gui/app/language.hpp"
#include "gui/app/panel.hpp"
#include "gui/app/panel_docks.hpp"
#include "gui/app/settings.hpp"
#include "gui/app/watchdog.hpp"
#include "gui/models/check_model.hpp"
#include "gui/models/tensor_pair_model.hpp"
#include "gui/widgets/code_view.hpp"
#include "gui/widgets/run_bar.hpp"
#include "profiler/check/kept_folder.hpp"
#include "tests/gui/gui_fixture.hpp"

namespace fusescope::gui {

using testing::waitFor;

namespace {

constexpr int kStallMs = 300;  // the docks are laid out once meanwhile

QByteArray answerJson(const QJsonObject& more = {}) {
    const auto row = [](const char* op, int line, bool within, int cause, int number) {
        return QJsonObject{{"op", op},
                           {"file", "/tmp/train.py"},
                           {"line", line},
                           {"source", "y = f(x)"},
                           {"phase", "forward"},
                           {"occurrence", 2},
                           {"occurrences", 3},
                           {"output", 0},
                           {"dtype", "Float32"},
                           {"shape", "(2, 3)"},
                           {"members", QJsonArray()},
                           {"what", "values"},
                           {"elements", 6},
                           {"different", number},
                           {"largest_absolute", within ? QJsonValue(1e-7) : QJsonValue("inf")},
                           {"largest_relative", 2e-7},
                           {"largest_ulp", number},
                           {"within_tolerance", within},
                           {"cause", cause < 0 ? QJsonValue() : QJsonValue(cause)},
                           {"eager_event", number + 10},
                           {"graph_event", number + 20},
                           {"node", number + 30},
                           {"eager_values", QStringLiteral("%1-eager.npy").arg(number)},
                           {"graph_values", "../elsewhere.npy"}};
    };
    QJsonObject json{{"format", "fusescope-check"},
                     {"version", 1},
                     {"script", "/tmp/train.py"},
                     {"verdict", "differ"},
                     {"tensors", QJsonObject{{"eager", 9}, {"compared", 7}, {"different", 2}, {"beyond", 1}}},
                     {"differences", QJsonArray{row("Div", 4, true, 0, 1), row("Cast", 5, false, -1, 2)}},
                     {"causes", QJsonArray{QJsonObject{{"pass", "simplify"},
                                                       {"rounding", "rounds"},
                                                       {"rewrite", 3},
                                                       {"rewrites", 4},
                                                       {"rule", "by reciprocal"},
                                                       {"op", "Div"},
                                                       {"file", "/tmp/train.py"},
                                                       {"line", 4}}}},
                     {"runs", 12},
                     {"doing", QJsonValue()}};
    for (auto it = more.begin(); it != more.end(); ++it) {
        json[it.key()] = it.value();
    }
    return QJsonDocument(json).toJson();
}

CheckAnswer answerOf(const QByteArray& json) {
    QString whyNot;
    const auto answer = parseCheckAnswer(json, QStringLiteral("/tmp/kept"), &whyNot);
    EXPECT_TRUE(answer) << whyNot.toStdString();
    return answer.value_or(CheckAnswer{});
}

}  // namespace

TEST(CheckAnswer, IsReadAndRefusedWithAReason) {
    const CheckAnswer answer = answerOf(answerJson());
    ASSERT_EQ(answer.rows.size(), 2);
    EXPECT_EQ(answer.rows[0].eagerValues, "/tmp/kept/1-eager.npy");
    EXPECT_EQ(answer.rows[0].graphValues, "");  // it would lie outside
    EXPECT_TRUE(std::isinf(answer.rows[1].absolute));
    EXPECT_TRUE(answer.finished() && answer.compares());
    EXPECT_TRUE(verdictText(answer).contains("2 of 7 tensors differ"));
    EXPECT_TRUE(causeText(answer.causes[0]).contains("simplify, rewrite 3 of 4: by reciprocal, Div at train.py:4"));
    for (const char* text : {"", "[]", "{}", "{\"format\": \"fusescope-check\", \"version\": 2}", "{\"format\""}) {
        QString whyNot;
        EXPECT_FALSE(parseCheckAnswer(text, {}, &whyNot)) << text;
        EXPECT_FALSE(whyNot.isEmpty()) << text;
    }
    const CheckAnswer agree = answerOf(answerJson({{"verdict", "agree"}, {"differences", QJsonArray()}}));
    EXPECT_TRUE(verdictText(agree).contains("All equal, bit for bit"));
    const CheckAnswer early = answerOf(answerJson({{"verdict", "agree"},
                                                   {"differences", QJsonArray()},
                                                   {"runs", 1},
                                                   {"doing", QJsonObject{{"what", "graph"}, {"passes", ""}}}}));
    EXPECT_FALSE(early.compares() || verdictText(early).contains("equal"));
    EXPECT_EQ(doingText(early), "run 2, as graphs");
}

TEST(CheckModel, ShowsTheFirstOpFirstAndSelectsWhatTheOpenProfileHas) {
    CheckModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.setAnswer(answerOf(answerJson()));
    ASSERT_EQ(model.rowCount(), 2);
    const auto text = [&](int row, int column) { return model.index(row, column).data().toString(); };
    EXPECT_EQ(text(0, CheckModel::Op), "Div");
    EXPECT_EQ(text(0, CheckModel::Where), "train.py:4, run 2");
    EXPECT_EQ(text(0, CheckModel::Different), "1 / 6");
    EXPECT_EQ(text(0, CheckModel::Ulp), "1");
    EXPECT_EQ(text(0, CheckModel::Judgement), "✔ within");
    EXPECT_EQ(text(0, CheckModel::MadeBy), "simplify, rewrite 3");
    EXPECT_EQ(text(1, CheckModel::Absolute), "∞");
    EXPECT_EQ(text(1, CheckModel::Judgement), "✖ beyond");
    EXPECT_EQ(text(1, CheckModel::MadeBy), "—");
    EXPECT_TRUE(model.selectionAt(0).isNone());
    model.setShown(CheckModel::Shown::Graph);
    EXPECT_EQ(model.selectionAt(1), Selection::node(32));
    EXPECT_EQ(model.rowOf(Selection::node(31)), 0);
    model.setShown(CheckModel::Shown::Eager);
    EXPECT_EQ(model.selectionAt(1), Selection::opEvent(12));
    EXPECT_EQ(model.rowOf(Selection::node(31)), -1);
    EXPECT_EQ(model.rowLike(model.rows()[1]), 1);
    // Before anything is compared an answer says nothing.
    model.setAnswer(answerOf(
        answerJson({{"differences", QJsonArray()}, {"doing", QJsonObject{{"what", "eager"}, {"passes", ""}}}})));
    EXPECT_EQ(model.rowCount(), 0);
}

class TensorPairs : public ::testing::Test {
 protected:
    template <class T>
    QString keep(const char* name, DType dtype, Shape shape, const std::vector<T>& numbers) {
        check::Value value;
        value.dtype = dtype;
        value.shape = std::move(shape);
        static const T none{};
        value.bytes = numbers.empty() ? &none : numbers.data();
        check::KeptFolder kept(folder_.path.string(), 1 << 24);
        return QString::fromStdString(kept.path_of(kept.keep(name, value)));
    }
    template <class T>
    TensorPair pair(DType dtype, Shape shape, const std::vector<T>& a, const std::vector<T>& b,
                    ElementOrder order = ElementOrder::Index) {
        return readTensorPair(keep("a.npy", dtype, shape, a), keep("b.npy", dtype, shape, b),
                              QString::fromStdString(std::string(name_of(dtype))), order);
    }
    fusescope::testing::TemporaryFolder folder_;
};

TEST_F(TensorPairs, ShowWhatDiffersOfEveryDtype) {
    const float nan = std::nanf(""), inf = std::numeric_limits<float>::infinity();
    const TensorPair f = pair<float>(DType::Float32, {2, 3}, {1, 2, nan, 0, inf, 5}, {1, 2.5, nan, -0.0f, 4, 5});
    EXPECT_EQ(f.elements, 6);
    EXPECT_EQ(f.different, 3);
    ASSERT_EQ(f.rows.size(), 3);
    EXPECT_EQ(f.rows[0].index, "[0, 1]");
    EXPECT_EQ(f.rows[0].first, "2");
    EXPECT_EQ(f.rows[0].second, "2.5");
    EXPECT_EQ(f.rows[0].difference, "0.5");
    EXPECT_EQ(f.rows[1].difference, "sign of 0");
    EXPECT_EQ(f.rows[2].index, "[1, 1]");
    EXPECT_EQ(f.rows[2].difference, "∞");
    EXPECT_EQ(pair<std::int64_t>(DType::Int64, {}, {1ll << 60}, {(1ll << 60) + 1}).rows.value(0).second,
              QString::number((1ll << 60) + 1));
    EXPECT_EQ(pair<std::uint8_t>(DType::Bool, {2}, {0, 1}, {1, 1}).rows.value(0).first, "False");
    EXPECT_EQ(pair<std::uint16_t>(DType::BFloat16, {1}, {0x3f80}, {0x3f81}).rows.value(0).ulp, "1");
    EXPECT_EQ(pair<std::uint16_t>(DType::Float16, {1}, {0x3c00}, {0x4000}).rows.value(0).second, "2");
    EXPECT_EQ(pair<double>(DType::Float64, {1}, {0.1}, {0.1}).rows.size(), 0);
    EXPECT_EQ(pair<float>(DType::Float32, {0, 4}, {}, {}).elements, 0);
}

TEST_F(TensorPairs, PutTheLargestDifferenceFirst) {
    std::vector<float> a(20000, 1.0f), b(20000, 1.0f);
    for (std::size_t i = 0; i < b.size(); ++i) b[i] += static_cast<float>(i % 7000) * 0.25f;
    const TensorPair largest = pair(DType::Float32, {20000}, a, b, ElementOrder::Largest);
    EXPECT_FALSE(largest.whole);
    EXPECT_EQ(largest.rows[0].index, "[6999]");
    EXPECT_EQ(largest.rows[1].index, "[13999]");
    for (qsizetype i = 1; i < largest.rows.size(); ++i) {
        ASSERT_GE(largest.rows[i - 1].size, largest.rows[i].size);
    }
    EXPECT_EQ(pair(DType::Float32, {20000}, a, b, ElementOrder::All).rows[0].difference, "");
    TensorPairModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.setRows(largest.rows);
    EXPECT_EQ(model.index(0, TensorPairModel::Difference).data(ShareRole).toDouble(), 1);
}

TEST_F(TensorPairs, FilesThatAreCutOrSomethingElseAreRefused) {
    const QString path = keep<float>("whole.npy", DType::Float32, {2, 2}, {1, 2, 3, 4});
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    const QByteArray whole = file.readAll();
    const QString cut = QString::fromStdString((folder_.path / "cut.npy").string());
    for (qsizetype size = 0; size < whole.size(); ++size) {
        QFile part(cut);
        ASSERT_TRUE(part.open(QIODevice::WriteOnly));
        part.write(whole.left(size));
        part.close();
        EXPECT_THROW(readTensorPair(path, cut, "Float32", ElementOrder::All), std::runtime_error) << size;
    }
    EXPECT_THROW(readTensorPair(path, path + "x", "Float32", ElementOrder::All), std::runtime_error);
    EXPECT_THROW(readTensorPair(path, path, "Float64", ElementOrder::All), std::runtime_error);
    EXPECT_THROW(readTensorPair(path, path, "Float31", ElementOrder::All), std::runtime_error);
}

// Line 6 divides, line 7 makes the difference visible.
constexpr const char* kBins = R"(import numpy as np
import mindspore as ms
from mindspore import Tensor, ops
x = Tensor(np.array([41.0, 82.0, 20.0], np.float32))
def bins(x):
    q = x / 41.0
    return q.astype(ms.int32)
b = bins(x)
print(b.asnumpy().tolist())
c = b * 3
print(c.asnumpy().shape)
)";

class CheckTest : public testing::WindowTest {
 protected:
    void SetUp() override {
        qputenv("FUSESCOPE_COMMAND", FUSESCOPE_PROGRAM);
        WindowTest::SetUp();
        script_ = QString::fromStdString((folder_.path / "bins.py").string());
        write(kBins);
    }
    void TearDown() override {
        check().stop();
        waitFor([this] { return !check().isRunning(); });
        WindowTest::TearDown();
        qunsetenv("FUSESCOPE_COMMAND");
    }
    void write(const QByteArray& text) {
        QFile file(script_);
        ASSERT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(text);
        file.close();
    }
    CheckRun& check() { return window_->session().check(); }

    // As a user: the menu's action, the dialog filled in by keyboard, Return.
    void compare(const QString& passes = {}) {
        window_->openPath(script_);
        QAction* const action = window_->compare().action();
        ASSERT_TRUE(action->isEnabled());
        action->trigger();
        auto* dialog = find<QDialog>("checkDialog");
        ASSERT_NE(dialog, nullptr);
        waitFor([&] { return dialog->isActiveWindow(); });
        auto* edit = dialog->findChild<QLineEdit*>("passes");
        edit->setFocus();
        QTest::keyClicks(edit, passes);
        QTest::keyClick(edit, Qt::Key_Return);
        ASSERT_TRUE(check().isRunning());
    }
    void finish() {
        ASSERT_TRUE(waitFor([this] { return !check().isRunning(); }, 120000));
        settle();
    }
    QString verdict() { return find<QLabel>("checkVerdict")->text(); }

    QString script_;
};

TEST_F(CheckTest, NamesTheOpLineAndPassAndShowsBothTensors) {
    ASSERT_NO_FATAL_FAILURE(compare("+divide-by-reciprocal"));
    EXPECT_TRUE(window_->runBar().text().contains("Comparing eager and graph"));
    EXPECT_FALSE(window_->compare().action()->isEnabled());
    Watchdog watchdog;
    ASSERT_NO_FATAL_FAILURE(finish());
    EXPECT_LE(watchdog.longestStall(), kStallMs);
    EXPECT_TRUE(window_->runBar().text().contains("Different")) << window_->runBar().text().toStdString();
    EXPECT_TRUE(window_->compare().action()->isEnabled());
    // The panel came to the front, with the profile of the graph run and the first op chosen.
    auto* panel = qobject_cast<Panel*>(window_->panels().panel("check"));
    ASSERT_TRUE(waitFor([&] { return panel->isInView(); }));
    settle();
    EXPECT_EQ(window_->session().path(), check().answer()->graphProfile);
    EXPECT_FALSE(settings::recentFiles().contains(window_->session().path()));
    EXPECT_TRUE(verdict().startsWith("✖ Different")) << verdict().toStdString();
    EXPECT_TRUE(verdict().contains("Printed differently in line 1")) << verdict().toStdString();
    auto* table = find<QTableView>("checkTable");
    const auto* model = qobject_cast<CheckModel*>(table->model());
    ASSERT_GE(model->rowCount(), 2);
    EXPECT_EQ(table->currentIndex().row(), 0);
    EXPECT_EQ(model->index(0, CheckModel::Op).data().toString(), "Div");
    EXPECT_EQ(model->index(0, CheckModel::Where).data().toString(), "bins.py:6");
    EXPECT_EQ(model->index(0, CheckModel::MadeBy).data().toString(), "divide-by-reciprocal, rewrite 1");
    EXPECT_EQ(model->index(1, CheckModel::Op).data().toString(), "Cast");
    EXPECT_EQ(model->index(1, CheckModel::Judgement).data().toString(), "✖ beyond");
    EXPECT_EQ(window_->session().selection(), Selection::node(model->rows()[0].node));
    auto* code = find<CodeView>("sourceText");
    EXPECT_TRUE(waitFor([&] { return code->currentMark() == 5; })) << code->currentMark();
    // By mouse.
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(model->index(1, 0)).center());
    settle();
    EXPECT_EQ(window_->session().selection(), Selection::node(model->rows()[1].node));
    EXPECT_TRUE(waitFor([&] { return code->currentMark() == 6; })) << code->currentMark();
    const QAbstractItemModel* const elements = find<QTableView>("checkElements")->model();
    ASSERT_TRUE(waitFor([&] { return elements->rowCount() == 2; })) << elements->rowCount();
    EXPECT_EQ(elements->index(0, TensorPairModel::Eager).data().toString(), "1");
    EXPECT_EQ(elements->index(0, TensorPairModel::Graph).data().toString(), "0");
    auto* order = find<QComboBox>("checkOrder");
    order->setFocus();
    QTest::keyClick(order, Qt::Key_End);
    EXPECT_TRUE(waitFor([&] { return elements->rowCount() == 3; })) << elements->rowCount();
    // By keyboard.
    table->setFocus();
    QTest::keyClick(table, Qt::Key_Up);
    settle();
    EXPECT_EQ(window_->session().selection(), Selection::node(model->rows()[0].node));
    EXPECT_TRUE(find<QLabel>("checkDetail")->text().contains("Div at bins.py:6"));
    // The other run: the same op is an event there.
    QTest::mouseClick(find<QToolButton>("checkShowEager"), Qt::LeftButton);
    ASSERT_TRUE(waitFor([&] { return window_->session().path() == check().answer()->eagerProfile; }));
    EXPECT_TRUE(
        waitFor([&] { return window_->session().selection() == Selection::opEvent(model->rows()[0].eagerEvent); }));
    settle();
    EXPECT_EQ(table->currentIndex().row(), 0);
    EXPECT_TRUE(waitFor([&] { return code->currentMark() == 5; })) << code->currentMark();
}

TEST_F(CheckTest, EqualProgramsSaySoInPlainWords) {
    ASSERT_NO_FATAL_FAILURE(compare());
    ASSERT_NO_FATAL_FAILURE(finish());
    EXPECT_TRUE(window_->runBar().text().contains("All equal, bit for bit")) << window_->runBar().text().toStdString();
    ASSERT_TRUE(waitFor([this] { return verdict().startsWith("✔ All equal, bit for bit"); }));
    EXPECT_EQ(find<QTableView>("checkTable")->model()->rowCount(), 0);
    EXPECT_EQ(check().answer()->runs, 2);
}

TEST_F(CheckTest, CanBeStopped) {
    write("import time\nimport mindspore as ms\nprint(ms.Tensor([1.0]) + 1.0)\ntime.sleep(60)\n");
    ASSERT_NO_FATAL_FAILURE(compare());
    ASSERT_TRUE(waitFor([this] { return check().answer() != nullptr; }));
    EXPECT_TRUE(window_->runBar().text().contains("run 1, eagerly")) << window_->runBar().text().toStdString();
    window_->activateWindow();  // without a window manager nobody else does it after a dialog
    ASSERT_TRUE(waitFor([this] { return window_->isActiveWindow(); }));
    QTest::keyClick(window_.get(), Qt::Key_F5, Qt::ShiftModifier);
    ASSERT_TRUE(waitFor([this] { return !check().isRunning(); }, 10000));
    EXPECT_TRUE(window_->runBar().text().contains("was stopped")) << window_->runBar().text().toStdString();
    EXPECT_FALSE(window_->session().hasProfile());
    EXPECT_TRUE(window_->compare().action()->isEnabled());
}

TEST_F(CheckTest, ScriptsThatCannotRunAndWrongWordsAreTold) {
    write("x = (\n");
    ASSERT_NO_FATAL_FAILURE(compare());
    ASSERT_NO_FATAL_FAILURE(finish());
    EXPECT_TRUE(window_->runBar().text().contains("SyntaxError")) << window_->runBar().text().toStdString();
    ASSERT_NO_FATAL_FAILURE(compare("-no-such-pass"));
    ASSERT_NO_FATAL_FAILURE(finish());
    EXPECT_TRUE(window_->runBar().text().contains("no-such-pass")) << window_->runBar().text().toStdString();
}

TEST_F(CheckTest, ProgramsThatDoNotRepeatThemselvesAreNotJudged) {
    write(
        "import time\nfrom mindspore import Tensor, ops\nx = Tensor([float(time.time_ns() % 1000003)])\n"
        "print(ops.exp(x * 1e-6).shape, ops.exp(x * 1e-6))\n");
    ASSERT_NO_FATAL_FAILURE(compare());
    ASSERT_NO_FATAL_FAILURE(finish());
    EXPECT_TRUE(window_->runBar().text().contains("Not repeatable")) << window_->runBar().text().toStdString();
    EXPECT_TRUE(verdict().startsWith("▲ Not repeatable"));
    const auto* detail = find<QLabel>("checkDetail");
    EXPECT_TRUE(waitFor([&] { return detail->text().contains("Both values are of eager runs"); }, 5000))
        << find<QTableView>("checkTable")->model()->rowCount() << find<QTableView>("checkTable")->currentIndex().row()
        << window_->session().path().toStdString() << find<QLabel>("checkDetail")->text().toStdString();
}

TEST_F(CheckTest, AnAnswerThatWasKeptIsOpenedLater) {
    QProcess process;
    process.setWorkingDirectory(QString::fromStdString(folder_.path.string()));
    process.start(FUSESCOPE_PROGRAM, {"--check", "--passes=+divide-by-reciprocal", "--keep", "kept", "bins.py"});
    ASSERT_TRUE(process.waitForFinished(120000));
    const QString kept = QString::fromStdString((folder_.path / "kept").string());
    window_->openPath(kept + "/check.json");
    ASSERT_TRUE(waitFor([this] { return window_->session().hasProfile(); }));
    settle();
    EXPECT_EQ(window_->session().path(), kept + "/graph.fscope");
    EXPECT_TRUE(verdict().startsWith("✖ Different"));
    EXPECT_FALSE(window_->session().selection().isNone());
    // What is no answer is refused, and what is shown stays.
    const QString other = kept + "/other.json";
    QFile file(other);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write("{}");
    file.close();
    window_->openPath(other);
    EXPECT_TRUE(window_->runBar().text().contains("no answer")) << window_->runBar().text().toStdString();
    EXPECT_TRUE(verdict().startsWith("✖ Different"));
    // Another language leaves what is chosen.
    QTest::keyClick(find<QTableView>("checkTable"), Qt::Key_Down);
    applyLanguage(LanguageChoice::Chinese);
    ASSERT_TRUE(waitFor([this] { return verdict().startsWith("✖ 不同"); })) << verdict().toStdString();
    settle();
    EXPECT_EQ(find<QTableView>("checkTable")->currentIndex().row(), 1);
    EXPECT_EQ(find<QTableView>("checkElements")->model()->rowCount(), 2);
    applyLanguage(LanguageChoice::English);
    EXPECT_TRUE(waitFor([this] { return verdict().startsWith("✖ Different"); }));
    settle();
}

}  // namespace fusescope::gui
