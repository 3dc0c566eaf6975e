package io.equipoise.event;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The decision on one context. {@code avro/Decision.avsc} documents the meaning and unit of every
 * component; times are epoch ms. Lists are copied.
 */
public record Decision(
    String decisionId,
    String segment,
    int writerEpoch,
    long seq,
    @Nullable String arm,
    List<String> candidates,
    List<Double> propensities,
    List<Integer> propensityRuns,
    PropensityKind propensityKind,
    @Nullable Double index,
    @Nullable Double mean,
    @Nullable Double width,
    String policy,
    @Nullable String specHash,
    @Nullable Long specVersion,
    @Nullable String boundsHash,
    @Nullable Long boundsVersion,
    @Nullable String modelFingerprint,
    long eventTime,
    @Nullable String contextTopic,
    int contextPartition,
    long contextOffset,
    @Nullable List<Double> features,
    @Nullable List<List<Double>> candidateFeatures,
    DecisionReason reason,
    boolean certified,
    @Nullable Integer fairSetSize,
    @Nullable String errorCode,
    @Nullable Integer phase,
    @Nullable Integer sampleType,
    int keyGroup,
    boolean recovered,
    @Nullable Redaction redaction,
    @Nullable Integer propensityDraws)
    implements SegmentOutput {

  /** The key group of a record of exactly-once delivery. */
  public static final int NO_KEY_GROUP = -1;

  public Decision {
    candidates = List.copyOf(candidates);
    propensities = List.copyOf(propensities);
    propensityRuns = List.copyOf(propensityRuns);
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
    if (propensities.isEmpty()) {
      int chosen = ids.indexOf(arm);
      if (chosen < 0) {
        throw new IllegalArgumentException("arm " + arm + " is not among the candidates");
      }
      List<Double> all = new ArrayList<>(Collections.nCopies(ids.size(), 0.0));
      all.set(chosen, 1.0);
      return all;
    }
    long count =
        propensityRuns.isEmpty()
            ? propensities.size()
            : propensityRuns.stream().mapToLong(Integer::longValue).sum();
    if (count != ids.size()
        || (!propensityRuns.isEmpty() && propensityRuns.size() != propensities.size())) {
      throw new IllegalArgumentException(
          "%d propensities for %d candidates".formatted(count, ids.size()));
    }
    if (propensityRuns.isEmpty()) {
      return propensities;
    }
    List<Double> all = new ArrayList<>(ids.size());
    for (int run = 0; run < propensities.size(); run++) {
      all.addAll(Collections.nCopies(propensityRuns.get(run), propensities.get(run)));
    }
    return all;
  }

  /** Returns whether a policy chose by features that the record omits. */
  public boolean lacksFeatures() {
    return isChosen() && features == null;
  }

  /** Returns a copy with other sensitive values. */
  public Decision with(
      @Nullable List<Double> features,
      @Nullable Double index,
      @Nullable Double mean,
      @Nullable Double width,
      @Nullable Integer sampleType,
      @Nullable Redaction redaction) {
    return with(features, candidateFeatures, index, mean, width, sampleType, redaction);
  }

  /** Returns a copy with other features of the context and of each candidate, or without. */
  public Decision withFeatures(
      @Nullable List<Double> features, @Nullable List<List<Double>> candidateFeatures) {
    return with(features, candidateFeatures, index, mean, width, sampleType, redaction);
  }

  private Decision with(
      @Nullable List<Double> features,
      @Nullable List<List<Double>> candidateFeatures,
      @Nullable Double index,
      @Nullable Double mean,
      @Nullable Double width,
      @Nullable Integer sampleType,
      @Nullable Redaction redaction) {
    return new Decision(
        decisionId,
        segment,
        writerEpoch,
        seq,
        arm,
        candidates,
        propensities,
        propensityRuns,
        propensityKind,
        index,
        mean,
        width,
        policy,
        specHash,
        specVersion,
        boundsHash,
        boundsVersion,
        modelFingerprint,
        eventTime,
        contextTopic,
        contextPartition,
        contextOffset,
        features,
        candidateFeatures,
        reason,
        certified,
        fairSetSize,
        errorCode,
        phase,
        sampleType,
        keyGroup,
        recovered,
        redaction,
        propensityDraws);
  }
}
