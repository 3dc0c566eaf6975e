package io.equipoise.console.topics;

import io.equipoise.cli.VitalThread;
import io.equipoise.console.state.Aggregator;
import io.equipoise.console.state.Aggregator.SeenDecision;
import io.equipoise.event.Decision;
import io.equipoise.event.Source;
import io.equipoise.job.options.JobConfig;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;

/**
 * Measures once a second how many contexts arrive, how many wait for a decision, and how long one
 * decision took. Needs to read the contexts; without that, it reports why it has no numbers.
 *
 * <p>State: the ends of the last seconds, the last latencies, and sums by bucket; only the own
 * thread uses them. After each measurement it publishes the derived numbers as {@link #inputs},
 * which any thread may read.
 */
public final class InputWatch implements AutoCloseable {
  private static final Duration PERIOD = Duration.ofSeconds(1);
  private static final Duration RATE_OVER = Duration.ofSeconds(10);
  private static final int MOST_SAMPLES = 300;
  private static final int MOST_LOOKUPS = 20;
  private static final long END_MILLIS = 10_000;

  private final JobConfig config;
  private final Aggregator aggregator;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread;
  private final ArrayDeque<Ends> ends = new ArrayDeque<>();
  private final ArrayDeque<Long> latencies = new ArrayDeque<>();
  private final TreeMap<Long, BucketWaits> intervals = new TreeMap<>();
  private @Nullable Long liveSince;
  private volatile Inputs inputs = Inputs.unknown("Not measured yet.");

  private record Ends(long nanos, long contexts) {}

  /** Sums the latencies of the decisions of a bucket whose contexts were looked up. */
  private record BucketWaits(SeenDecision last, long sumMillis, int count) {
    BucketWaits and(SeenDecision next, @Nullable Long millis) {
      return millis == null
          ? new BucketWaits(next, sumMillis, count)
          : new BucketWaits(next, sumMillis + millis, count + 1);
    }
  }

  /**
   * Holds the latest measurement.
   *
   * @param latencies from the append of a context to the reading of its committed decision, in ms,
   *     sorted
   * @param latencyOfBucket mean of the times from the append of a context to the record of its
   *     decision, in ms
   * @param error why there are no numbers; null if there are
   */
  public record Inputs(
      @Nullable Double contextsPerSecond,
      List<PartitionLag> partitions,
      List<Long> latencies,
      Map<Long, Double> latencyOfBucket,
      @Nullable String error) {
    static Inputs unknown(String error) {
      return new Inputs(null, List.of(), List.of(), Map.of(), error);
    }

    /** Returns a quantile of the latencies, null without samples. */
    public @Nullable Long latency(double quantile) {
      return latencies.isEmpty()
          ? null
          : latencies.get((int) Math.floor(quantile * (latencies.size() - 1)));
    }
  }

  /**
   * Counts the contexts of a partition that have neither decision nor dead letter.
   *
   * @param end offset after the last context
   * @param answered offset after the last context with a decision; null if none was seen
   */
  public record PartitionLag(TopicPartition partition, long end, @Nullable Long answered) {
    /** Returns the number of contexts, null if no decision was seen yet. */
    public @Nullable Long lag() {
      return answered == null ? null : (Long) Math.max(0, end - answered);
    }
  }

  public InputWatch(JobConfig config, Aggregator aggregator) {
    this.config = config;
    this.aggregator = aggregator;
    thread = VitalThread.of(this::run, "console-inputs");
  }

  /** Starts to measure, in a thread of its own. */
  public void start() {
    thread.start();
  }

  public Inputs inputs() {
    return inputs;
  }

  private void run() {
    while (closed.getCount() > 0) {
      try (ContextLookup lookup = new ContextLookup(config)) {
        List<TopicPartition> contexts = lookup.partitions(config.topics().contexts());
        do {
          measure(lookup, contexts);
        } while (!closed.await(PERIOD.toMillis(), TimeUnit.MILLISECONDS));
      } catch (InterruptException | InterruptedException e) {
        return;
      } catch (KafkaException e) {
        inputs = Inputs.unknown("The contexts cannot be read: " + e.getMessage());
        await();
      }
    }
  }

  private void await() {
    try {
      boolean unused = closed.await(10 * PERIOD.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void measure(ContextLookup lookup, List<TopicPartition> contexts) {
    Map<TopicPartition, Long> now = lookup.ends(contexts);
    ends.add(new Ends(System.nanoTime(), now.values().stream().mapToLong(it -> it).sum()));
    while (ends.size() > 1 + RATE_OVER.toSeconds()) {
      ends.remove();
    }
    sample(lookup);
    Ends first = ends.getFirst();
    Ends last = ends.getLast();
    double seconds = (last.nanos() - first.nanos()) / 1e9;
    TreeMap<Integer, PartitionLag> lags = new TreeMap<>();
    contexts.forEach(
        partition -> {
          Long answered = aggregator.answered(partition);
          lags.put(
              partition.partition(),
              new PartitionLag(
                  partition,
                  now.getOrDefault(partition, 0L),
                  answered == null ? null : (Long) (answered + 1)));
        });
    inputs =
        new Inputs(
            seconds > 0 ? (Double) ((last.contexts() - first.contexts()) / seconds) : null,
            List.copyOf(lags.values()),
            latencies.stream().sorted().toList(),
            means(),
            null);
  }

  private Map<Long, Double> means() {
    Map<Long, Double> means = new HashMap<>();
    intervals.forEach(
        (bucket, it) -> {
          if (it.count() > 0) {
            means.put(bucket, (double) it.sumMillis() / it.count());
          }
        });
    return means;
  }

  /** Looks up the contexts of the latest decision of each bucket, the newest bucket first. */
  private void sample(ContextLookup lookup) {
    int left = MOST_LOOKUPS;
    List<SeenDecision> newest = aggregator.newest();
    for (SeenDecision seen : newest) {
      BucketWaits known = intervals.getOrDefault(seen.bucket(), new BucketWaits(seen, 0, 0));
      boolean isNew = !intervals.containsKey(seen.bucket()) || !known.last().equals(seen);
      if (isNew && left > 0) {
        left--;
        intervals.put(seen.bucket(), known.and(seen, millis(lookup, seen)));
      }
    }
    if (!newest.isEmpty()) {
      intervals.headMap(newest.get(newest.size() - 1).bucket()).clear();
    }
  }

  /** Returns the time from the append of a decision's context to the decision's record, in ms. */
  private @Nullable Long millis(ContextLookup lookup, SeenDecision seen) {
    Decision decision = seen.decision();
    String topic = config.topics().contexts();
    Source source = decision.source();
    if (!topic.equals(source.topic()) || decision.recovered()) {
      return null;
    }
    var context = lookup.at(new TopicPartition(topic, source.partition()), source.offset());
    if (context == null) {
      return null;
    }
    if (liveSince == null) {
      liveSince = seen.seenAt();
    }
    if (seen.written() >= liveSince) { // else it was written before the console followed
      latencies.add(Math.max(0, seen.seenAt() - context.timestamp()));
      if (latencies.size() > MOST_SAMPLES) {
        latencies.remove();
      }
    }
    return Math.max(0, seen.written() - context.timestamp());
  }

  /** Ends the thread and waits for it. */
  @Override
  public void close() {
    closed.countDown();
    try {
      thread.join(END_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
