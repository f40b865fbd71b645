// Panel: the texts of the two shown stages, side by side or as one, with the lines of the selected node lit and those
// that differ in the colours of what became of their nodes.
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

#include "gui/app/panel.hpp"
#include "gui/app/session.hpp"
#include "gui/app/theme.hpp"
#include "gui/graph/graph_colors.hpp"
#include "gui/graph/stage_reader.hpp"
#include "gui/graph/stage_text.hpp"
#include "gui/widgets/code_view.hpp"
#include "gui/widgets/stage_picker.hpp"

namespace fusescope::gui {

namespace {

constexpr int kPages = 3;  // before, after, and both in one
constexpr int kMerged = 2;

struct Texts {
    StageText pages[kPages];
    Alignment alignment;  // of before and after, in that order
};

class IrTextPanel : public Panel {
    Q_OBJECT

 public:
    explicit IrTextPanel(Session& session) : Panel(session), mode_(new QComboBox), pages_(new QStackedWidget) {
        auto* column = new QVBoxLayout(this);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(0);
        auto* bar = new QHBoxLayout;
        bar->setContentsMargins(6, 4, 6, 4);
        bar->addWidget(new GraphPicker(session.stages()));
        mode_->setObjectName(QStringLiteral("textMode"));
        mode_->addItems({tr("side by side"), tr("merged")});
        mode_->setAccessibleName(tr("How the two texts are shown"));
        bar->addWidget(mode_);
        legend_ = new QLabel;
        bar->addSpacing(8);
        bar->addWidget(legend_);
        bar->addStretch(1);
        column->addLayout(bar);
        auto* splitter = new QSplitter(Qt::Horizontal);
        for (int i = 0; i < 2; ++i) {
            splitter->addWidget(
                makePage(i, i == 0 ? tr("Before") : tr("After"), {new StagePicker(session.stages(), i)}));
        }
        splitter->setChildrenCollapsible(false);
        pages_->addWidget(splitter);
        pages_->addWidget(makePage(kMerged, tr("Changes"),
                                   {new StagePicker(session.stages(), 0), new StagePicker(session.stages(), 1)}));
        column->addWidget(pages_, 1);
        for (int i = 0; i < 2; ++i) {
            connect(texts_[i], &CodeView::scrolled, this, [this, i](int line) { scrollOther(i, line); });
        }
        connect(mode_, &QComboBox::currentIndexChanged, this, [this](int choice) {
            pages_->setCurrentIndex(choice);
            for (int i = 0; i < kPages; ++i) {
                mark(i);
            }
        });
        connect(&session.stages(), &ShownStages::shownChanged, this, [this] { invalidate(); });
        showLegend();
    }

 protected:
    void reload() override {
        const qint64 before = session_.stages().before(), after = session_.stages().after();
        if (before == shown_[0] && after == shown_[1]) {
            return;
        }
        shown_[0] = before;
        shown_[1] = after;
        if (before == 0 || after == 0) {
            show({});
            return;
        }
        const bool swapped = session_.stages().inOrder().first != before;
        session_.jobs().run(
            this, QStringLiteral("texts"),
            [graph = session_.stages().graph(), order = session_.stages().inOrder(), swapped](JobContext& context) {
                Database& database = context.database();
                const auto [lower, upper] = readMarked(database, graph, order.first, order.second);
                StageText earlier = readText(QString::fromStdString(query::stage_text(database, order.first)), lower);
                StageText later = readText(QString::fromStdString(query::stage_text(database, order.second)), upper);
                Texts texts;
                texts.alignment = align(earlier, later);
                markText(earlier, later, texts.alignment, lower, upper);
                texts.pages[kMerged] = mergeTexts(earlier, later, texts.alignment);
                texts.pages[swapped ? 1 : 0] = std::move(earlier);
                texts.pages[swapped ? 0 : 1] = std::move(later);
                for (auto& pair : texts.alignment) {
                    pair = swapped ? qMakePair(pair.second, pair.first) : pair;
                }
                return texts;
            },
            [this, before, after](Texts texts) {
                if (shown_[0] == before && shown_[1] == after) {
                    show(std::move(texts));
                }
            });
    }

    void clear() override {
        shown_[0] = shown_[1] = 0;
        related_.clear();
        show({});
    }

    void showSelection(const Selection& selection) override {
        related_.clear();
        if (selection.isNone()) {
            for (int i = 0; i < kPages; ++i) {
                mark(i);
            }
        }
    }

    void showRelated(const Related& related) override {
        const Selection of = related.of;
        const qint64 stages[2] = {session_.stages().before(), session_.stages().after()};
        if (of.isNone() || stages[0] == 0 || stages[1] == 0) {
            return;
        }
        session_.jobs().run(
            this, QStringLiteral("related"),
            [first = stages[0], second = stages[1], of](JobContext& context) {
                QSet<qint64> nodes;
                query::Relations relations(context.database());
                for (const qint64 stage : {first, second}) {
                    for (const auto id : relations.nodes(placeOf(of), stage)) {
                        nodes.insert(id);
                    }
                }
                return nodes;
            },
            [this, of](QSet<qint64> nodes) {
                if (session_.selection() == of) {
                    related_ = std::move(nodes);
                    for (int i = 0; i < kPages; ++i) {
                        mark(i);
                    }
                }
            });
    }

    void changeEvent(QEvent* event) override {
        Panel::changeEvent(event);
        if (event->type() == QEvent::PaletteChange) {
            showLegend();
            for (int i = 0; i < kPages; ++i) {
                tint(i);
            }
        }
    }

 private:
    QWidget* makePage(int index, const QString& title, std::initializer_list<QWidget*> pickers) {
        auto* holder = new QWidget;
        auto* half = new QVBoxLayout(holder);
        half->setContentsMargins(0, 0, 0, 0);
        half->setSpacing(0);
        auto* head = new QHBoxLayout;
        head->setContentsMargins(8, 2, 6, 2);
        head->setSpacing(8);
        auto* caption = new QLabel(title);
        QFont bold = caption->font();
        bold.setWeight(QFont::DemiBold);
        caption->setFont(bold);
        head->addWidget(caption);
        for (QWidget* picker : pickers) {
            head->addWidget(picker, 1);
        }
        half->addLayout(head);
        static const char* const names[] = {"textBefore", "textAfter", "textMerged"};
        texts_[index] = new CodeView(CodeView::Language::Plain);
        texts_[index]->setObjectName(QString::fromLatin1(names[index]));
        half->addWidget(texts_[index], 1);
        connect(texts_[index], &CodeView::lineChosen, this, [this, index](int line) { choose(index, line); });
        return holder;
    }

    void show(Texts texts) {
        content_ = std::move(texts);
        for (int i = 0; i < kPages; ++i) {
            texts_[i]->setText(content_.pages[i].text());
            tint(i);
            mark(i);
        }
    }

    // Signs stand in the merged text and in the legend, so that nothing hangs on colour alone.
    void showLegend() {
        QStringList words;
        for (const Change change : {Change::Added, Change::Removed, Change::Changed, Change::Fused}) {
            words << QStringLiteral("<span style='background:%1'>&nbsp;%2 %3&nbsp;</span>")
                         .arg(backgroundOf(change).name(), signOfChange(change), textOfChange(change));
        }
        legend_->setText(words.join(QStringLiteral("&nbsp; ")));
    }

    static QColor backgroundOf(Change change) {
        const QColor color = colorOfChange(change), paper = theme().background;
        const double part = theme().dark ? 0.28 : 0.2;
        const auto mix = [part](int a, int b) { return static_cast<int>(a * part + b * (1 - part)); };
        return {mix(color.red(), paper.red()), mix(color.green(), paper.green()), mix(color.blue(), paper.blue())};
    }

    void tint(int index) {
        QVector<CodeView::Tint> tints;
        for (const TextBlock& block : std::as_const(content_.pages[index].blocks)) {
            for (int i = 0; block.change != Change::None && i < block.count; ++i) {
                tints.push_back({block.first + i, backgroundOf(block.change)});
            }
        }
        texts_[index]->setTints(tints);
    }

    void mark(int index) {
        const StageText& text = content_.pages[index];
        QSet<int> lines;
        int current = -1;
        for (const auto node : std::as_const(related_)) {
            const int line = text.lineOf.value(node, -1);
            if (line < 0) {
                continue;
            }
            lines.insert(line);
            const bool own = session_.selection().kind == Selection::Kind::Node && session_.selection().id == node;
            current = own ? line : current;
        }
        texts_[index]->setMarks(current, lines);
        if (!lines.isEmpty()) {
            // Each side goes to its own lines.
            quiet_ = true;
            texts_[index]->reveal(current >= 0 ? current : *std::min_element(lines.begin(), lines.end()));
            quiet_ = false;
        }
    }

    void scrollOther(int index, int line) {
        if (quiet_ || content_.alignment.isEmpty()) {
            return;
        }
        quiet_ = true;
        texts_[1 - index]->setFirstVisibleLine(
            lineBeside(line, content_.pages[index], content_.pages[1 - index], content_.alignment, index == 0));
        quiet_ = false;
    }

    void choose(int index, int line) {
        const StageText& text = content_.pages[index];
        for (const TextBlock& block : text.blocks) {
            if (block.node != 0 && line >= block.first && line < block.first + block.count) {
                session_.select(Selection::node(block.node));
                return;
            }
        }
        for (const QString& word : wordsOf(text.lines.value(line))) {
            if (const qint64 node = text.nodeOf.value(word); node != 0) {
                session_.select(Selection::node(node));
                return;
            }
        }
    }

    QComboBox* mode_;
    QLabel* legend_ = nullptr;
    QStackedWidget* pages_;
    CodeView* texts_[kPages];
    qint64 shown_[2] = {0, 0};
    Texts content_;
    QSet<qint64> related_;
    bool quiet_ = false;
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
