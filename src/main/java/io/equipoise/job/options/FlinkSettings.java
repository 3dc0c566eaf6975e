package io.equipoise.job.options;

import java.time.Duration;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.ExternalizedCheckpointRetention;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.core.execution.CheckpointingMode;

/**
 * Enforces the Flink settings that the job's guarantees need: sets missing ones and rejects
 * conflicting ones.
 */
public final class FlinkSettings {
  /** Part of the state contract: state cannot be restored with another value. */
  public static final int MAX_PARALLELISM = 128;

  private static final String REACTIVE = "reactive";
  private static final int FLINK_MAX_PARALLELISM = 1 << 15;

  private FlinkSettings() {}

  static Configuration read(
      OptionReader reader, Configuration given, Checkpointing checkpointing, Delivery delivery) {
    var flink = new Configuration(given);
    flink.keySet().stream()
        .filter(
            name ->
                name.startsWith(JobOptions.KAFKA_PREFIX)
                    || name.startsWith(JobOptions.REGISTRY_PREFIX))
        .forEach(name -> flink.removeKey(name));
    insist(reader, flink, PipelineOptions.GENERIC_TYPES, false, "false: state has its own formats");
    insist(
        reader, flink, PipelineOptions.AUTO_GENERATE_UIDS, false, "false: state is found by uid");
    insist(
        reader,
        flink,
        CheckpointingOptions.CHECKPOINTING_CONSISTENCY_MODE,
        CheckpointingMode.EXACTLY_ONCE,
        "EXACTLY_ONCE: the ledgers are exact at every checkpoint");
    insist(
        reader,
        flink,
        CheckpointingOptions.EXTERNALIZED_CHECKPOINT_RETENTION,
        ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION,
        "RETAIN_ON_CANCELLATION: a job that is cancelled or fails keeps its state");
    checkpointing.set(flink);
    if (delivery == Delivery.AT_LEAST_ONCE) {
      insist(
          reader,
          flink,
          CheckpointingOptions.ENABLE_UNALIGNED,
          false,
          "false with equipoise.delivery at-least-once: after a rescaling, contexts in flight would"
              + " arrive out of order, and published decisions would be taken again");
    }
    if (delivery == Delivery.AT_LEAST_ONCE && !flink.contains(ExecutionOptions.BUFFER_TIMEOUT)) {
      flink.set(ExecutionOptions.BUFFER_TIMEOUT, Duration.ZERO); // sends each record immediately
    }
    flink.set(PipelineOptions.MAX_PARALLELISM, maxParallelism(reader, given));
    var mode = given.toMap().get(JobManagerOptions.SCHEDULER_MODE.key());
    if (REACTIVE.equalsIgnoreCase(mode)) {
      reader.fault(
          JobManagerOptions.SCHEDULER_MODE.key(),
          "'" + mode + "'",
          "nothing: source subtasks without a partition would stop event time");
    }
    reader.read(
        PipelineOptions.AUTO_WATERMARK_INTERVAL,
        "more than 0 ms: without watermarks nothing expires",
        watermarks -> watermarks.toMillis() > 0);
    return flink;
  }

  private static int maxParallelism(OptionReader reader, Configuration given) {
    if (!given.contains(PipelineOptions.MAX_PARALLELISM)) {
      return MAX_PARALLELISM;
    }
    var parallelism = given.getOptional(CoreOptions.DEFAULT_PARALLELISM).orElse(1);
    return reader.read(
        PipelineOptions.MAX_PARALLELISM,
        "parallelism.default (" + parallelism + ") to " + FLINK_MAX_PARALLELISM,
        most -> most >= parallelism && most <= FLINK_MAX_PARALLELISM);
  }

  private static <T> void insist(
      OptionReader reader, Configuration flink, ConfigOption<T> option, T wanted, String allowed) {
    if (flink.contains(option)) {
      reader.read(option, allowed, wanted::equals);
    }
    flink.set(option, wanted);
  }
}
