package io.equipoise.cli.report;

import io.equipoise.cli.OutputFile;
import io.equipoise.cli.TextTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Builds one HTML page of text, tables and figures, without scripts and without other files. */
public final class HtmlPage {
  private final StringBuilder body = new StringBuilder();
  private final String title;
  private int figures;

  public HtmlPage(String title) {
    this.title = title;
    body.append("<h1>").append(escaped(title)).append("</h1>\n");
  }

  /** Adds a heading. */
  public HtmlPage heading(String text) {
    body.append("<h2>").append(escaped(text)).append("</h2>\n");
    return this;
  }

  /** Adds a paragraph. */
  public HtmlPage paragraph(String text) {
    body.append("<p>").append(escaped(text)).append("</p>\n");
    return this;
  }

  /** Adds a table; its first row is the heading. */
  public HtmlPage table(TextTable table) {
    body.append("<table>\n");
    String tag = "th";
    for (List<String> row : table.rows()) {
      body.append("<tr>");
      for (String cell : row) {
        body.append('<').append(tag).append('>').append(escaped(cell));
        body.append("</").append(tag).append('>');
      }
      body.append("</tr>\n");
      tag = "td";
    }
    body.append("</table>\n");
    return this;
  }

  /** Adds a drawing. */
  public HtmlPage figure(Figure figure) throws IOException {
    body.append("<figure>\n").append(figure.svg(String.valueOf(++figures))).append("</figure>\n");
    return this;
  }

  /** Adds a drawing that is already SVG. */
  public HtmlPage drawing(String svg) {
    body.append("<figure>\n").append(svg).append("</figure>\n");
    return this;
  }

  public void write(Path file) throws IOException {
    OutputFile.write(file, out -> out.write(text()));
  }

  public String text() {
    return """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <title>%s</title>
        <style>
        body {font-family: sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em}
        table {border-collapse: collapse; margin: 1em 0}
        th, td {padding: 0.2em 0.8em; text-align: right; border-bottom: 1px solid #ccc}
        th:first-child, td:first-child {text-align: left}
        svg {max-width: 100%%; height: auto}
        td, th {overflow-wrap: anywhere}
        @media print {body {max-width: none; margin: 0} h2 {break-after: avoid} tr, figure {break-inside: avoid}}
        </style>
        </head>
        <body>
        %s</body>
        </html>
        """
        .formatted(escaped(title), body);
  }

  /** Returns a text for the content of an element. */
  public static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
