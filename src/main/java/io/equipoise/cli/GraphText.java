package io.equipoise.cli;

import io.equipoise.causal.BifFormat;
import io.equipoise.causal.CausalGraph;
import io.equipoise.causal.DagittyText;
import io.equipoise.causal.DistributionException;
import io.equipoise.causal.GraphException;
import io.equipoise.event.TextFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Pattern;

/** Reads a graph of the command line: a file, or the text itself. */
public final class GraphText {
  /** More than a spec allows; some answers about a chain take quadratic memory and time. */
  private static final int MAX_NODES = 4096;

  /** The word before a brace that is missing, and the brace that closes it. */
  private static final Pattern WITHOUT_OPENING = Pattern.compile("(?i)^\\s*dag\\s|}");

  private GraphText() {}

  /**
   * Returns the graph of a file in dagitty's syntax or of type .bif, or of a text.
   *
   * @throws GraphException if it is none
   */
  public static CausalGraph read(String graph) throws IOException {
    if (graph.isBlank()) {
      throw new GraphException("the graph is empty; name a file, or write dag { X -> Y }");
    }
    return graph.contains("{") ? DagittyText.parse(graph, MAX_NODES) : file(graph);
  }

  private static CausalGraph file(String graph) throws IOException {
    Path file = Path.of(graph);
    if (graph.contains("->") && !Files.exists(file)) {
      String edges = WITHOUT_OPENING.matcher(graph).replaceAll("").strip();
      throw new GraphException("'" + graph + "' is no file; write dag { " + edges + " }");
    }
    String text = TextFile.read(file);
    try {
      return graph.toLowerCase(Locale.ROOT).endsWith(".bif")
          ? BifFormat.readWhole(text, name -> false).graph()
          : DagittyText.parse(text, MAX_NODES);
    } catch (GraphException | DistributionException e) {
      String fault = String.valueOf(e.getMessage());
      throw new GraphException(graph + (fault.startsWith("line ") ? ", " : ": ") + fault);
    }
  }
}
