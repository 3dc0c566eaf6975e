package io.equipoise.policy.bestarm;

import io.equipoise.segmentspec.PolicySpec.FamilySpec;
import io.equipoise.segmentspec.SegmentSpec;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Sets up a search for the best fair arm (Gao and Feng 2021). Its bound E is {@code fairness.tau},
 * its attribution window {@code join.reward-window}.
 *
 * @param samples T, the samples that it may take
 * @param control place of the arm of those who are no sample
 * @param costs of a sample of each arm, by id; of all arms of the spec
 * @param budget B, the greatest mean cost of a sample
 * @param minClosedFraction the share of a phase's windows that must have closed before the next one
 *     opens
 * @param abort why the experiment shall end without an answer; null to run it
 */
public record ExperimentSpec(
    int samples,
    int control,
    Mode mode,
    FairnessEstimate estimate,
    Map<String, Double> costs,
    double budget,
    double minClosedFraction,
    @Nullable String abort)
    implements FamilySpec {
  /** Copies the map, by ascending id. */
  public ExperimentSpec {
    costs = Collections.unmodifiableMap(new TreeMap<>(costs));
  }

  /** Returns the settings of a spec whose policy is of this family. */
  public static ExperimentSpec of(SegmentSpec spec) {
    return (ExperimentSpec) spec.policy().family();
  }

  @Override
  public boolean isPhased() {
    return true;
  }
}
