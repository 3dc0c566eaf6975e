package io.equipoise.event;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Records the decision on one context. {@code avro/Decision.avsc} documents the meaning and unit of
 * every component; times are epoch ms. Lists are copied.
 */
public record Decision(
    String decisionId,
    Place place,
    Source source,
    long eventTime,
    Versions versions,
    String policy,
    @Nullable String arm,
    DecisionReason reason,
    @Nullable String errorCode,
    boolean certified,
    @Nullable Integer fairSetSize,
    List<String> candidates,
    Propensities propensities,
    @Nullable ArmEstimate estimate,
    @Nullable List<Double> features,
    @Nullable List<List<Double>> candidateFeatures,
    @Nullable ExperimentSample sample,
    int keyGroup,
    boolean recovered,
    @Nullable Redaction redaction)
    implements PlacedOutput {

  /** The key group of a record of exactly-once delivery. */
  public static final int NO_KEY_GROUP = -1;

  public Decision {
    candidates = List.copyOf(candidates);
    features = features == null ? null : List.copyOf(features);
    candidateFeatures =
        candidateFeatures == null ? null : candidateFeatures.stream().map(List::copyOf).toList();
  }

  /**
   * Returns whether a policy chose. Otherwise the context was rejected or repeated, and has no
   * features.
   */
  public boolean isChosen() {
    return reason != DecisionReason.REJECTED
        && reason != DecisionReason.DEADLINE_EXCEEDED
        && !isRepeated();
  }

  /** Returns whether it repeats the arm of an earlier decision with the same id. */
  public boolean isRepeated() {
    return reason == DecisionReason.REPEATED;
  }

  /**
   * Returns the propensity of each candidate.
   *
   * @param ids of the candidates, in their order: {@link #candidates}, or the arms of the spec if
   *     that is empty
   * @throws IllegalArgumentException if their number differs from the number of propensities, or
   *     the record has no propensities and its arm is not among them
   */
  public List<Double> propensitiesOf(List<String> ids) {
    List<Double> values = propensities.values();
    List<Integer> runs = propensities.runs();
    if (values.isEmpty()) {
      int chosen = ids.indexOf(arm);
      if (chosen < 0) {
        throw new IllegalArgumentException("arm " + arm + " is not among the candidates");
      }
      List<Double> all = new ArrayList<>(Collections.nCopies(ids.size(), 0.0));
      all.set(chosen, 1.0);
      return all;
    }
    long count = runs.isEmpty() ? values.size() : runs.stream().mapToLong(Integer::longValue).sum();
    if (count != ids.size() || (!runs.isEmpty() && runs.size() != values.size())) {
      throw new IllegalArgumentException(
          "%d propensities for %d candidates".formatted(count, ids.size()));
    }
    if (runs.isEmpty()) {
      return values;
    }
    List<Double> all = new ArrayList<>(ids.size());
    for (int run = 0; run < values.size(); run++) {
      all.addAll(Collections.nCopies(runs.get(run), values.get(run)));
    }
    return all;
  }

  /** Returns whether a policy chose by features that the record omits. */
  public boolean lacksFeatures() {
    return isChosen() && features == null;
  }

  /** Returns the value by which the policy ranked the arm, null if it is unknown. */
  public @Nullable Double index() {
    return estimate == null ? null : estimate.index();
  }

  /** Returns the estimated mean reward of the arm, null if it is unknown. */
  public @Nullable Double mean() {
    return estimate == null ? null : estimate.mean();
  }

  /** Returns the half width of the interval around the mean, null if it is unknown. */
  public @Nullable Double width() {
    return estimate == null ? null : estimate.width();
  }

  /** Returns a copy with other sensitive values. */
  public Decision with(
      @Nullable List<Double> features,
      @Nullable ArmEstimate estimate,
      @Nullable ExperimentSample sample,
      @Nullable Redaction redaction) {
    return with(propensities, features, candidateFeatures, estimate, sample, redaction);
  }

  /** Returns a copy without estimates and features, whose arm was sure. */
  public Decision withSureArm() {
    return with(Propensities.SURE, null, null, null, null, null);
  }

  /** Returns a copy with other features of the context and of each candidate, or without. */
  public Decision withFeatures(
      @Nullable List<Double> features, @Nullable List<List<Double>> candidateFeatures) {
    return with(propensities, features, candidateFeatures, estimate, sample, redaction);
  }

  private Decision with(
      Propensities propensities,
      @Nullable List<Double> features,
      @Nullable List<List<Double>> candidateFeatures,
      @Nullable ArmEstimate estimate,
      @Nullable ExperimentSample sample,
      @Nullable Redaction redaction) {
    return new Decision(
        decisionId,
        place,
        source,
        eventTime,
        versions,
        policy,
        arm,
        reason,
        errorCode,
        certified,
        fairSetSize,
        candidates,
        propensities,
        estimate,
        features,
        candidateFeatures,
        sample,
        keyGroup,
        recovered,
        redaction);
  }
}
