#include "gui/debug/watch_condition.hpp"

#include <QCoreApplication>
#include <QRegularExpression>
#include <algorithm>

namespace fusescope::gui {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(WatchCondition)
};

bool isNumber(const QString& text) {
    bool ok = false;
    text.toDouble(&ok);
    return ok;
}

}  // namespace

QVector<WatchCondition::Kind> WatchCondition::kinds() {
    const QString than = Words::tr("More than");
    return {{"nan", Words::tr("holds a NaN"), {}, {}, {}, {}},
            {"inf", Words::tr("holds an infinity"), {}, {}, {}, {}},
            {"overflow", Words::tr("overflows its dtype"), {}, {}, {}, {}},
            {"underflow", Words::tr("underflows its dtype"), {}, {}, {}, {}},
            {"zero", Words::tr("is all zero"), {}, {}, {}, {}},
            {"unchanged", Words::tr("is the same as the last time"), {}, {}, {}, {}},
            {"changed", Words::tr("is not the same as the last time"), {}, {}, {}, {}},
            {"range", Words::tr("has an element outside of a range"), Words::tr("From"), Words::tr("To"), "0", "1"},
            {"change", Words::tr("has an element that moves by more than"), than, {}, "0.1", {}},
            {"relative_change", Words::tr("has an element that moves by more than a share of it"), than, {}, "0.5", {}},
            {"norm", Words::tr("has a norm above"), than, {}, "10", {}},
            {"dead", Words::tr("has a share of zeros of at least"), Words::tr("Share"), {}, "0.9", {}},
            {"expr", Words::tr("fulfils an expression"), Words::tr("Expression"), {}, "max > 10 and mean < 0", {}}};
}

QVector<WatchCondition::Place> WatchCondition::places() {
    return {{"", Words::tr("every tensor"), {}, {}},
            {"op", Words::tr("outputs of an op"), Words::tr("Op"), "Softmax"},
            {"cell", Words::tr("outputs in a Cell"), Words::tr("Cell"), "net.encoder"},
            {"parameter", Words::tr("a Parameter"), Words::tr("Parameter"), "fc.weight"},
            {"parameters", Words::tr("all Parameters"), {}, {}},
            {"gradients", Words::tr("all gradients"), {}, {}}};
}

QString WatchCondition::text() const {
    QString text = kind;
    for (const Kind& each : kinds()) {
        if (each.word != kind) {
            continue;
        }
        const bool first = !each.first.isEmpty(), second = !each.second.isEmpty();
        const bool expression = kind == QStringLiteral("expr");
        if ((first && (expression ? a.isEmpty() : !isNumber(a))) || (second && !isNumber(b))) {
            return {};
        }
        if (first) {
            text += second ? QStringLiteral("(%1, %2)").arg(a, b) : QStringLiteral("(%1)").arg(a);
        }
    }
    for (const Place& place : places()) {
        if (place.word == on && !on.isEmpty()) {
            if (!place.target.isEmpty() && target.isEmpty()) {
                return {};
            }
            text += QStringLiteral(" on ") + on + (place.target.isEmpty() ? QString() : QLatin1Char(' ') + target);
        }
    }
    return text;
}

std::optional<WatchCondition> WatchCondition::of(const QString& whole) {
    static const QRegularExpression head(QStringLiteral("^\\s*(\\w+)\\s*"));
    const auto match = head.match(whole);
    WatchCondition condition;
    condition.kind = match.captured(1);
    const QVector<Kind> all = kinds();
    const auto kind = std::find_if(all.cbegin(), all.cend(), [&](const Kind& k) { return k.word == condition.kind; });
    if (kind == all.cend()) {
        return std::nullopt;
    }
    QString rest = whole.mid(match.capturedLength());
    if (rest.startsWith(QLatin1Char('('))) {
        int depth = 0;
        qsizetype close = 0;
        for (; close < rest.size(); ++close) {
            depth += rest[close] == QLatin1Char('(') ? 1 : rest[close] == QLatin1Char(')') ? -1 : 0;
            if (depth == 0) {
                break;
            }
        }
        if (close >= rest.size()) {
            return std::nullopt;
        }
        const QString inside = rest.mid(1, close - 1).trimmed();
        rest = rest.mid(close + 1).trimmed();
        const bool two = !kind->second.isEmpty();
        condition.a = two ? inside.section(QLatin1Char(','), 0, 0).trimmed() : inside;
        condition.b = two ? inside.section(QLatin1Char(','), 1).trimmed() : QString();
        if (kind->first.isEmpty()) {
            return std::nullopt;
        }
    }
    if (!rest.isEmpty()) {
        static const QRegularExpression tail(QStringLiteral("^on\\s+(\\w+)(?:\\s+(\\S+))?\\s*$"));
        const auto where = tail.match(rest);
        condition.on = where.captured(1);
        condition.target = where.captured(2);
        if (!where.hasMatch()) {
            return std::nullopt;
        }
    }
    // Only what says the same again.
    const QString again = condition.text();
    const auto squeezed = [](QString text) { return text.remove(QLatin1Char(' ')); };
    return !again.isEmpty() && squeezed(again) == squeezed(whole) ? std::optional(condition) : std::nullopt;
}

QString WatchCondition::sentence(const QString& text) {
    const std::optional<WatchCondition> condition = of(text);
    if (!condition) {
        return text;
    }
    QString what, where;
    for (const Kind& kind : kinds()) {
        if (kind.word == condition->kind) {
            what = kind.title;
        }
    }
    if (!condition->a.isEmpty()) {
        what += QLatin1Char(' ') + condition->a;
    }
    if (!condition->b.isEmpty()) {
        what += QStringLiteral(" … ") + condition->b;
    }
    for (const Place& place : places()) {
        if (place.word == condition->on) {
            where = place.title;
        }
    }
    if (!condition->target.isEmpty()) {
        where += QLatin1Char(' ') + condition->target;
    }
    return Words::tr("Stops when a value %1: %2").arg(what, where);
}

}  // namespace fusescope::gui
