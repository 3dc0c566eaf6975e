package io.equipoise.event;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Holds a complete set of causal bounds. Its rows are in the order of their keys, so the index of a
 * row never changes. Immutable.
 *
 * <p>The hash covers all fields of the rows except the hash itself, so name and hash together
 * identify one set.
 */
public record CausalBoundSet(
    String name, long version, String hash, String graphHash, List<CausalBound> rows) {
  /** Maximum rows of one set, which limits the memory of a segment's subtask. */
  public static final int MAX_ROWS = 1 << 17;

  public CausalBoundSet {
    rows = List.copyOf(rows);
  }

  /**
   * Makes a set to publish.
   *
   * @param rows any order; their own name, version, hash and number of rows are overwritten
   * @throws IllegalArgumentException if a row is invalid, two have the same arm and context, or
   *     they are for different graphs
   */
  public static CausalBoundSet of(String name, long number, Collection<CausalBound> rows) {
    if (rows.isEmpty()) {
      throw new IllegalArgumentException("set " + name + " of causal bounds has no rows");
    }
    Map<CausalBoundKey, CausalBound> sorted = new TreeMap<>();
    String unknown = "0".repeat(32);
    for (CausalBound row : rows) {
      String graph = row.set().graphHash();
      CausalBound drafted = row.in(new BoundSetHeader(name, number, unknown, rows.size(), graph));
      String fault = CausalBoundRules.fault(drafted).orElse(null);
      if (fault != null) {
        throw new IllegalArgumentException(
            "arm " + row.arm() + " in " + row.context() + ": " + fault);
      }
      if (sorted.put(CausalBoundKey.of(drafted), drafted) != null) {
        throw new IllegalArgumentException(
            "two causal bounds for arm " + row.arm() + " in " + row.context());
      }
    }
    List<CausalBound> drafts = List.copyOf(sorted.values());
    String graph = drafts.get(0).set().graphHash();
    if (drafts.stream().anyMatch(row -> !row.set().graphHash().equals(graph))) {
      throw new IllegalArgumentException("the bounds of set " + name + " are for different graphs");
    }
    String hash = hash(drafts);
    BoundSetHeader header = new BoundSetHeader(name, number, hash, drafts.size(), graph);
    return ofSorted(drafts.stream().map(row -> row.in(header)).toList());
  }

  /** Assembles rows of one name and hash without checking them. */
  public static CausalBoundSet ofRead(Collection<CausalBound> rows) {
    Map<CausalBoundKey, CausalBound> sorted = new TreeMap<>();
    rows.forEach(row -> sorted.put(CausalBoundKey.of(row), row));
    return ofSorted(List.copyOf(sorted.values()));
  }

  private static CausalBoundSet ofSorted(List<CausalBound> rows) {
    BoundSetHeader set = rows.get(0).set();
    return new CausalBoundSet(set.name(), set.version(), set.hash(), set.graphHash(), rows);
  }

  /** Returns whether the hash matches the rows. */
  public boolean isSound() {
    return rows.size() == rows.get(0).set().rows() && hash.equals(hash(rows));
  }

  /** Returns name, version and the first digits of the hash. */
  @Override
  public String toString() {
    return "causal bounds " + name + " version " + version + " (" + hash.substring(0, 12) + ")";
  }

  /** Returns the hash of rows in the order of their keys. */
  private static String hash(List<CausalBound> rows) {
    StringBuilder text = new StringBuilder("causal bound set 1\n");
    for (CausalBound row : rows) {
      BoundSetHeader set = row.set();
      BoundEvidence evidence = row.evidence();
      append(text, set.name());
      append(text.append(set.version()).append(' ').append(set.rows()).append(' '), row.arm());
      row.context().forEach((variable, level) -> append(append(text, variable), level));
      bits(bits(text.append(evidence.mode()).append(' '), row.lower()), row.upper());
      evidence.covariates().forEach(covariate -> append(text, covariate));
      append(text.append(evidence.nMin()).append(' '), evidence.estimand());
      Double delta = evidence.delta();
      append(delta == null ? text.append("exact ") : bits(text, delta), set.graphHash());
      append(text, String.valueOf(evidence.tableHash())).append(evidence.flags()).append('\n');
    }
    byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
    return Sha256.hex(bytes);
  }

  private static StringBuilder bits(StringBuilder text, double value) {
    return text.append(HexFormat.of().toHexDigits(Double.doubleToRawLongBits(value))).append(' ');
  }

  /** Appends a text after its length, so that different lists of texts never concatenate alike. */
  private static StringBuilder append(StringBuilder to, String text) {
    return to.append(text.length()).append(':').append(text).append(' ');
  }
}
