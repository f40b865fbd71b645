// Reads whole stages: what is shown of them is decided in the tree.
#include "gui/graph/stage_reader.hpp"

#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>
#include <unordered_map>

#include "profiler/query/frames.hpp"
#include "profiler/query/graphs.hpp"
#include "profiler/query/node_facts.hpp"
#include "profiler/query/op_times.hpp"
#include "profiler/query/origins.hpp"
#include "profiler/query/stage_graph.hpp"

namespace fusescope::gui {

namespace {

// Few texts are many nodes': one QString for each.
class Texts {
 public:
    QString of(const std::string& text) {
        const auto [it, fresh] = known_.try_emplace(text);
        if (fresh) {
            it->second = QString::fromStdString(text);
        }
        return it->second;
    }

 private:
    std::unordered_map<std::string, QString> known_;
};

// A small constant's value, out of its attributes.
QString constantOf(const std::string& attributes) {
    return QJsonDocument::fromJson(QByteArray::fromStdString(attributes)).object().value("value").toString();
}

GraphData read(Database& database, qint64 stage) {
    GraphData data;
    data.stage = stage;
    auto graph = query::stage_graph(database, stage);
    const auto calls = query::call_paths(database);
    Texts texts;
    data.nodes.reserve(static_cast<qsizetype>(graph.nodes.size()));
    for (const auto& row : graph.nodes) {
        GraphNode node;
        node.id = row.id;
        node.name = QString::fromStdString(row.name);
        node.op = texts.of(row.op);
        node.dtype = texts.of(row.dtype);
        node.shape = texts.of(row.shape);
        node.scope = texts.of(row.scope);
        node.parent = row.parent_id;
        node.phase = texts.of(row.phase);
        if (const auto call = calls.find(row.frame_id); call != calls.end()) {
            node.calls = texts.of(call->second);
        }
        node.bytes = row.bytes;
        node.flops = row.flops;
        if (row.op == "Constant") {
            node.value = constantOf(row.attributes);
        }
        data.nodes.push_back(std::move(node));
    }
    data.edges.reserve(static_cast<qsizetype>(graph.edges.size()));
    for (const auto& edge : graph.edges) {
        data.edges.push_back(
            {edge.source, static_cast<int>(edge.source_output), edge.target, static_cast<int>(edge.target_input)});
    }
    data.index();
    return data;
}

StageLinks readLinks(Database& database, qint64 graph, qint64 earlier, qint64 later) {
    StageLinks links;
    for (const auto& [node, from] : query::origins_between(database, later, earlier)) {
        QVector<qint64>& list = links.origins[node];
        for (const auto id : from) {
            list.push_back(id);
        }
    }
    std::int64_t begin = 0, end = 0;
    const auto stages = query::stages(database, graph);
    for (const auto& stage : stages) {
        begin = stage.id == earlier ? stage.ordinal : begin;
        end = stage.id == later ? stage.ordinal : end;
    }
    for (const auto& stage : stages) {
        if (stage.ordinal <= begin || stage.ordinal > end || !stage.changed) {
            continue;
        }
        for (const auto& drop : query::drops(database, stage.id)) {
            links.reasons.insert(drop.node_id, QStringLiteral("%1 (%2)").arg(QString::fromStdString(drop.reason),
                                                                             QString::fromStdString(stage.pass)));
        }
    }
    return links;
}

struct Share {
    double share = 0;
    bool modelled = false;
};

// Share of each node in the time of its graph; measured and modelled times are summed apart.
QHash<qint64, Share> nodeShares(Database& database, qint64 graph) {
    QHash<qint64, Share> shares;
    double total[2] = {0, 0};
    const auto times = query::times_by_node(database);
    for (const auto& time : times) {
        if (time.graph_id == graph) {
            total[time.clock == Clock::modelled] += static_cast<double>(time.total_ns);
        }
    }
    for (const auto& time : times) {
        const bool modelled = time.clock == Clock::modelled;
        if (time.graph_id == graph && total[modelled] > 0) {
            shares.insert(time.node_id, {static_cast<double>(time.total_ns) / total[modelled], modelled});
        }
    }
    return shares;
}

GraphFacts factsOf(Database& database, qint64 graph, qint64 stage, qint64 lastStage) {
    const auto shares = nodeShares(database, graph);
    const auto seen = query::node_facts(database);
    GraphFacts facts;
    const auto factOf = [&](qint64 id) {
        NodeFacts fact;
        if (const auto share = shares.constFind(id); share != shares.constEnd()) {
            fact.timeShare = share->share;
            fact.modelled = share->modelled;
        }
        if (const auto it = seen.find(id); it != seen.end()) {
            fact.device = QString::fromStdString(it->second.device);
            fact.nan = it->second.nan;
            fact.inf = it->second.inf;
        }
        return fact;
    };
    for (const auto& [id, fact] : seen) {
        facts.insert(id, factOf(id));
    }
    if (stage == lastStage) {
        return facts;
    }
    for (const auto& [id, from] : query::origins_between(database, lastStage, stage)) {
        NodeFacts fact = factOf(id);
        if (fact.timeShare < 0 && fact.device.isEmpty()) {
            continue;
        }
        fact.ofKernel = from.size() > 1;
        fact.weight = 1.0 / static_cast<double>(std::max<std::size_t>(from.size(), 1));
        for (const auto origin : from) {
            if (!facts.contains(origin)) {
                facts.insert(origin, fact);
            }
        }
    }
    return facts;
}

// Adds what became of the nodes of each stage in the other.
void readChanges(Database& database, qint64 graph, qint64 earlier, qint64 later, StageFacts& facts) {
    GraphData data[2] = {read(database, earlier), read(database, later)};
    const StageLinks links = readLinks(database, graph, earlier, later);
    markChanges(data[0], data[1], links);
    for (int i = 0; i < 2; ++i) {
        GraphFacts& of = i == 0 ? facts.earlier : facts.later;
        for (const GraphNode& node : std::as_const(data[i].nodes)) {
            if (node.change != Change::None) {
                NodeFacts& fact = of[node.id];
                fact.change = node.change;
                fact.note = node.note;
            }
        }
    }
    for (const GraphNode& node : std::as_const(data[1].nodes)) {
        const auto from = links.origins.constFind(node.id);
        if (from == links.origins.constEnd()) {
            if (data[0].find(node.id)) {
                facts.pairs.push_back({node.id, node.id});
            }
            continue;
        }
        for (const qint64 origin : *from) {
            facts.pairs.push_back({origin, node.id});
        }
    }
}

}  // namespace

std::shared_ptr<GraphData> readStage(Database& database, qint64 stage) {
    return std::make_shared<GraphData>(read(database, stage));
}

std::pair<GraphData, GraphData> readMarked(Database& database, qint64 graph, qint64 earlier, qint64 later) {
    std::pair<GraphData, GraphData> both{read(database, earlier), read(database, later)};
    markChanges(both.first, both.second, readLinks(database, graph, earlier, later));
    return both;
}

std::shared_ptr<GraphData> readMerged(Database& database, qint64 graph, qint64 earlier, qint64 later) {
    if (earlier == later) {
        return readStage(database, later);
    }
    return std::make_shared<GraphData>(
        mergeStages(read(database, earlier), read(database, later), readLinks(database, graph, earlier, later)));
}

StageFacts readFacts(Database& database, qint64 graph, qint64 earlier, qint64 later, qint64 lastStage) {
    StageFacts facts;
    facts.earlier = factsOf(database, graph, earlier, lastStage);
    facts.later = factsOf(database, graph, later, lastStage);
    if (earlier != later) {
        readChanges(database, graph, earlier, later, facts);
    }
    return facts;
}

}  // namespace fusescope::gui
