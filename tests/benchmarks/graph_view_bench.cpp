// What opening a large graph costs the user: from asking for the stage to the picture, with everything in between
// (reading rows, scopes, Graphviz, items, one paint). Offscreen; "--help" is Google Benchmark's.
#include <benchmark/benchmark.h>

#include <QApplication>
#include <QImage>
#include <QPainter>
#include <QStandardPaths>
#include <filesystem>
#include <map>
#include <memory>

#include "gui/app/theme.hpp"
#include "gui/graph/graph_scene.hpp"
#include "gui/graph/stage_reader.hpp"
#include "profiler/db/database.hpp"
#include "tests/gui/large_profile.hpp"
#include "tests/profiler/sample_profile.hpp"

namespace {

using namespace fusescope::gui;

void paint(GraphScene& scene) {
    static QImage image(1280, 720, QImage::Format_ARGB32_Premultiplied);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    scene.render(&painter, image.rect(), scene.bounds());
}

const std::string& profile(int nodes) {
    static const fusescope::testing::TemporaryFolder folder;
    static std::map<int, std::string> written;
    std::string& path = written[nodes];
    if (path.empty()) {
        path = (folder.path / (std::to_string(nodes) + ".fscope")).string();
        fusescope::testing::write_large_profile(path, {.events = 1000, .transfers = 0, .graph_nodes = nodes});
    }
    return path;
}

// Scopes closed, as a graph of so many nodes is opened.
void OpensAGraph(benchmark::State& state) {
    const std::string& path = profile(static_cast<int>(state.range(0)));
    for (auto _ : state) {
        auto database = fusescope::Database::open_readonly(path);
        LayoutCache cache;
        GraphScene scene;
        const auto tree = makeScopeTree(readStage(database, 1), {Grouping::Cells, true, false});
        scene.show(layOut(makeVisible(tree, startKeys(*tree)), cache));
        paint(scene);
        state.counters["boxes"] = static_cast<double>(scene.boxes().size());
    }
}
BENCHMARK(OpensAGraph)->Arg(20'000)->Arg(100'000)->Unit(benchmark::kMillisecond)->MinTime(1);

// The part of it that the window waits for; the rest is done by other threads.
void ShowsALaidOutGraph(benchmark::State& state) {
    auto database = fusescope::Database::open_readonly(profile(static_cast<int>(state.range(0))));
    const auto tree = makeScopeTree(readStage(database, 1), {Grouping::Cells, true, false});
    const GraphLayout layout = layOut(makeVisible(tree, startKeys(*tree)));
    for (auto _ : state) {
        GraphScene scene;
        scene.show(layout);
        paint(scene);
    }
}
BENCHMARK(ShowsALaidOutGraph)->Arg(20'000)->Arg(100'000)->Unit(benchmark::kMillisecond)->MinTime(1);

// A scope of 300 nodes in the same graph: the way a network's block looks, a chain with a second reader now and then.
void OpensAScopeOf300Nodes(benchmark::State& state) {
    auto data = std::make_shared<GraphData>();
    for (int i = 1; i <= 100'000; ++i) {
        GraphNode node;
        node.id = i;
        node.op = i % 3 ? "Add" : "MatMul";
        node.name = QStringLiteral("CNode_%1").arg(i);
        node.scope = QStringLiteral("Default/net/block%1").arg(i / 300);
        node.dtype = "Float32";
        node.shape = "(32, 64)";
        data->nodes.push_back(node);
        for (const int back : {1, 5, 29}) {
            if (i > back && i % back == 0) {
                data->edges.push_back({i - back, 0, i, back == 1 ? 0 : 1});
            }
        }
    }
    data->index();
    const auto tree = makeScopeTree(data);
    const QSet<QString> around = keysAround(*tree, {}, 90'000);
    const int item = tree->itemOf.value(90'000);
    const QString scope = tree->items[tree->items[item].parent].key;
    QSet<QString> closed = around;
    closed.remove(scope);
    GraphScene scene;
    for (auto _ : state) {
        state.PauseTiming();
        LayoutCache cache;
        scene.show(layOut(makeVisible(tree, closed), cache));
        state.ResumeTiming();
        scene.show(layOut(makeVisible(tree, around), cache), scope);
        paint(scene);
        state.counters["boxes"] = static_cast<double>(scene.boxes().size());
    }
}
BENCHMARK(OpensAScopeOf300Nodes)->Unit(benchmark::kMillisecond)->MinTime(3);

}  // namespace

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QStandardPaths::setTestModeEnabled(true);
    QApplication application(argc, argv);
    applyTheme(ThemeChoice::Light);
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) {
        return 1;
    }
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
