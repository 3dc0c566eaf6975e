package io.equipoise.join.disclosure;

import io.equipoise.event.AuditKind;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.Hidden;
import io.equipoise.event.HiddenMode;
import io.equipoise.event.PhaseAudit;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

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
    FairnessAudit shown =
        plain.with(
            stamp.level(plain.attribute(), plain.factual()),
            stamp.level(plain.attribute(), plain.counterfactual()),
            bound(plain.priorContext(), places),
            isBound ? null : plain.priorLower(),
            isBound ? null : plain.priorUpper(),
            phase == null ? null : hidden(phase),
            null,
            stamp.hidden(place(plain), taken(plain, places.longestLevelBytes())));
    boolean areNumbersTold = stamp.mode() == HiddenMode.TOKEN || plain.kind() == AuditKind.PHASE;
    return areNumbersTold && !isBound ? shown : shown.withoutNumbers();
  }

  private static PartWriter taken(FairnessAudit plain, int longest) {
    PartWriter taken =
        new PartWriter()
            .maybeLevel(plain.factual(), longest)
            .maybeLevel(plain.counterfactual(), longest)
            .maybe(plain.foregoneReward());
    if (!plain.priorContext().isEmpty()) {
      taken
          .levels(plain.priorContext(), longest)
          .maybe(plain.priorLower())
          .maybe(plain.priorUpper())
          .maybe(plain.estimate())
          .maybe(plain.lower())
          .maybe(plain.upper());
    }
    PhaseAudit phase = plain.phase();
    if (phase != null) {
      taken.put(phase.groups().size());
      phase.groups().forEach(group -> taken.level(group, longest));
      taken.put(phase.statsHash());
    }
    return taken;
  }

  static FairnessAudit reveal(FairnessAudit shown, Hidden hidden, KeyRing keys) {
    PartReader in = new PartReader(keys.open(hidden, place(shown).bytes()));
    String factual = in.textOrNull();
    String counterfactual = in.textOrNull();
    Double foregoneReward = in.realOrNull();
    boolean isBound = !shown.priorContext().isEmpty();
    Map<String, String> context = isBound ? in.names() : Map.of();
    Double lower = isBound ? in.realOrNull() : null;
    Double upper = isBound ? in.realOrNull() : null;
    FairnessAudit estimated =
        isBound ? shown.with(in.realOrNull(), in.realOrNull(), in.realOrNull()) : shown;
    PhaseAudit phase = shown.phase() == null ? null : revealed(shown.phase(), in);
    in.end();
    return estimated.with(
        factual, counterfactual, context, lower, upper, phase, foregoneReward, null);
  }

  private static PhaseAudit hidden(PhaseAudit phase) {
    List<String> groups = phase.groups().stream().map(any -> Stamp.DROPPED).toList();
    return phase.with(groups, phase.arrived(), "");
  }

  private static PhaseAudit revealed(PhaseAudit phase, PartReader in) {
    String[] groups = new String[in.count()];
    for (int i = 0; i < groups.length; i++) {
      groups[i] = in.text();
    }
    return phase.with(List.of(groups), phase.arrived(), in.text());
  }

  private static Map<String, String> bound(Map<String, String> context, SensitivePlaces places) {
    Map<String, String> shown = new TreeMap<>();
    context.forEach(
        (variable, level) -> shown.put(variable, places.hides(variable) ? Stamp.DROPPED : level));
    return shown;
  }

  private static PartWriter place(FairnessAudit audit) {
    return new PartWriter()
        .put("audit")
        .put(audit.kind().name())
        .put(audit.segment())
        .put(audit.shard())
        .put(audit.attempt())
        .put(audit.seq())
        .maybe(audit.decisionId())
        .maybe(audit.attribute());
  }
}
