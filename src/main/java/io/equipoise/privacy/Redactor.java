package io.equipoise.privacy;

import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.ExperimentRecord;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.RedactionMode;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.event.Wire;
import io.equipoise.segmentspec.SegmentSpec;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Decides what a segment's records tell when they leave it: a function of the record, its spec, the
 * mode and the key, so that a replay writes the same. Of plain records it costs a branch. For one
 * thread at a time.
 */
public final class Redactor {
  /** By how much a hidden dead letter is longer at most than a plain one, but for its message. */
  public static final int MOST_ADDED_TO_LETTER_BYTES = Padding.MOST_OF_LETTER_BYTES;

  private static final int MOST_REMEMBERED = 1_000;

  private final @Nullable RedactionContext redactionContext;
  private final @Nullable SmallCellSuppression groups;
  private final boolean areFeaturesTold;
  private final Function<String, @Nullable SegmentSpec> specs;
  private final Map<String, SensitivePlaces> remembered = new HashMap<>();

  /** Prepares a discloser that leaves nothing off. */
  public Redactor(
      SensitiveValues sensitiveValues,
      @Nullable RedactionKey key,
      int minimumCount,
      Function<String, @Nullable SegmentSpec> specs) {
    this(sensitiveValues, key, minimumCount, true, specs);
  }

  /**
   * Prepares a discloser.
   *
   * @param key may be null where the mode is plain
   * @param minimumCount rewards that a group must have to be told of; 1 tells of all
   * @param areFeaturesTold whether decisions carry the features that they rest on
   * @param specs finds a spec by its hash, null where nobody has it
   */
  public Redactor(
      SensitiveValues sensitiveValues,
      @Nullable RedactionKey key,
      int minimumCount,
      boolean areFeaturesTold,
      Function<String, @Nullable SegmentSpec> specs) {
    RedactionMode mode = sensitiveValues.mode();
    this.redactionContext = mode == null ? null : new RedactionContext(mode, key);
    this.groups = minimumCount > 1 ? new SmallCellSuppression(minimumCount) : null;
    this.areFeaturesTold = areFeaturesTold;
    this.specs = specs;
  }

  /** Returns a discloser that tells all. */
  public static Redactor ofPlain() {
    return new Redactor(SensitiveValues.PLAIN, null, 1, hash -> null);
  }

  /** Returns what a decision tells. */
  public Decision of(Decision plain) {
    Decision told = areFeaturesTold ? plain : plain.withFeatures(null, null);
    return redactionContext == null
        ? told
        : DecisionRedactor.hide(told, places(plain.specHash()), redactionContext);
  }

  /** Returns what a segment event tells. */
  public SegmentEvent of(SegmentEvent plain) {
    return redactionContext == null
        ? plain
        : SegmentEventRedactor.hide(plain, places(plain.specHash()), redactionContext);
  }

  /** Returns what a fairness record tells. */
  public FairnessAudit of(FairnessAudit plain) {
    return redactionContext == null
        ? plain
        : AuditRedactor.hide(plain, places(plain.specHash()), redactionContext);
  }

  /** Returns what a record of an experiment tells. */
  public ExperimentRecord of(ExperimentRecord plain) {
    ExperimentRecord counted = groups == null ? plain : groups.suppress(plain);
    return redactionContext == null
        ? counted
        : ExperimentRedactor.hide(counted, places(plain.specHash()), redactionContext);
  }

  /**
   * Returns what the fairness records of one decision tell. They are made in the order of the
   * levels in the spec, and where levels are hidden leave in that of what they tell: else the first
   * of an undisclosed person would say which token is the spec's first level.
   */
  public List<FairnessAudit> ofOneDecision(List<FairnessAudit> plain) {
    if (redactionContext == null) {
      return plain;
    }
    List<FairnessAudit> told = plain.stream().map(this::of).toList();
    return told.size() < 2 ? told : inOrderOfBytes(told);
  }

  private static List<FairnessAudit> inOrderOfBytes(List<FairnessAudit> told) {
    return told.stream()
        .map(audit -> Map.entry(Wire.AUDIT.encode(audit), audit))
        .sorted(Map.Entry.comparingByKey(Arrays::compareUnsigned))
        .map(Map.Entry::getValue)
        .toList();
  }

  /** Returns what a snapshot tells. */
  public SegmentMetrics of(SegmentMetrics plain) {
    SegmentMetrics counted = groups == null ? plain : groups.suppress(plain);
    return redactionContext == null
        ? counted
        : MetricsRedactor.hide(counted, places(plain.specHash()), redactionContext);
  }

  /** Returns the code that a dead letter tells. */
  public String codeOf(DeadLetter plain) {
    return redactionContext == null ? plain.code() : DeadLetterRedactor.shown(plain.code());
  }

  /** Returns what a dead letter tells. */
  public DeadLetter of(DeadLetter plain) {
    return redactionContext == null ? plain : DeadLetterRedactor.hide(plain, redactionContext);
  }

  private SensitivePlaces places(@Nullable String specHash) {
    if (specHash == null) {
      return SensitivePlaces.EVERYWHERE;
    }
    SensitivePlaces known = remembered.get(specHash);
    if (known == null) {
      SegmentSpec spec = specs.apply(specHash);
      if (spec == null) {
        return SensitivePlaces.EVERYWHERE; // perhaps its text comes yet
      }
      if (remembered.size() >= MOST_REMEMBERED) {
        remembered.clear();
      }
      known = SensitivePlaces.of(spec);
      remembered.put(specHash, known);
    }
    return known;
  }
}
