package io.equipoise.console.document;

import io.equipoise.console.state.Aggregator;
import io.equipoise.console.state.RejectionLog.Code;
import io.equipoise.console.state.TimeAxis;
import io.equipoise.console.topics.InputWatch.Inputs;
import io.equipoise.console.topics.InputWatch.PartitionLag;
import io.equipoise.console.topics.JobWatch.JobReport;
import io.equipoise.console.topics.OutputFollower;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.LogTopic;
import io.equipoise.http.Json;
import java.util.List;
import java.util.function.LongBinaryOperator;
import org.jspecify.annotations.Nullable;

/** Describes the health of job, inputs and console. */
public final class HealthDocument {
  private static final int MOST_CODES = 50;
  private static final long RATE_BUCKETS = 2;

  private HealthDocument() {}

  /** Returns how far the console reads. */
  public static Json reader(OutputFollower.Status status) {
    return Json.of(status).without("topics");
  }

  /** Makes the document without the state of the reader. */
  public static Json of(
      Aggregator aggregator,
      OutputFollower.Status status,
      Inputs inputs,
      JobReport job,
      @Nullable String source,
      long now) {
    Runtime runtime = Runtime.getRuntime();
    Long end = job.checkpointEnd();
    return Json.of()
        .with("now", now)
        .with(
            "inputs",
            Json.of(inputs)
                .without("partitions", "latencies", "latencyOfBucket")
                .with(
                    "decisionsPerSecond",
                    perSecond(
                        (first, last) -> aggregator.count(LogTopic.DECISIONS, first, last),
                        aggregator.axis(),
                        now))
                .with("rewardsPerSecond", perSecond(aggregator::rewards, aggregator.axis(), now)))
        .with("latency", latency(inputs))
        .with("lag", lag(inputs))
        .with(
            "job",
            Json.of(job)
                .with("source", source)
                .with("checkpointAgeMillis", end == null ? null : (Long) Math.max(0, now - end)))
        .with("writerEpochs", Json.of().with("highest", aggregator.highestEpoch()))
        .with("series", series(aggregator, inputs, now))
        .with("deadLetters", aggregator.read(HealthDocument::deadLetters))
        .with(
            "memory",
            Json.of()
                .with("usedBytes", runtime.totalMemory() - runtime.freeMemory())
                .with("maxBytes", runtime.maxMemory()))
        .with("unreadable", aggregator.unreadable())
        .with("topics", status.topics());
  }

  private static Json latency(Inputs inputs) {
    return Json.of()
        .with("p50Millis", inputs.latency(0.5))
        .with("p99Millis", inputs.latency(0.99))
        .with("samples", inputs.latencies().size())
        .with(
            "text",
            "Figures: from the append of a context to the moment when this console reads its"
                + " committed decision. Line: mean time from the append of a context to the"
                + " timestamp of its decision's record. With exactly-once delivery the figures"
                + " include the wait for the checkpoint; the line does not. At most one decision"
                + " a second of each interval is sampled.");
  }

  /** Returns the rate of the last buckets, of which the newest is not complete. */
  private static double perSecond(LongBinaryOperator count, TimeAxis axis, long now) {
    long last = axis.bucketOf(now);
    long millis = RATE_BUCKETS * axis.bucketMillis() + Math.floorMod(now, axis.bucketMillis());
    return count.applyAsLong(last - RATE_BUCKETS, last) * 1000.0 / Math.max(1000, millis);
  }

  private static Json lag(Inputs inputs) {
    List<Long> known =
        inputs.partitions().stream().map(PartitionLag::lag).filter(it -> it != null).toList();
    return Json.of()
        .with("contexts", known.isEmpty() ? null : (Long) known.stream().mapToLong(it -> it).sum())
        .with(
            "partitions",
            inputs.partitions().stream().map(it -> Json.of(it).with("lag", it.lag())).toList())
        .with("text", "Contexts that have neither a decision nor a dead letter yet.");
  }

  private static Json series(Aggregator aggregator, Inputs inputs, long now) {
    TimeAxis axis = aggregator.axis();
    long last = axis.bucketOf(now);
    long first = last - TimeAxis.BUCKETS + 1;
    return Json.of()
        .with("bucketMillis", axis.bucketMillis())
        .with("times", axis.starts(last, TimeAxis.BUCKETS))
        .with("decisions", counts(aggregator, LogTopic.DECISIONS, last))
        .with("rewards", counts(aggregator, LogTopic.REWARDS, last))
        .with("deadLetters", counts(aggregator, LogTopic.DEAD_LETTER, last))
        .with("latencyMillis", TimeAxis.series(first, last, inputs.latencyOfBucket()::get));
  }

  private static List<Long> counts(Aggregator aggregator, LogTopic topic, long last) {
    return TimeAxis.series(
        last - TimeAxis.BUCKETS + 1, last, it -> aggregator.count(topic, it, it));
  }

  private static Json deadLetters(Aggregator aggregator) {
    return Json.of()
        .with("total", aggregator.rejections().total())
        .with(
            "codes",
            aggregator.rejections().codes().stream()
                .limit(MOST_CODES)
                .map(HealthDocument::code)
                .toList());
  }

  private static Json code(Code code) {
    ErrorCode known = ErrorCode.of(code.code());
    return Json.of(code)
        .with("cause", known == null ? null : known.cause())
        .with("remedy", known == null ? null : known.remedy());
  }
}
