package io.equipoise.privacy;

import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.ExperimentRecord;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.Redaction;
import io.equipoise.event.RedactionMode;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.event.SegmentOutput;
import io.equipoise.event.Wire;
import io.equipoise.segmentspec.SegmentSpec;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Redacts output records. The result depends only on the record, its spec, the mode and the key, so
 * a replay gives the same. Plain mode costs one branch. The remembered places of a spec are a cache
 * by hash, which stays valid. Not thread-safe.
 */
public final class Redactor {
  /** Maximum bytes that redaction adds to a dead letter, without its message. */
  public static final int MOST_ADDED_TO_DEAD_LETTER_BYTES = Padding.MOST_OF_DEAD_LETTER_BYTES;

  private static final int MOST_REMEMBERED = 1_000;

  private final @Nullable RedactionContext redactionContext;
  private final @Nullable SmallCellSuppression groups;
  private final boolean hasFeatures;
  private final Function<String, @Nullable SegmentSpec> specs;
  private final Map<String, SensitivePlaces> remembered = new HashMap<>();

  /** Prepares a redactor that keeps features in decisions. */
  public Redactor(
      SensitiveValues sensitiveValues,
      @Nullable RedactionKey key,
      int minimumCount,
      Function<String, @Nullable SegmentSpec> specs) {
    this(sensitiveValues, key, minimumCount, true, specs);
  }

  /**
   * Prepares a redactor.
   *
   * @param key may be null in plain mode
   * @param minimumCount minimum rewards of a published group; 1 publishes all groups
   * @param hasFeatures whether decisions contain their features
   * @param specs finds a spec by its hash; returns null if it is unknown
   */
  public Redactor(
      SensitiveValues sensitiveValues,
      @Nullable RedactionKey key,
      int minimumCount,
      boolean hasFeatures,
      Function<String, @Nullable SegmentSpec> specs) {
    RedactionMode mode = sensitiveValues.mode();
    this.redactionContext = mode == null ? null : new RedactionContext(mode, key);
    this.groups = minimumCount > 1 ? new SmallCellSuppression(minimumCount) : null;
    this.hasFeatures = hasFeatures;
    this.specs = specs;
  }

  /** Returns whether a level of a record with this redaction stands for one that is not shown. */
  public static boolean isDropped(@Nullable Redaction redaction, String level) {
    return redaction != null && level.equals(RedactionContext.DROPPED);
  }

  /** Returns the published form of a record. */
  public SegmentOutput of(SegmentOutput plain) {
    if (plain instanceof Decision decision) {
      return of(decision);
    } else if (plain instanceof SegmentEvent segmentEvent) {
      return of(segmentEvent);
    } else if (plain instanceof FairnessAudit audit) {
      return of(audit);
    } else if (plain instanceof ExperimentRecord experiment) {
      return of(experiment);
    } else if (plain instanceof SegmentMetrics metrics) {
      return of(metrics);
    }
    return of((DeadLetter) plain);
  }

  /** Returns the published form of a decision. */
  public Decision of(Decision plain) {
    Decision published = hasFeatures ? plain : plain.withFeatures(null, null);
    return redactionContext == null
        ? published
        : DecisionRedactor.hide(published, places(plain.specHash()), redactionContext);
  }

  /** Returns the published form of a segment event. */
  public SegmentEvent of(SegmentEvent plain) {
    return redactionContext == null
        ? plain
        : SegmentEventRedactor.hide(plain, places(plain.specHash()), redactionContext);
  }

  /** Returns the published form of a fairness record. */
  public FairnessAudit of(FairnessAudit plain) {
    return redactionContext == null
        ? plain
        : AuditRedactor.hide(plain, places(plain.specHash()), redactionContext);
  }

  /** Returns the published form of an experiment record. */
  public ExperimentRecord of(ExperimentRecord plain) {
    ExperimentRecord counted = groups == null ? plain : groups.suppress(plain);
    return redactionContext == null
        ? counted
        : ExperimentRedactor.hide(counted, places(plain.specHash()), redactionContext);
  }

  /**
   * Returns the published form of one decision's fairness records. They are computed in the order
   * of the spec's levels. Redacted records are sorted by their bytes; otherwise the first record of
   * an undisclosed person would identify the pseudonym of the spec's first level.
   */
  public List<FairnessAudit> ofOneDecision(List<FairnessAudit> plain) {
    if (redactionContext == null) {
      return plain;
    }
    List<FairnessAudit> redacted = plain.stream().map(this::of).toList();
    return redacted.size() < 2 ? redacted : inOrderOfBytes(redacted);
  }

  private static List<FairnessAudit> inOrderOfBytes(List<FairnessAudit> redacted) {
    return redacted.stream()
        .map(audit -> Map.entry(Wire.AUDIT.encode(audit), audit))
        .sorted(Map.Entry.comparingByKey(Arrays::compareUnsigned))
        .map(Map.Entry::getValue)
        .toList();
  }

  /** Returns the published form of a snapshot. */
  public SegmentMetrics of(SegmentMetrics plain) {
    if (redactionContext == null) {
      return groups == null ? plain : groups.suppress(plain);
    }
    SegmentMetrics counted = groups == null ? plain : groups.suppressNear(plain);
    return MetricsRedactor.hide(counted, places(plain.specHash()), redactionContext);
  }

  /** Returns the published code of a dead letter. */
  public String codeOf(DeadLetter plain) {
    return redactionContext == null ? plain.code() : DeadLetterRedactor.shown(plain.code());
  }

  /** Returns the published form of a dead letter. */
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
        return SensitivePlaces.EVERYWHERE; // its text may arrive later
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
