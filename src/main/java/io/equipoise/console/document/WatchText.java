package io.equipoise.console.document;

import io.equipoise.event.ChallengerEvidence;
import io.equipoise.event.ChallengerRegistration;
import io.equipoise.event.GroupTest;
import io.equipoise.event.GroupsEvidence;
import io.equipoise.event.GroupsRegistration;
import io.equipoise.event.WatchEnded;
import io.equipoise.event.WatchEvidence;
import io.equipoise.job.control.WatchLedger.LedgerEntry;
import io.equipoise.watch.EvidenceText;
import java.time.Instant;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Describes a challenger or a group monitor with its newest evidence, in words.
 *
 * @param value what a challenger earns; empty with a group monitor, and before the first record
 * @param difference the same minus what the champion earns
 * @param unknown why these have no estimate between their ends; empty if they have one
 * @param state open, passes, alarm, what it waits for, or why it ended
 * @param level with which probability the intervals hold
 * @param challenger null with a group monitor, and before the first record
 * @param groups null with a challenger, and before the first record
 */
public record WatchText(
    String id,
    String name,
    String since,
    String rows,
    String evidence,
    String value,
    String difference,
    String unknown,
    String state,
    String level,
    boolean passes,
    boolean isAlarm,
    boolean hasChanged,
    @Nullable ChallengerEvidence challenger,
    @Nullable GroupsEvidence groups) {

  /**
   * Explains a registration and its newest evidence.
   *
   * @param running hash of the spec that the segment runs now; null if it is not known
   */
  public static WatchText of(LedgerEntry entry, @Nullable String running) {
    WatchEvidence newest = entry.newest();
    ChallengerRegistration challenger = entry.challenger();
    GroupsRegistration groups = entry.registration().groups();
    ChallengerEvidence found = newest == null ? null : newest.ofChallenger();
    GroupsEvidence gaps = newest == null ? null : newest.ofGroups();
    boolean isOutdated = entry.isOutdated(running);
    boolean isTested = entry.isOpen() && !isOutdated && entry.promoted() == null;
    boolean passes = isTested && entry.passes();
    boolean isAlarm =
        entry.isOpen() && gaps != null && gaps.tests().stream().anyMatch(GroupTest::alarm);
    String state = isOutdated ? EvidenceText.OUTDATED : state(entry, passes, isAlarm);
    boolean isOfChallenger = challenger != null && newest != null && found != null;
    String unknown = isOfChallenger ? EvidenceText.unknown(newest, found) : "";
    String evidence =
        isOfChallenger
            ? "%s; %s%s"
                .formatted(
                    EvidenceText.gate(challenger, newest, found),
                    isTested ? EvidenceText.verdict(found) : state,
                    unknown.isEmpty() ? "" : "; " + unknown)
            : groups != null && gaps != null ? text(groups, gaps) : "no record yet";
    long since =
        challenger != null ? challenger.registeredAt() : groups != null ? groups.registeredAt() : 0;
    return new WatchText(
        entry.registration().id(),
        EvidenceText.name(entry.registration()),
        Instant.ofEpochMilli(since).toString(),
        newest == null ? "0" : EvidenceText.count(newest.rows()),
        evidence,
        isOfChallenger ? EvidenceText.value(newest, found) : "",
        isOfChallenger ? EvidenceText.difference(newest, found) : "",
        unknown,
        state,
        EvidenceText.level(entry.registration()),
        passes,
        isAlarm,
        entry.isOpen() && gaps != null && gaps.changeAlarms() > 0,
        found,
        gaps);
  }

  private static String state(LedgerEntry entry, boolean passes, boolean isAlarm) {
    WatchEnded ended = entry.ended();
    return entry.promoted() != null
        ? ended == null
            ? EvidenceText.promoted(entry.promotedAt(), entry.supersededBy())
            : entry.isPromotedInVain() ? "promoted, " + EvidenceText.IN_VAIN : "promoted"
        : ended != null
            ? "ended: " + ended.reason() + (ended.message().isEmpty() ? "" : ", " + ended.message())
            : passes ? "passes" : isAlarm ? "alarm" : "open";
  }

  private static String text(GroupsRegistration registered, GroupsEvidence found) {
    return found.tests().stream()
        .map(
            test ->
                "%s %s, %s"
                    .formatted(
                        test.level(),
                        EvidenceText.interval(test.low(), test.high()),
                        EvidenceText.odds(test, registered.tolerance())))
        .collect(Collectors.joining("; "));
  }
}
