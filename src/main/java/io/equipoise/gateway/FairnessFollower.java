package io.equipoise.gateway;

import io.equipoise.event.FairnessAudit;
import io.equipoise.event.Wire;
import io.equipoise.event.WireException;
import io.equipoise.job.options.JobConfig;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.ToIntFunction;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.jspecify.annotations.Nullable;

/**
 * Adds the comparisons of the audit topic to the answers whose callers ask for them. It keeps only
 * audits of requests that are open, so its memory is bounded. Thread-safe.
 *
 * <p>The job writes a decision and its audits to two topics, in any order. An answer is whole when
 * as many audits of its writer epoch and seq have arrived as the person has comparisons.
 *
 * <p>State: by decision id the audits that have arrived and, once it is known, the decision with
 * its number of audits. An entry leaves when its future ends. The lock guards both; futures are
 * completed outside it.
 */
final class FairnessFollower implements AutoCloseable {
  /** The number of audits is not known. */
  static final int UNKNOWN = -1;

  private final OpenDecisions open;
  private final TopicFollower follower;
  private final Map<OpenDecisions.DecisionKey, Waiting> waiting = new HashMap<>();

  /** Collects the audits of one answer. */
  private static final class Waiting {
    private final CompletableFuture<Answer> whole = new CompletableFuture<>();
    private final List<FairnessAudit> arrived = new ArrayList<>();
    private @Nullable Answer decided;
    private int expected;
    private boolean isGivenUp;
  }

  FairnessFollower(JobConfig config, OpenDecisions open) {
    this.open = open;
    this.follower = new TopicFollower(config.kafka(), config.topics().audit(), 0, this::onRecords);
  }

  void start() {
    follower.start();
  }

  boolean isCaughtUp() {
    return follower.isCaughtUp();
  }

  /**
   * Collects the audits of an id; call it before the context is sent. The future ends with the
   * decision and its comparisons, or without them after {@link #giveUp}.
   *
   * @param decision the answer without comparisons
   * @param audits how many audits the decision has, or {@link #UNKNOWN}
   */
  CompletableFuture<Answer> collect(
      OpenDecisions.DecisionKey key,
      CompletableFuture<Answer> decision,
      ToIntFunction<Answer> audits) {
    Waiting one = new Waiting();
    synchronized (this) {
      waiting.put(key, one);
    }
    var unused =
        decision.whenComplete(
            (answer, failure) -> {
              if (failure == null) {
                decided(key, one, answer, expected(answer, audits));
              } else {
                synchronized (this) {
                  waiting.remove(key, one);
                }
                one.whole.completeExceptionally(failure);
              }
            });
    return one.whole;
  }

  /**
   * The number of comparisons is unknown for a person who is invalid under the spec that decided.
   */
  private static int expected(Answer answer, ToIntFunction<Answer> audits) {
    try {
      return audits.applyAsInt(answer);
    } catch (RuntimeException e) {
      return UNKNOWN;
    }
  }

  /** Returns the answer that an earlier request for the same id waits for. */
  synchronized Optional<CompletableFuture<Answer>> collected(OpenDecisions.DecisionKey key) {
    return Optional.ofNullable(waiting.get(key)).map(it -> it.whole);
  }

  /** Ends the wait for audits: the answer has none if the decision is known. */
  void giveUp(OpenDecisions.DecisionKey key) {
    Waiting one;
    synchronized (this) {
      one = waiting.get(key);
      if (one == null) {
        return;
      }
      one.isGivenUp = true;
    }
    endIfWhole(key, one);
  }

  /** Returns how many answers wait for audits. */
  synchronized int size() {
    return waiting.size();
  }

  private void decided(OpenDecisions.DecisionKey key, Waiting one, Answer answer, int expected) {
    synchronized (this) {
      one.decided = answer;
      one.expected = expected;
      one.isGivenUp |= expected == UNKNOWN;
      one.arrived.removeIf(audit -> !isWanted(one, audit));
    }
    endIfWhole(key, one);
  }

  private void onRecords(ConsumerRecords<byte[], byte[]> records) {
    if (records.isEmpty() || size() == 0) {
      return;
    }
    for (ConsumerRecord<byte[], byte[]> record : records) {
      if (record.value() != null) {
        try {
          on(Wire.AUDIT.decode(record.value()));
        } catch (WireException e) {
          // Answers that wait for it end at their deadline, without comparisons.
        }
      }
    }
  }

  void on(FairnessAudit audit) {
    OpenDecisions.DecisionKey key =
        new OpenDecisions.DecisionKey(audit.segment(), audit.decisionId());
    Waiting one;
    synchronized (this) {
      one = waiting.get(key);
      if (one == null || !isWanted(one, audit)) {
        return;
      }
      one.arrived.add(audit);
    }
    endIfWhole(key, one);
  }

  private static boolean isWanted(Waiting one, FairnessAudit audit) {
    Answer answer = one.decided;
    return answer == null || (answer.change() != null && answer.change().isOf(audit));
  }

  private void endIfWhole(OpenDecisions.DecisionKey key, Waiting one) {
    Answer answer;
    synchronized (this) {
      answer = one.decided;
      boolean isWhole = !one.isGivenUp && one.arrived.size() == one.expected;
      if (answer == null || (!isWhole && !one.isGivenUp) || !waiting.remove(key, one)) {
        return;
      }
      if (isWhole) {
        answer = answer.with(one.arrived.stream().map(Answer::effect).toList());
        open.replace(answer);
      }
    }
    one.whole.complete(answer);
  }

  @Override
  public void close() {
    follower.close();
  }
}
