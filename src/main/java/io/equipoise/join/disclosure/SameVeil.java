package io.equipoise.join.disclosure;

import io.equipoise.event.FairnessAudit;
import io.equipoise.event.Hidden;
import io.equipoise.event.HiddenMode;
import io.equipoise.event.PhaseAudit;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.spec.SegmentSpec;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Hides fairness records and snapshots as the job has hidden others: what is computed anew can be
 * compared with what stands on the topic, tokens and sealed bytes too, and nothing need be
 * revealed. For one thread at a time.
 */
public final class SameVeil {
  /** One for each key of each deployment; more only where bytes were changed. */
  private static final int MOST_DISCLOSERS = 100;

  private final KeyRing keys;
  private final Function<String, @Nullable SegmentSpec> specs;
  private final Map<String, Discloser> disclosers = new HashMap<>();

  /**
   * Prepares a veil.
   *
   * @param specs finds a spec by its hash, null where nobody has it
   */
  public SameVeil(KeyRing keys, Function<String, @Nullable SegmentSpec> specs) {
    this.keys = keys;
    this.specs = specs;
  }

  /**
   * Returns a plain record as it would be told by a job that told another one so.
   *
   * @throws SealedException if the key for that is not here
   */
  public FairnessAudit like(FairnessAudit told, FairnessAudit plain) {
    PhaseAudit toldPhase = told.phase();
    PhaseAudit phase = plain.phase();
    FairnessAudit counted =
        phase == null || toldPhase == null ? plain : plain.with(SmallGroups.like(toldPhase, phase));
    Hidden hidden = told.hidden();
    return hidden == null ? counted : discloser(hidden).of(counted);
  }

  /** Returns a plain snapshot that leaves out the groups that another one leaves out by rule. */
  public SegmentMetrics like(SegmentMetrics told, SegmentMetrics plain) {
    return SmallGroups.like(told, plain);
  }

  private Discloser discloser(Hidden hidden) {
    HiddenMode mode = hidden.mode();
    String keyId = hidden.keyId();
    if (mode == HiddenMode.TOKEN && keyId == null) {
      throw SealedException.forged("they name no key");
    }
    if (mode == HiddenMode.DROP) {
      return disclosers.computeIfAbsent(
          mode.name(), any -> new Discloser(Disclosure.DROP, null, 1, specs));
    }
    DisclosureKey key = keys.key(String.valueOf(keyId)).inScopeOf(hidden.sealed());
    if (disclosers.size() >= MOST_DISCLOSERS) {
      disclosers.clear();
    }
    return disclosers.computeIfAbsent(
        mode + "/" + keyId + "/" + key.scope(),
        any -> new Discloser(Disclosure.TOKEN, key, 1, specs));
  }
}
