package io.equipoise.tools.demo;

import io.equipoise.job.options.Topics;
import io.equipoise.segmentspec.PolicyName;
import io.equipoise.tools.EmbeddedDeployment;
import io.equipoise.tools.TopicReader;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import me.tongfei.progressbar.ProgressBar;
import org.jspecify.annotations.Nullable;

/** Runs the demo once on its cluster. */
final class Demo {
  private static final Duration POLL = Duration.ofMillis(20);

  /** Far longer than one checkpoint on a loaded machine. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final DemoPlan plan;
  private final long startedAt = System.nanoTime();

  /**
   * The settings of a run.
   *
   * @param perSecond rounds per second for every segment; null for no limit
   */
  record DemoPlan(
      List<PolicyName> policies,
      @Nullable Double tau,
      int rounds,
      @Nullable Integer perSecond,
      long seed) {
    DemoPlan {
      policies = List.copyOf(policies);
    }
  }

  Demo(DemoPlan plan) {
    this.plan = plan;
  }

  /** Runs to the end and compares the records that came back with those that were sent. */
  DemoResult run(EmbeddedDeployment cluster, ProgressBar progress) {
    List<Tally> tallies = cluster.specs().stream().map(Tally::new).toList();
    Topics topics = cluster.config().topics();
    List<String> read =
        List.of(topics.decisions(), topics.segmentEvents(), topics.metrics(), topics.deadLetter());
    try (DemoTraffic traffic = new DemoTraffic(plan, cluster, tallies, Clock.systemUTC());
        TopicReader reader = new TopicReader(cluster.config(), read, traffic)) {
      long playingSince = System.nanoTime();
      List<String> faults = new ArrayList<>();
      boolean isPlayed = play(cluster, traffic, reader, progress);
      Duration playing = since(playingSince);
      if (isPlayed) {
        traffic.finish();
        await(cluster, traffic.books(), reader);
      } else {
        faults.add("the job made no decision for " + PATIENCE.toSeconds() + " s");
      }
      faults.addAll(traffic.books().faults());
      int restarts = cluster.run().restarts();
      return new DemoResult(
          tallies.stream().map(DemoResult::segment).toList(),
          DemoResult.job(traffic, playing, since(startedAt), restarts, faults),
          faults);
    }
  }

  private static boolean play(
      EmbeddedDeployment cluster, DemoTraffic traffic, TopicReader reader, ProgressBar progress) {
    long lastRecord = System.nanoTime();
    while (!traffic.isOver()) {
      traffic.send();
      if (reader.poll(POLL) > 0) {
        lastRecord = System.nanoTime();
        progress.stepTo(traffic.decided()).setExtraMessage(traffic.standings());
      } else if (isHopeless(cluster, lastRecord)) {
        return false;
      }
    }
    return true;
  }

  private static void await(EmbeddedDeployment cluster, Reconciliation books, TopicReader reader) {
    long lastRecord = System.nanoTime();
    while (!books.areClosed() && !isHopeless(cluster, lastRecord)) {
      if (reader.poll(POLL) > 0) {
        lastRecord = System.nanoTime();
      }
    }
  }

  private static boolean isHopeless(EmbeddedDeployment cluster, long lastRecord) {
    return since(lastRecord).compareTo(PATIENCE) > 0 || cluster.run().hasEnded();
  }

  private static Duration since(long nanoTime) {
    return Duration.ofNanos(System.nanoTime() - nanoTime);
  }
}
