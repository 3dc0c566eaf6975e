package io.equipoise.local.chaos;

import io.equipoise.local.cluster.Member;
import java.time.Duration;
import java.util.function.Function;

/**
 * A process hangs for longer than its silence is borne, and wakes: what it still believes to own
 * has been given to others meanwhile.
 *
 * @param freeze longer than the heartbeat and session timeouts
 * @param isReplaceable whether the others go on without it, so that recovery counts from its freeze
 */
record FreezeFault(
    String name, Function<Theatre, Member> victim, Duration freeze, boolean isReplaceable)
    implements Fault {
  @Override
  public Harm inject(Theatre theatre) throws InterruptedException {
    Member member = victim.apply(theatre);
    long frozen = System.nanoTime();
    theatre.signal(member, "STOP");
    try {
      Thread.sleep(freeze.toMillis());
    } finally {
      theatre.signal(member, "CONT");
    }
    return Harm.at(isReplaceable ? frozen : System.nanoTime());
  }
}
