package io.equipoise.cli.causal;

import io.equipoise.causal.CausalGraph;
import io.equipoise.causal.estimand.ContingencyTable;
import io.equipoise.causal.estimand.ObservedValues;
import io.equipoise.cli.InputFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options with the rows to evaluate a formula on. */
final class DataOptions {
  @Option(
      names = "--table",
      paramLabel = "CSV",
      converter = InputFile.class,
      description =
          "Rows with a heading of variables; selected rows if the graph has a selection node.")
  private @Nullable Path table;

  @Option(
      names = "--census",
      paramLabel = "CSV",
      converter = InputFile.class,
      description = "Rows of the whole population, over any part of the variables.")
  private @Nullable Path census;

  @Option(
      names = "--count",
      paramLabel = "COLUMN",
      description = "The column with the number of rows that a row represents.")
  private @Nullable String count;

  boolean isGiven() {
    return table != null;
  }

  /** Returns the table of unselected rows, if given. */
  Optional<ContingencyTable> census(CausalGraph graph) throws IOException {
    return census == null
        ? Optional.empty()
        : Optional.of(CsvTable.read(census, count, graph, false));
  }

  ObservedValues evidence(CausalGraph graph) throws IOException {
    ObservedValues observedValues = ObservedValues.none();
    if (table != null) {
      boolean isSelected = graph.selection().isPresent();
      ContingencyTable cells = CsvTable.read(table, count, graph, isSelected);
      observedValues =
          isSelected ? observedValues.withSelected(cells) : observedValues.withUnselected(cells);
    }
    for (ContingencyTable cells : census(graph).map(List::of).orElse(List.of())) {
      observedValues = observedValues.withUnselected(cells);
    }
    return observedValues;
  }
}
