package io.equipoise.audit.verify;

import io.equipoise.audit.log.LogRecord;
import io.equipoise.event.Decision;
import io.equipoise.event.ExperimentRecord;
import io.equipoise.event.Explanation;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.PhaseAudit;
import io.equipoise.event.PhaseCounts;
import io.equipoise.privacy.ReferenceRedactor;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The records of one topic that the replay has written with one change, and which of them were not
 * found yet. What is compared is hidden as the record on the topic is: nothing is revealed, and
 * tokens and sealed bytes must be the right ones too.
 */
final class ChangeAudits {
  final Change change;
  private final List<Explanation> open;
  private final ReferenceRedactor veil;

  /** A record of the topic. */
  record Found(LogRecord at, Explanation record) {
    String key() {
      return ChangeAudits.key(record, true);
    }
  }

  ChangeAudits(Change change, List<Explanation> written, ReferenceRedactor veil) {
    this.change = change;
    this.open = new ArrayList<>(written);
    this.veil = veil;
  }

  /** Returns how many records were not found yet. */
  int missing() {
    return open.size();
  }

  /** Returns the keys of the records that were not found; they tell no level that is hidden. */
  List<String> keysMissing() {
    boolean isPlain =
        !(change.record() instanceof Decision decision) || decision.redaction() == null;
    return open.stream().map(record -> key(record, isPlain)).toList();
  }

  /** Takes out the record that one of the topic equals; says whether there is one. */
  boolean take(Found found) {
    for (Explanation written : open) {
      if (told(found.record, written).equals(found.record)) {
        return open.remove(written);
      }
    }
    return false;
  }

  /**
   * Takes out the record about the same as one of the topic that equals none.
   *
   * @return the field in which they differ; null where there is no record about the same
   */
  @Nullable String takeAltered(Found found) {
    for (Explanation written : open) {
      Explanation told = told(found.record, written);
      if (isAboutTheSame(told, found.record)) {
        open.remove(written);
        return Difference.first((Record) found.record, (Record) told, Set.of());
      }
    }
    return null;
  }

  /** Returns what the replay wrote, redacted as the record on the topic is. */
  private Explanation told(Explanation found, Explanation written) {
    if (found instanceof FairnessAudit audit && written instanceof FairnessAudit own) {
      return veil.like(audit, own);
    }
    return found instanceof ExperimentRecord record && written instanceof ExperimentRecord own
        ? veil.like(record, withRewards(record, own))
        : written;
  }

  /** The rewards of a phase that came late or again are in no change: the record is trusted. */
  private static ExperimentRecord withRewards(ExperimentRecord found, ExperimentRecord written) {
    PhaseAudit seen = found.phase();
    PhaseAudit phase = written.phase();
    if (seen == null || phase == null) {
      return written;
    }
    PhaseCounts counts =
        phase.counts().withRewards(seen.counts().rewardsLate(), seen.counts().rewardsDuplicate());
    return written.with(
        written.design(), phase.with(phase.allocation(), counts), written.redaction());
  }

  private static boolean isAboutTheSame(Explanation one, Explanation other) {
    if (one instanceof FairnessAudit audit && other instanceof FairnessAudit like) {
      return audit.effect().attribute().equals(like.effect().attribute())
          && Objects.equals(audit.effect().counterfactual(), like.effect().counterfactual());
    }
    return one instanceof ExperimentRecord record
        && other instanceof ExperimentRecord like
        && (record.terminal() == null) == (like.terminal() == null);
  }

  private static String key(Explanation record, boolean areLevelsTold) {
    String key = Change.key(record.segment(), record.seq());
    if (record instanceof FairnessAudit audit) {
      key += ", attribute " + audit.effect().attribute();
      String level = audit.effect().counterfactual();
      return areLevelsTold && level != null ? key + ", counterfactual " + level : key;
    }
    boolean isPhase = record instanceof ExperimentRecord one && one.terminal() == null;
    return key + (isPhase ? ", PHASE" : ", TERMINAL");
  }
}
