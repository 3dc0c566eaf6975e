package io.equipoise.tools.watch;

import io.equipoise.event.WatchEnd;
import io.equipoise.event.WatchEnded;
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
    LedgerEntry entry = session.open(id);
    try (WatchPublisher publisher = new WatchPublisher(session.config())) {
      publisher.write(List.of(entry.registration().with(new WatchEnded(WatchEnd.WITHDRAWN, ""))));
    }
    session.say("ended %s of %s", entry.registration().id(), entry.segment());
    session.result().put("id", entry.registration().id());
    return 0;
  }
}
