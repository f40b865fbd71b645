#include "gui/models/check_answer.hpp"

#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <limits>

#include "gui/widgets/format.hpp"

namespace fusescope::gui {

namespace {

// JSON has no infinity.
double numberOf(const QJsonValue& value) {
    return value.isString() ? std::numeric_limits<double>::infinity() : value.toDouble();
}

CheckPlace placeOf(const QJsonObject& json) {
    return {json["op"].toString(), json["file"].toString(), json["line"].toInt(), json["source"].toString()};
}

CheckRow rowOf(const QJsonObject& json, const QDir& folder) {
    CheckRow row;
    row.place = placeOf(json);
    row.scope = json["scope"].toString();
    row.phase = json["phase"].toString();
    row.step = json["step"].toInteger();
    row.occurrence = json["occurrence"].toInteger(1);
    row.occurrences = json["occurrences"].toInteger(1);
    row.output = json["output"].toInteger();
    row.dtype = json["dtype"].toString();
    row.shape = json["shape"].toString();
    row.graph = json["graph"].toString();
    row.kernel = json["kernel"].toString();
    for (const QJsonValue& member : json["members"].toArray()) {
        row.members.push_back(placeOf(member.toObject()));
    }
    row.what = json["what"].toString();
    row.elements = json["elements"].toInteger();
    row.different = json["different"].toInteger();
    row.beyond = json["beyond"].toInteger();
    row.absolute = numberOf(json["largest_absolute"]);
    row.relative = numberOf(json["largest_relative"]);
    if (json["largest_ulp"].isDouble()) {
        row.ulp = json["largest_ulp"].toDouble();
    }
    row.eager = json["eager"].toString();
    row.graphValue = json["graph_value"].toString();
    row.within = json["within_tolerance"].toBool();
    row.cause = json["cause"].toInt(-1);
    row.eagerEvent = json["eager_event"].toInteger();
    row.graphEvent = json["graph_event"].toInteger();
    row.node = json["node"].toInteger();
    const auto file = [&](const char* key) {
        // Only files that lie there: an answer may come from anybody.
        const QString name = json[QLatin1String(key)].toString();
        return name.isEmpty() || QFileInfo(name).fileName() != name ? QString() : folder.filePath(name);
    };
    row.eagerValues = file("eager_values");
    row.graphValues = file("graph_values");
    return row;
}

CheckCause causeOf(const QJsonObject& json) {
    CheckCause cause;
    cause.pass = json["pass"].toString();
    cause.sentence = json["sentence"].toString();
    cause.rounding = json["rounding"].toString();
    cause.passes = json["passes"].toString();
    cause.passesWith = json["passes_with"].toString();
    cause.rule = json["rule"].toString();
    cause.alone = json["alone"].toBool(true);
    cause.rewrite = json["rewrite"].toInteger();
    cause.rewrites = json["rewrites"].toInteger();
    cause.rewritten = placeOf(json);
    return cause;
}

CheckEnding endingOf(const QJsonObject& json) { return {json["status"].toInt(), json["exception"].toString()}; }

QString endingText(const CheckEnding& ending) {
    return ending.exception.isEmpty() ? CheckAnswer::tr("exit status %1").arg(ending.status) : ending.exception;
}

}  // namespace

QString CheckPlace::text() const {
    return file.isEmpty() ? op : CheckAnswer::tr("%1 at %2:%3").arg(op, QFileInfo(file).fileName()).arg(line);
}

std::optional<CheckAnswer> parseCheckAnswer(const QByteArray& bytes, const QString& folder, QString* whyNot) {
    QJsonParseError error;
    const QJsonObject json = QJsonDocument::fromJson(bytes, &error).object();
    if (json["format"].toString() != QStringLiteral("fusescope-check")) {
        *whyNot = error.error == QJsonParseError::NoError ? CheckAnswer::tr("It is no answer of fusescope --check.")
                                                          : error.errorString();
        return std::nullopt;
    }
    if (json["version"].toInt() != 1) {
        *whyNot = CheckAnswer::tr("It was written by a newer version of fusescope.");
        return std::nullopt;
    }
    const QDir at(folder);
    CheckAnswer answer;
    answer.folder = folder;
    answer.script = json["script"].toString();
    answer.verdict = json["verdict"].toString();
    const QJsonObject tolerance = json["tolerance"].toObject();
    if (tolerance["rtol"].isDouble()) {
        answer.rtol = tolerance["rtol"].toDouble();
    }
    if (tolerance["atol"].isDouble()) {
        answer.atol = tolerance["atol"].toDouble();
    }
    const QJsonObject tensors = json["tensors"].toObject();
    answer.eagerTensors = tensors["eager"].toInteger();
    answer.compared = tensors["compared"].toInteger();
    answer.different = tensors["different"].toInteger();
    answer.beyond = tensors["beyond"].toInteger();
    answer.unjudged = tensors["unjudged"].toInteger();
    for (const QJsonValue& each : json["differences"].toArray()) {
        answer.rows.push_back(rowOf(each.toObject(), at));
    }
    for (const QJsonValue& each : json["causes"].toArray()) {
        answer.causes.push_back(causeOf(each.toObject()));
    }
    const QJsonObject output = json["output"].toObject();
    answer.printedLine = output["line"].toInteger();
    answer.printedEagerly = output["eager"].toString();
    answer.printedInGraphs = output["graph"].toString();
    const QJsonObject endings = json["endings"].toObject();
    answer.eager = endingOf(endings["eager"].toObject());
    answer.graph = endingOf(endings["graph"].toObject());
    const QJsonObject profiles = json["profiles"].toObject();
    const auto profile = [&](const char* run) {
        const QString name = profiles[QLatin1String(run)].toString();
        return name.isEmpty() || QFileInfo(name).fileName() != name || !at.exists(name) ? QString() : at.filePath(name);
    };
    answer.eagerProfile = profile("eager");
    answer.graphProfile = profile("graph");
    const QJsonObject doing = json["doing"].toObject();
    answer.doing = doing["what"].toString();
    answer.doingPasses = doing["passes"].toString();
    answer.runs = json["runs"].toInt();
    return answer;
}

QString verdictText(const CheckAnswer& a) {
    if (!a.compares()) {
        return CheckAnswer::tr("Nothing is compared yet.");
    }
    if (a.verdict == QStringLiteral("agree")) {
        return a.compared == 0 ? CheckAnswer::tr("Equal as far as can be seen: there is no tensor that both runs have.")
                               : CheckAnswer::tr("All equal, bit for bit. Tensors that both runs have: %1.")
                                     .arg(integerText(a.compared));
    }
    if (a.verdict == QStringLiteral("close")) {
        return CheckAnswer::tr("Close: %1 of %2 tensors differ in some bit, none beyond the tolerance.")
            .arg(integerText(a.different), integerText(a.compared));
    }
    if (a.verdict == QStringLiteral("unsteady")) {
        return CheckAnswer::tr(
            "Not repeatable: two eager runs differ already, so that nothing can be said about graphs.");
    }
    if (a.different == 0) {
        return CheckAnswer::tr("Different: the %1 tensors are equal, and the program does something else.")
            .arg(integerText(a.compared));
    }
    QString text = CheckAnswer::tr("Different: %1 of %2 tensors differ, %3 of them beyond the tolerance.")
                       .arg(integerText(a.different), integerText(a.compared), integerText(a.beyond));
    if (a.unjudged > 0) {
        text += QLatin1Char(' ') + CheckAnswer::tr("%1 were too large to be kept.").arg(integerText(a.unjudged));
    }
    return text;
}

QString factsText(const CheckAnswer& a) {
    QStringList parts;
    if (a.compared < a.eagerTensors) {
        parts << CheckAnswer::tr("%1 of %2 tensors compared").arg(integerText(a.compared), integerText(a.eagerTensors));
    } else {
        parts << CheckAnswer::tr("%1 tensors compared").arg(integerText(a.compared));
    }
    if (a.rtol || a.atol) {
        parts << CheckAnswer::tr("tolerance: %1 relative, %2 absolute")
                     .arg(a.rtol ? QString::number(*a.rtol) : CheckAnswer::tr("by dtype"),
                          a.atol ? QString::number(*a.atol) : CheckAnswer::tr("by dtype"));
    } else {
        parts << CheckAnswer::tr("tolerance: by dtype");
    }
    parts << CheckAnswer::tr("%1 runs of the program").arg(a.runs);
    return parts.join(QStringLiteral("   ·   "));
}

QString behaviourText(const CheckAnswer& a) {
    QStringList parts;
    if (a.printedLine > 0) {
        parts << CheckAnswer::tr("Printed differently in line %1: “%2” eagerly, “%3” as graphs.")
                     .arg(a.printedLine)
                     .arg(a.printedEagerly, a.printedInGraphs);
    }
    if (a.compares() && !(a.eager == a.graph)) {
        parts << CheckAnswer::tr("Ended differently: %1 eagerly, %2 as graphs.")
                     .arg(endingText(a.eager), endingText(a.graph));
    } else if (a.compares() && !a.eager.exception.isEmpty()) {
        parts << CheckAnswer::tr("Both runs ended with %1.").arg(endingText(a.eager));
    }
    return parts.join(QLatin1Char(' '));
}

QString causeText(const CheckCause& cause) {
    if (cause.pass.isEmpty()) {
        return CheckAnswer::tr("No pass: the difference is there with all of them switched off.");
    }
    QString text = cause.rewrite > 0 ? CheckAnswer::tr("Pass %1, rewrite %2 of %3: %4, %5.")
                                           .arg(cause.pass)
                                           .arg(cause.rewrite)
                                           .arg(cause.rewrites)
                                           .arg(cause.rule, cause.rewritten.text())
                                     : CheckAnswer::tr("Pass %1.").arg(cause.pass);
    text += QLatin1Char(' ') + (cause.rounding.isEmpty()
                                    ? CheckAnswer::tr("It says that it changes no bit: a fault of fusescope.")
                                    : CheckAnswer::tr("It says of itself: %1.").arg(cause.rounding));
    return text;
}

QString doingText(const CheckAnswer& a) {
    const QString what = a.doing == QStringLiteral("eager")    ? CheckAnswer::tr("eagerly")
                         : a.doing == QStringLiteral("graph")  ? CheckAnswer::tr("as graphs")
                         : a.doing == QStringLiteral("again")  ? CheckAnswer::tr("eagerly again")
                         : a.doing == QStringLiteral("values") ? CheckAnswer::tr("for the values that differ")
                         : a.doingPasses.isEmpty()             ? CheckAnswer::tr("as graphs, for the cause")
                                                   : CheckAnswer::tr("for the cause: --passes=%1").arg(a.doingPasses);
    return CheckAnswer::tr("run %1, %2").arg(a.runs + 1).arg(what);
}

}  // namespace fusescope::gui
