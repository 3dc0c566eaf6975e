package io.equipoise.tools.bench;

import io.equipoise.client.Answers;
import io.equipoise.event.TopicKind;
import io.equipoise.job.options.Delivery;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.topics.Consumers;
import io.equipoise.tools.ArrivalRate;
import io.equipoise.tools.LocalJob;
import io.equipoise.tools.RecordSender;
import io.equipoise.tools.TestRecord;
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
 * Measures how long contexts wait for their decisions while one job starts and runs under a
 * constant load. The load begins before the job starts. The reward of each context follows after
 * one second.
 *
 * <p>A job decides the contexts of a segment in their order. So the k-th decision of a segment
 * belongs to its k-th context, also for the identity job, whose decisions have the ids of their
 * templates.
 */
final class LatencyRun {
  private static final Duration LONGEST_START = Duration.ofMinutes(5);
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration POLL = Duration.ofMillis(20);
  private static final Duration TICK = Duration.ofNanos(200_000);

  private final BenchDeployment deployment;
  private final JobConfig config;
  private final Workload workload;
  private final JobRun.Job job;
  private final int rate;
  private final Duration cold;
  private final Duration warmUp;
  private final Duration warm;
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
   * Creates a run.
   *
   * @param job the full job, or the identity job
   * @param rate contexts per second
   * @param cold time from RUNNING until the end of the cold phase
   * @param warmUp time from RUNNING until the warm phase
   * @param warm duration of the warm phase; zero for none
   */
  LatencyRun(
      BenchDeployment deployment,
      JobRun.Job job,
      int rate,
      Duration cold,
      Duration warmUp,
      Duration warm) {
    this.deployment = deployment;
    this.config = deployment.config();
    this.workload = deployment.workload();
    this.job = job;
    this.rate = rate;
    this.cold = cold;
    this.warmUp = warmUp;
    this.warm = warm;
    int most = Math.toIntExact(rate * LONGEST_START.plus(load()).toSeconds());
    appended = new AtomicLongArray(most);
    visible = new AtomicLongArray(most);
  }

  /** Returns how long the load lasts from RUNNING on. */
  private Duration load() {
    return warm.isZero() ? cold : warmUp.plus(warm);
  }

  /**
   * Starts the load and the job, and measures until every context has its decision.
   *
   * @param recordTemplates output of the identity job; null for the full job
   * @throws IllegalStateException if a context has no decision after a minute
   */
  List<LatencyRow> measure(@Nullable RecordTemplates recordTemplates) throws InterruptedException {
    Thread sender = thread("latency-sender", this::send);
    Thread reader = thread("latency-reader", this::read);
    try {
      LocalJob started = deployment.start(job, recordTemplates, null);
      long running = clock.millis();
      Thread.sleep(load().toMillis());
      isSending = false;
      sender.join();
      awaitAnswers();
      started.checkpoint(); // commits all records of these decisions
      started.cancel();
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
    thread.start();
    return thread;
  }

  private void send() {
    RecordSender.Listener listener =
        new RecordSender.Listener() {
          @Override
          public void onAppended(TestRecord record, RecordMetadata position) {
            if (record.kind() == TopicKind.CONTEXTS) {
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
      if (since < cold.toMillis()) {
        coldWaits.add(wait);
      }
      if (since >= warmUp.toMillis()) {
        warmWaits.add(wait);
      }
    }
    String delivery = config.delivery().toString();
    List<LatencyRow> rows = new ArrayList<>();
    rows.add(
        LatencyRow.of(
            delivery, rate, job, LatencyRow.Phase.COLD, coldWaits, Math.max(0, first - running)));
    if (!warm.isZero()) {
      rows.add(LatencyRow.of(delivery, rate, job, LatencyRow.Phase.WARM, warmWaits, null));
    }
    return rows;
  }
}
