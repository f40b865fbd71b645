// Panel: the program's text with the share of time of each line, and the lines of the selection lit.
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "gui/app/panel.hpp"
#include "gui/app/session.hpp"
#include "gui/debug/code_breaks.hpp"
#include "gui/debug/debug_session.hpp"
#include "gui/widgets/code_view.hpp"
#include "gui/widgets/format.hpp"
#include "profiler/query/frames.hpp"
#include "profiler/query/op_times.hpp"
#include "profiler/query/tensor_places.hpp"

namespace fusescope::gui {

namespace {

constexpr qint64 kMostBytes = 4 << 20;
constexpr qint64 kMostSummarized = 500000;

class SourcePanel : public Panel {
    Q_OBJECT

 public:
    explicit SourcePanel(Session& session)
        : Panel(session),
          files_(new QComboBox),
          code_(new CodeView(CodeView::Language::Python)),
          breaks_(new CodeBreaks(session.debug(), *code_)) {
        auto* column = new QVBoxLayout(this);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(0);
        files_->setAccessibleName(tr("Source file"));
        files_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        column->addWidget(files_);
        column->addWidget(code_, 1);
        code_->setObjectName("sourceText");
        connect(files_, &QComboBox::activated, this, [this](int index) { show(files_->itemData(index).toLongLong()); });
        connect(code_, &CodeView::lineChosen, this, [this](int line) {
            if (source_ > 0) {
                session_.select(Selection::sourceLine(source_, line + 1));
            }
        });
        const DebugSession& debug = session.debug();
        connect(&debug, &DebugSession::frameChanged, this, [this, &debug] {
            if (debug.frame() && !debug.frame()->path.isEmpty()) {
                showFile(debug.frame()->path);
            }
        });
    }

 protected:
    void reload() override {
        struct Answer {
            std::vector<query::Source> sources;
            std::vector<query::LineTime> times;
        };
        session_.jobs().run(
            this, QStringLiteral("sources"),
            [](JobContext& context) {
                return Answer{query::sources(context.database()), query::times_by_line(context.database())};
            },
            [this](Answer answer) {
                times_ = std::move(answer.times);
                if (answer.sources.size() != static_cast<size_t>(files_->count() - others_.size())) {
                    fill(answer.sources);
                }
                annotate();
            });
    }

    void clear() override {
        files_->clear();
        others_.clear();
        code_->setText({});
        breaks_->setRecorded({});
        breaks_->setPath({});
        times_.clear();
        source_ = 0;
    }

    void showSelection(const Selection& selection) override {
        if (selection.kind == Selection::Kind::Line) {
            show(selection.id);
        }
        lines_.clear();
        mark();
    }

    void showRelated(const Related& related) override {
        lines_ = related.lines;
        const Selection& selection = session_.selection();
        if (selection.kind != Selection::Kind::Line && !lines_.isEmpty()) {
            const bool hereToo =
                std::any_of(lines_.cbegin(), lines_.cend(), [this](const auto& line) { return line.first == source_; });
            if (!hereToo || lines_.front().first != source_) {
                show(lines_.front().first);
            }
        }
        mark();
    }

 private:
    void fill(const std::vector<query::Source>& sources) {
        const QString before = breaks_->path();
        files_->clear();
        int chosen = -1;
        for (const auto& source : sources) {
            const QString path = QString::fromStdString(source.path);
            files_->addItem(QFileInfo(path).fileName(), QVariant::fromValue<qint64>(source.id));
            files_->setItemData(files_->count() - 1, path, Qt::ToolTipRole);
            notes_[source.id] = QString::fromStdString(source.note);
            const bool script = path == session_.summary().script ||
                                path.endsWith(QStringLiteral("/") + QFileInfo(session_.summary().script).fileName());
            if (fileOf(path) == before || (before.isEmpty() && script && chosen < 0)) {
                chosen = files_->count() - 1;
            }
        }
        const QStringList others = std::exchange(others_, {});
        for (const QString& path : others) {
            if (indexOfFile(path) < 0) {
                addOther(path);
                chosen = path == before ? files_->count() - 1 : chosen;
            }
        }
        if (chosen < 0 && files_->count() > 0) {
            chosen = 0;
        }
        files_->setVisible(files_->count() > 1);
        if (chosen >= 0) {
            show(files_->itemData(chosen).toLongLong());
        }
    }

    // Sources of a profile are named as Python named them; files of a debugger by their whole path.
    QString fileOf(const QString& path) const {
        return QDir::cleanPath(QFileInfo(session_.summary().script).absoluteDir().absoluteFilePath(path));
    }

    int indexOfFile(const QString& path) const {
        for (int i = 0; i < files_->count(); ++i) {
            if (fileOf(files_->itemData(i, Qt::ToolTipRole).toString()) == path) {
                return i;
            }
        }
        return -1;
    }

    // A file in which a program under debugging stands, and of which nothing was recorded yet.
    void addOther(const QString& path) {
        others_ << path;
        files_->addItem(QFileInfo(path).fileName(), QVariant::fromValue<qint64>(-others_.size()));
        files_->setItemData(files_->count() - 1, path, Qt::ToolTipRole);
    }

    void showFile(const QString& path) {
        if (path == breaks_->path()) {
            return;
        }
        int at = indexOfFile(path);
        if (at < 0) {
            addOther(path);
            at = files_->count() - 1;
            files_->setVisible(files_->count() > 1);
        }
        show(files_->itemData(at).toLongLong());
    }

    void showOther(const QString& path) {
        QFile file(path);
        code_->setText(file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.read(kMostBytes))
                                                      : tr("# %1 cannot be read.").arg(path));
        breaks_->setPath(path);
        annotate();
        mark();
    }

    void show(qint64 source) {
        if (source == 0 || (source == source_ && !breaks_->path().isEmpty())) {
            return;
        }
        source_ = source;
        const int at = files_->findData(QVariant::fromValue<qint64>(source));
        files_->setCurrentIndex(at);
        const QString path = fileOf(files_->itemData(at, Qt::ToolTipRole).toString());
        if (source < 0) {
            session_.jobs().cancel(this, QStringLiteral("text"));
            showOther(path);
            return;
        }
        session_.jobs().run(
            this, QStringLiteral("text"),
            [source](JobContext& context) { return query::source_text(context.database(), source); },
            [this, source, path](std::optional<std::string> text) {
                if (source_ != source) {
                    return;
                }
                if (!text && QFileInfo::exists(path) && session_.debug().isActive()) {
                    showOther(path);  // the recording is not that far yet
                    return;
                }
                const QString note = notes_.value(source);
                code_->setText(text             ? QString::fromStdString(*text)
                               : note.isEmpty() ? tr("# The text of this file was not kept.")
                                                : QStringLiteral("# ") + note);
                breaks_->setPath(path);
                annotate();
                mark();
            });
    }

    void annotate() {
        summarize();
        double total[2] = {0, 0};
        for (const auto& time : times_) {
            total[time.clock == Clock::modelled] += static_cast<double>(time.total_ns);
        }
        QVector<CodeView::MarginNote> notes;
        QSet<int> taken;
        double most = 0;
        for (const auto& time : times_) {
            const double all = total[time.clock == Clock::modelled];
            const int line = static_cast<int>(time.line) - 1;
            // A line with both clocks shows the measured one; the table has both.
            if (time.source_id != source_ || line < 0 || all <= 0 || taken.contains(line)) {
                continue;
            }
            taken.insert(line);
            const double share = static_cast<double>(time.total_ns) / all;
            most = std::max(most, share);
            notes.push_back(
                {line, (time.clock == Clock::modelled ? QStringLiteral("~") : QString()) + percentText(share), share});
        }
        for (auto& note : notes) {
            note.share = most > 0 ? note.share / most : 0;
        }
        code_->setMargin(notes);
    }

    // Behind each line what its ops made when they last ran. In a long recording that takes longer than it helps.
    void summarize() {
        if (source_ <= 0 || session_.debug().isActive() || session_.summary().opEvents > kMostSummarized) {
            session_.jobs().cancel(this, QStringLiteral("summaries"));
            breaks_->setRecorded({});
            return;
        }
        session_.jobs().run(
            this, QStringLiteral("summaries"),
            [source = source_](JobContext& context) { return query::tensors_by_line(context.database(), source); },
            [this, source = source_](const std::vector<query::LineTensors>& lines) {
                if (source != source_) {
                    return;
                }
                QVector<CodeView::InlineNote> notes;
                for (const auto& l : lines) {
                    QString text = QString::fromStdString(l.dtype + " " + l.shape);
                    if (l.unhealthy > 0) {
                        text += QStringLiteral(" · ") + tr("NaN or Inf in %1 results").arg(l.unhealthy);
                    }
                    notes.push_back({static_cast<int>(l.line) - 1, text});
                }
                breaks_->setRecorded(notes);
            });
    }

    void mark() {
        const Selection& selection = session_.selection();
        int current = selection.kind == Selection::Kind::Line && selection.id == source_ ? selection.line - 1 : -1;
        QSet<int> related;
        for (const auto& [source, line] : std::as_const(lines_)) {
            if (source == source_) {
                current = current < 0 ? line - 1 : current;
                related.insert(line - 1);
            }
        }
        code_->setMarks(current, related);
        if (current >= 0) {
            code_->reveal(current);
        }
    }

    QComboBox* files_;
    CodeView* code_;
    CodeBreaks* breaks_;
    QStringList others_;  // files that are not in the profile; their ids count down from -1
    qint64 source_ = 0;
    std::vector<query::LineTime> times_;
    QHash<qint64, QString> notes_;
    QVector<QPair<qint64, int>> lines_;
};

}  // namespace

}  // namespace fusescope::gui

namespace fusescope {

gui::PanelDefinition panel_source() {
    return {QStringLiteral("source"),
            QT_TRANSLATE_NOOP("panel", "Source"),
            QStringLiteral("source"),
            gui::DockPlace::Left,
            0,
            QKeySequence(Qt::CTRL | Qt::Key_3),
            [](gui::Session& session) { return new gui::SourcePanel(session); }};
}

}  // namespace fusescope

#include "source.moc"
