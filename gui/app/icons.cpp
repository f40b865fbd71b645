// SVG icons recoloured for the theme, so that one set of files serves light and dark.
#include "gui/app/icons.hpp"

#include <QFile>
#include <QPainter>
#include <QPixmap>
#include <QSvgRenderer>

#include "gui/app/theme.hpp"

// Resources of a static library are dropped by the linker unless somebody asks for them; the macro wants no namespace.
static void keepIcons() { Q_INIT_RESOURCE(icons); }

namespace fusescope::gui {

QIcon icon(const QString& name) {
    keepIcons();
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    if (!file.open(QIODevice::ReadOnly)) {
        return {};
    }
    const QByteArray svg = file.readAll();
    QIcon result;
    for (const auto& [mode, color] :
         {std::pair(QIcon::Normal, theme().text), std::pair(QIcon::Disabled, theme().mutedText)}) {
        QByteArray colored = svg;
        colored.replace("currentColor", color.name().toUtf8());
        QSvgRenderer renderer(colored);
        for (const int size : {16, 24, 32, 48}) {
            QPixmap pixmap(size, size);
            pixmap.fill(Qt::transparent);
            QPainter painter(&pixmap);
            renderer.render(&painter);
            result.addPixmap(pixmap, mode);
        }
    }
    return result;
}

}  // namespace fusescope::gui
