package io.equipoise.local.chaos;

import io.equipoise.job.JobConfig;
import io.equipoise.local.cluster.Waiting;
import io.equipoise.spec.SegmentSpec;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/** The load on one deployment and who reads its answers. */
final class Traffic implements AutoCloseable {
  private final Truth truth = new Truth();
  private final Load load;
  private final Answers answers;

  Traffic(JobConfig config, List<SegmentSpec> specs, long seed) {
    load = new Load(config, specs, seed, Clock.systemUTC(), truth);
    answers = new Answers(config, truth, load);
  }

  /** Begins, and returns when the first answer has come. */
  void start(int perSecond, Duration patience) {
    truth.watch(System.nanoTime());
    answers.start();
    load.start(perSecond);
    if (awaitAnswer(patience).isEmpty()) {
      check();
      throw new IllegalStateException("the job gives no answer after " + patience);
    }
  }

  /** Begins to watch for the answer to a context that is made after a time. */
  void watch(long nanoTime) {
    truth.watch(nanoTime);
  }

  /**
   * Moves the beginning of a watch to when the harm was done or over, once that is known. Recovery
   * during the harm counts if the context was made after that time.
   */
  void rewatch(long nanoTime) {
    truth.rewatch(nanoTime);
  }

  /** Waits for the watched answer and ends the watch; returns when it came. */
  OptionalLong awaitAnswer(Duration patience) {
    Waiting.until(
        () -> {
          check();
          return truth.firstAnswer().isPresent();
        },
        patience);
    OptionalLong first = truth.firstAnswer();
    truth.unwatch();
    return first;
  }

  /**
   * Sends no more contexts and waits until all that was sent has had its effect.
   *
   * @return what is missing, empty if nothing is
   */
  String drain(Duration patience) {
    load.pause();
    boolean isSettled = Waiting.until(truth::isSettled, patience);
    check();
    return isSettled
        ? ""
        : truth.unanswered()
            + " contexts unanswered, "
            + truth.unapplied()
            + " rewards not learned";
  }

  private void check() {
    load.check();
    answers.check();
  }

  void resume() {
    load.resume();
  }

  Truth truth() {
    return truth;
  }

  @Override
  public void close() {
    answers.close(); // first, for it gives the load rewards to send
    load.close();
  }
}
