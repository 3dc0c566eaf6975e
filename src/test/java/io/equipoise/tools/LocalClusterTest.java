package io.equipoise.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.ListeningSockets;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.util.Collector;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalClusterTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long ENDLESS = Long.MAX_VALUE - 1;

  private static final long NOT_YET = -1;
  private static final long PAUSE_NANOS = 100_000;

  /** The latest count that any job saw; jobs run in this JVM. */
  private static final AtomicLong SEEN = new AtomicLong();

  /** The count with which the latest job went on, 0 if it began anew. */
  private static final AtomicLong FIRST = new AtomicLong(NOT_YET);

  private static LocalCluster cluster;

  @BeforeAll
  static void startCluster() {
    var configuration = new Configuration();
    configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
    cluster = LocalCluster.start(configuration, 2);
  }

  @AfterAll
  static void closeCluster() {
    cluster.close();
  }

  @Test
  void itListensOnLoopbackOnly() {
    ListeningSockets.assertLoopbackOnly();
  }

  @Test
  void aBoundedJobEndsByItself() throws Exception {
    var job = cluster.submit(counting(cluster.environment(), 1000), "bounded");
    assertTrue(job.awaitEnd(PATIENCE).isSuccess());
    assertEquals(JobStatus.FINISHED, job.status());
  }

  @Test
  void anEndlessJobRunsUntilItIsCancelled() {
    var job = cluster.submit(counting(cluster.environment(), ENDLESS), "endless");
    job.awaitRunning(PATIENCE);
    assertEquals(JobStatus.RUNNING, job.status());
    job.cancel();
    assertEquals(JobStatus.CANCELED, job.status());
  }

  @Test
  void aJobGoesOnFromTheSavepointItWasStoppedWith(@TempDir Path savepoints) {
    FIRST.set(NOT_YET);
    var first = cluster.submit(counting(cluster.environment(), ENDLESS), "first");
    first.awaitRunning(PATIENCE);
    awaitFirst();
    var savepoint = first.stopWithSavepoint(savepoints);
    assertEquals(JobStatus.FINISHED, first.status());
    assertTrue(Files.exists(Path.of(URI.create(savepoint)).resolve("_metadata")));
    var counted = SEEN.get();
    FIRST.set(NOT_YET);

    var settings = new Configuration();
    settings.set(StateRecoveryOptions.SAVEPOINT_PATH, savepoint);
    var second = cluster.submit(counting(cluster.environment(settings), ENDLESS), "second");
    second.awaitRunning(PATIENCE);
    awaitFirst();
    second.cancel();
    assertEquals(counted, FIRST.get());
  }

  @Test
  void aFailedJobTellsWhy() {
    var job = cluster.submit(counting(cluster.environment(), -1), "failing");
    var result = job.awaitEnd(PATIENCE);
    assertEquals(JobStatus.FAILED, job.status());
    var failure = result.getSerializedThrowable().orElseThrow();
    assertTrue(failure.getFullStringifiedStackTrace().contains("counted too far"));
    assertThrows(IllegalStateException.class, () -> job.awaitRunning(PATIENCE));
  }

  @Test
  void aCheckpointIsTakenOnRequestAndTheJobGoesOn(@TempDir Path checkpoints) {
    var settings = new Configuration();
    settings.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, checkpoints.toUri().toString());
    settings.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofDays(1));
    var job = cluster.submit(counting(cluster.environment(settings), ENDLESS), "checkpointed");
    job.awaitRunning(PATIENCE);
    assertTrue(job.checkpoint().contains(job.id().toHexString()));
    assertEquals(JobStatus.RUNNING, job.status());
    job.cancel();
  }

  @Test
  void everyReplacedTaskManagerTakesItsJobsWithIt() {
    for (int time = 0; time < 3; time++) {
      var job = cluster.submit(counting(cluster.environment(), ENDLESS), "bereaved");
      job.awaitRunning(PATIENCE);
      cluster.replaceTaskManager();
      job.awaitEnd(PATIENCE);
      assertEquals(JobStatus.FAILED, job.status(), "time " + time);
    }
  }

  private static void awaitFirst() {
    var deadline = System.nanoTime() + PATIENCE.toNanos();
    while (FIRST.get() == NOT_YET && System.nanoTime() < deadline) {
      Thread.onSpinWait();
    }
  }

  /**
   * Defines a job that counts its elements in keyed state; it fails at once if last is below 0. Its
   * source is slow, since others want the processor.
   */
  private static StreamExecutionEnvironment counting(StreamExecutionEnvironment env, long last) {
    env.fromSource(
            new NumberSequenceSource(0, Math.abs(last)),
            WatermarkStrategy.noWatermarks(),
            "numbers")
        .uid("numbers")
        .setParallelism(1)
        .map(LocalClusterTest::slowly)
        .uid("slowly")
        .setParallelism(1)
        .keyBy(number -> "all", Types.STRING)
        .process(new Count(last < 0))
        .uid("count")
        .sinkTo(new DiscardingSink<>())
        .uid("discard");
    return env;
  }

  private static Long slowly(Long number) {
    LockSupport.parkNanos(PAUSE_NANOS);
    return number;
  }

  private static final class Count extends KeyedProcessFunction<String, Long, Long> {
    private static final long serialVersionUID = 1L;
    private final boolean fails;
    private transient ValueState<Long> count;
    private transient boolean isOpened;

    Count(boolean fails) {
      this.fails = fails;
    }

    @Override
    public void open(OpenContext context) {
      count = getRuntimeContext().getState(new ValueStateDescriptor<>("count", Types.LONG));
    }

    @Override
    public void processElement(Long number, Context context, Collector<Long> out) throws Exception {
      if (fails) {
        throw new IllegalStateException("counted too far");
      }
      var before = count.value() == null ? 0L : count.value();
      if (!isOpened) {
        isOpened = true;
        FIRST.set(before);
      }
      count.update(before + 1);
      SEEN.set(before + 1);
      out.collect(before + 1);
    }
  }
}
