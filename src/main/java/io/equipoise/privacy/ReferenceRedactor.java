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
 * Hides fairness records and snapshots as the job has hidden others: what is computed anew can be
 * compared with what stands on the topic, tokens and sealed bytes too, and nothing need be
 * revealed. For one thread at a time.
 */
public final class ReferenceRedactor {
  /** One for each key of each deployment; more only where bytes were changed. */
  private static final int MOST_DISCLOSERS = 100;

  private final KeyRing keys;
  private final Function<String, @Nullable SegmentSpec> specs;
  private final Map<String, Redactor> disclosers = new HashMap<>();

  /**
   * Prepares a veil.
   *
   * @param specs finds a spec by its hash, null where nobody has it
   */
  public ReferenceRedactor(KeyRing keys, Function<String, @Nullable SegmentSpec> specs) {
    this.keys = keys;
    this.specs = specs;
  }

  /**
   * Returns a plain record as it would be told by a job that told another one so.
   *
   * @throws CiphertextException if the key for that is not here
   */
  public FairnessAudit like(FairnessAudit told, FairnessAudit plain) {
    Redaction redaction = told.redaction();
    return redaction == null ? plain : redactor(redaction).of(plain);
  }

  /**
   * Returns a plain record of an experiment as it would be told by a job that told another one so.
   *
   * @throws CiphertextException if the key for that is not here
   */
  public ExperimentRecord like(ExperimentRecord told, ExperimentRecord plain) {
    ExperimentRecord counted = SmallCellSuppression.like(told, plain);
    Redaction redaction = told.redaction();
    return redaction == null ? counted : redactor(redaction).of(counted);
  }

  /** Returns a plain snapshot that leaves out the groups that another one leaves out by rule. */
  public SegmentMetrics like(SegmentMetrics told, SegmentMetrics plain) {
    return SmallCellSuppression.like(told, plain);
  }

  private Redactor redactor(Redaction redaction) {
    RedactionMode mode = redaction.mode();
    String keyId = redaction.keyId();
    if (mode == RedactionMode.PSEUDONYMIZE && keyId == null) {
      throw CiphertextException.forged("they name no key");
    }
    if (mode == RedactionMode.REDACT) {
      return disclosers.computeIfAbsent(
          mode.name(), any -> new Redactor(SensitiveValues.REDACT, null, 1, specs));
    }
    RedactionKey key = keys.key(String.valueOf(keyId)).inScopeOf(redaction.ciphertext());
    if (disclosers.size() >= MOST_DISCLOSERS) {
      disclosers.clear();
    }
    return disclosers.computeIfAbsent(
        mode + "/" + keyId + "/" + key.scope(),
        any -> new Redactor(SensitiveValues.PSEUDONYMIZE, key, 1, specs));
  }
}
