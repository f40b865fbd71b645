// Panel: the texts of the two shown stages, side by side, with the lines of the selected node lit.
#include <QHBoxLayout>
#include <QLabel>
#include <QRegularExpression>
#include <QSplitter>
#include <QVBoxLayout>

#include "gui/app/panel.hpp"
#include "gui/app/session.hpp"
#include "gui/widgets/code_view.hpp"
#include "gui/widgets/stage_picker.hpp"
#include "profiler/query/stage_graph.hpp"

namespace fusescope::gui {

namespace {

// Names of nodes in a text: "%3", "CNode_12", "fc.weight".
QStringList wordsOf(const QString& line) {
    static const QRegularExpression word(QStringLiteral(R"([%@]?[A-Za-z_0-9][A-Za-z_0-9.\-]*)"));
    QStringList words;
    for (auto it = word.globalMatch(line); it.hasNext();) {
        const QString found = it.next().captured();
        words << found;
        if (found.startsWith('%') || found.startsWith('@')) {
            words << found.mid(1);
        }
        // An input is written with its number: "%para1_x".
        static const QRegularExpression input(QStringLiteral("^%?para\\d+_(.+)$"));
        if (const auto match = input.match(found); match.hasMatch()) {
            words << match.captured(1);
        }
    }
    return words;
}

class IrTextPanel : public Panel {
    Q_OBJECT

 public:
    explicit IrTextPanel(Session& session) : Panel(session) {
        auto* column = new QVBoxLayout(this);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(0);
        auto* bar = new QHBoxLayout;
        bar->setContentsMargins(6, 4, 6, 4);
        bar->addWidget(new GraphPicker(session.stages()));
        bar->addStretch(1);
        column->addLayout(bar);
        auto* splitter = new QSplitter(Qt::Horizontal);
        for (int i = 0; i < 2; ++i) {
            auto* holder = new QWidget;
            auto* half = new QVBoxLayout(holder);
            half->setContentsMargins(0, 0, 0, 0);
            half->setSpacing(0);
            auto* head = new QHBoxLayout;
            head->setContentsMargins(8, 2, 6, 2);
            head->setSpacing(8);
            auto* caption = new QLabel(i == 0 ? tr("Before") : tr("After"));
            QFont bold = caption->font();
            bold.setWeight(QFont::DemiBold);
            caption->setFont(bold);
            head->addWidget(caption);
            head->addWidget(new StagePicker(session.stages(), i), 1);
            half->addLayout(head);
            texts_[i] = new CodeView(CodeView::Language::Plain);
            texts_[i]->setObjectName(i == 0 ? "textBefore" : "textAfter");
            half->addWidget(texts_[i], 1);
            splitter->addWidget(holder);
            connect(texts_[i], &CodeView::lineChosen, this, [this, i](int line) { choose(i, line); });
        }
        splitter->setChildrenCollapsible(false);
        column->addWidget(splitter, 1);
        connect(&session.stages(), &ShownStages::shownChanged, this, [this] {
            if (isVisible()) {
                reload();
            }
        });
    }

 protected:
    void reload() override {
        for (int i = 0; i < 2; ++i) {
            const qint64 stage = session_.stages().shown(i);
            if (stage == shown_[i]) {
                continue;
            }
            shown_[i] = stage;
            names_[i].clear();
            ids_[i].clear();
            if (stage == 0) {
                texts_[i]->setText({});
                continue;
            }
            struct Answer {
                QString text;
                QHash<QString, qint64> ids;
            };
            session_.jobs().run(
                this, QStringLiteral("text %1").arg(i),
                [stage](JobContext& context) {
                    Answer answer;
                    answer.text = QString::fromStdString(query::stage_text(context.database(), stage));
                    for (const auto& node : query::stage_graph(context.database(), stage).nodes) {
                        answer.ids.insert(QString::fromStdString(node.name), node.id);
                    }
                    return answer;
                },
                [this, i, stage](Answer answer) {
                    if (shown_[i] != stage) {
                        return;
                    }
                    texts_[i]->setText(answer.text);
                    ids_[i] = std::move(answer.ids);
                    for (auto it = ids_[i].cbegin(); it != ids_[i].cend(); ++it) {
                        names_[i].insert(it.value(), it.key());
                    }
                    linesOf_[i].clear();
                    const QStringList lines = answer.text.split('\n');
                    for (int line = 0; line < lines.size(); ++line) {
                        // A node is defined where its name comes first.
                        for (const QString& word : wordsOf(lines[line])) {
                            if (ids_[i].contains(word) && !linesOf_[i].contains(word)) {
                                linesOf_[i].insert(word, line);
                                break;
                            }
                        }
                    }
                    mark(i);
                });
        }
    }

    void clear() override {
        for (int i = 0; i < 2; ++i) {
            texts_[i]->setText({});
            shown_[i] = 0;
            related_[i].clear();
        }
    }

    void showSelection(const Selection& selection) override {
        for (int i = 0; i < 2; ++i) {
            related_[i].clear();
            if (selection.isNone()) {
                mark(i);
            }
        }
    }

    void showRelated(const Related& related) override {
        const Selection of = related.of;
        for (int i = 0; i < 2 && !of.isNone(); ++i) {
            const qint64 stage = session_.stages().shown(i);
            if (stage == 0) {
                continue;
            }
            session_.jobs().run(
                this, QStringLiteral("related %1").arg(i),
                [stage, of](JobContext& context) {
                    return query::Relations(context.database()).nodes(placeOf(of), stage);
                },
                [this, i, of](std::vector<std::int64_t> nodes) {
                    if (session_.selection() == of) {
                        related_[i] = std::move(nodes);
                        mark(i);
                    }
                });
        }
    }

 private:
    void mark(int side) {
        QSet<int> lines;
        int current = -1;
        for (const auto node : related_[side]) {
            const int line = linesOf_[side].value(names_[side].value(node), -1);
            if (line < 0) {
                continue;
            }
            lines.insert(line);
            const bool own = session_.selection().kind == Selection::Kind::Node && session_.selection().id == node;
            current = own ? line : current;
        }
        texts_[side]->setMarks(current, lines);
        if (!lines.isEmpty()) {
            texts_[side]->reveal(current >= 0 ? current : *std::min_element(lines.begin(), lines.end()));
        }
    }

    void choose(int side, int line) {
        const QString text = texts_[side]->text().split('\n').value(line);
        for (const QString& word : wordsOf(text)) {
            const auto it = ids_[side].constFind(word);
            if (it != ids_[side].constEnd()) {
                session_.select(Selection::node(it.value()));
                return;
            }
        }
    }

    CodeView* texts_[2];
    qint64 shown_[2] = {0, 0};
    QHash<QString, qint64> ids_[2];
    QHash<qint64, QString> names_[2];
    QHash<QString, int> linesOf_[2];
    std::vector<std::int64_t> related_[2];
};

}  // namespace

}  // namespace fusescope::gui

namespace fusescope {

gui::PanelDefinition panel_ir_text() {
    return {QStringLiteral("ir_text"),
            QT_TRANSLATE_NOOP("panel", "Graph text"),
            QStringLiteral("text"),
            gui::DockPlace::Center,
            1,
            QKeySequence(Qt::CTRL | Qt::Key_2),
            [](gui::Session& session) { return new gui::IrTextPanel(session); }};
}

}  // namespace fusescope

#include "ir_text.moc"
