package io.equipoise.local.chaos;

import io.equipoise.local.cluster.Member;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/**
 * A process ends without a word, as by {@code kill -9}; the supervisor starts it again.
 *
 * @param victim chosen anew each time
 * @param seconds within which the first new answer must be committed
 */
record KillFault(String name, Function<Theatre, Member> victim, long seconds) implements Fault {
  @Override
  public Optional<Duration> budget() {
    return Optional.of(Duration.ofSeconds(seconds));
  }

  @Override
  public Harm inject(Theatre theatre) {
    Member member = victim.apply(theatre);
    long now = System.nanoTime();
    theatre.cluster().kill(member);
    return Harm.at(now);
  }
}
