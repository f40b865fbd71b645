// Patience diff over blocks: what occurs once in both texts is matched first, then what lies between.
#include "gui/graph/stage_text.hpp"

#include <QRegularExpression>
#include <algorithm>

#include "gui/graph/graph_colors.hpp"

namespace fusescope::gui {

namespace {

constexpr qint64 kTableLimit = 4'000'000;  // cells; beyond, what has no unique line counts as different

// "CNode_12" and "MatMul_Add_fusion_12" are one node: texts name all nodes alike, profiles by what they do.
QString numberOf(const QString& name) {
    static const QRegularExpression number(QStringLiteral("_(\\d+)$"));
    return number.match(name).captured(1);
}

QString keyOf(QString line) {
    static const QRegularExpression defined(QStringLiteral(R"(^(\s*)%\d+(\([^)]*\))? = )"));
    static const QRegularExpression value(QStringLiteral(R"(%\d+(\[\d+\])?)"));
    static const QRegularExpression input(QStringLiteral(R"(%para\d+_)"));
    static const QRegularExpression function(QStringLiteral(R"(@(\w+?)_\d+\b)"));
    static const QRegularExpression count(QStringLiteral(R"(-op\d+\)?)"));
    return line.replace(defined, QStringLiteral("\\1"))
        .replace(value, QStringLiteral("%"))
        .replace(input, QStringLiteral("%"))
        .replace(function, QStringLiteral("@\\1"))
        .remove(count);
}

// What is written below the line that defines a node: types and the scope.
bool continues(const QString& line) {
    const QString text = line.trimmed();
    return line.startsWith(QLatin1String("      ")) && (text.startsWith(':') || text.startsWith('#'));
}

class Aligner {
 public:
    Aligner(const QVector<TextBlock>& a, const QVector<TextBlock>& b) : a_(a), b_(b) {}

    Alignment run() {
        match(0, static_cast<int>(a_.size()), 0, static_cast<int>(b_.size()));
        return pairs_;
    }

 private:
    void match(int a0, int a1, int b0, int b1) {
        while (a0 < a1 && b0 < b1 && a_[a0].key == b_[b0].key) {
            pairs_.push_back({a0++, b0++});
        }
        int tail = 0;
        while (a0 < a1 - tail && b0 < b1 - tail && a_[a1 - tail - 1].key == b_[b1 - tail - 1].key) {
            ++tail;
        }
        between(a0, a1 - tail, b0, b1 - tail);
        for (int i = tail; i > 0; --i) {
            pairs_.push_back({a1 - i, b1 - i});
        }
    }

    void between(int a0, int a1, int b0, int b1) {
        if (a0 >= a1 || b0 >= b1) {
            return;
        }
        const Alignment anchors = uniqueIn(a0, a1, b0, b1);
        if (anchors.isEmpty()) {
            table(a0, a1, b0, b1);
            return;
        }
        for (const auto& [a, b] : anchors) {
            match(a0, a, b0, b);
            pairs_.push_back({a, b});
            a0 = a + 1;
            b0 = b + 1;
        }
        match(a0, a1, b0, b1);
    }

    // The longest run, in order in both, of blocks that each text has once.
    Alignment uniqueIn(int a0, int a1, int b0, int b1) const {
        struct Seen {
            int inA = 0, inB = 0, a = 0, b = 0;
        };
        QHash<QString, Seen> seen;
        for (int i = a0; i < a1; ++i) {
            Seen& s = seen[a_[i].key];
            ++s.inA;
            s.a = i;
        }
        for (int i = b0; i < b1; ++i) {
            Seen& s = seen[b_[i].key];
            ++s.inB;
            s.b = i;
        }
        Alignment once;
        for (int i = a0; i < a1; ++i) {
            const Seen s = seen.value(a_[i].key);
            if (s.inA == 1 && s.inB == 1) {
                once.push_back({i, s.b});
            }
        }
        QVector<int> ends, before(once.size(), -1);
        for (int i = 0; i < once.size(); ++i) {
            const auto at = std::lower_bound(ends.begin(), ends.end(), i,
                                             [&once](int x, int y) { return once[x].second < once[y].second; });
            before[i] = at == ends.begin() ? -1 : *(at - 1);
            if (at == ends.end()) {
                ends.push_back(i);
            } else {
                *at = i;
            }
        }
        Alignment longest;
        for (int i = ends.isEmpty() ? -1 : ends.back(); i >= 0; i = before[i]) {
            longest.push_front(once[i]);
        }
        return longest;
    }

    void table(int a0, int a1, int b0, int b1) {
        const int n = a1 - a0, m = b1 - b0;
        if (static_cast<qint64>(n) * m > kTableLimit) {
            return;
        }
        QVector<int> length((n + 1) * (m + 1), 0);
        const auto at = [m](int i, int j) { return i * (m + 1) + j; };
        for (int i = n - 1; i >= 0; --i) {
            for (int j = m - 1; j >= 0; --j) {
                length[at(i, j)] = a_[a0 + i].key == b_[b0 + j].key
                                       ? length[at(i + 1, j + 1)] + 1
                                       : std::max(length[at(i + 1, j)], length[at(i, j + 1)]);
            }
        }
        for (int i = 0, j = 0; i < n && j < m;) {
            if (a_[a0 + i].key == b_[b0 + j].key) {
                pairs_.push_back({a0 + i++, b0 + j++});
            } else if (length[at(i + 1, j)] >= length[at(i, j + 1)]) {
                ++i;
            } else {
                ++j;
            }
        }
    }

    const QVector<TextBlock>& a_;
    const QVector<TextBlock>& b_;
    Alignment pairs_;
};

// Of a node inside a kernel, that of the kernel.
Change changeIn(const GraphData& data, qint64 id) {
    const GraphNode* node = data.find(id);
    while (node && node->change == Change::None && node->parent != 0) {
        node = data.find(node->parent);
    }
    return node ? node->change : Change::None;
}

}  // namespace

QStringList wordsOf(const QString& line) {
    static const QRegularExpression word(QStringLiteral(R"([%@]?[A-Za-z_0-9][A-Za-z_0-9.\-]*)"));
    static const QRegularExpression input(QStringLiteral("^%?para\\d+_(.+)$"));
    QStringList words;
    for (auto it = word.globalMatch(line); it.hasNext();) {
        const QString found = it.next().captured();
        words << found;
        if (found.startsWith('%') || found.startsWith('@')) {
            words << found.mid(1);
        }
        // An input is written with its number: "%para1_x".
        if (const auto match = input.match(found); match.hasMatch()) {
            words << match.captured(1);
        }
    }
    return words;
}

StageText readText(const QString& text, const GraphData& data) {
    StageText result;
    result.lines = text.split('\n');
    for (const GraphNode& node : data.nodes) {
        // Inputs of kernels are often called what they are called outside.
        if (node.parent == 0 || !result.nodeOf.contains(node.name)) {
            result.nodeOf.insert(node.name, node.id);
        }
        if (const QString number = numberOf(node.name); !number.isEmpty() && !isLeafOp(node.op)) {
            result.nodeOf.insert(QStringLiteral("CNode_") + number, node.id);
        }
    }
    for (int i = 0; i < result.lines.size(); ++i) {
        const QString& line = result.lines[i];
        if (continues(line) && !result.blocks.isEmpty()) {
            TextBlock& block = result.blocks.back();
            ++block.count;
            block.key += '\n' + keyOf(line);
            continue;
        }
        TextBlock block{i, 1, keyOf(line), 0, Change::None};
        for (const QString& word : wordsOf(line)) {
            const qint64 node = result.nodeOf.value(word);
            if (node != 0 && !result.lineOf.contains(node)) {
                // A node is defined where its name comes first.
                result.lineOf.insert(node, i);
                block.node = node;
                break;
            }
        }
        result.blocks.push_back(block);
    }
    return result;
}

Alignment align(const StageText& earlier, const StageText& later) {
    return Aligner(earlier.blocks, later.blocks).run();
}

void markText(StageText& earlier, StageText& later, const Alignment& alignment, const GraphData& lower,
              const GraphData& upper) {
    StageText* texts[2] = {&earlier, &later};
    const GraphData* graphs[2] = {&lower, &upper};
    for (int side = 0; side < 2; ++side) {
        QSet<int> matched;
        for (const auto& pair : alignment) {
            matched.insert(side == 0 ? pair.first : pair.second);
        }
        for (int i = 0; i < texts[side]->blocks.size(); ++i) {
            TextBlock& block = texts[side]->blocks[i];
            const Change change = changeIn(*graphs[side], block.node);
            if (matched.contains(i)) {
                block.change = change == Change::Changed ? change : Change::None;
            } else {
                block.change = change != Change::None ? change : side == 0 ? Change::Removed : Change::Added;
            }
        }
    }
}

StageText mergeTexts(const StageText& earlier, const StageText& later, const Alignment& alignment) {
    StageText merged;
    merged.nodeOf = earlier.nodeOf;
    merged.nodeOf.insert(later.nodeOf);
    const auto add = [&merged](const StageText& from, int index, bool both) {
        TextBlock block = from.blocks[index];
        const int first = static_cast<int>(merged.lines.size());
        const QString sign = both && block.change == Change::None ? QStringLiteral(" ") : signOfChange(block.change);
        for (int i = 0; i < block.count; ++i) {
            merged.lines << sign + ' ' + from.lines[block.first + i];
        }
        block.first = first;
        if (block.node != 0) {
            merged.lineOf.insert(block.node, first);
        }
        merged.blocks.push_back(block);
    };
    int a = 0, b = 0;
    const auto upTo = [&](int endA, int endB) {
        for (; a < endA; ++a) {
            add(earlier, a, false);
        }
        for (; b < endB; ++b) {
            add(later, b, false);
        }
    };
    for (const auto& [nextA, nextB] : alignment) {
        upTo(nextA, nextB);
        add(later, b, true);
        // Either name leads to the line.
        if (const qint64 same = earlier.blocks[a].node; same != 0) {
            merged.lineOf.insert(same, merged.blocks.back().first);
        }
        ++a;
        ++b;
    }
    upTo(static_cast<int>(earlier.blocks.size()), static_cast<int>(later.blocks.size()));
    return merged;
}

int lineBeside(int line, const StageText& from, const StageText& to, const Alignment& alignment, bool forward) {
    int a0 = 0, b0 = 0, a1 = static_cast<int>(from.lines.size()), b1 = static_cast<int>(to.lines.size());
    for (const auto& pair : alignment) {
        const int a = from.blocks[forward ? pair.first : pair.second].first;
        const int b = to.blocks[forward ? pair.second : pair.first].first;
        if (a > line) {
            a1 = a;
            b1 = b;
            break;
        }
        a0 = a;
        b0 = b;
    }
    return a1 > a0 ? b0 + (line - a0) * (b1 - b0) / (a1 - a0) : b0;
}

}  // namespace fusescope::gui
