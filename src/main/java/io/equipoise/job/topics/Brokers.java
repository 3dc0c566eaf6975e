package io.equipoise.job.topics;

import io.equipoise.job.options.JobConfig;
import io.equipoise.job.options.KafkaErrors;
import io.equipoise.job.options.StartRefusedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Connects to a Kafka cluster, or reports which option prevents it. */
public final class Brokers {
  private static final String TIMEOUT = "default.api.timeout.ms";
  private static final String PATIENCE_MILLIS = "15000";

  private Brokers() {}

  /**
   * Returns a client after one response of the brokers, within {@value #TIMEOUT} or, if that is not
   * set, {@value #PATIENCE_MILLIS} ms.
   *
   * @throws StartRefusedException if they do not reply, with the option to correct
   */
  public static Admin connect(JobConfig config) throws InterruptedException {
    return connect(config.kafka(), config.kafkaSettings());
  }

  /**
   * As {@link #connect(JobConfig)}, for a verb that reads topics of a deployment.
   *
   * @throws StartRefusedException also if one of them is missing or may not be read
   */
  public static Admin connect(JobConfig config, List<String> topics) throws InterruptedException {
    Admin admin = connect(config);
    try {
      refuseUnreadable(admin, config, topics);
      return admin;
    } catch (StartRefusedException | InterruptedException e) {
      admin.close(Duration.ZERO);
      throw e;
    }
  }

  private static void refuseUnreadable(Admin admin, JobConfig config, List<String> topics)
      throws InterruptedException {
    List<String> missing = new ArrayList<>();
    List<String> faults = new ArrayList<>();
    for (var topic : new TreeMap<>(admin.describeTopics(topics).topicNameValues()).entrySet()) {
      try {
        var unused = topic.getValue().get();
      } catch (ExecutionException e) {
        if (e.getCause() instanceof UnknownTopicOrPartitionException) {
          missing.add(topic.getKey());
        } else if (e.getCause() instanceof TimeoutException timeout) {
          throw failed(config, timeout);
        } else {
          String why = String.valueOf(e.getCause().getMessage());
          faults.add("topic %s: %s; allow Read on it, or try again".formatted(topic.getKey(), why));
        }
      }
    }
    if (!missing.isEmpty()) {
      faults.add(0, lacking(config.kafka(), missing));
    }
    if (!faults.isEmpty()) {
      throw unreadable(faults);
    }
  }

  static StartRefusedException unreadable(List<String> faults) {
    return new StartRefusedException("The deployment cannot be read", faults);
  }

  /**
   * Returns the error of topics of a deployment that do not exist, with the options to correct.
   *
   * @param kafka a client's settings, without the prefix {@code kafka.}
   */
  public static String lacking(Properties kafka, List<String> topics) {
    return "the brokers at %s have no topic %s; correct equipoise.deployment or kafka.bootstrap.servers, or start the job once"
        .formatted(kafka.getProperty("bootstrap.servers"), String.join(", ", topics));
  }

  /**
   * Checks whether the brokers reply.
   *
   * @param kafka a client's settings, without the prefix {@code kafka.}
   * @throws StartRefusedException if they do not, with the option to correct
   */
  public static void check(Properties kafka) throws InterruptedException {
    Map<String, String> settings = new TreeMap<>();
    kafka.stringPropertyNames().forEach(key -> settings.put(key, kafka.getProperty(key)));
    connect(kafka, settings).close(Duration.ZERO);
  }

  private static Admin connect(Properties kafka, Map<String, String> settings)
      throws InterruptedException {
    Admin admin;
    try {
      admin = Admin.create(kafka);
    } catch (KafkaException e) {
      throw refused(settings, e);
    }
    try {
      int patience = Integer.parseInt(settings.getOrDefault(TIMEOUT, PATIENCE_MILLIS));
      var options = new DescribeClusterOptions().timeoutMs(patience);
      admin.describeCluster(options).nodes().get();
      return admin;
    } catch (ExecutionException e) {
      admin.close(Duration.ZERO);
      throw refused(settings, e.getCause());
    } catch (InterruptedException e) {
      admin.close(Duration.ZERO);
      throw e;
    }
  }

  /** Explains why a client fails after it had connected, with the option to correct. */
  public static StartRefusedException failed(JobConfig config, KafkaException failure) {
    return unreadable(List.of(KafkaErrors.of(config).explain(failure)));
  }

  private static StartRefusedException refused(Map<String, String> settings, Throwable failure) {
    return new StartRefusedException(
        "The Kafka brokers are unreachable",
        List.of(new KafkaErrors("kafka.", settings).explain(failure)));
  }
}
