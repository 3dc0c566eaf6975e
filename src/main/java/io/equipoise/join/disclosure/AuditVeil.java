package io.equipoise.join.disclosure;

import io.equipoise.event.AuditKind;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.Hidden;
import io.equipoise.event.HiddenMode;
import io.equipoise.event.PhaseAudit;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Fairness records: puts tokens in the place of factual and counterfactual. The groups of an
 * experiment and the sensitive levels that a refuted bound speaks of have none in either mode: the
 * groups stand in the order of the spec, and which row of the prior bounds was refuted follows from
 * them and the rest of the record. One such record would open every token of the deployment.
 *
 * <p>Of a refuted bound the ends go too, as they can be looked up, and so do the estimate and its
 * interval, which the row's ends lie beyond. So does the index of the arm that was left: where it
 * is clipped it is an end of a bound on what this person's reward is.
 *
 * <p>The hash of a phase's statistics goes as well: whoever has the rest of the log could try with
 * it which group each sample is of.
 *
 * <p>Where levels are dropped, the numbers of one person's effect are dropped with them: the sign
 * alone tells which of two groups a person is of. Verdicts stay.
 */
final class AuditVeil {
  private AuditVeil() {}

  static FairnessAudit hide(FairnessAudit plain, SensitivePlaces places, Stamp stamp) {
    boolean isBound = plain.priorContext().keySet().stream().anyMatch(places::hides);
    boolean isPerson = plain.factual() != null || plain.counterfactual() != null;
    PhaseAudit phase = plain.phase();
    if (!isPerson && !isBound && phase == null) {
      return plain;
    }
    int longest = places.longestLevelBytes();
    PartWriter taken =
        new PartWriter()
            .maybeLevel(plain.factual(), longest)
            .maybeLevel(plain.counterfactual(), longest)
            .levels(plain.priorContext(), longest)
            .maybe(plain.priorLower())
            .maybe(plain.priorUpper())
            .maybe(plain.foregoneReward())
            .maybe(isBound ? plain.estimate() : null)
            .maybe(isBound ? plain.lower() : null)
            .maybe(isBound ? plain.upper() : null);
    List<String> groups = phase == null ? List.of() : phase.groups();
    taken.put(groups.size());
    groups.forEach(group -> taken.level(group, longest));
    taken.maybe(phase == null ? null : phase.statsHash());
    FairnessAudit shown =
        plain.with(
            stamp.level(plain.attribute(), plain.factual()),
            stamp.level(plain.attribute(), plain.counterfactual()),
            bound(plain.priorContext(), places),
            isBound ? null : plain.priorLower(),
            isBound ? null : plain.priorUpper(),
            phase(phase, groups.stream().map(any -> Stamp.DROPPED).toList(), ""),
            null,
            stamp.hidden(place(plain), taken));
    boolean areNumbersTold = stamp.mode() == HiddenMode.TOKEN || plain.kind() == AuditKind.PHASE;
    return areNumbersTold && !isBound ? shown : shown.withoutNumbers();
  }

  static FairnessAudit reveal(FairnessAudit shown, Hidden hidden, KeyRing keys) {
    PartReader in = new PartReader(keys.open(hidden, place(shown).bytes()));
    String factual = in.textOrNull();
    String counterfactual = in.textOrNull();
    Map<String, String> context = in.names();
    Double lower = in.realOrNull();
    Double upper = in.realOrNull();
    Double foregoneReward = in.realOrNull();
    Double estimate = in.realOrNull();
    Double lowerOfEstimate = in.realOrNull();
    Double upperOfEstimate = in.realOrNull();
    String[] groups = new String[in.count()];
    for (int i = 0; i < groups.length; i++) {
      groups[i] = in.text();
    }
    String statsHash = in.textOrNull();
    in.end();
    PhaseAudit phase = phase(shown.phase(), List.of(groups), String.valueOf(statsHash));
    FairnessAudit revealed =
        shown.with(factual, counterfactual, context, lower, upper, phase, foregoneReward, null);
    return estimate == null ? revealed : revealed.with(estimate, lowerOfEstimate, upperOfEstimate);
  }

  private static Map<String, String> bound(Map<String, String> context, SensitivePlaces places) {
    Map<String, String> shown = new TreeMap<>();
    context.forEach(
        (variable, level) -> shown.put(variable, places.hides(variable) ? Stamp.DROPPED : level));
    return shown;
  }

  private static @Nullable PhaseAudit phase(
      @Nullable PhaseAudit phase, List<String> groups, String statsHash) {
    return phase == null ? null : phase.with(groups, phase.arrived(), statsHash);
  }

  private static PartWriter place(FairnessAudit audit) {
    return new PartWriter()
        .put("audit")
        .put(audit.kind().name())
        .put(audit.segment())
        .put(audit.shard())
        .put(audit.seq())
        .maybe(audit.attribute());
  }
}
