package io.equipoise.policy;

import io.equipoise.event.AuditEffectKind;
import io.equipoise.segmentspec.SegmentSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Collects what the verb {@code check} shows of one spec: lines for people, fields of JSON,
 * warnings.
 */
public final class CheckFindings {
  private final long rounds;
  private final List<String> lines = new ArrayList<>();
  private final Map<String, Object> json = new LinkedHashMap<>();
  private final List<String> warnings = new ArrayList<>();

  /**
   * Starts without findings.
   *
   * @param rounds decisions that statements about regret are made for
   */
  public CheckFindings(long rounds) {
    this.rounds = rounds;
  }

  /** Returns the decisions that statements about regret are made for. */
  public long rounds() {
    return rounds;
  }

  /** Adds a line, formatted as {@link String#format} does without a locale. */
  public void line(String format, @Nullable Object... values) {
    lines.add(String.format(Locale.ROOT, format, values));
  }

  /** Sets a field of the JSON. */
  public void put(String field, @Nullable Object value) {
    json.put(field, value);
  }

  /**
   * Adds the limits of the kinds of effects of an attribute.
   *
   * @param paths what to add to the limit of a kind; null if its effect is 0 by the graph
   */
  public void kinds(
      SegmentSpec spec, String attribute, Function<AuditEffectKind, @Nullable String> paths) {
    spec.fairness()
        .kinds()
        .forEach(
            (kind, limit) -> {
              String more = paths.apply(kind);
              String text = more == null ? "0 by the graph" : "at most " + limit + more;
              line("    %s: %s", kind.name().toLowerCase(Locale.ROOT), text);
              put("kinds." + attribute + "." + kind, more == null ? null : limit);
            });
  }

  /** Adds what an operator should know before the spec decides for people. */
  public void warn(String warning) {
    warnings.add(warning);
  }

  /** Returns the lines, in the order in which they were added. */
  public List<String> lines() {
    return lines;
  }

  /** Returns the fields of the JSON, in the order in which they were set. */
  public Map<String, Object> json() {
    return json;
  }

  /** Returns the warnings, in the order in which they were added. */
  public List<String> warnings() {
    return warnings;
  }
}
