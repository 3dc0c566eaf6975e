package io.equipoise.audit.report;

import io.equipoise.event.ExperimentDesign;
import io.equipoise.event.ExperimentRecord;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Collects the records of one experiment.
 *
 * @param phases its phases, in order; empty if it was aborted in the first
 * @param end its terminal record, null while it runs
 */
public record LoggedExperiment(List<ExperimentRecord> phases, @Nullable ExperimentRecord end) {
  /** Copies the list; at least one of the two is required. */
  public LoggedExperiment {
    phases = List.copyOf(phases);
    if (phases.isEmpty() && end == null) {
      throw new IllegalArgumentException("an experiment needs a phase or an end");
    }
  }

  ExperimentRecord any() {
    return phases.isEmpty() ? Objects.requireNonNull(end) : phases.get(0);
  }

  /** Returns the report as text. */
  public List<String> lines() {
    return new ExperimentReport(this).lines();
  }

  /** Returns the report as JSON, with the records as they are on the topic. */
  public Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    ExperimentRecord any = any();
    ExperimentDesign design = any.design();
    json.put("segment", any.segment());
    json.put("policy", any.policy());
    json.put("specHash", any.specHash());
    json.put("specVersion", any.specVersion());
    json.put("design", design);
    json.put("isOver", end != null);
    json.put("terminal", end == null ? null : end.terminal());
    json.put("phases", phases.stream().map(ExperimentRecord::phase).toList());
    return json;
  }
}
