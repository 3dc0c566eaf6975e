package io.equipoise.privacy;

import io.equipoise.event.AuditedEffect;
import io.equipoise.event.ExcludedCandidate;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.Redaction;
import io.equipoise.event.RedactionMode;
import org.jspecify.annotations.Nullable;

/**
 * Redacts fairness audits: replaces the factual and the counterfactual level by pseudonyms, or
 * removes them. Removes the reward of the excluded candidate too, because a clipped reward is the
 * end of a bound on this person's reward.
 *
 * <p>If levels are removed, the numbers of the person's effect are removed too, because the sign
 * alone shows which of two groups a person belongs to. Verdicts stay.
 */
final class AuditRedactor {
  private AuditRedactor() {}

  static FairnessAudit hide(
      FairnessAudit plain, SensitivePlaces places, RedactionContext redactionContext) {
    AuditedEffect effect = plain.effect();
    PartWriter taken =
        new PartWriter()
            .maybeLevel(effect.factual(), places.longestLevelBytes())
            .maybeLevel(effect.counterfactual(), places.longestLevelBytes())
            .maybe(plain.excluded() == null ? null : plain.excluded().reward());
    FairnessAudit shown =
        plain.with(
            effect.withLevels(
                redactionContext.level(effect.attribute(), effect.factual()),
                redactionContext.level(effect.attribute(), effect.counterfactual())),
            withReward(plain.excluded(), null),
            redactionContext.redaction(place(plain), taken));
    return redactionContext.mode() == RedactionMode.PSEUDONYMIZE ? shown : shown.withoutNumbers();
  }

  static FairnessAudit reveal(FairnessAudit shown, Redaction redaction, KeyRing keys) {
    PartReader in = new PartReader(keys.open(redaction, place(shown).bytes()));
    AuditedEffect effect = shown.effect().withLevels(in.textOrNull(), in.textOrNull());
    ExcludedCandidate excluded = withReward(shown.excluded(), in.realOrNull());
    in.end();
    return shown.with(effect, excluded, null);
  }

  private static @Nullable ExcludedCandidate withReward(
      @Nullable ExcludedCandidate excluded, @Nullable Double reward) {
    return excluded == null ? null : excluded.withReward(reward);
  }

  private static PartWriter place(FairnessAudit audit) {
    return new PartWriter()
        .put("audit")
        .put(audit.segment())
        .put(audit.writerEpoch())
        .put(audit.seq())
        .put(audit.decisionId())
        .put(audit.effect().attribute());
  }
}
