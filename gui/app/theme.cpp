// The two palettes. Qt 6.4 cannot say whether the system is dark, so its palette's lightness is asked once at start.
#include "gui/app/theme.hpp"

#include <QApplication>
#include <QHash>
#include <QPalette>
#include <QSet>
#include <QStyleFactory>
#include <algorithm>

namespace fusescope::gui {

namespace {

Theme makeTheme(bool dark) {
    Theme t;
    t.dark = dark;
    if (dark) {
        t.background = QColor("#1b1e24");
        t.panel = QColor("#23272f");
        t.text = QColor("#e4e7ec");
        t.mutedText = QColor("#98a1b0");
        t.grid = QColor("#343a45");
        t.border = QColor("#3d4450");
        t.accent = QColor("#f2a33c");
        t.related = QColor("#56b4e9");
        t.device = QColor("#4f9dde");
        t.host = QColor("#8d99ae");
        t.transfer = QColor("#d98fc4");
        t.compile = QColor("#c9b458");
        t.error = QColor("#ff7b6b");
        t.warning = QColor("#f0b93a");
        t.info = QColor("#69b3e7");
    } else {
        t.background = QColor("#ffffff");
        t.panel = QColor("#f4f5f7");
        t.text = QColor("#1d2129");
        t.mutedText = QColor("#667080");
        t.grid = QColor("#e3e6eb");
        t.border = QColor("#c9ced6");
        t.accent = QColor("#d9730d");
        t.related = QColor("#0072b2");
        t.device = QColor("#2f7fc1");
        t.host = QColor("#6b778c");
        t.transfer = QColor("#b5579b");
        t.compile = QColor("#a08a1c");
        t.error = QColor("#c43b2a");
        t.warning = QColor("#b07700");
        t.info = QColor("#1f6fb2");
    }
    // Paul Tol's "muted" scheme, which stays apart under the common forms of colour blindness.
    for (const char* hex : {"#88ccee", "#cc6677", "#ddcc77", "#117733", "#8578c4", "#aa4499", "#44aa99", "#999933",
                            "#b65f78", "#6699cc", "#c58b4a", "#7fae4e"}) {
        QColor color(hex);
        t.kinds.push_back(dark ? color : color.lighter(105));
    }
    // A second lap of the same hues, darker or lighter, for programs with more kinds of ops than there are hues.
    for (int i = 0, hues = static_cast<int>(t.kinds.size()); i < hues; ++i) {
        t.kinds.push_back(dark ? t.kinds[i].darker(150) : t.kinds[i].darker(135));
    }
    return t;
}

Theme current = makeTheme(false);
ThemeChoice choiceNow = ThemeChoice::System;

bool systemIsDark() {
    static const bool dark = QPalette(QApplication::palette()).color(QPalette::Window).lightness() < 128;
    return dark;
}

QPalette paletteOf(const Theme& t) {
    QPalette p;
    p.setColor(QPalette::Window, t.panel);
    p.setColor(QPalette::WindowText, t.text);
    p.setColor(QPalette::Base, t.background);
    p.setColor(QPalette::AlternateBase, t.dark ? QColor("#20242b") : QColor("#f8f9fb"));
    p.setColor(QPalette::Text, t.text);
    p.setColor(QPalette::PlaceholderText, t.mutedText);
    p.setColor(QPalette::Button, t.dark ? QColor("#2c313a") : QColor("#eceef2"));
    p.setColor(QPalette::ButtonText, t.text);
    p.setColor(QPalette::BrightText, t.error);
    p.setColor(QPalette::Link, t.related);
    p.setColor(QPalette::ToolTipBase, t.dark ? QColor("#2f3540") : QColor("#ffffff"));
    p.setColor(QPalette::ToolTipText, t.text);
    p.setColor(QPalette::Highlight, t.dark ? QColor("#35567a") : QColor("#cfe3f6"));
    p.setColor(QPalette::HighlightedText, t.dark ? QColor("#ffffff") : QColor("#10263c"));
    p.setColor(QPalette::Light, t.panel.lighter(t.dark ? 130 : 105));
    p.setColor(QPalette::Midlight, t.panel.lighter(t.dark ? 115 : 102));
    p.setColor(QPalette::Mid, t.border);
    p.setColor(QPalette::Dark, t.dark ? QColor("#15171b") : QColor("#a9b0bb"));
    p.setColor(QPalette::Shadow, t.dark ? QColor("#0d0e11") : QColor("#8d949f"));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
        p.setColor(QPalette::Disabled, role, t.dark ? QColor("#667080") : QColor("#9aa3b0"));
    }
    return p;
}

}  // namespace

const Theme& theme() { return current; }

ThemeChoice themeChoice() { return choiceNow; }

void applyTheme(ThemeChoice choice) {
    const bool dark = choice == ThemeChoice::Dark || (choice == ThemeChoice::System && systemIsDark());
    systemIsDark();  // asked before our own palette hides the system's
    choiceNow = choice;
    current = makeTheme(dark);
    if (auto* style = QStyleFactory::create(QStringLiteral("Fusion"))) {
        QApplication::setStyle(style);
    }
    QApplication::setPalette(paletteOf(current));
}

QColor Theme::colorOfKind(const QString& name) const {
    // The slot is a hash that does not change from run to run, unlike qHash, or the next one that no other name has
    // taken: so the first two dozen names are told apart.
    static QHash<QString, int> slotOf;
    static QSet<int> taken;
    const int hues = static_cast<int>(kinds.size()) / 2;  // the second lap is for when the first is full
    auto it = slotOf.constFind(name);
    if (it == slotOf.constEnd()) {
        quint32 hash = 2166136261u;
        for (const QChar c : name) {
            hash = (hash ^ c.unicode()) * 16777619u;
        }
        const int lap = taken.size() < hues ? 0 : hues;
        int slot = static_cast<int>((hash >> 8) % static_cast<quint32>(hues));
        for (int tries = 0; tries < hues && taken.contains(lap + slot); ++tries) {
            slot = (slot + 5) % hues;
        }
        slot += lap;
        taken.insert(slot);
        it = slotOf.insert(name, slot);
    }
    return kinds[it.value()];
}

QColor Theme::colorOfShare(double share) const {
    const double s = std::clamp(share, 0.0, 1.0);
    const QColor low = dark ? QColor("#2c3646") : QColor("#eef2f7");
    const QColor high = dark ? QColor("#f2a33c") : QColor("#e07b16");
    const auto mix = [s](int a, int b) { return static_cast<int>(a + (b - a) * s); };
    return QColor(mix(low.red(), high.red()), mix(low.green(), high.green()), mix(low.blue(), high.blue()));
}

}  // namespace fusescope::gui
