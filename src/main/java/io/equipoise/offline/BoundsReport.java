package io.equipoise.offline;

import io.equipoise.cli.TextTable;
import io.equipoise.event.BoundEvidence;
import io.equipoise.event.CausalBound;
import io.equipoise.event.CausalBoundSet;
import io.equipoise.event.Counted;
import io.equipoise.offline.bounds.BoundsPlanRun;
import io.equipoise.offline.count.Counts;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Prints the result of the verb {@code bounds} as text and JSON. */
record BoundsReport(BoundsPlanRun task, Counts counts, Counts census, CausalBoundSet set) {
  private static final int MOST_LINES = 200;

  Map<String, Object> json() {
    BoundEvidence any = set.rows().get(0).evidence();
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("name", set.name());
    json.put("version", set.version());
    json.put("hash", set.hash());
    json.put("spec_hash", task.spec().hash());
    json.put("graph_hash", set.graphHash());
    json.put("table_hash", any.tableHash());
    json.put("mode", any.mode());
    json.put("delta", any.delta());
    json.put("estimand", any.estimand());
    json.put("scopes", task.plan().scopes().stream().map(it -> it.variables()).toList());
    json.put("rows", counts.rows());
    json.put("census_rows", census.rows());
    json.put("bounds", set.rows());
    return json;
  }

  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(
        "%s, %s from %s"
            .formatted(
                set, Counted.of(set.rows().size(), "bounds"), Counted.of(counts.rows(), "rows")));
    lines.add(set.rows().get(0).evidence().estimand());
    TextTable table = new TextTable("arm", "context", "lower", "upper", "rows", "flags");
    for (CausalBound row : set.rows().subList(0, Math.min(MOST_LINES, set.rows().size()))) {
      table.row(
          row.arm(),
          row.context().toString(),
          String.format(Locale.ROOT, "%.4f", row.lower()),
          String.format(Locale.ROOT, "%.4f", row.upper()),
          String.valueOf(row.evidence().nMin()),
          row.evidence().flags().toString());
    }
    lines.addAll(table.lines());
    if (set.rows().size() > MOST_LINES) {
      lines.add("and " + (set.rows().size() - MOST_LINES) + " more");
    }
    return lines;
  }
}
