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
 * Fairness records: puts tokens in the place of factual and counterfactual, of the groups of an
 * experiment and of the sensitive levels that a refuted bound speaks of, whose ends go too, as they
 * can be looked up among the prior bounds. So does the index of the arm that was left: where it is
 * clipped it is an end of a bound on what this person's reward is.
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
    PartWriter taken =
        new PartWriter()
            .maybe(plain.factual())
            .maybe(plain.counterfactual())
            .put(plain.priorContext())
            .maybe(plain.priorLower())
            .maybe(plain.priorUpper())
            .maybe(plain.foregoneReward());
    List<String> groups = phase == null ? List.of() : phase.groups();
    taken.put(groups.size());
    groups.forEach(taken::put);
    taken.maybe(phase == null ? null : phase.statsHash());
    FairnessAudit shown =
        plain.with(
            stamp.level(plain.attribute(), plain.factual()),
            stamp.level(plain.attribute(), plain.counterfactual()),
            bound(plain.priorContext(), places, stamp),
            isBound ? null : plain.priorLower(),
            isBound ? null : plain.priorUpper(),
            phase(phase, groups.stream().map(it -> stamp.name(plain.attribute(), it)).toList(), ""),
            null,
            stamp.hidden(place(plain), taken));
    boolean isTold = stamp.mode() == HiddenMode.TOKEN || plain.kind() == AuditKind.PHASE;
    return isTold ? shown : shown.withoutNumbers();
  }

  static FairnessAudit reveal(FairnessAudit shown, Hidden hidden, KeyRing keys) {
    PartReader in = new PartReader(keys.open(hidden, place(shown).bytes()));
    String factual = in.textOrNull();
    String counterfactual = in.textOrNull();
    Map<String, String> context = in.names();
    Double lower = in.realOrNull();
    Double upper = in.realOrNull();
    Double foregoneReward = in.realOrNull();
    String[] groups = new String[in.count()];
    for (int i = 0; i < groups.length; i++) {
      groups[i] = in.text();
    }
    String statsHash = in.textOrNull();
    in.end();
    PhaseAudit phase = phase(shown.phase(), List.of(groups), String.valueOf(statsHash));
    return shown.with(factual, counterfactual, context, lower, upper, phase, foregoneReward, null);
  }

  private static Map<String, String> bound(
      Map<String, String> context, SensitivePlaces places, Stamp stamp) {
    Map<String, String> shown = new TreeMap<>();
    context.forEach(
        (variable, level) ->
            shown.put(variable, places.hides(variable) ? stamp.name(variable, level) : level));
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
