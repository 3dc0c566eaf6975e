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
 * Keeps the records of one topic that the replay wrote for one change and that are not found yet.
 * Replayed records are redacted like the record on the topic before they are compared. So nothing
 * is revealed, and pseudonyms and ciphertexts are checked too.
 */
final class ChangeAudits {
  final Change change;
  private final List<Explanation> open;
  private final ReferenceRedactor redactor;

  /** Pairs a record of the topic with its place. */
  record PlacedExplanation(LogRecord at, Explanation record) {
    String key() {
      return ChangeAudits.key(record, true);
    }
  }

  ChangeAudits(Change change, List<Explanation> written, ReferenceRedactor redactor) {
    this.change = change;
    this.open = new ArrayList<>(written);
    this.redactor = redactor;
  }

  /** Returns how many records are not found yet. */
  int missing() {
    return open.size();
  }

  /** Returns the names of the records that are not found; redacted levels are left out. */
  List<String> keysMissing() {
    boolean isPlain =
        !(change.record() instanceof Decision decision) || decision.redaction() == null;
    return open.stream().map(record -> key(record, isPlain)).toList();
  }

  /** Removes the replayed record that equals one of the topic; returns whether there is one. */
  boolean take(PlacedExplanation found) {
    for (Explanation written : open) {
      if (redacted(found.record, written).equals(found.record)) {
        return open.remove(written);
      }
    }
    return false;
  }

  /**
   * Removes the replayed record with the same subject as one of the topic that equals none.
   *
   * @return the field in which they differ; null if no replayed record has the same subject
   */
  @Nullable String takeAltered(PlacedExplanation found) {
    for (Explanation written : open) {
      Explanation replayed = redacted(found.record, written);
      if (isAboutTheSame(replayed, found.record)) {
        open.remove(written);
        return Difference.first((Record) found.record, (Record) replayed, Set.of());
      }
    }
    return null;
  }

  /** Returns the replayed record, redacted like the record on the topic. */
  private Explanation redacted(Explanation found, Explanation written) {
    if (found instanceof FairnessAudit audit && written instanceof FairnessAudit own) {
      return redactor.like(audit, own);
    }
    return found instanceof ExperimentRecord record && written instanceof ExperimentRecord own
        ? redactor.like(record, withRewards(record, own))
        : written;
  }

  /**
   * Late and duplicate rewards of a phase are in no change, so their counts are taken from the
   * topic.
   */
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

  private static String key(Explanation record, boolean showsLevels) {
    String key = Change.key(record.segment(), record.seq());
    if (record instanceof FairnessAudit audit) {
      key += ", attribute " + audit.effect().attribute();
      String level = audit.effect().counterfactual();
      return showsLevels && level != null ? key + ", counterfactual " + level : key;
    }
    boolean isPhase = record instanceof ExperimentRecord one && one.terminal() == null;
    return key + (isPhase ? ", PHASE" : ", TERMINAL");
  }
}
