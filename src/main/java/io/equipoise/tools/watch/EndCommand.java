package io.equipoise.tools.watch;

import io.equipoise.event.ChallengerRegistration;
import io.equipoise.event.WatchEnd;
import io.equipoise.event.WatchEnded;
import io.equipoise.event.WatchRecord;
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
      "Exit code 2 if no open registration, or more than one, has the id."
    })
final class EndCommand extends WatchVerb {

  @Parameters(
      paramLabel = "ID",
      description = "Id of an open registration, or NAME/HASH of a challenger, or their beginning.")
  private String id = "";

  @Override
  protected int runOn(Deployment deployment) throws InterruptedException {
    List<WatchRecord> open =
        WatchLedger.read(deployment.config()).all().stream()
            .filter(it -> it.isOpen() && isNamed(it.registration(), id))
            .map(LedgerEntry::registration)
            .toList();
    if (open.size() != 1) {
      throw new IllegalArgumentException(
          "ID: %s given, which %d open registrations begin with; watch status lists them"
              .formatted(id, open.size()));
    }
    WatchRecord named = open.get(0);
    try (WatchPublisher publisher = new WatchPublisher(deployment.config())) {
      publisher.write(List.of(named.with(new WatchEnded(WatchEnd.WITHDRAWN, ""))));
    }
    deployment.say("ended %s of %s", named.id(), named.segment());
    deployment.result().put("id", named.id());
    return 0;
  }

  private static boolean isNamed(WatchRecord registration, String id) {
    ChallengerRegistration challenger = registration.challenger();
    return registration.id().startsWith(id)
        || (challenger != null && challenger.specKey().startsWith(id));
  }
}
