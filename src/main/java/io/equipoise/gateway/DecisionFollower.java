package io.equipoise.gateway;

import io.equipoise.client.Answers;
import io.equipoise.event.Decision;
import io.equipoise.event.WireException;
import io.equipoise.job.options.JobConfig;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives every valid decision of the topic to the callers that wait for it, by the rule for readers
 * ({@link Answers}), and keeps the last ones.
 *
 * <p>It begins some records before the end. So it knows the writer epochs of the segments that were
 * active lately, and a gateway that was restarted still gives their answers from memory.
 *
 * <p>The names of a decision's arms are in its spec, so it begins when the specs are read, and
 * waits {@value #SPEC_MILLIS} ms for a spec that the job has read before the gateway. Only the
 * follower's thread uses the fields that change.
 */
final class DecisionFollower implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DecisionFollower.class);

  private static final long SPEC_MILLIS = 2_000;
  private static final Duration PAUSE = Duration.ofMillis(5);

  private final Answers answers;
  private final OpenDecisions open;
  private final SpecFollower specs;
  private final RunningSpecs running;
  private final TopicFollower follower;
  private boolean hasWarned;

  /** The spec that is not on the topic and that was waited for last. */
  private @Nullable String absent;

  DecisionFollower(
      JobConfig config,
      int maxRecent,
      OpenDecisions open,
      SpecFollower specs,
      RunningSpecs running) {
    this.answers = new Answers(maxRecent);
    this.open = open;
    this.specs = specs;
    this.running = running;
    this.follower =
        new TopicFollower(config.kafka(), config.topics().decisions(), maxRecent, this::onRecords);
  }

  /** Starts when the specs are read. */
  void start() {
    var unused = specs.caughtUp().thenRun(follower::start);
  }

  boolean isCaughtUp() {
    return follower.isCaughtUp();
  }

  Duration silence() {
    return follower.silence();
  }

  private void onRecords(ConsumerRecords<byte[], byte[]> records) {
    for (ConsumerRecord<byte[], byte[]> record : records) {
      try {
        Optional<Decision> decision = answers.on(record);
        decision.ifPresent(
            it -> {
              running.decided(it);
              awaitSpec(it);
              if (it.isChosen() && !it.recovered()) {
                open.forgetEarlier(new OpenDecisions.DecisionKey(it.segment(), it.decisionId()));
              }
              open.answer(Answer.of(it, specs.specs()));
            });
      } catch (WireException | IllegalArgumentException e) {
        if (!hasWarned) {
          hasWarned = true;
          LOG.warn(
              "Records of {} that are no decisions are ignored, the first at {}/{}: {}",
              record.topic(),
              record.partition(),
              record.offset(),
              e.getMessage());
        }
      }
    }
  }

  private void awaitSpec(Decision decision) {
    String hash = decision.specHash();
    if (hash == null || hash.equals(absent) || !decision.candidates().isEmpty()) {
      return;
    }
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(SPEC_MILLIS);
    while (specs.specs().byHash(hash) == null) {
      if (System.nanoTime() > end) {
        absent = hash;
        return;
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
  }

  @Override
  public void close() {
    follower.close();
  }
}
