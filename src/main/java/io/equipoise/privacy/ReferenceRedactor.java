package io.equipoise.privacy;

import io.equipoise.event.ExperimentRecord;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.Redaction;
import io.equipoise.event.RedactionMode;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.segmentspec.SegmentSpec;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Redacts recomputed fairness records and snapshots like given records of the job. So recomputed
 * and logged records can be compared, including pseudonyms and ciphertexts, without revealing
 * anything. Not thread-safe.
 */
public final class ReferenceRedactor {
  /** One per key and deployment; more only if bytes were changed. */
  private static final int MOST_REDACTORS = 100;

  private final KeyRing keys;
  private final Function<String, @Nullable SegmentSpec> specs;
  private final Map<String, Redactor> redactors = new HashMap<>();

  /**
   * Prepares a redactor.
   *
   * @param specs finds a spec by its hash; returns null if it is unknown
   */
  public ReferenceRedactor(KeyRing keys, Function<String, @Nullable SegmentSpec> specs) {
    this.keys = keys;
    this.specs = specs;
  }

  /**
   * Redacts a plain record like another one.
   *
   * @throws CiphertextException if the key of the other one is missing
   */
  public FairnessAudit like(FairnessAudit logged, FairnessAudit plain) {
    Redaction redaction = logged.redaction();
    return redaction == null ? plain : redactor(redaction).of(plain);
  }

  /**
   * Redacts a plain experiment record like another one.
   *
   * @throws CiphertextException if the key of the other one is missing
   */
  public ExperimentRecord like(ExperimentRecord logged, ExperimentRecord plain) {
    ExperimentRecord counted = SmallCellSuppression.like(logged, plain);
    Redaction redaction = logged.redaction();
    return redaction == null ? counted : redactor(redaction).of(counted);
  }

  /** Returns a plain snapshot without the groups that another one suppresses by the rule. */
  public SegmentMetrics like(SegmentMetrics logged, SegmentMetrics plain) {
    return SmallCellSuppression.like(logged, plain);
  }

  private Redactor redactor(Redaction redaction) {
    RedactionMode mode = redaction.mode();
    String keyId = redaction.keyId();
    if (mode == RedactionMode.PSEUDONYMIZE && keyId == null) {
      throw CiphertextException.forged("they name no key");
    }
    if (mode == RedactionMode.REDACT) {
      return redactors.computeIfAbsent(
          mode.name(), any -> new Redactor(SensitiveValues.REDACT, null, 1, specs));
    }
    RedactionKey key = keys.key(String.valueOf(keyId)).inScopeOf(redaction.ciphertext());
    if (redactors.size() >= MOST_REDACTORS) {
      redactors.clear();
    }
    return redactors.computeIfAbsent(
        mode + "/" + keyId + "/" + key.scope(),
        any -> new Redactor(SensitiveValues.PSEUDONYMIZE, key, 1, specs));
  }
}
