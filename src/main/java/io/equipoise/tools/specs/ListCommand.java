package io.equipoise.tools.specs;

import io.equipoise.cli.Printable;
import io.equipoise.cli.TextTable;
import io.equipoise.job.control.SpecHistory;
import io.equipoise.segmentspec.SegmentMatch;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.tools.adoption.ActiveSegments;
import io.equipoise.tools.adoption.SpecChangePlan;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lists the specs in force, and other versions that segments run: {@code specs list}. */
@Command(
    name = "list",
    description = {
      "Lists the specs in force, with the segments they cover and the time of publication, and each"
          + " other version under which active segments run, because they rejected the newer one or"
          + " had no input since.",
      "Exit code 1 if the topic cannot be read."
    })
public final class ListCommand extends SpecsVerb {
  private static final int SHORT_HASH = 12;

  @Option(
      names = "--all",
      description = "Lists earlier, retired and invalid texts that are still on the topic too.")
  private boolean areAllWanted;

  @Override
  int run(Session session) {
    SpecHistory history = session.history();
    List<SegmentSpec> inForce = history.inForce();
    Map<String, List<String>> active = new HashMap<>();
    ActiveSegments.read(session.config())
        .forEach(
            (segment, hash) -> active.computeIfAbsent(hash, any -> new ArrayList<>()).add(segment));
    TextTable table =
        new TextTable("name", "version", "hash", "segments", "since", "status", "active");
    List<Map<String, Object>> json = new ArrayList<>();
    for (SpecHistory.Version version : history.all()) {
      SegmentSpec spec = version.spec();
      boolean isInForce = inForce.contains(spec);
      List<String> running = active.getOrDefault(spec.hash(), List.of());
      if (isInForce || areAllWanted || !running.isEmpty()) {
        String status = isInForce ? "in force" : version.isRetired() ? "retired" : "superseded";
        String since =
            Instant.ofEpochMilli(version.since()).truncatedTo(ChronoUnit.SECONDS).toString();
        table.row(
            spec.name(),
            String.valueOf(spec.version()),
            spec.hash().substring(0, SHORT_HASH),
            segments(spec.match()),
            since,
            status,
            running.isEmpty() ? "" : SpecChangePlan.names(running));
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("name", spec.name());
        fields.put("version", spec.version());
        fields.put("hash", spec.hash());
        fields.put("key", spec.key());
        fields.put("policy", spec.policy().name().wire());
        fields.put("segments", segments(spec.match()));
        fields.put("since", since);
        fields.put("status", status);
        fields.put("active", running);
        json.add(fields);
      }
    }
    Printable.lines(table.lines(), session.text());
    session.result().put("specs", json);
    if (areAllWanted) {
      for (SpecHistory.Invalid invalid : history.invalid()) {
        Printable.lines(
            List.of("invalid at " + invalid.place() + ": " + invalid.why()), session.text());
      }
      session
          .result()
          .put(
              "invalid",
              history.invalid().stream()
                  .map(it -> Map.of("place", it.place(), "why", it.why()))
                  .toList());
    }
    return 0;
  }

  private static String segments(SegmentMatch match) {
    if (match instanceof SegmentMatch.Exact exact) {
      return SpecChangePlan.names(exact.segments());
    }
    return match instanceof SegmentMatch.Pattern pattern
        ? "pattern " + pattern.pattern().pattern()
        : "default";
  }
}
