package io.equipoise.event;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A whole set of causal bounds, its rows in the order of their keys: a row's place in it never
 * changes. Immutable.
 *
 * <p>The hash is over all that the rows say but the hash itself, so name and hash together stand
 * for exactly one set.
 */
public record CausalBoundSet(
    String name, long version, String hash, String graphHash, List<CausalBound> rows) {
  /** Bounds what a segment's subtask holds of one set. */
  public static final int MAX_ROWS = 1 << 17;

  public CausalBoundSet {
    rows = List.copyOf(rows);
  }

  /**
   * Makes a set to be published.
   *
   * @param rows any order; their own name, number, hash and number of rows are overwritten
   * @throws IllegalArgumentException if a row cannot be, two speak of the same arm and context, or
   *     they are of different graphs
   */
  public static CausalBoundSet of(String name, long number, Collection<CausalBound> rows) {
    if (rows.isEmpty()) {
      throw new IllegalArgumentException("set " + name + " of causal bounds has no row");
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
            "two causal bounds of arm " + row.arm() + " in " + row.context());
      }
    }
    List<CausalBound> drafts = List.copyOf(sorted.values());
    String graph = drafts.get(0).graphHash();
    if (drafts.stream().anyMatch(row -> !row.graphHash().equals(graph))) {
      throw new IllegalArgumentException("the bounds of set " + name + " are of different graphs");
    }
    String hash = hash(drafts);
    List<CausalBound> stamped = new ArrayList<>(drafts.size());
    drafts.forEach(row -> stamped.add(row.in(name, number, hash, drafts.size())));
    return new CausalBoundSet(name, number, hash, graph, stamped);
  }

  /** Puts rows of one name and hash together as they are; whether they are sound is not asked. */
  public static CausalBoundSet ofRead(Collection<CausalBound> rows) {
    Map<CausalBoundKey, CausalBound> sorted = new TreeMap<>();
    rows.forEach(row -> sorted.put(CausalBoundKey.of(row), row));
    CausalBound any = sorted.values().iterator().next();
    return new CausalBoundSet(
        any.name(), any.version(), any.hash(), any.graphHash(), List.copyOf(sorted.values()));
  }

  /** Says whether the rows are those that the hash stands for. */
  public boolean isSound() {
    return rows.size() == rows.get(0).rows() && hash.equals(hash(rows));
  }

  /** Returns name, number and the first digits of the hash. */
  @Override
  public String toString() {
    return "causal bounds " + name + " number " + version + " (" + hash.substring(0, 12) + ")";
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

  /** Writes a text with its length, so that no two lists of texts read the same. */
  private static StringBuilder append(StringBuilder to, String text) {
    return to.append(text.length()).append(':').append(text).append(' ');
  }
}
