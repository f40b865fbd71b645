// Loads the list of graphs and the stages of the chosen one; the default is the largest graph, captured against final.
#include "gui/app/shown_stages.hpp"

#include <algorithm>

#include "gui/app/session.hpp"

namespace fusescope::gui {

ShownStages::ShownStages(Session& session) : QObject(&session), session_(session) {
    connect(&session, &Session::profileOpened, this, &ShownStages::load);
    connect(&session, &Session::profileGrew, this, [this] {
        if (session_.summary().graphs != static_cast<qint64>(graphs_.size())) {
            load();
        }
    });
    connect(&session, &Session::profileClosed, this, &ShownStages::clear);
    connect(&session, &Session::relatedChanged, this, [this](const Related& related) {
        if (!related.graphs.isEmpty() && !related.graphs.contains(graph_)) {
            setGraph(related.graphs.front());
        }
    });
}

void ShownStages::load() {
    loading_ = true;
    session_.jobs().run(
        this, QStringLiteral("graphs"), [](JobContext& context) { return query::graphs(context.database()); },
        [this](std::vector<query::Graph> graphs) {
            loading_ = false;
            graphs_ = std::move(graphs);
            emit graphsChanged();
            const bool known = std::any_of(graphs_.begin(), graphs_.end(),
                                           [this](const query::Graph& graph) { return graph.id == graph_; });
            if (!known && !graphs_.empty()) {
                const auto largest = std::max_element(
                    graphs_.begin(), graphs_.end(),
                    [](const query::Graph& a, const query::Graph& b) { return a.captured_nodes < b.captured_nodes; });
                setGraph(largest->id);
            } else if (graphs_.empty()) {
                emit shownChanged();
            }
        },
        [this](const QString& error) {
            loading_ = false;
            emit session_.note(error);
        });
}

void ShownStages::setGraph(qint64 graph) {
    if (graph != graph_) {
        graph_ = graph;
        loadStages();
    }
}

void ShownStages::loadStages() {
    session_.jobs().run(
        this, QStringLiteral("stages"),
        [graph = graph_](JobContext& context) { return query::stages(context.database(), graph); },
        [this](std::vector<query::Stage> stages) {
            stages_ = std::move(stages);
            shown_[0] = stages_.empty() ? 0 : stages_.front().id;
            shown_[1] = stages_.empty() ? 0 : stages_.back().id;
            emit stagesChanged();
            emit shownChanged();
        });
}

void ShownStages::setStage(int side, qint64 stage) {
    if (shown_[side] != stage) {
        shown_[side] = stage;
        emit shownChanged();
    }
}

void ShownStages::setBoth(qint64 before, qint64 after) {
    if (shown_[0] != before || shown_[1] != after) {
        shown_[0] = before;
        shown_[1] = after;
        emit shownChanged();
    }
}

QPair<qint64, qint64> ShownStages::inOrder() const {
    const auto first = std::find_if(stages_.begin(), stages_.end(), [this](const query::Stage& stage) {
        return stage.id == shown_[0] || stage.id == shown_[1];
    });
    return first != stages_.end() && first->id == shown_[1] ? qMakePair(shown_[1], shown_[0])
                                                            : qMakePair(shown_[0], shown_[1]);
}

void ShownStages::clear() {
    graphs_.clear();
    stages_.clear();
    graph_ = shown_[0] = shown_[1] = 0;
    loading_ = false;
    emit graphsChanged();
    emit stagesChanged();
    emit shownChanged();
}

}  // namespace fusescope::gui
