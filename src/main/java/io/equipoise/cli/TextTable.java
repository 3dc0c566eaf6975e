package io.equipoise.cli;

import io.equipoise.event.ControlCharacters;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Formats rows of text in columns: the first left-aligned, the others right-aligned. */
public final class TextTable {
  private static final String GAP = "  ";

  private final List<List<String>> rows = new ArrayList<>();

  public TextTable(String... heading) {
    rows.add(List.of(heading));
  }

  /** Adds a row; it must have as many cells as the heading. */
  public void row(String... cells) {
    if (cells.length != rows.get(0).size()) {
      throw new IllegalArgumentException(
          cells.length + " cells in a table of " + rows.get(0).size() + " columns");
    }
    rows.add(Stream.of(cells).map(ControlCharacters::escaped).toList());
  }

  /** Returns the heading and the rows. */
  public List<List<String>> rows() {
    return List.copyOf(rows);
  }

  /** Returns the lines without trailing blanks. */
  public List<String> lines() {
    int[] widths = new int[rows.get(0).size()];
    for (List<String> row : rows) {
      for (int column = 0; column < widths.length; column++) {
        widths[column] = Math.max(widths[column], row.get(column).length());
      }
    }
    return rows.stream().map(row -> line(row, widths)).toList();
  }

  private static String line(List<String> row, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int column = 0; column < widths.length; column++) {
      String cell = row.get(column);
      String blanks = " ".repeat(widths[column] - cell.length());
      line.append(column == 0 ? "" : GAP).append(column == 0 ? cell + blanks : blanks + cell);
    }
    return line.toString().stripTrailing();
  }
}
