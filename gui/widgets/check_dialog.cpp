#include "gui/widgets/check_dialog.hpp"

#include <QDialogButtonBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProcess>
#include <QPushButton>

namespace fusescope::gui {

CheckDialog::CheckDialog(const CheckOptions& options, QWidget* parent) : QDialog(parent), options_(options) {
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName(QStringLiteral("checkDialog"));
    setWindowTitle(tr("Compare Eager and Graph"));
    auto* form = new QFormLayout(this);
    auto* what = new QLabel(
        tr("Runs <b>%1</b> once eagerly and once as graphs, compares all tensors, and looks for the pass that makes a "
           "difference, which takes 8 to 20 further runs.")
            .arg(QFileInfo(options.script).fileName().toHtmlEscaped()));
    what->setWordWrap(true);
    form->addRow(what);
    const auto field = [&](const char* id, const QString& name, const QString& value, const QString& hint) {
        auto* edit = new QLineEdit(value);
        edit->setObjectName(QLatin1String(id));
        edit->setPlaceholderText(hint);
        edit->setAccessibleName(name);
        edit->setMinimumWidth(320);
        form->addRow(name, edit);
        return edit;
    };
    QStringList words;
    for (const QString& word : options.arguments) {
        words << (word.contains(QLatin1Char(' ')) ? QLatin1Char('"') + word + QLatin1Char('"') : word);
    }
    arguments_ = field("arguments", tr("Arguments"), words.join(QLatin1Char(' ')), tr("none"));
    rtol_ = field("rtol", tr("Relative tolerance"), options.rtol, tr("by dtype: Float32 1e-5, Float16 1e-3"));
    atol_ = field("atol", tr("Absolute tolerance"), options.atol, tr("by dtype: Float32 1e-5, Float16 1e-5"));
    passes_ = field("passes", tr("Passes"), options.passes, tr("all; -fuse-elementwise leaves one out"));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    QPushButton* const go = buttons->addButton(tr("Compare"), QDialogButtonBox::AcceptRole);
    form->addRow(buttons);
    go->setDefault(true);  // in the dialog by now: before, it would be so only until it loses the focus
    const auto judge = [this, go] {
        const auto fits = [](const QLineEdit* edit) {
            bool ok = false;
            const double value = edit->text().trimmed().toDouble(&ok);
            return edit->text().trimmed().isEmpty() || (ok && value >= 0);
        };
        go->setEnabled(fits(rtol_) && fits(atol_));
    };
    connect(rtol_, &QLineEdit::textChanged, this, judge);
    connect(atol_, &QLineEdit::textChanged, this, judge);
    connect(buttons, &QDialogButtonBox::accepted, this, [this] {
        options_.arguments = QProcess::splitCommand(arguments_->text());
        options_.rtol = rtol_->text().trimmed();
        options_.atol = atol_->text().trimmed();
        options_.passes = passes_->text().trimmed();
        accept();
    });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    go->setFocus();
}

}  // namespace fusescope::gui
