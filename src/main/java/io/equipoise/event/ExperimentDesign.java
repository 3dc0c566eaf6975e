package io.equipoise.event;

import java.util.List;

/**
 * Lists the groups and arms that a best-arm experiment compares. {@code avro/ExperimentRecord.avsc}
 * documents the meaning and unit of every component.
 */
public record ExperimentDesign(
    String attribute,
    List<String> groups,
    double threshold,
    String mode,
    String estimate,
    List<String> specArms,
    String control,
    long samples,
    int phases,
    double budget) {

  public ExperimentDesign {
    groups = List.copyOf(groups);
    specArms = List.copyOf(specArms);
  }

  /** Returns a copy with other names of the groups. */
  public ExperimentDesign withGroups(List<String> groups) {
    return new ExperimentDesign(
        attribute, groups, threshold, mode, estimate, specArms, control, samples, phases, budget);
  }
}
