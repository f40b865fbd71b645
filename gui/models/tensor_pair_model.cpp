#include "gui/models/tensor_pair_model.hpp"

#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "gui/widgets/format.hpp"
#include "profiler/check/element.hpp"

namespace fusescope::gui {

namespace {

constexpr qint64 kMostRows = 5000;

[[noreturn]] void fail(const QString& path, const QString& why) {
    throw std::runtime_error(QStringLiteral("%1: %2").arg(QFileInfo(path).fileName(), why).toStdString());
}

struct Array {
    QByteArray bytes;
    qsizetype from = 0;
    QVector<qint64> shape;
    qint64 count = 1;

    const char* data() const { return bytes.constData() + from; }
};

// Format 1.0 of numpy, as a check writes it.
Array readArray(const QString& path, DType dtype) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        fail(path, file.errorString());
    }
    Array array;
    array.bytes = file.readAll();
    constexpr qsizetype kBefore = 10;
    if (array.bytes.size() < kBefore || !array.bytes.startsWith("\x93NUMPY\x01")) {
        fail(path, TensorPairModel::tr("no .npy file"));
    }
    array.from = kBefore + static_cast<uchar>(array.bytes[8]) + 256 * static_cast<uchar>(array.bytes[9]);
    static const QRegularExpression shape(QStringLiteral("'shape': \\(([0-9, ]*)\\)"));
    const auto match = shape.match(QString::fromLatin1(array.bytes.mid(kBefore, array.from - kBefore)));
    constexpr qint64 kMostElements = qint64{1} << 40;
    for (const QString& extent : match.captured(1).split(QLatin1Char(','), Qt::SkipEmptyParts)) {
        if (!extent.trimmed().isEmpty()) {
            array.shape.push_back(extent.trimmed().toLongLong());
            if (array.shape.back() > 0 && array.count > kMostElements / array.shape.back()) {
                fail(path, TensorPairModel::tr("too large"));
            }
            array.count *= array.shape.back();
        }
    }
    // BFloat16 is written as Float32 (profiler/tensors/file_formats.hpp).
    const qint64 size = static_cast<qint64>(size_of(dtype == DType::BFloat16 ? DType::Float32 : dtype));
    if (!match.hasMatch() || array.bytes.size() - array.from < array.count * size) {
        fail(path, TensorPairModel::tr("cut short"));
    }
    if (dtype == DType::BFloat16) {
        char* to = array.bytes.data() + array.from;
        for (qint64 i = 0; i < array.count; ++i) {
            std::memmove(to + 2 * i, to + 4 * i + 2, 2);
        }
    }
    return array;
}

QString indexText(qint64 flat, const QVector<qint64>& shape) {
    QStringList parts;
    for (qsizetype axis = shape.size(); axis-- > 0;) {
        parts.prepend(QString::number(flat % shape[axis]));
        flat /= shape[axis];
    }
    return QStringLiteral("[%1]").arg(parts.join(QStringLiteral(", ")));
}

struct Difference {
    bool any = false;
    double size = 0;
};

Difference between(DType dtype, const check::Element& a, const check::Element& b) {
    const bool floats = is_float(dtype);
    const bool aNan = floats && std::isnan(a.number), bNan = floats && std::isnan(b.number);
    if (a.rank == b.rank || (aNan && bNan)) {
        return {floats && a.number == 0 && std::signbit(a.number) != std::signbit(b.number), 0};
    }
    const bool finite = !floats || (std::isfinite(a.number) && std::isfinite(b.number));
    return {true, finite ? std::fabs(a.number - b.number) : std::numeric_limits<double>::infinity()};
}

}  // namespace

TensorPair readTensorPair(const QString& first, const QString& second, const QString& dtypeName, ElementOrder order) {
    const std::optional<DType> dtype = dtype_from_name(dtypeName.toStdString());
    if (!dtype) {
        fail(first, TensorPairModel::tr("the dtype %1 is not known").arg(dtypeName));
    }
    const Array a = readArray(first, *dtype), b = readArray(second, *dtype);
    if (a.shape != b.shape) {
        fail(second, TensorPairModel::tr("another shape"));
    }
    TensorPair pair;
    pair.elements = a.count;
    std::vector<std::pair<double, qint64>> chosen;
    double most = 0;
    for (qint64 i = 0; i < a.count; ++i) {
        const Difference d =
            between(*dtype, check::element_at(*dtype, a.data(), i), check::element_at(*dtype, b.data(), i));
        pair.different += d.any;
        most = std::isfinite(d.size) ? std::max(most, d.size) : most;
        const bool wanted = d.any || order == ElementOrder::All;
        if (!wanted) {
            continue;
        }
        if (order == ElementOrder::Largest) {
            // A heap of the largest, the smallest of them on top; of equal ones the earlier stay.
            chosen.emplace_back(d.size, -i);
            std::push_heap(chosen.begin(), chosen.end(), std::greater<>());
            if (static_cast<qint64>(chosen.size()) > kMostRows) {
                std::pop_heap(chosen.begin(), chosen.end(), std::greater<>());
                chosen.pop_back();
                pair.whole = false;
            }
        } else if (static_cast<qint64>(chosen.size()) < kMostRows) {
            chosen.emplace_back(d.size, -i);
        } else {
            pair.whole = false;
        }
    }
    if (order == ElementOrder::Largest) {
        std::sort(chosen.begin(), chosen.end(), std::greater<>());
    }
    pair.rows.reserve(static_cast<qsizetype>(chosen.size()));
    for (const auto& [size, at] : chosen) {
        const check::Element x = check::element_at(*dtype, a.data(), -at), y = check::element_at(*dtype, b.data(), -at);
        ElementRow row;
        row.index = indexText(-at, a.shape);
        row.first = QString::fromStdString(check::text_of(*dtype, x));
        row.second = QString::fromStdString(check::text_of(*dtype, y));
        row.size = size;
        row.relative = std::isinf(size) ? 1 : most > 0 ? size / most : 0;
        const bool nan = is_float(*dtype) && (std::isnan(x.number) || std::isnan(y.number));
        if (std::isinf(size)) {
            row.difference = QStringLiteral("∞");
        } else if (size > 0) {
            row.difference = QString::number(y.number - x.number, 'g', 4);
        } else if (between(*dtype, x, y).any) {
            row.difference = TensorPairModel::tr("sign of 0");
        }
        if (size > 0 && is_float(*dtype) && !nan) {
            const std::uint64_t ulp = check::distance(x, y);
            row.ulp = ulp < 1000000 ? integerText(static_cast<qint64>(ulp))
                                    : QString::number(static_cast<double>(ulp), 'g', 3);
        }
        pair.rows.push_back(std::move(row));
    }
    return pair;
}

TensorPairModel::TensorPairModel(QObject* parent) : RowModel<ElementRow>(parent) {
    Column index, first, second, difference, ulp;
    index.title = tr("Index");
    index.text = [](const ElementRow& row) { return row.index; };
    first.title = tr("Eager");
    first.number = true;
    first.text = [](const ElementRow& row) { return row.first; };
    second.title = tr("Graph");
    second.number = true;
    second.text = [](const ElementRow& row) { return row.second; };
    difference.title = tr("Difference");
    difference.toolTip = tr("Of the graph's value to the eager one; the bar shows its size");
    difference.number = true;
    difference.text = [](const ElementRow& row) { return row.difference; };
    difference.share = [](const ElementRow& row) { return row.size > 0 ? QVariant(row.relative) : QVariant(); };
    ulp.title = tr("ULP");
    ulp.toolTip = tr("How many numbers of the dtype lie between the two");
    ulp.number = true;
    ulp.text = [](const ElementRow& row) { return row.ulp; };
    setColumns({index, first, second, difference, ulp});
}

}  // namespace fusescope::gui
