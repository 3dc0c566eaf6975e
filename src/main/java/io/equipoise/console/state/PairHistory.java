package io.equipoise.console.state;

import io.equipoise.event.AuditEffectKind;
import io.equipoise.event.AuditGuarantee;
import io.equipoise.event.AuditVerdict;
import io.equipoise.event.AuditedEffect;
import io.equipoise.event.FairnessAudit;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counts the verdicts on one pair of levels of a sensitive attribute, and keeps each arm's latest
 * effect.
 */
public final class PairHistory {
  private static final int MOST_EFFECTS = 40;

  private final PairKey key;
  private final SharedLimit quota;
  private final Map<AuditVerdict, Ring> verdicts = new EnumMap<>(AuditVerdict.class);
  private final Map<String, Effect> effects = new LinkedHashMap<>();
  private long effectsLeftOut;

  /**
   * Identifies a pair and a kind of effect.
   *
   * @param factual null where the level is redacted
   */
  public record PairKey(
      String attribute,
      @Nullable String factual,
      @Nullable String counterfactual,
      AuditEffectKind kind) {
    static PairKey of(AuditedEffect effect) {
      return new PairKey(
          Names.cut(effect.attribute()),
          Names.cutOrNull(effect.factual()),
          Names.cutOrNull(effect.counterfactual()),
          effect.kind());
    }
  }

  /**
   * Holds the latest effect of an arm.
   *
   * @param audits audits of the arm since the console started
   */
  public record Effect(
      AuditedEffect effect,
      double threshold,
      AuditVerdict verdict,
      AuditGuarantee guarantee,
      String decisionId,
      long time,
      long audits) {}

  PairHistory(PairKey key, SharedLimit quota) {
    this.key = key;
    this.quota = quota;
  }

  void on(FairnessAudit audit, long bucket, long time) {
    verdicts.computeIfAbsent(audit.verdict(), any -> new Ring()).add(bucket, 1);
    String arm = Names.cut(audit.arm());
    Effect known = effects.get(arm);
    if (known == null && (effects.size() >= MOST_EFFECTS || !quota.take())) {
      effectsLeftOut++;
      return;
    }
    effects.put(
        arm,
        new Effect(
            audit.effect().withLevels(key.factual(), key.counterfactual()),
            audit.threshold(),
            audit.verdict(),
            audit.guarantee(),
            Names.cut(audit.decisionId()),
            time,
            known == null ? 1 : known.audits() + 1));
  }

  public PairKey key() {
    return key;
  }

  /** Returns the latest effects by arm. */
  public Map<String, Effect> effects() {
    return Collections.unmodifiableMap(effects);
  }

  /** Returns how many audits of arms without an effect here came. */
  public long effectsLeftOut() {
    return effectsLeftOut;
  }

  /** Returns the number of audits with a verdict in a range of buckets. */
  public List<Long> series(AuditVerdict verdict, long first, long last) {
    Ring ring = verdicts.get(verdict);
    return TimeAxis.series(first, last, bucket -> ring == null ? 0L : (long) ring.at(bucket));
  }

  /** Returns the number of audits with a verdict in the window that ends with a bucket. */
  public long count(AuditVerdict verdict, long last) {
    Ring ring = verdicts.get(verdict);
    return ring == null ? 0 : (long) ring.total(last);
  }

  /** Returns the number of audits in the window that ends with a bucket. */
  public long audits(long last) {
    return verdicts.keySet().stream().mapToLong(verdict -> count(verdict, last)).sum();
  }
}
