package io.equipoise.event;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer to one context. Meaning and unit of every component are documented in {@code
 * avro/Decision.avsc}; times are epoch milliseconds. Lists are copied.
 */
public record Decision(
    String decisionId,
    String segment,
    int shard,
    int attempt,
    long seq,
    @Nullable String arm,
    List<String> candidates,
    List<Double> propensities,
    PropensityKind propensityKind,
    @Nullable Double index,
    @Nullable Double mean,
    @Nullable Double width,
    String policy,
    @Nullable String specHash,
    @Nullable Long specNumber,
    @Nullable String priorHash,
    @Nullable Long priorNumber,
    @Nullable String modelFingerprint,
    long eventTime,
    @Nullable String contextTopic,
    int contextPartition,
    long contextOffset,
    @Nullable List<Double> features,
    @Nullable List<List<Double>> candidateFeatures,
    DecisionWhy why,
    boolean certified,
    @Nullable Integer fairSetSize,
    @Nullable String errorCode,
    @Nullable Integer phase,
    @Nullable Integer sampleType,
    int keyGroup,
    boolean recovered,
    @Nullable Hidden hidden,
    @Nullable Integer propensityDraws) {

  /** The key group of a record whose delivery needs none. */
  public static final int NO_KEY_GROUP = -1;

  public Decision {
    candidates = List.copyOf(candidates);
    propensities = List.copyOf(propensities);
    features = features == null ? null : List.copyOf(features);
    candidateFeatures =
        candidateFeatures == null ? null : candidateFeatures.stream().map(List::copyOf).toList();
  }

  /** Says whether a bandit chose; else the context was refused, and there is nothing encoded. */
  public boolean isChosen() {
    return why != DecisionWhy.REJECTED && why != DecisionWhy.STALE;
  }

  /** Says whether a bandit chose by features that the record leaves off. */
  public boolean lacksFeatures() {
    return isChosen() && features == null;
  }

  /** Returns the same with other sensitive values. */
  public Decision with(
      @Nullable List<Double> features,
      @Nullable Double index,
      @Nullable Double mean,
      @Nullable Double width,
      @Nullable Integer sampleType,
      @Nullable Hidden hidden) {
    return with(features, candidateFeatures, index, mean, width, sampleType, hidden);
  }

  /** Returns the same with other features, of the context and of each candidate, or without. */
  public Decision withFeatures(
      @Nullable List<Double> features, @Nullable List<List<Double>> candidateFeatures) {
    return with(features, candidateFeatures, index, mean, width, sampleType, hidden);
  }

  private Decision with(
      @Nullable List<Double> features,
      @Nullable List<List<Double>> candidateFeatures,
      @Nullable Double index,
      @Nullable Double mean,
      @Nullable Double width,
      @Nullable Integer sampleType,
      @Nullable Hidden hidden) {
    return new Decision(
        decisionId,
        segment,
        shard,
        attempt,
        seq,
        arm,
        candidates,
        propensities,
        propensityKind,
        index,
        mean,
        width,
        policy,
        specHash,
        specNumber,
        priorHash,
        priorNumber,
        modelFingerprint,
        eventTime,
        contextTopic,
        contextPartition,
        contextOffset,
        features,
        candidateFeatures,
        why,
        certified,
        fairSetSize,
        errorCode,
        phase,
        sampleType,
        keyGroup,
        recovered,
        hidden,
        propensityDraws);
  }
}
