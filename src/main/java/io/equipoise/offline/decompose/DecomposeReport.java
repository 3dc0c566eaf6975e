package io.equipoise.offline.decompose;

import io.equipoise.causal.CausalGraph;
import io.equipoise.causal.effect.GapParts;
import io.equipoise.causal.effect.GapParts.Level;
import io.equipoise.event.Counted;
import io.equipoise.event.Decimal;
import io.equipoise.event.GapPartKind;
import io.equipoise.offline.decompose.Decomposition.Cell;
import io.equipoise.offline.decompose.Decomposition.Moments;
import io.equipoise.offline.decompose.Decomposition.Part;
import io.equipoise.offline.decompose.Decomposition.Scale;
import io.equipoise.offline.decompose.Decomposition.Standardized;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Compares the groups for the verb {@code decompose}, and prints the result as text and JSON.
 *
 * <p>State: {@link #compare} adds lines and comparisons, and sets which groups are too small and
 * the measures if there is one comparison; printing them is valid after it.
 */
final class DecomposeReport {
  /** A smaller group is not compared. */
  private static final double LEAST_ROWS = 10;

  /** Below it the effective number of people is printed. */
  private static final double FEW = 100;

  /** A greater share of rows that are left out has a warning. */
  private static final double MOST_LEFT_OUT = .05;

  /** A smaller share would be printed as 0. */
  private static final double LEAST_SHARE = 5e-4;

  private static final int MOST_LISTED = 10;

  /** Numbers of a smaller range are printed with a power of ten. */
  private static final double SMALL_RANGE = .01;

  /** Half of the last digit that is printed. */
  private static final double ROUNDED = 5e-5;

  private final String outcome;
  private final String attribute;
  private final List<Level> levels;
  private final Scale scale;
  private final PeopleTable table;
  private final boolean isChecked;
  private final String direct;
  private final BitSet denied; // parts that the graph says are 0
  private final List<String> notes;
  final List<String> lines = new ArrayList<>();
  private final List<Object> comparisons = new ArrayList<>();
  private Map<String, Double> measures = Map.of();
  private final Map<String, Double> notCompared = new LinkedHashMap<>();
  private boolean isTooThin;

  /**
   * Prepares a report.
   *
   * @param positive the value of the outcome that counts 1, null if it is a number
   * @param graph that identifies the parts, null without one
   * @param notes sentences about the rows
   */
  DecomposeReport(
      String outcome,
      @Nullable String positive,
      String attribute,
      List<Level> levels,
      Scale scale,
      PeopleTable table,
      @Nullable CausalGraph graph,
      List<String> notes) {
    this.outcome = outcome + (positive == null ? "" : " " + positive);
    this.attribute = attribute;
    this.levels = levels;
    this.scale = scale;
    this.table = table;
    this.notes = notes;
    isChecked = graph != null;
    List<String> unmatched =
        graph == null ? List.of() : GapParts.unmatched(graph, attribute, outcome, levels);
    denied = graph == null ? new BitSet() : GapParts.denied(graph, attribute, outcome, levels);
    direct = attribute + (unmatched.isEmpty() ? "" : ", and " + String.join(" and ", unmatched));
    if (!unmatched.isEmpty()) {
      notes.add(
          "The direct part includes what %s changes by way of unmatched variables: %s."
              .formatted(attribute, String.join(", ", unmatched)));
    }
  }

  /** Compares all groups with the reference in both directions; returns why it cannot. */
  @Nullable String compare(@Nullable String given, boolean isAll) {
    Map<String, Double> groups = table.groups();
    if (groups.isEmpty()) {
      return "no row has values of all of %s and %s; %s"
          .formatted(String.join(", ", table.names()), outcome, table.leftOutInWords());
    }
    String largest = Collections.max(groups.entrySet(), Map.Entry.comparingByValue()).getKey();
    String reference = given == null ? largest : given;
    double rows = groups.getOrDefault(reference, 0.0);
    if (rows < LEAST_ROWS) {
      return "%s of %s = \"%s\"; the reference needs at least %.0f; levels are %s"
          .formatted(
              Counted.of((long) rows, "rows"), attribute, reference, LEAST_ROWS, listed(groups));
    }
    if (isAll && groups.size() != 2) {
      return "--all compares two levels, but %s has %d: %s; leave out --all or the other rows"
          .formatted(attribute, groups.size(), listed(groups));
    }
    for (Map.Entry<String, Double> other : groups.entrySet()) {
      if (other.getValue() < LEAST_ROWS) {
        notCompared.put(other.getKey(), other.getValue());
      } else if (!other.getKey().equals(reference)) {
        compare(reference, other.getKey());
        compare(other.getKey(), reference);
        if (isAll) {
          measure(table.cells(reference, other.getKey()));
        }
      }
    }
    if (comparisons.isEmpty()) {
      return "no other level of %s has %.0f rows; join small levels, or read more rows; levels are %s%s"
          .formatted(
              attribute,
              LEAST_ROWS,
              listed(groups),
              table.leftOut() == 0 ? "" : "; " + table.leftOutInWords());
    }
    if (!notCompared.isEmpty()) {
      lines.add(
          "Not compared, fewer than %.0f rows: %s".formatted(LEAST_ROWS, listed(notCompared)));
    }
    if (table.leftOut() > 0) {
      double counted = groups.values().stream().mapToDouble(it -> it).sum();
      double share = table.leftOut() / (table.leftOut() + counted);
      lines.add("%s (%s)".formatted(table.leftOutInWords(), percent(share)));
      if (share > MOST_LEFT_OUT) {
        notes.add(
            "Warning: %s of the rows are left out. The parts are those of the others, and those of all only if what is missing does not depend on the outcome."
                .formatted(percent(share)));
      }
    }
    if (!table.doubtful().isEmpty()) {
      notes.add(
          "Some values may mean that there is none, but count like others: %s. Leave them empty, or write NA, to leave their rows out."
              .formatted(String.join(", ", table.doubtful())));
    }
    lines.add(
        "Each interval is for a random sample, looked at once (APPROXIMATE, delta %s)."
            .formatted(scale.delta()));
    lines.add(
        isChecked
            ? "The graph identifies every part."
            : "The names of the parts are those of the options; --graph checks them.");
    lines.addAll(notes);
    return null;
  }

  private void measure(List<Cell> cells) {
    boolean hasFirst = !levels.isEmpty() && levels.get(0).kind() == GapPartKind.SPURIOUS;
    measures = Measures.of(cells, hasFirst ? levels.get(0).variables().size() : 0);
    String mark = isTooThin ? "   do not use" : "";
    measures.forEach(
        (name, value) -> lines.add("  %-14s %s%s".formatted(name, signed(value), mark)));
    if (isTooThin) {
      notes.add("Do not use the measures: they rest on as few people as the parts.");
    }
  }

  private static String percent(double share) {
    return share > 0 && share < LEAST_SHARE
        ? "< 0.1 %"
        : String.format(Locale.ROOT, "%.1f %%", 100 * share);
  }

  private static String listed(Map<String, Double> groups) {
    String first =
        groups.entrySet().stream()
            .limit(MOST_LISTED)
            .map(it -> String.format(Locale.ROOT, "%s %,.0f", it.getKey(), it.getValue()))
            .collect(Collectors.joining("; "));
    int more = groups.size() - MOST_LISTED;
    return more > 0 ? first + "; and " + more + " more" : first;
  }

  private void compare(String reference, String other) {
    Decomposition result = new Decomposition(table.cells(reference, other), levels, direct, scale);
    Moments zero = result.reference;
    Moments one = result.other;
    lines.add(
        "%s: %s minus %s %s      %s and %s"
            .formatted(
                outcome,
                other,
                reference,
                interval(result.gap),
                people(one.rows, other),
                people(zero.rows, reference)));
    List<Part> shown = new ArrayList<>(result.parts);
    if (result.rest != null) {
      shown.add(result.rest);
    }
    int width = shown.stream().mapToInt(it -> it.name().length()).max().orElse(0);
    double least = Double.POSITIVE_INFINITY;
    for (Part part : shown) {
      least = Math.min(least, part.restsOn());
      lines.add(
          "  %s   %-8s   %-28s   %s"
              .formatted(
                  part.name() + " ".repeat(width - part.name().length()),
                  part.kind().name().toLowerCase(Locale.ROOT),
                  interval(part),
                  notes(part, other))
              .stripTrailing());
    }
    for (int i = 0; i < result.parts.size() && !result.isTooThin(); i++) {
      Part part = result.parts.get(i);
      String refuted =
          "The rows contradict the graph: by it the %s part of %s would be 0. An edge or a common cause is missing, or the sample is an unlikely one."
              .formatted(part.kind().name().toLowerCase(Locale.ROOT), part.name());
      if (denied.get(i) && (part.lower() > 0 || part.upper() < 0) && !notes.contains(refuted)) {
        notes.add(refuted);
      }
    }
    String warning = null;
    if (result.isTooThin()) {
      isTooThin = true;
      Cell thin = result.heaviest;
      warning =
          "Do not use: the parts rest on %s. %s has %s and %s."
              .formatted(
                  people(least, other),
                  table.described(thin.key()),
                  people(thin.reference().rows, reference),
                  people(thin.other().rows, other));
      lines.add("  " + warning);
    }
    Map<String, Object> listed = new LinkedHashMap<>();
    listed.put("reference", reference);
    listed.put("other", other);
    listed.put("referenceRows", Math.round(zero.rows));
    listed.put("otherRows", Math.round(one.rows));
    listed.put("referenceMean", zero.mean);
    listed.put("otherMean", one.mean);
    listed.put("gap", result.gap);
    listed.put("parts", result.parts);
    listed.put("rest", result.rest);
    listed.put("standardizedMeans", result.levels.stream().map(Standardized::value).toList());
    listed.put("effectiveRows", result.levels.stream().map(Standardized::effective).toList());
    listed.put("warning", warning);
    comparisons.add(listed);
  }

  /** Returns a number of people; a group whose name is a number has that of the attribute too. */
  private String people(double rows, String name) {
    String group = Double.isNaN(Decimal.of(name)) ? name : attribute + "=" + name;
    return String.format(Locale.ROOT, "%,.0f %s", rows, group);
  }

  private String notes(Part part, String other) {
    List<String> notes = new ArrayList<>();
    if (part.unmatched() > 0) {
      notes.add(percent(part.unmatched()) + " without counterpart");
    }
    if (part.restsOn() < FEW) {
      notes.add("rests on " + people(part.restsOn(), other));
    }
    return String.join(", ", notes);
  }

  private String interval(Part part) {
    return "%s [%s, %s]"
        .formatted(signed(part.estimate()), signed(part.lower()), signed(part.upper()));
  }

  private String signed(double value) {
    boolean isSmall = scale.range().width() < SMALL_RANGE;
    boolean isZero = !isSmall && Math.abs(value) < ROUNDED; // without the sign that rounding left
    String format = isSmall ? "%+.3e" : "%+.4f";
    return String.format(Locale.ROOT, format, isZero ? 0 : value);
  }

  Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("outcome", outcome);
    json.put("attribute", attribute);
    json.put("delta", scale.delta());
    json.put("guarantee", "APPROXIMATE");
    json.put("graphChecked", isChecked);
    json.put("leftOut", table.leftOut());
    json.put("notCompared", notCompared);
    json.put("note", notes.isEmpty() ? null : String.join(" ", notes));
    json.put("comparisons", comparisons);
    if (!measures.isEmpty()) {
      json.put("measures", measures);
    }
    return json;
  }
}
