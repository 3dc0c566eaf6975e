package io.equipoise.cli.causal;

import io.equipoise.causal.CausalGraph;
import io.equipoise.causal.Variable;
import io.equipoise.causal.estimand.ContingencyTable;
import io.equipoise.causal.estimand.ObservedValues;
import io.equipoise.cli.InputFile;
import io.equipoise.cli.SimilarNames;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Parses the options with the rows to evaluate a formula on. */
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

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command = CommandSpec.create();

  private final Set<String> said = new HashSet<>();

  boolean isGiven() {
    return table != null;
  }

  /** Returns the table of unselected rows, if given. */
  Optional<ContingencyTable> census(CausalGraph graph) throws IOException {
    return census == null ? Optional.empty() : Optional.of(read(census, graph, false));
  }

  /** Reads rows; names levels that people take for equal. */
  private ContingencyTable read(Path file, CausalGraph graph, boolean isSelected)
      throws IOException {
    ContingencyTable cells = CsvTable.read(file, count, graph, isSelected);
    for (Variable variable : cells.variables()) {
      for (String warning : SimilarNames.warnings(variable.name(), variable.levels())) {
        if (said.add(warning)) {
          command.commandLine().getErr().println(command.qualifiedName() + ": " + warning);
        }
      }
    }
    return cells;
  }

  ObservedValues evidence(CausalGraph graph) throws IOException {
    ObservedValues observedValues = ObservedValues.none();
    if (table != null) {
      boolean isSelected = graph.selection().isPresent();
      ContingencyTable cells = read(table, graph, isSelected);
      observedValues =
          isSelected ? observedValues.withSelected(cells) : observedValues.withUnselected(cells);
    }
    for (ContingencyTable cells : census(graph).map(List::of).orElse(List.of())) {
      observedValues = observedValues.withUnselected(cells);
    }
    return observedValues;
  }
}
