package io.equipoise.offline.bounds;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.equipoise.causal.DistributionException;
import io.equipoise.cli.OutputFile;
import io.equipoise.event.CausalBound;
import io.equipoise.event.CausalBoundRules;
import io.equipoise.event.CausalBoundSet;
import io.equipoise.event.TextFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** Reads and writes a set of causal bounds as one JSON object per line. */
public final class BoundsFile {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String REMEDY = "write the file with equipoise bounds --out FILE";

  private BoundsFile() {}

  /**
   * Reads a set that {@link #write} wrote.
   *
   * @throws DistributionException if a line is no row, or the lines are no complete set
   */
  public static CausalBoundSet read(Path file) throws IOException {
    List<CausalBound> rows = new ArrayList<>();
    for (String line : TextFile.read(file).lines().toList()) {
      rows.add(row(line, file + ", line " + (rows.size() + 1)));
    }
    CausalBoundSet set = rows.isEmpty() ? null : CausalBoundSet.ofRead(rows);
    if (set == null || !set.isSound() || set.rows().size() < rows.size()) {
      throw new DistributionException(file + " is not one complete set of bounds; " + REMEDY);
    }
    return set;
  }

  private static CausalBound row(String line, String place) {
    String fault = place + " is no row of causal bounds; " + REMEDY;
    CausalBound row;
    try {
      row = JSON.readValue(line, CausalBound.class);
    } catch (JsonProcessingException e) {
      throw new DistributionException(fault, e);
    }
    boolean isWhole =
        row != null
            && Stream.of(row.set(), row.arm(), row.evidence()).allMatch(Objects::nonNull)
            && Stream.of(row.set().name(), row.set().hash(), row.set().graphHash())
                .allMatch(Objects::nonNull)
            && Stream.of(row.evidence().mode(), row.evidence().estimand())
                .allMatch(Objects::nonNull);
    if (!isWhole || CausalBoundRules.fault(row).isPresent()) {
      throw new DistributionException(fault);
    }
    return row;
  }

  /** Writes one JSON object per line. */
  public static void write(CausalBoundSet set, Path file) throws IOException {
    OutputFile.write(
        file,
        out -> {
          for (CausalBound row : set.rows()) {
            out.write(JSON.writeValueAsString(row));
            out.write('\n');
          }
        });
  }
}
