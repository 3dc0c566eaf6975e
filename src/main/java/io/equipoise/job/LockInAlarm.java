package io.equipoise.job;

import io.equipoise.event.ArmCertificate;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.flink.metrics.Counter;

/**
 * Counts the snapshots with arms that are locked in, and logs once for each change of a segment's
 * set of them. At most one line a minute is written; a change that had to wait is logged with the
 * segment's next snapshot. Remembers some segments alone. Not thread-safe.
 */
final class LockInAlarm {
  private static final long PAUSE_NANOS = Duration.ofMinutes(1).toNanos();
  private static final int MOST_SEGMENTS = 1_000;
  private static final int MOST_NAMED = 5;

  private final Counter counter;
  private final LongSupplier nanoTime;
  private final Consumer<String> log;
  private final Map<String, List<String>> logged =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, List<String>> eldest) {
          return size() > MOST_SEGMENTS;
        }
      };
  private boolean hasLogged;
  private long loggedAt;

  LockInAlarm(Counter counter, LongSupplier nanoTime, Consumer<String> log) {
    this.counter = counter;
    this.nanoTime = nanoTime;
    this.log = log;
  }

  void lookAt(String segment, List<ArmCertificate> certificates) {
    List<ArmCertificate> lockedIn = certificates.stream().filter(ArmCertificate::lockedIn).toList();
    if (lockedIn.isEmpty()) {
      logged.remove(segment);
      return;
    }
    counter.inc();
    List<String> names = lockedIn.stream().map(it -> it.arm() + " by " + it.attribute()).toList();
    List<String> sorted = names.stream().sorted().toList();
    long now = nanoTime.getAsLong();
    boolean isPaused = hasLogged && now - loggedAt < PAUSE_NANOS;
    if (!isPaused && !sorted.equals(logged.get(segment))) {
      hasLogged = true;
      loggedAt = now;
      logged.put(segment, sorted);
      log.accept(message(segment, names, lockedIn.get(0)));
    }
  }

  private static String message(String segment, List<String> names, ArmCertificate first) {
    int left = names.size() - MOST_NAMED;
    return String.format(
        Locale.ROOT,
        "Segment %s: lock-in of %s%s. These arms may be better than the one that is chosen, and"
            + " nothing will bring them back: %s needs about %d rewards and gets %.2g %% of the"
            + " decisions. Use policy.explore: balanced or certify, raise its budget or share,"
            + " or raise fairness.tau.",
        segment,
        String.join(", ", names.subList(0, Math.min(MOST_NAMED, names.size()))),
        left > 0 ? " and " + left + " more" : "",
        names.get(0),
        first.rewardsToCertificate(),
        100 * first.share());
  }
}
