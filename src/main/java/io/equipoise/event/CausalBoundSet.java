package io.equipoise.event;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A complete set of causal bounds. Its rows are in the order of their keys, so the index of a row
 * never changes. Immutable.
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
      CausalBound drafted = row.in(name, number, unknown, rows.size());
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
    String graph = drafts.get(0).graphHash();
    if (drafts.stream().anyMatch(row -> !row.graphHash().equals(graph))) {
      throw new IllegalArgumentException("the bounds of set " + name + " are for different graphs");
    }
    String hash = hash(drafts);
    List<CausalBound> stamped = new ArrayList<>(drafts.size());
    drafts.forEach(row -> stamped.add(row.in(name, number, hash, drafts.size())));
    return new CausalBoundSet(name, number, hash, graph, stamped);
  }

  /** Assembles rows of one name and hash without checking them. */
  public static CausalBoundSet ofRead(Collection<CausalBound> rows) {
    Map<CausalBoundKey, CausalBound> sorted = new TreeMap<>();
    rows.forEach(row -> sorted.put(CausalBoundKey.of(row), row));
    CausalBound any = sorted.values().iterator().next();
    return new CausalBoundSet(
        any.name(), any.version(), any.hash(), any.graphHash(), List.copyOf(sorted.values()));
  }

  /** Returns whether the hash matches the rows. */
  public boolean isSound() {
    return rows.size() == rows.get(0).rows() && hash.equals(hash(rows));
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
      append(text, row.name());
      append(text.append(row.version()).append(' ').append(row.rows()).append(' '), row.arm());
      row.context().forEach((variable, level) -> append(append(text, variable), level));
      bits(bits(text.append(row.mode()).append(' '), row.lower()), row.upper());
      row.covariates().forEach(covariate -> append(text, covariate));
      append(text.append(row.nMin()).append(' '), row.estimand());
      Double delta = row.delta();
      append(delta == null ? text.append("exact ") : bits(text, delta), row.graphHash());
      append(text, String.valueOf(row.tableHash())).append(row.flags()).append('\n');
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
