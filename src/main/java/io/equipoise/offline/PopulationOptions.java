package io.equipoise.offline;

import io.equipoise.causal.DistributionException;
import io.equipoise.cli.CsvFile;
import io.equipoise.cli.InputFile;
import io.equipoise.offline.count.LogFile;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecVariable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Selects a source of unselected rows with some of the variables: a census, or a randomized arm.
 */
final class PopulationOptions {
  @Option(
      names = "--census",
      paramLabel = "FILE",
      converter = InputFile.class,
      description =
          "CSV of unselected people with their known variables. It gives a selected log the true"
              + " distribution of these.")
  private @Nullable Path file;

  @Option(
      names = "--census-weight",
      paramLabel = "COLUMN",
      description = "Its column with the number of people that a row represents.")
  private @Nullable String weight;

  /** Returns the error in the options, or null. */
  @Nullable String fault() {
    if (file == null && weight != null) {
      return "--census-weight requires --census";
    }
    return file != null && LogFile.isAvro(file) ? "--census must be a CSV file" : null;
  }

  @Nullable String weight() {
    return weight;
  }

  @Nullable LogFile log() {
    return file == null ? null : new LogFile.Files(List.of(file));
  }

  /**
   * Returns the variables of a spec that the census measures, in the spec's order.
   *
   * @throws DistributionException if there is a census without any variable of the spec
   */
  List<String> measured(SegmentSpec spec) throws IOException {
    if (file == null) {
      return List.of();
    }
    List<String> heading = CsvFile.heading(file);
    List<String> measured =
        spec.variables().all().stream()
            .map(SpecVariable::name)
            .filter(name -> heading.contains(name) && spec.graph().contains(name))
            .toList();
    if (measured.isEmpty()) {
      throw new DistributionException(
          file + ", line 1: the census must have a variable of the spec, and has only " + heading);
    }
    return measured;
  }
}
