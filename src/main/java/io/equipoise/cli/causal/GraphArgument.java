package io.equipoise.cli.causal;

import io.equipoise.causal.BifFormat;
import io.equipoise.causal.CausalGraph;
import io.equipoise.causal.DagittyText;
import io.equipoise.cli.InputFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
    CausalGraph read = graph.contains("{") ? DagittyText.parse(graph, MAX_NODES) : file();
    return selection == null ? read : read.withSelection(selection);
  }

  private CausalGraph file() throws IOException {
    String text = Files.readString(InputFile.regular(Path.of(graph)));
    return graph.endsWith(".bif")
        ? BifFormat.read(text).graph()
        : DagittyText.parse(text, MAX_NODES);
  }
}
