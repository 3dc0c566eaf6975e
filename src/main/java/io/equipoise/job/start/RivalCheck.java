package io.equipoise.job.start;

import io.equipoise.job.options.AdminCall;
import io.equipoise.job.options.StartRefusedException;
import io.equipoise.job.options.Topics;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.ProducerState;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Refuses to start beside a job of the same deployment. Two of them answer the same contexts and
 * fence each other's transactions, which loses answers; nothing afterwards can undo that.
 *
 * <p>A job that writes begins a transaction at every checkpoint and appends decisions to it; what a
 * killed one left open stays as it is, until the brokers abort it, which is no record of its. So a
 * transaction that begins, or whose producer goes on, while we watch belongs to a job that lives.
 * Without transactions it shows in decisions that come while we watch. One that has nothing to
 * write cannot be seen.
 */
public final class RivalCheck {
  private static final Logger LOG = LoggerFactory.getLogger(RivalCheck.class);
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST = Duration.ofSeconds(10);
  private static final String DECISION_CAME = "a decision of it came";

  private final Admin admin;
  private final Topics topics;
  private final Duration watch;

  private record Writer(TopicPartition at, long producerId, int epoch) {}

  public RivalCheck(Admin admin, Topics topics, Duration checkpointInterval) {
    this.admin = admin;
    this.topics = topics;
    Duration two = checkpointInterval.multipliedBy(2);
    this.watch = two.compareTo(LONGEST) > 0 ? LONGEST : two;
  }

  /**
   * Watches: one checkpoint interval if no transaction of the deployment is open, else two.
   *
   * @throws StartRefusedException if one begins meanwhile
   */
  public void refuseRival() throws InterruptedException {
    long begun = System.nanoTime();
    Set<Long> known = starts();
    Map<Writer, Integer> before = lastSequences();
    Duration time = known.isEmpty() ? watch.dividedBy(2) : watch;
    while (System.nanoTime() - begun < time.toNanos()) {
      Thread.sleep(PAUSE.toMillis());
      Set<Long> fresh = new HashSet<>(starts());
      fresh.removeAll(known);
      if (!fresh.isEmpty()) {
        throw refused("a transaction of it began");
      }
      Map<Writer, Integer> now = before == null ? null : lastSequences();
      if (now != null && !before.entrySet().containsAll(now.entrySet())) {
        throw refused(DECISION_CAME);
      }
    }
  }

  /**
   * Returns which batch of decisions is the last of each producer, also of those that were not
   * committed, but for producers of which nothing came after the mark that ended a transaction:
   * brokers that raise the epoch with that mark count its batches anew, from none. Null where the
   * brokers do not tell.
   */
  private @Nullable Map<Writer, Integer> lastSequences() throws InterruptedException {
    Set<TopicPartition> partitions = partitions().keySet();
    Map<Writer, Integer> sequences = new HashMap<>();
    try {
      admin
          .describeProducers(partitions)
          .all()
          .get()
          .forEach(
              (at, state) ->
                  state.activeProducers().stream()
                      .filter(it -> it.lastSequence() >= 0)
                      .forEach(it -> sequences.put(writer(at, it), it.lastSequence())));
      return sequences;
    } catch (ExecutionException e) {
      LOG.warn(
          "The producers of {} cannot be described, so that another job of this deployment is seen"
              + " only if it begins a transaction within {}: {}",
          topics.decisions(),
          watch,
          String.valueOf(e.getCause()));
      return null;
    }
  }

  private static Writer writer(TopicPartition at, ProducerState state) {
    return new Writer(at, state.producerId(), state.producerEpoch());
  }

  /**
   * Watches the decisions for one checkpoint interval, at most five seconds.
   *
   * @throws StartRefusedException if one comes meanwhile
   */
  public void refuseWriter() throws InterruptedException {
    Map<TopicPartition, Long> before = ends();
    Thread.sleep(watch.dividedBy(2).toMillis());
    if (!ends().equals(before)) {
      throw refused(DECISION_CAME);
    }
  }

  private Map<TopicPartition, Long> ends() {
    Map<TopicPartition, Long> ends = new HashMap<>();
    String what = "asking where " + topics.decisions() + " ends";
    AdminCall.of(admin.listOffsets(partitions()).all(), what)
        .forEach((partition, info) -> ends.put(partition, info.offset()));
    return ends;
  }

  /** Returns the partitions of the decisions, with the question where they end. */
  private Map<TopicPartition, OffsetSpec> partitions() {
    String topic = topics.decisions();
    Map<TopicPartition, OffsetSpec> partitions = new HashMap<>();
    AdminCall.of(admin.describeTopics(List.of(topic)).allTopicNames(), "describing " + topic)
        .get(topic)
        .partitions()
        .forEach(
            it -> partitions.put(new TopicPartition(topic, it.partition()), OffsetSpec.latest()));
    return partitions;
  }

  private StartRefusedException refused(String seen) {
    return new StartRefusedException(
        "The start is refused",
        List.of(
            "another job of deployment %s is writing: %s while this start"
                    .formatted(topics.deployment(), seen)
                + " waited; stop that job with a savepoint first, or give this one another"
                + " equipoise.deployment"));
  }

  /** Returns when the open transactions of the deployment began, by the brokers' clocks. */
  private Set<Long> starts() throws InterruptedException {
    try {
      var open = new ListTransactionsOptions().filterStates(Set.of(TransactionState.ONGOING));
      List<String> ids =
          admin.listTransactions(open).all().get().stream()
              .map(TransactionListing::transactionalId)
              .filter(id -> id.startsWith(topics.transactionalIdPrefix(Topics.OUTPUTS)))
              .toList();
      Set<Long> starts = new HashSet<>();
      Map<String, TransactionDescription> described =
          ids.isEmpty() ? Map.of() : admin.describeTransactions(ids).all().get();
      described.values().forEach(it -> it.transactionStartTimeMs().ifPresent(starts::add));
      return starts;
    } catch (ExecutionException e) {
      LOG.warn(
          "Transactions cannot be listed, so that another job of this deployment would not be seen:"
              + " {}",
          String.valueOf(e.getCause()));
      return Set.of();
    }
  }
}
