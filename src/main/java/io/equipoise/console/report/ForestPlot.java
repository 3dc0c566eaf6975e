package io.equipoise.console.report;

import static io.equipoise.cli.report.HtmlPage.escaped;

import io.equipoise.console.document.Wording;
import io.equipoise.event.AuditedEffect;
import io.equipoise.event.FairnessAudit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Draws the latest effect of each arm with its interval, and the limit as a band, as SVG. */
final class ForestPlot {
  private static final int WIDTH = 720;
  private static final int LABELS = 300;
  private static final int LINE = 22;
  private static final int TOP = 24;
  private static final int MOST_LABEL = 44;
  private static final double MOST_REACH = 4;

  private final double limit;
  private final List<Line> lines = new ArrayList<>();

  private record Line(String arm, double estimate, double lower, double upper) {}

  ForestPlot(double limit) {
    this.limit = limit;
  }

  void add(FairnessAudit audit) {
    AuditedEffect effect = audit.effect();
    if (effect.estimate() != null && effect.lower() != null && effect.upper() != null) {
      lines.add(new Line(audit.arm(), effect.estimate(), effect.lower(), effect.upper()));
    }
  }

  boolean isEmpty() {
    return lines.isEmpty();
  }

  String svg() {
    double reach = 1.5 * limit;
    for (Line line : lines) {
      reach = Math.max(reach, 1.05 * Math.max(Math.abs(line.lower()), Math.abs(line.upper())));
    }
    reach = limit > 0 ? Math.min(reach, MOST_REACH * limit) : Math.max(reach, 1e-9);
    int height = TOP + LINE * lines.size() + LINE;
    StringBuilder svg = new StringBuilder();
    append(
        svg,
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' width='%d' role='img'"
            + " font-family='sans-serif' font-size='12'><title>Effects by arm</title>",
        WIDTH,
        height,
        WIDTH);
    append(
        svg,
        "<rect x='%.1f' y='%d' width='%.1f' height='%d' fill='#dcecdc'/>",
        x(-limit, reach),
        TOP,
        x(limit, reach) - x(-limit, reach),
        LINE * lines.size());
    append(
        svg,
        "<text x='%.1f' y='%d' text-anchor='middle'>within the limit</text>",
        x(0, reach),
        TOP - 8);
    append(
        svg,
        "<line x1='%.1f' x2='%.1f' y1='%d' y2='%d' stroke='#888'/>",
        x(0, reach),
        x(0, reach),
        TOP,
        TOP + LINE * lines.size());
    for (int place = 0; place < lines.size(); place++) {
      draw(svg, lines.get(place), TOP + LINE * place + LINE / 2, reach);
    }
    for (double tick : new double[] {-limit, 0, limit}) {
      append(
          svg,
          "<text x='%.1f' y='%d' text-anchor='middle'>%s</text>",
          x(tick, reach),
          height - 6,
          Wording.number(tick));
    }
    return svg.append("</svg>\n").toString();
  }

  private static void draw(StringBuilder svg, Line line, int y, double reach) {
    String label =
        line.arm().length() > MOST_LABEL
            ? line.arm().substring(0, MOST_LABEL - 1) + "…"
            : line.arm();
    append(svg, "<text x='0' y='%d'>%s</text>", y + 4, escaped(label));
    append(
        svg,
        "<line x1='%.1f' x2='%.1f' y1='%d' y2='%d' stroke='#234' stroke-width='2'/>",
        x(line.lower(), reach),
        x(line.upper(), reach),
        y,
        y);
    append(svg, "<circle cx='%.1f' cy='%d' r='4' fill='#234'/>\n", x(line.estimate(), reach), y);
  }

  /** Ends beyond the reach are drawn at the edge. */
  private static double x(double value, double reach) {
    double share = (Math.max(-reach, Math.min(reach, value)) + reach) / (2 * reach);
    return LABELS + share * (WIDTH - LABELS - 10);
  }

  private static void append(StringBuilder svg, String form, Object... values) {
    svg.append(String.format(Locale.ROOT, form, values));
  }
}
