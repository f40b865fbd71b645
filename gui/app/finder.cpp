// Each kind of thing is searched by a job of its own, so that a few ops do not wait for a million tensors. A new letter
// makes the jobs of the old ones stale.
#include "gui/app/finder.hpp"

#include <QAction>
#include <QFileInfo>
#include <QRegularExpression>
#include <algorithm>

#include "gui/app/session.hpp"
#include "gui/models/finding_model.hpp"
#include "profiler/query/findings.hpp"
#include "profiler/query/search.hpp"

namespace fusescope::gui {

namespace {

constexpr std::size_t kMostOfAKind = 60;
constexpr int kMostCommands = 200;

// The kinds of things, in the order of the list. The word narrows a search to it, as in "node: MatMul".
struct Kind {
    const char* word;
    const char* title;                     ///< marked with QT_TRANSLATE_NOOP("finder", …)
    std::optional<query::SearchIn> where;  ///< empty: findings, whose sentences are made here
};

const Kind kKinds[] = {
    {"op", QT_TRANSLATE_NOOP("finder", "op"), query::SearchIn::ops},
    {"finding", QT_TRANSLATE_NOOP("finder", "finding"), std::nullopt},
    {"graph", QT_TRANSLATE_NOOP("finder", "graph"), query::SearchIn::graphs},
    {"scope", QT_TRANSLATE_NOOP("finder", "scope"), query::SearchIn::scopes},
    {"node", QT_TRANSLATE_NOOP("finder", "node"), query::SearchIn::nodes},
    {"line", QT_TRANSLATE_NOOP("finder", "line"), query::SearchIn::lines},
    {"tensor", QT_TRANSLATE_NOOP("finder", "tensor"), query::SearchIn::tensors},
};

QString titleOf(const Kind& kind) { return QCoreApplication::translate("finder", kind.title); }

// What is typed, made ready to look at texts: a regular expression, or words that must all be there. Capitals matter
// where there are any.
class Wanted {
 public:
    Wanted(const QString& typed, bool expression) {
        if (expression) {
            expression_ = QRegularExpression(typed, sensitivityOf(typed) == Qt::CaseSensitive
                                                        ? QRegularExpression::NoPatternOption
                                                        : QRegularExpression::CaseInsensitiveOption);
            expression_->optimize();
            return;
        }
        for (const QString& word : typed.split(' ', Qt::SkipEmptyParts)) {
            words_.push_back({word, sensitivityOf(word)});
        }
    }

    QString error() const { return expression_ && !expression_->isValid() ? expression_->errorString() : QString(); }

    bool operator()(const QString& text) const {
        if (expression_) {
            return expression_->match(text).hasMatch();
        }
        return std::all_of(words_.begin(), words_.end(),
                           [&](const auto& word) { return text.contains(word.first, word.second); });
    }

 private:
    static Qt::CaseSensitivity sensitivityOf(const QString& text) {
        const bool capitals = std::any_of(text.begin(), text.end(), [](QChar c) { return c.isUpper(); });
        return capitals ? Qt::CaseSensitive : Qt::CaseInsensitive;
    }

    std::optional<QRegularExpression> expression_;
    QVector<QPair<QString, Qt::CaseSensitivity>> words_;
};

FoundThing thingOf(const query::SearchHit& hit) {
    using Table = query::Place::Table;
    FoundThing thing{QString::fromStdString(hit.text).simplified(), QString::fromStdString(hit.where), {}};
    if (hit.line > 0) {
        thing.where = QStringLiteral("%1:%2").arg(QFileInfo(thing.where).fileName()).arg(hit.line);
    }
    switch (hit.place.table) {
        case Table::kind:
            thing.target = Selection::opKind(hit.place.id);
            break;
        case Table::graph:
            thing.target = Selection::graph(hit.place.id);
            break;
        case Table::scope:
            thing.target = Selection::scope(hit.place.id);
            break;
        case Table::node:
            thing.target = Selection::node(hit.place.id);
            break;
        case Table::line:
            thing.target = Selection::sourceLine(hit.place.id, static_cast<int>(hit.place.line));
            break;
        default:
            thing.target = Selection::opEvent(hit.op_event);
    }
    return thing;
}

QVector<FoundThing> findIn(Database& database, const Kind& kind, const Wanted& wanted) {
    QVector<FoundThing> things;
    if (!kind.where) {
        for (const auto& finding : query::findings(database)) {
            const FindingRow row = findingRows({finding}).front();
            const QString text = row.message.section('\n', 0, 0);
            if (things.size() < static_cast<qsizetype>(kMostOfAKind) && wanted(row.kind + ' ' + row.message)) {
                things.push_back({text,
                                  row.path.isEmpty()
                                      ? QString()
                                      : QStringLiteral("%1:%2").arg(QFileInfo(row.path).fileName()).arg(row.line),
                                  Selection::finding(row.id)});
            }
        }
        return things;
    }
    const auto match = [&](std::string_view text) {
        return wanted(QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())));
    };
    for (const auto& hit : query::search(database, *kind.where, match, kMostOfAKind)) {
        things.push_back(thingOf(hit));
    }
    return things;
}

}  // namespace

Finder::Finder(Session& session, const QMenuBar& menus, QWidget* window)
    : QObject(window), session_(session), menus_(menus), chooser_(new Chooser(window)) {
    found_.resize(std::size(kKinds));
    connect(chooser_, &Chooser::changed, this, &Finder::changed);
    connect(chooser_, &Chooser::chosen, this, &Finder::choose);
    connect(&session, &Session::profileClosed, chooser_, &Chooser::dismiss);
}

void Finder::openSearch() {
    if (!session_.hasProfile()) {
        openCommands();
        return;
    }
    commands_ = commandsOf(menus_);
    const QString text = chooser_->text();
    chooser_->open(text.startsWith('>') ? QString() : text);
    chooser_->selectAll();
}

void Finder::openCommands() {
    commands_ = commandsOf(menus_);
    chooser_->open(QStringLiteral(">"));
}

void Finder::changed() {
    chooser_->setPrompt(tr("Ops, nodes, tensors, lines, findings… \">\" for commands"));
    const QString text = chooser_->text();
    if (!shownCommands_.isEmpty()) {
        chooser_->setChoices({});  // rows that no longer mean anything
    }
    shownCommands_.clear();
    if (text.startsWith('>') || !session_.hasProfile()) {
        showCommands(text.startsWith('>') ? text.mid(1) : text);
    } else {
        search();
    }
}

void Finder::showCommands(const QString& typed) {
    shownThings_.clear();
    QVector<QPair<int, int>> order;  // score, command
    for (int i = 0; i < commands_.size(); ++i) {
        const int score = commands_[i].action ? fuzzyScore(typed, commands_[i].path) : -1;
        if (score >= 0) {
            // What cannot be done now comes last.
            order.push_back(
                {typed.trimmed().isEmpty() ? 0 : score - (commands_[i].action->isEnabled() ? 0 : 1000000), i});
        }
    }
    std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    QVector<Choice> choices;
    for (const auto& [score, index] : order) {
        if (choices.size() == kMostCommands) {
            break;
        }
        const Command& command = commands_[index];
        choices.push_back({{}, command.path, command.keys, command.action->isEnabled()});
        shownCommands_.push_back(index);
    }
    chooser_->setChoices(std::move(choices));
    chooser_->setNote(order.isEmpty() ? tr("No command is called that.") : QString());
}

void Finder::search() {
    QString typed = chooser_->text();
    std::optional<int> only;
    for (int i = 0; i < static_cast<int>(std::size(kKinds)); ++i) {
        for (const QString& word : {QString::fromLatin1(kKinds[i].word), titleOf(kKinds[i])}) {
            for (const QChar colon : {QChar(':'), QChar(u'：')}) {
                if (!only && typed.startsWith(word + colon, Qt::CaseInsensitive)) {
                    only = i;
                    typed = typed.mid(word.size() + 1).trimmed();
                }
            }
        }
    }
    for (auto& things : found_) {
        things.clear();
    }
    const Wanted wanted(typed, chooser_->isExpression());
    asked_ = 0;
    const bool nothing = (typed.trimmed().isEmpty() && !only) || !wanted.error().isEmpty();
    for (int i = 0; i < static_cast<int>(std::size(kKinds)); ++i) {
        const QString key = QStringLiteral("search %1").arg(i);
        if (nothing || (only && only != i)) {
            session_.jobs().cancel(this, key);
            continue;
        }
        ++asked_;
        session_.jobs().run(
            this, key, [i, wanted](JobContext& context) { return findIn(context.database(), kKinds[i], wanted); },
            [this, i](QVector<FoundThing> things) {
                found_[i] = std::move(things);
                --asked_;
                showFound();
            },
            [this](const QString&) {
                --asked_;
                showFound();
            });
    }
    if (nothing) {
        shownThings_.clear();
        chooser_->setChoices({});
        chooser_->setNote(wanted.error().isEmpty()
                              ? tr("op: node: tensor: line: finding: graph: or scope: in front narrows the search.")
                              : tr("Not a regular expression: %1").arg(wanted.error()));
    }
}

void Finder::showFound() {
    QVector<Choice> choices;
    shownThings_.clear();
    for (int i = 0; i < found_.size(); ++i) {
        for (const FoundThing& thing : found_[i]) {
            choices.push_back({titleOf(kKinds[i]), thing.text, thing.where, true});
            shownThings_.push_back(thing.target);
        }
    }
    const bool none = choices.isEmpty();
    chooser_->setChoices(std::move(choices));
    chooser_->setNote(asked_ > 0 ? tr("Searching…") : none ? tr("Nothing has that in it.") : QString());
}

void Finder::choose(int row) {
    if (row < shownCommands_.size()) {
        // Later: the command may take away what this is called from.
        if (QAction* const action = commands_[shownCommands_[row]].action) {
            QMetaObject::invokeMethod(action, &QAction::trigger, Qt::QueuedConnection);
        }
    } else if (row < shownThings_.size()) {
        session_.select(shownThings_[row]);
    }
}

}  // namespace fusescope::gui
