package io.equipoise.audit.verify;

import io.equipoise.audit.log.LogRecord;
import io.equipoise.event.AuditKind;
import io.equipoise.event.Decision;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.PhaseAudit;
import io.equipoise.event.Wire;
import io.equipoise.join.disclosure.SameVeil;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The fairness records that the replay has written with one change, and which of them were not
 * found yet. What is compared is hidden as the record on the topic is: nothing is revealed, and
 * tokens and sealed bytes must be the right ones too.
 */
final class ChangeAudits {
  final Change change;
  private final List<FairnessAudit> open;
  private final SameVeil veil;

  /** A record of the audit topic. */
  record Found(LogRecord at, FairnessAudit record) {
    String key() {
      return ChangeAudits.key(record, true);
    }
  }

  ChangeAudits(Change change, List<FairnessAudit> written, SameVeil veil) {
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
    boolean isPlain = !(change.record() instanceof Decision decision) || decision.hidden() == null;
    return open.stream().map(record -> key(record, isPlain)).toList();
  }

  /** Takes out the record that one of the topic equals; says whether there is one. */
  boolean take(Found found) {
    for (FairnessAudit written : open) {
      if (told(found.record, written).equals(found.record)) {
        return open.remove(written);
      }
    }
    return false;
  }

  /**
   * Takes out the record about the same as one of the topic that equals none.
   *
   * @return in which field they differ, an empty text where only in fields that the topic's was not
   *     written with; null where there is no record about the same
   */
  @Nullable String takeAltered(Found found) {
    Set<String> fields = Wire.AUDIT.fieldsOf(Payloads.value(found.at));
    for (FairnessAudit written : open) {
      FairnessAudit told = told(found.record, written);
      if (isAboutTheSame(told, found.record)) {
        open.remove(written);
        return Objects.requireNonNullElse(Difference.first(found.record, told, fields), "");
      }
    }
    return null;
  }

  /** The rewards of a phase that came late or again are in no change; they are taken as told. */
  private FairnessAudit told(FairnessAudit found, FairnessAudit written) {
    PhaseAudit seen = found.phase();
    PhaseAudit phase = written.phase();
    return veil.like(
        found,
        seen == null || phase == null
            ? written
            : written.with(phase.with(seen.rewardsLate(), seen.rewardsDuplicate())));
  }

  private static boolean isAboutTheSame(FairnessAudit one, FairnessAudit other) {
    return one.kind() == other.kind()
        && Objects.equals(one.attribute(), other.attribute())
        && Objects.equals(one.counterfactual(), other.counterfactual())
        && (one.kind() != AuditKind.PRIOR_REFUTED
            || (Objects.equals(one.arm(), other.arm())
                && one.priorContext().equals(other.priorContext())));
  }

  private static String key(FairnessAudit record, boolean areLevelsTold) {
    String key = Change.key(record.segment(), record.shard(), record.seq());
    if (record.kind() != AuditKind.DECISION) {
      key += ", " + record.kind();
    }
    if (record.attribute() != null) {
      key += ", attribute " + record.attribute();
    }
    return areLevelsTold && record.counterfactual() != null
        ? key + ", counterfactual " + record.counterfactual()
        : key;
  }
}
