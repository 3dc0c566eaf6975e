package io.equipoise.lab.bench;

import io.equipoise.client.Answers;
import io.equipoise.event.LogTopic;
import io.equipoise.job.options.Delivery;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.topics.Consumers;
import io.equipoise.tools.ArrivalRate;
import io.equipoise.tools.RecordSender;
import io.equipoise.tools.TestRecord;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;

/**
 * Measures how long contexts wait for their decisions while one job starts and runs, in a process
 * of its own, under a constant load of this process. The reward of each context follows after one
 * second.
 *
 * <p>A job decides the contexts of a segment in their order. So the k-th decision of a segment
 * belongs to its k-th context, also for the identity job, whose decisions have the ids of their
 * templates.
 *
 * <p>State: the times by context. The producer's thread writes the append times, the reader's
 * thread the times of visibility; the sender and the reader publish their counts. Rows are computed
 * from them when every context sent has its decision.
 */
final class LatencyRun {
  private static final Duration LONGEST_START = Duration.ofMinutes(5);
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration POLL = Duration.ofMillis(20);
  private static final Duration TICK = Duration.ofNanos(200_000);

  private final JobConfig config;
  private final Workload workload;
  private final JobRun.Job job;
  private final int rate;
  private final Phases phases;
  private final Clock clock = Clock.systemUTC();

  /** Log-append times and times of visibility by context, epoch ms; 0: not yet. */
  private final AtomicLongArray appended;

  private final AtomicLongArray visible;
  private volatile int sent;
  private volatile int answered;
  private volatile boolean isSending = true;
  private volatile boolean isReading = true;
  private volatile @Nullable Throwable failure;

  /**
   * Divides a run into phases.
   *
   * @param hasBacklog whether the load begins before the job is submitted; else when it runs
   * @param cold time from RUNNING until the end of the cold phase; without a warm phase the load
   *     ends then, and its last contexts count, too, if they are appended later
   * @param warmUp time from RUNNING until the warm phase
   * @param warm duration of the warm phase; zero for none
   */
  record Phases(boolean hasBacklog, Duration cold, Duration warmUp, Duration warm) {
    /** Returns how long the load lasts from RUNNING on. */
    private Duration load() {
      return warm.isZero() ? cold : warmUp.plus(warm);
    }
  }

  /**
   * Creates a run.
   *
   * @param topics where the job reads and writes
   * @param job the full job, or the identity job
   * @param rate contexts per second
   */
  LatencyRun(BenchTopics topics, JobRun.Job job, int rate, Phases phases) {
    this.config = topics.config();
    this.workload = topics.workload();
    this.job = job;
    this.rate = rate;
    this.phases = phases;
    int most = Math.toIntExact(rate * LONGEST_START.plus(phases.load()).toSeconds());
    appended = new AtomicLongArray(most);
    visible = new AtomicLongArray(most);
  }

  /**
   * Starts the load and the job's process, and measures until every context has its decision.
   *
   * @param arguments of {@code equipoise} for the job
   * @throws IllegalStateException if the job fails, or a context has no decision after a minute
   */
  List<LatencyRow> measure(List<String> arguments) throws IOException, InterruptedException {
    Thread sender = thread("latency-sender", this::send);
    Thread reader = thread("latency-reader", this::read);
    try (JobProcess started = JobProcess.start(arguments)) {
      reader.start();
      if (phases.hasBacklog()) {
        sender.start();
      }
      long running = started.awaitRunning();
      if (!phases.hasBacklog()) {
        sender.start();
      }
      Thread.sleep(phases.load().toMillis());
      isSending = false;
      sender.join();
      awaitAnswers();
      started.end();
      return rows(running);
    } finally {
      isSending = false;
      isReading = false;
      sender.join();
      reader.join();
    }
  }

  private Thread thread(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.setUncaughtExceptionHandler((it, problem) -> failure = problem);
    return thread;
  }

  private void send() {
    RecordSender.Listener listener =
        new RecordSender.Listener() {
          @Override
          public void onAppended(TestRecord record, RecordMetadata position) {
            if (record.kind() == LogTopic.CONTEXTS) {
              appended.set(
                  Workload.numberOf(String.valueOf(record.decisionId())), position.timestamp());
            }
          }
        };
    ArrivalRate arrivals = new ArrivalRate(rate, clock);
    int next = 0;
    try (RecordSender sender = new RecordSender(config, Map.of(), PATIENCE, listener)) {
      while (isSending && next < appended.length()) {
        if (!arrivals.isDue(next)) {
          LockSupport.parkNanos(TICK.toNanos());
          continue;
        }
        sender.send(workload.segment(next), workload.context(next, clock.millis()));
        if (next >= rate) {
          int earlier = next - rate;
          sender.send(workload.segment(earlier), workload.reward(earlier, clock.millis()));
        }
        next++;
      }
      sender.flush();
    }
    sent = next;
  }

  private void read() {
    String decisions = config.topics().decisions();
    Answers answers = new Answers();
    int[] seen = new int[workload.segments()];
    int count = 0;
    try (Consumer<byte[], byte[]> consumer =
        config.delivery() == Delivery.EXACTLY_ONCE
            ? Consumers.committed(config.kafka())
            : Consumers.uncommitted(config.kafka(), Map.of())) {
      consumer.assign(Consumers.partitions(consumer, decisions));
      while (isReading) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
          if (job == JobRun.Job.FULL && answers.on(record).isEmpty()) {
            continue;
          }
          int segment = Workload.indexOf(new String(record.key(), StandardCharsets.UTF_8));
          visible.set(segment + workload.segments() * seen[segment]++, clock.millis());
          answered = ++count;
        }
      }
    }
  }

  private void awaitAnswers() throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (answered < sent || failure != null) {
      if (failure != null) {
        throw new IllegalStateException("the load of the benchmark failed", failure);
      }
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException(
            "%d of %d contexts have a decision after %s".formatted(answered, sent, PATIENCE));
      }
      Thread.sleep(POLL.toMillis());
    }
  }

  private List<LatencyRow> rows(long running) {
    List<Long> coldWaits = new ArrayList<>();
    List<Long> warmWaits = new ArrayList<>();
    long first = Long.MAX_VALUE;
    for (int number = 0; number < sent; number++) {
      long wait = Math.max(0, visible.get(number) - Math.max(appended.get(number), running));
      long since = appended.get(number) - running;
      first = Math.min(first, visible.get(number));
      if (phases.warm().isZero() || since < phases.cold().toMillis()) {
        coldWaits.add(wait);
      } else if (since >= phases.warmUp().toMillis()) {
        warmWaits.add(wait);
      }
    }
    String delivery = config.delivery().toString();
    LatencyRow.Phase start = phases.hasBacklog() ? LatencyRow.Phase.BACKLOG : LatencyRow.Phase.COLD;
    long firstAnswer = Math.max(0, first - running);
    List<LatencyRow> rows = new ArrayList<>();
    rows.add(LatencyRow.of(delivery, rate, job, start, coldWaits, firstAnswer));
    if (!phases.warm().isZero()) {
      rows.add(LatencyRow.of(delivery, rate, job, LatencyRow.Phase.WARM, warmWaits, null));
    }
    return rows;
  }
}
