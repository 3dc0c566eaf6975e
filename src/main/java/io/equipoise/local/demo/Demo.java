package io.equipoise.local.demo;

import io.equipoise.spec.PolicyName;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import me.tongfei.progressbar.ProgressBar;
import org.jspecify.annotations.Nullable;

/** One run of the demo on a stage. */
final class Demo {
  private static final Duration POLL = Duration.ofMillis(20);

  /** Far longer than a loaded machine takes for one checkpoint. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Plan plan;
  private final long startedAt = System.nanoTime();

  /**
   * What to play.
   *
   * @param perSecond people a second that every segment meets; null is as fast as they are served
   */
  record Plan(
      List<PolicyName> policies,
      @Nullable Double tau,
      int rounds,
      @Nullable Integer perSecond,
      long seed) {
    Plan {
      policies = List.copyOf(policies);
    }
  }

  Demo(Plan plan) {
    this.plan = plan;
  }

  /** Plays to the end and holds what came against what was sent. */
  DemoResult run(Stage stage, ProgressBar progress) {
    List<Tally> tallies = stage.specs().stream().map(Tally::new).toList();
    Campaign campaign = new Campaign(stage.specs().get(0), plan.rounds(), plan.seed());
    try (Post post = new Post(stage.config());
        Reader reader = new Reader(stage.config())) {
      Clock clock = Clock.systemUTC();
      Pace pace = new Pace(plan.perSecond(), clock);
      Play play = new Play(campaign, pace, plan.seed(), tallies, post, stage.partitions(), clock);
      Books books = new Books(post, play, tallies);
      long playingSince = System.nanoTime();
      List<String> faults = new ArrayList<>();
      boolean isPlayed = play(stage, play, reader, progress);
      Duration playing = since(playingSince);
      if (isPlayed) {
        play.close();
        await(stage, play, reader, books);
      } else {
        faults.add("the job did not answer for " + PATIENCE.toSeconds() + " s");
      }
      faults.addAll(books.faults());
      int restarts = stage.job().restarts();
      return new DemoResult(
          tallies.stream().map(DemoResult::segment).toList(),
          DemoResult.job(post, play, playing, since(startedAt), restarts, faults),
          faults);
    }
  }

  private static boolean play(Stage stage, Play play, Reader reader, ProgressBar progress) {
    long lastRecord = System.nanoTime();
    while (!play.isOver()) {
      play.send();
      if (reader.poll(POLL, play) > 0) {
        lastRecord = System.nanoTime();
        progress.stepTo(play.decided()).setExtraMessage(play.standings());
      } else if (isHopeless(stage, lastRecord)) {
        return false;
      }
    }
    return true;
  }

  private static void await(Stage stage, Play play, Reader reader, Books books) {
    long lastRecord = System.nanoTime();
    while (!books.areClosed() && !isHopeless(stage, lastRecord)) {
      if (reader.poll(POLL, play) > 0) {
        lastRecord = System.nanoTime();
      }
    }
  }

  private static boolean isHopeless(Stage stage, long lastRecord) {
    return since(lastRecord).compareTo(PATIENCE) > 0
        || stage.job().status().isGloballyTerminalState();
  }

  private static Duration since(long nanoTime) {
    return Duration.ofNanos(System.nanoTime() - nanoTime);
  }

  /** Formats regret and unfair decisions for the progress line. */
  static String standing(Tally tally) {
    return String.format(
        Locale.ROOT, "%s %.0f/%d", tally.spec.policy().name().wire(), tally.regret, tally.unfair);
  }
}
