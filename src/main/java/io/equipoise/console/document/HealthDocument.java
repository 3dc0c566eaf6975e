package io.equipoise.console.document;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.equipoise.console.state.Aggregator;
import io.equipoise.console.state.RejectionLog.Code;
import io.equipoise.console.state.TimeAxis;
import io.equipoise.console.topics.InputWatch.Inputs;
import io.equipoise.console.topics.InputWatch.PartitionLag;
import io.equipoise.console.topics.JobWatch.JobReport;
import io.equipoise.console.topics.OutputFollower;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.LogTopic;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The health of job, inputs and console. */
public final class HealthDocument {
  private static final int MOST_CODES = 50;
  private static final long RATE_BUCKETS = 2;

  private HealthDocument() {}

  /** Returns how far the console reads. */
  public static ObjectNode reader(OutputFollower.Status status) {
    return Json.object("state", status.state(), "behind", status.behind(), "error", status.error());
  }

  /** Makes the document without the state of the reader. */
  public static ObjectNode of(
      Aggregator aggregator,
      OutputFollower.Status status,
      Inputs inputs,
      JobReport job,
      @Nullable String source,
      long now) {
    Runtime runtime = Runtime.getRuntime();
    return Json.object(
        "now",
        now,
        "inputs",
        Json.object(
            "contextsPerSecond",
            inputs.contextsPerSecond(),
            "rewardsPerSecond",
            inputs.rewardsPerSecond(),
            "decisionsPerSecond",
            decisionsPerSecond(aggregator, now),
            "error",
            inputs.error()),
        "latency",
        Json.object(
            "p50Millis",
            inputs.latency(0.5),
            "p99Millis",
            inputs.latency(0.99),
            "samples",
            inputs.latencies().size(),
            "text",
            "Figures: from the append of a context to the moment when this console reads its"
                + " committed decision. Line: mean time from the append of a context to the"
                + " timestamp of its decision's record. With exactly-once delivery the figures"
                + " include the wait for the checkpoint; the line does not. At most one decision"
                + " a second of each interval is sampled."),
        "lag",
        lag(inputs),
        "job",
        job(job, source, now),
        "writerEpochs",
        Json.object("highest", aggregator.highestEpoch()),
        "series",
        series(aggregator, inputs, now),
        "deadLetters",
        aggregator.read(HealthDocument::deadLetters),
        "memory",
        Json.object(
            "usedBytes",
            runtime.totalMemory() - runtime.freeMemory(),
            "maxBytes",
            runtime.maxMemory()),
        "unreadable",
        aggregator.unreadable(),
        "topics",
        status.topics().stream()
            .map(
                it ->
                    Json.object(
                        "topic", it.topic(), "partitions", it.partitions(), "behind", it.behind()))
            .toList());
  }

  private static double decisionsPerSecond(Aggregator aggregator, long now) {
    TimeAxis axis = aggregator.axis();
    long last = axis.bucketOf(now);
    long millis = RATE_BUCKETS * axis.bucketMillis() + Math.floorMod(now, axis.bucketMillis());
    return aggregator.count(LogTopic.DECISIONS, last - RATE_BUCKETS, last)
        * 1000.0
        / Math.max(1000, millis);
  }

  private static ObjectNode lag(Inputs inputs) {
    Long total = null;
    List<ObjectNode> partitions = new ArrayList<>();
    for (PartitionLag partition : inputs.partitions()) {
      Long lag = partition.lag();
      total = lag == null ? total : (Long) (lag + (total == null ? 0 : total));
      partitions.add(
          Json.object(
              "topic",
              partition.partition().topic(),
              "partition",
              partition.partition().partition(),
              "end",
              partition.end(),
              "decided",
              partition.answered(),
              "lag",
              lag));
    }
    return Json.object(
        "contexts",
        total,
        "partitions",
        partitions,
        "text",
        "Contexts that have neither a decision nor a dead letter yet.");
  }

  private static ObjectNode job(JobReport job, @Nullable String source, long now) {
    Long end = job.checkpointEnd();
    return Json.object(
        "state",
        job.state(),
        "source",
        source,
        "error",
        job.error(),
        "checkpoint",
        Json.object(
            "ageMillis",
            end == null ? null : (Long) Math.max(0, now - end),
            "durationMillis",
            job.checkpointMillis(),
            "count",
            job.checkpoints(),
            "failed",
            job.failedCheckpoints(),
            "bytes",
            job.checkpointBytes()),
        "restarts",
        job.restarts(),
        "uptimeMillis",
        job.uptimeMillis());
  }

  private static ObjectNode series(Aggregator aggregator, Inputs inputs, long now) {
    TimeAxis axis = aggregator.axis();
    long last = axis.bucketOf(now);
    List<Long> decisions = new ArrayList<>();
    List<Long> rewards = new ArrayList<>();
    List<Long> deadLetters = new ArrayList<>();
    List<Double> latencies = new ArrayList<>(); // null where nothing was measured
    for (long bucket = last - TimeAxis.BUCKETS + 1; bucket <= last; bucket++) {
      decisions.add(aggregator.count(LogTopic.DECISIONS, bucket, bucket));
      rewards.add(aggregator.count(LogTopic.REWARDS, bucket, bucket));
      latencies.add(inputs.latencyOfBucket().get(bucket));
      deadLetters.add(aggregator.count(LogTopic.DEAD_LETTER, bucket, bucket));
    }
    return Json.object(
        "bucketMillis",
        axis.bucketMillis(),
        "times",
        axis.starts(last, TimeAxis.BUCKETS),
        "decisions",
        decisions,
        "rewards",
        rewards,
        "deadLetters",
        deadLetters,
        "latencyMillis",
        latencies);
  }

  private static ObjectNode deadLetters(Aggregator aggregator) {
    List<ObjectNode> codes =
        aggregator.rejections().codes().stream()
            .limit(MOST_CODES)
            .map(HealthDocument::code)
            .toList();
    return Json.object("total", aggregator.rejections().total(), "codes", codes);
  }

  private static ObjectNode code(Code code) {
    ErrorCode known = ErrorCode.of(code.code());
    return Json.object(
        "code",
        code.code(),
        "count",
        code.count(),
        "last",
        code.last(),
        "cause",
        known == null ? null : known.cause(),
        "remedy",
        known == null ? null : known.remedy(),
        "example",
        Json.object(
            "message",
            code.example().message(),
            "segment",
            code.example().segment(),
            "decisionId",
            code.example().decisionId(),
            "topic",
            code.example().topic(),
            "partition",
            code.example().partition(),
            "offset",
            code.example().offset(),
            "time",
            code.last()));
  }
}
