package io.equipoise.privacy;

import io.equipoise.event.ExperimentDesign;
import io.equipoise.event.ExperimentRecord;
import io.equipoise.event.PhaseAudit;
import io.equipoise.event.Redaction;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Redacts experiment records: removes the names of the two groups in both modes. They are in the
 * order of the spec, so pseudonyms would be known for the whole deployment.
 *
 * <p>Also removes the hash of a phase's statistics, because a reader of the other topics could use
 * it to test the group of each sample.
 */
final class ExperimentRedactor {
  private ExperimentRedactor() {}

  static ExperimentRecord hide(
      ExperimentRecord plain, SensitivePlaces places, RedactionContext redactionContext) {
    ExperimentDesign design = plain.design();
    if (design == null) {
      return plain;
    }
    PartWriter taken = new PartWriter().put(design.groups().size());
    design.groups().forEach(group -> taken.level(group, places.longestLevelBytes()));
    PhaseAudit phase = plain.phase();
    if (phase != null) {
      taken.put(phase.statsHash());
    }
    List<String> groups = design.groups().stream().map(any -> RedactionContext.DROPPED).toList();
    return plain.with(
        design.withGroups(groups),
        withHash(phase, ""),
        redactionContext.redaction(place(plain), taken));
  }

  static ExperimentRecord reveal(ExperimentRecord shown, Redaction redaction, KeyRing keys) {
    PartReader in = new PartReader(keys.open(redaction, place(shown).bytes()));
    String[] groups = new String[in.count()];
    for (int i = 0; i < groups.length; i++) {
      groups[i] = in.text();
    }
    PhaseAudit phase = shown.phase() == null ? null : withHash(shown.phase(), in.text());
    in.end();
    ExperimentDesign design = shown.design();
    return shown.with(design == null ? null : design.withGroups(List.of(groups)), phase, null);
  }

  private static @Nullable PhaseAudit withHash(@Nullable PhaseAudit phase, String statsHash) {
    return phase == null ? null : phase.withStatsHash(statsHash);
  }

  private static PartWriter place(ExperimentRecord record) {
    return new PartWriter()
        .put("experiment")
        .put(record.segment())
        .put(record.writerEpoch())
        .put(record.seq())
        .put(record.terminal() == null ? "phase" : "terminal");
  }
}
