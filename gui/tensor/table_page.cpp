#include "gui/tensor/table_page.hpp"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QFontDatabase>
#include <QHeaderView>
#include <QLabel>
#include <QShortcut>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/app/theme.hpp"
#include "gui/tensor/element_model.hpp"
#include "gui/tensor/slice_bar.hpp"
#include "profiler/tensors/element_text.hpp"

namespace fusescope::gui {

namespace {

constexpr qint64 kWrap = 10;  // a vector's elements in a row: the index can be read off
constexpr int kMostCopied = 100000;

}  // namespace

TablePage::TablePage(Jobs& jobs)
    : TensorPage(jobs),
      bar_(new SliceBar(kWrap)),
      format_(new QComboBox),
      table_(new QTableView),
      model_(new ElementModel(this)),
      bits_(new QLabel) {
    auto* column = new QVBoxLayout(&body());
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(bar_);
    column->addWidget(table_, 1);
    column->addWidget(bits_);
    format_->addItems({tr("values"), tr("hexadecimal"), tr("binary")});
    format_->setObjectName(QStringLiteral("elementFormat"));
    format_->setAccessibleName(tr("How elements are written"));
    bar_->addWidget(format_);
    table_->setObjectName(QStringLiteral("elementTable"));
    table_->setAccessibleName(tr("Elements"));
    table_->setModel(model_);
    table_->setFrameShape(QFrame::NoFrame);
    table_->setWordWrap(false);
    table_->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    table_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table_->verticalHeader()->setDefaultSectionSize(table_->fontMetrics().height() + 4);
    table_->horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    bits_->setObjectName(QStringLiteral("elementBits"));
    bits_->setTextFormat(Qt::RichText);
    bits_->setWordWrap(true);
    bits_->setMargin(6);
    bits_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    connect(bar_, &SliceBar::changed, this, &TablePage::showSlice);
    connect(format_, &QComboBox::currentIndexChanged, this, [this](int format) {
        model_->setFormat(static_cast<ElementModel::Format>(format));
        fitColumns();
        elementChanged();
    });
    connect(table_->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& at) {
        const qint64 flat = model_->elementAt(at);
        if (!quiet_ && flat >= 0) {
            element_ = flat;
            describe();
            emit elementChosen(flat);
        }
    });
    auto* copy = new QShortcut(QKeySequence::Copy, table_);
    copy->setContext(Qt::WidgetShortcut);
    connect(copy, &QShortcut::activated, this, &TablePage::copy);
}

void TablePage::refresh() {
    bar_->setShape(array_.shape);
    showSlice();
}

void TablePage::showSlice() {
    model_->setSlice(array_, bar_->slice());
    fitColumns();
    describe();
}

void TablePage::fitColumns() {
    // The first rows tell how wide elements are; looking at all would take as long as there are many.
    const QFontMetrics metrics(table_->font());
    int width = metrics.horizontalAdvance(QStringLiteral("00000"));
    const int rows = std::min(model_->rowCount(), 40), columns = std::min(model_->columnCount(), 20);
    for (int row = 0; row < rows; ++row) {
        for (int column = 0; column < columns; ++column) {
            width = std::max(width, metrics.horizontalAdvance(model_->index(row, column).data().toString()));
        }
    }
    table_->horizontalHeader()->setDefaultSectionSize(width + 16);
}

void TablePage::elementChanged() {
    if (element_ >= 0) {
        if (bar_->showElement(element_)) {
            model_->setSlice(array_, bar_->slice());
        }
        quiet_ = true;
        const QModelIndex at = model_->reveal(element_);
        if (at.isValid() && at != table_->currentIndex()) {
            table_->setCurrentIndex(at);
            table_->scrollTo(at);
        }
        quiet_ = false;
    }
    describe();
}

void TablePage::changeEvent(QEvent* event) {
    TensorPage::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && array_) {
        describe();
    }
}

void TablePage::describe() {
    const Theme& t = theme();
    if (element_ < 0 || element_ >= array_.count()) {
        bits_->setText(QStringLiteral("<span style='color:%1'>%2</span>")
                           .arg(t.mutedText.name(), tr("Choose an element to see its bits.").toHtmlEscaped()));
        return;
    }
    const auto text = [](const std::string& s) { return QString::fromStdString(s).toHtmlEscaped(); };
    const tensors::BitFields f = tensors::fields_of(array_, element_);
    QString exact = text(tensors::exact_text_of(array_, element_));
    constexpr int kLongest = 120;
    if (exact.size() > kLongest) {
        exact = exact.left(kLongest) + QStringLiteral("…");
    }
    QString html =
        QStringLiteral("<b>%1</b> &nbsp; %2 &nbsp; <span style='color:%3'>%4</span><br>")
            .arg(indexText(element_, array_.shape), exact, t.mutedText.name(), text(tensors::hex_of(array_, element_)));
    const auto bits = [](const QString& digits, const QColor& color, const QString& name) {
        return QStringLiteral("<span style='color:%1'><tt>%2</tt></span> <small style='color:%3'>%4</small> &nbsp; ")
            .arg(color.name(), digits, theme().mutedText.name(), name.toHtmlEscaped());
    };
    if (!f.rest.empty()) {
        html += bits(text(f.rest), t.device, tr("bits"));
    } else {
        html += bits(text(f.sign), t.error, tr("sign")) +
                bits(text(f.exponent), t.accent,
                     f.special ? tr("exponent (NaN or Inf)") : tr("exponent: 2 to the %1").arg(f.power)) +
                bits(text(f.fraction), t.device, f.subnormal ? tr("fraction, subnormal") : tr("fraction"));
    }
    bits_->setText(html);
}

void TablePage::copy() const {
    const auto selected = table_->selectionModel()->selection();
    if (selected.isEmpty()) {
        return;
    }
    const QItemSelectionRange range = selected.first();
    QStringList lines;
    int cells = 0;
    for (int row = range.top(); row <= range.bottom() && cells < kMostCopied; ++row) {
        QStringList line;
        for (int column = range.left(); column <= range.right(); ++column, ++cells) {
            line << model_->index(row, column).data().toString();
        }
        lines << line.join('\t');
    }
    QApplication::clipboard()->setText(lines.join('\n'));
}

}  // namespace fusescope::gui
