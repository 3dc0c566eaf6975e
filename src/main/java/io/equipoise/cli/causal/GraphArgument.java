package io.equipoise.cli.causal;

import io.equipoise.causal.BifFormat;
import io.equipoise.causal.CausalGraph;
import io.equipoise.causal.DagittyText;
import io.equipoise.causal.DistributionException;
import io.equipoise.causal.GraphException;
import io.equipoise.causal.KnownDistributions;
import io.equipoise.causal.Variable;
import io.equipoise.event.TextFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The graph argument. */
final class GraphArgument {
  /** More than a spec allows; some answers about a chain take quadratic memory and time. */
  private static final int MAX_NODES = 4096;

  @Parameters(
      paramLabel = "GRAPH",
      description = "A file with a graph in dagitty's syntax or of type .bif, or the text itself.")
  private String graph = "";

  @Option(
      names = "--selection",
      paramLabel = "NODE",
      description = "The selection node, if the graph does not mark it [selected].")
  private @Nullable String selection;

  CausalGraph read() throws IOException {
    if (graph.isBlank()) {
      throw new GraphException("the graph is empty; name a file, or write dag { X -> Y }");
    }
    CausalGraph read = graph.contains("{") ? DagittyText.parse(graph, MAX_NODES) : file();
    return selection == null ? read : read.withSelection(selection);
  }

  /** A network whose file was cut would say that variables without a table have no causes. */
  private static KnownDistributions whole(KnownDistributions network) {
    if (network.variables().isEmpty()) {
      throw new DistributionException("the file declares no variable");
    }
    for (Variable variable : network.variables()) {
      if (network.cpt(variable.name()).isEmpty()) {
        throw new DistributionException(
            "variable \"" + variable.name() + "\" has no probability block; is the file cut?");
      }
    }
    return network;
  }

  private CausalGraph file() throws IOException {
    Path file = Path.of(graph);
    if (graph.contains("->") && !Files.exists(file)) {
      throw new GraphException("'" + graph + "' is no file; write dag { " + graph + " }");
    }
    String text = TextFile.read(file);
    try {
      return graph.toLowerCase(Locale.ROOT).endsWith(".bif")
          ? whole(BifFormat.read(text)).graph()
          : DagittyText.parse(text, MAX_NODES);
    } catch (GraphException | DistributionException e) {
      String fault = String.valueOf(e.getMessage());
      throw new GraphException(graph + (fault.startsWith("line ") ? ", " : ": ") + fault);
    }
  }
}
