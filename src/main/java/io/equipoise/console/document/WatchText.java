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
 * @param state the verdict on a challenger, open or alarm of a monitor, or why it ended
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
    String state,
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
    boolean isOpen = entry.isOpen();
    boolean isAlarm = isOpen && gaps != null && gaps.tests().stream().anyMatch(GroupTest::alarm);
    boolean isOfChallenger = challenger != null && newest != null && found != null;
    long since =
        challenger != null ? challenger.registeredAt() : groups != null ? groups.registeredAt() : 0;
    return new WatchText(
        entry.registration().id(),
        EvidenceText.name(entry.registration()),
        Instant.ofEpochMilli(since).toString(),
        newest == null ? "0" : EvidenceText.count(newest.rows()),
        isOfChallenger
            ? EvidenceText.gate(challenger, newest, found)
            : groups != null && gaps != null ? text(groups, gaps) : "no record yet",
        isOfChallenger ? EvidenceText.value(newest, found) : "",
        isOfChallenger ? EvidenceText.difference(newest, found) : "",
        state(entry, running, isAlarm),
        isOpen && !entry.isOutdated(running) && entry.promoted() == null && entry.passes(),
        isAlarm,
        isOpen && gaps != null && gaps.changeAlarms() > 0,
        found,
        gaps);
  }

  private static String state(LedgerEntry entry, @Nullable String running, boolean isAlarm) {
    WatchEnded ended = entry.ended();
    ChallengerEvidence found = entry.ofChallenger();
    String promoted = entry.promoted() == null ? "" : "promoted as " + entry.promoted().specKey();
    if (ended != null && promoted.endsWith("/" + ended.adopted())) {
      return "ended: " + promoted + ", which was adopted";
    }
    if (ended != null) {
      return "ended: "
          + (promoted.isEmpty()
              ? EvidenceText.ended(ended)
              : "%s %s".formatted(ended.reason(), ended.message()).strip() + "; " + promoted);
    }
    return entry.isOutdated(running)
        ? EvidenceText.OUTDATED
        : !promoted.isEmpty()
            ? promoted
            : found != null ? EvidenceText.verdict(found) : isAlarm ? "ALARM" : "open";
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
