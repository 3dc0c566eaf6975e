package io.equipoise.cli.causal;

import io.equipoise.causal.CausalGraph;
import io.equipoise.cli.GraphText;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Reads the causal graph that the argument of a command names. */
final class GraphArgument {
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
    CausalGraph read = GraphText.read(graph);
    return selection == null ? read : read.withSelection(selection);
  }
}
