package io.equipoise.console.document;

import io.equipoise.event.ChallengerEvidence;
import io.equipoise.event.ChallengerRegistration;
import io.equipoise.event.GroupTest;
import io.equipoise.event.GroupsEvidence;
import io.equipoise.event.GroupsRegistration;
import io.equipoise.event.WatchEnded;
import io.equipoise.event.WatchEvidence;
import io.equipoise.job.control.WatchLedger;
import io.equipoise.watch.EvidenceText;
import java.time.Instant;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Describes a challenger or a group monitor with its newest evidence, in words.
 *
 * @param state open, passes, alarm, or why it ended
 * @param challenger null with a group monitor, and before the first record
 * @param groups null with a challenger, and before the first record
 */
public record WatchText(
    String id,
    String name,
    String since,
    String rows,
    String evidence,
    String state,
    boolean passes,
    boolean isAlarm,
    boolean hasChanged,
    @Nullable ChallengerEvidence challenger,
    @Nullable GroupsEvidence groups) {

  /** Explains a registration and its newest evidence. */
  public static WatchText of(WatchLedger.LedgerEntry entry) {
    WatchEvidence newest = entry.newest();
    ChallengerRegistration challenger = entry.challenger();
    GroupsRegistration groups = entry.registration().groups();
    ChallengerEvidence found = newest == null ? null : newest.ofChallenger();
    GroupsEvidence gaps = newest == null ? null : newest.ofGroups();
    boolean passes = entry.isOpen() && found != null && found.passes();
    boolean isAlarm =
        entry.isOpen() && gaps != null && gaps.tests().stream().anyMatch(GroupTest::alarm);
    String name = "";
    long since = 0;
    String evidence = "no record yet";
    if (challenger != null) {
      name = EvidenceText.name(challenger);
      since = challenger.registeredAt();
      evidence = found == null ? evidence : text(challenger, found);
    } else if (groups != null) {
      name = EvidenceText.name(groups);
      since = groups.registeredAt();
      evidence = gaps == null ? evidence : text(groups, gaps);
    }
    return new WatchText(
        entry.registration().id(),
        name,
        Instant.ofEpochMilli(since).toString(),
        newest == null ? "0" : String.format(Locale.ROOT, "%,d", newest.rows()),
        evidence,
        state(entry, passes, isAlarm),
        passes,
        isAlarm,
        entry.isOpen() && gaps != null && gaps.changeAlarms() > 0,
        found,
        gaps);
  }

  private static String state(WatchLedger.LedgerEntry entry, boolean passes, boolean isAlarm) {
    WatchEnded ended = entry.ended();
    return entry.promoted() != null
        ? "promoted"
        : ended != null
            ? "ended: " + ended.reason()
            : passes ? "passes" : isAlarm ? "alarm" : "open";
  }

  private static String text(ChallengerRegistration registered, ChallengerEvidence found) {
    return "minus champion %s; gate %s; fairness %s; %s"
        .formatted(
            EvidenceText.interval(
                found.difference(), found.differenceLow(), found.differenceHigh()),
            EvidenceText.gate(registered, found),
            EvidenceText.fairness(registered, found),
            EvidenceText.verdict(found));
  }

  private static String text(GroupsRegistration registered, GroupsEvidence found) {
    return found.tests().stream()
        .map(
            test ->
                "%s [%s, %s], %s"
                    .formatted(
                        test.level(),
                        EvidenceText.number(test.low()),
                        EvidenceText.number(test.high()),
                        EvidenceText.odds(test, registered.tolerance())))
        .collect(Collectors.joining("; "));
  }
}
