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
import java.util.TreeSet;
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
 * Refuses a start while another job of the same deployment runs. Two jobs decide the same contexts
 * and fence each other's transactions. Decisions are then lost for good.
 *
 * <p>A running job registers a transactional id at every checkpoint, also without anything to
 * write, and appends decisions under it. A killed job's open transaction does not change until the
 * brokers abort it, which appends no record. So an id that is new, a transaction that begins, or
 * one whose producer continues, during the watch belongs to a running job. Of a job without
 * transactions only new decisions are seen; one without anything to write cannot be detected.
 *
 * <p>A job that starts at the same time, or that takes checkpoints more seldom than this one, may
 * go unnoticed here. With transactions, the one that started last then owns the deployment, see
 * {@code Owner}. So does the one that changes to at-least-once delivery.
 */
public final class ConcurrentJobCheck {
  private static final Logger LOG = LoggerFactory.getLogger(ConcurrentJobCheck.class);
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST = Duration.ofSeconds(10);
  private static final Duration LONGEST_FOR_DECISIONS = Duration.ofSeconds(1);
  private static final String FIRST_SUBTASK = "-0-";
  private static final String DECISION_CAME = "it appended a decision";

  private final Admin admin;
  private final Topics topics;
  private final Duration watch;

  private record Writer(TopicPartition at, long producerId, int epoch) {}

  public ConcurrentJobCheck(Admin admin, Topics topics, Duration checkpointInterval) {
    this.admin = admin;
    this.topics = topics;
    Duration two = checkpointInterval.multipliedBy(2);
    this.watch = two.compareTo(LONGEST) > 0 ? LONGEST : two;
  }

  /**
   * Watches for two checkpoint intervals, at most ten seconds.
   *
   * @throws StartRefusedException if a transactional id is registered, a transaction begins, or a
   *     decision arrives
   */
  public void refuseRival() throws InterruptedException {
    long begun = System.nanoTime();
    Set<String> registered = registered();
    Set<Long> known = starts();
    Map<Writer, Integer> before = lastSequences();
    while (System.nanoTime() - begun < watch.toNanos()) {
      Thread.sleep(PAUSE.toMillis());
      Set<Long> fresh = new HashSet<>(starts());
      fresh.removeAll(known);
      if (!fresh.isEmpty()) {
        throw refused("it began a transaction");
      }
      Map<Writer, Integer> now = before == null ? null : lastSequences();
      if (now != null && !before.entrySet().containsAll(now.entrySet())) {
        throw refused(DECISION_CAME);
      }
    }
    refuseRegistered(registered);
  }

  private void refuseRegistered(Set<String> before) throws InterruptedException {
    Set<String> added = registered();
    added.removeAll(before);
    if (!added.isEmpty()) {
      throw refused("it registered the transactional id " + added.iterator().next());
    }
  }

  /**
   * Returns the transactional ids of the first subtask, in any state. Every subtask registers as
   * many; all of them would be a response of many megabytes where brokers keep ids for a week.
   */
  private Set<String> registered() throws InterruptedException {
    String prefix = topics.transactionalIdPrefix(Topics.OUTPUTS) + FIRST_SUBTASK;
    var ofPrefix = new ListTransactionsOptions();
    ofPrefix.filterOnTransactionalIdPattern(prefix.replace(".", "\\.") + ".*");
    try {
      Set<String> ids = new TreeSet<>();
      admin.listTransactions(ofPrefix).all().get().forEach(it -> ids.add(it.transactionalId()));
      return ids;
    } catch (ExecutionException e) {
      LOG.warn(
          "The transactional ids {}* cannot be listed. Another job of this deployment without"
              + " anything to write would go unnoticed until it is fenced: {}",
          prefix,
          String.valueOf(e.getCause()));
      return new TreeSet<>();
    }
  }

  /**
   * Returns the last batch of decisions of each producer, committed or not. Leaves out producers
   * without a batch after the marker that ended a transaction: brokers that raise the epoch with
   * that marker restart the count of batches. Null if the brokers do not report it.
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
          "The producers of {} cannot be described. Another job of this deployment is detected"
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
   * Watches for one checkpoint interval, at most one second: a job of either delivery may run.
   *
   * @throws StartRefusedException if a transactional id is registered, or a decision arrives
   */
  public void refuseWriter() throws InterruptedException {
    Set<String> registered = registered();
    Map<TopicPartition, Long> before = ends();
    Duration one = watch.dividedBy(2);
    Thread.sleep(
        (one.compareTo(LONGEST_FOR_DECISIONS) > 0 ? LONGEST_FOR_DECISIONS : one).toMillis());
    if (!ends().equals(before)) {
      throw refused(DECISION_CAME);
    }
    refuseRegistered(registered);
  }

  private Map<TopicPartition, Long> ends() {
    Map<TopicPartition, Long> ends = new HashMap<>();
    String what = "requesting the ends of " + topics.decisions();
    AdminCall.of(admin.listOffsets(partitions()).all(), what)
        .forEach((partition, info) -> ends.put(partition, info.offset()));
    return ends;
  }

  /** Returns the partitions of the decisions, mapped to a request for the end offset. */
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
            "another job of deployment %s is running: %s while this start"
                    .formatted(topics.deployment(), seen)
                + " waited; stop that job with a savepoint first, or use another"
                + " equipoise.deployment"));
  }

  /** Returns the start times of the deployment's open transactions, by the brokers' clocks. */
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
          "Transactions cannot be listed, so another job of this deployment would go unnoticed:"
              + " {}",
          String.valueOf(e.getCause()));
      return Set.of();
    }
  }
}
