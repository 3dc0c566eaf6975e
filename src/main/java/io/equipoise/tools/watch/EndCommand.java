package io.equipoise.tools.watch;

import io.equipoise.event.ChallengerRegistration;
import io.equipoise.event.WatchEnd;
import io.equipoise.event.WatchEnded;
import io.equipoise.job.control.WatchLedger;
import io.equipoise.job.control.WatchLedger.LedgerEntry;
import io.equipoise.job.control.WatchPublisher;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Ends a challenger or a group monitor: {@code watch end}. */
@Command(
    name = "end",
    description = {
      "Ends a challenger or a group monitor. Its share of alpha is spent; the same spec again is a"
          + " new candidate.",
      "Exit code 2 if no registration, or more than one, has the id."
    })
final class EndCommand extends WatchVerb {

  @Parameters(
      paramLabel = "ID",
      description = "Id of an open registration, or NAME/HASH of a challenger, or their beginning.")
  private String id = "";

  @Override
  int run(Session session) throws InterruptedException {
    LedgerEntry entry = open(WatchLedger.read(session.config()), id);
    try (WatchPublisher publisher = new WatchPublisher(session.config())) {
      publisher.write(List.of(entry.registration().with(new WatchEnded(WatchEnd.WITHDRAWN, ""))));
    }
    session.say("ended %s of %s", entry.registration().id(), entry.segment());
    session.result().put("id", entry.registration().id());
    return 0;
  }

  /**
   * Returns the only open registration with an id, or a NAME/HASH of a challenger, that begins so.
   *
   * @throws IllegalArgumentException if there is none, or several
   */
  static LedgerEntry open(WatchLedger ledger, String id) {
    List<LedgerEntry> named = ledger.all().stream().filter(it -> isNamed(it, id)).toList();
    List<LedgerEntry> open = named.stream().filter(LedgerEntry::isOpen).toList();
    if (open.isEmpty() && !named.isEmpty()) {
      List<String> ended = named.stream().map(WatchStatusCommand.Status::ended).toList();
      throw new IllegalArgumentException(
          "ID: %s given, which is not open any more; %s".formatted(id, String.join("; ", ended)));
    }
    if (open.size() != 1) {
      throw new IllegalArgumentException(
          "ID: %s given, which %d open registrations begin with; watch status lists them"
              .formatted(id, open.size()));
    }
    return open.get(0);
  }

  private static boolean isNamed(LedgerEntry entry, String id) {
    ChallengerRegistration challenger = entry.challenger();
    return entry.registration().id().startsWith(id)
        || (challenger != null && challenger.specKey().startsWith(id));
  }
}
