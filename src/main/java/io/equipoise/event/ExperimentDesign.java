package io.equipoise.event;

import java.util.List;

/**
 * What a best-arm experiment compares. Meaning and unit of every component are documented in {@code
 * avro/ExperimentRecord.avsc}.
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

  /** Returns the same design with other names of the groups. */
  public ExperimentDesign withGroups(List<String> groups) {
    return new ExperimentDesign(
        attribute, groups, threshold, mode, estimate, specArms, control, samples, phases, budget);
  }
}
