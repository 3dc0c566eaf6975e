package io.equipoise.tools.simulate;

import io.equipoise.causal.DistributionException;
import io.equipoise.cli.SpecTable;
import io.equipoise.segmentspec.ContextEncoder;
import io.equipoise.segmentspec.Encoded;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecVariable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Reads people from a CSV file with a heading of variables. An empty cell is a value that the
 * person does not disclose.
 *
 * @param place the file, for messages
 * @param rows the disclosed values of each person by variable, numbers as {@code Double}
 */
public record PeopleFile(String place, List<Map<String, Object>> rows) {
  public PeopleFile {
    rows = List.copyOf(rows);
  }

  /**
   * Reads the columns of a spec's features; ignores other columns.
   *
   * @throws WorldException if a column is missing, a row is invalid under the spec, or there is no
   *     row
   */
  public static PeopleFile read(Path file, SegmentSpec spec) throws IOException {
    List<SpecVariable> features = spec.variables().features();
    ContextEncoder encoder = new ContextEncoder(spec);
    List<Map<String, Object>> rows = new ArrayList<>();
    List<String> names = features.stream().map(SpecVariable::name).toList();
    try (SpecTable table = SpecTable.open(file, names)) {
      while (table.next()) {
        Map<String, Object> row = table.attributes(features);
        Encoded encoded = encoder.encode(row);
        if (!encoded.isValid()) {
          throw new WorldException(table.fault(encoded.faults().get(0)));
        }
        rows.add(row);
      }
    } catch (DistributionException e) {
      throw new WorldException(String.valueOf(e.getMessage()), e);
    }
    if (rows.isEmpty()) {
      throw new WorldException(file + ": has no row; add at least one person");
    }
    return new PeopleFile(file.toString(), rows);
  }
}
