// The picture of a graph, as files and for the clipboard.
#pragma once

#include <QImage>
#include <QString>

namespace fusescope::gui {

class GraphScene;

enum class GraphFormat { Svg, Png, Pdf, Dot };

/// What is drawn at the moment, whole, on the theme's background; larger than life by `scale`, but never more than some
/// 60 million pixels.
QImage graphImage(GraphScene& scene, double scale = 2);

/// The boxes and edges that are drawn, as a Graphviz text with a cluster for each frame.
QString graphDot(const GraphScene& scene);

/// Writes a file; an empty string, or why it failed.
QString exportGraph(GraphScene& scene, const QString& path, GraphFormat format);

/// By the ending of the file's name; PNG when that says nothing.
GraphFormat formatOf(const QString& path);

}  // namespace fusescope::gui
