package io.equipoise.job.topics;

import io.equipoise.job.options.JobConfig;
import io.equipoise.job.options.StartRefusedException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.common.KafkaException;

/** Gets through to a Kafka cluster, or says which option stands in the way. */
public final class Brokers {
  private static final String TIMEOUT = "default.api.timeout.ms";
  private static final String PATIENCE_MILLIS = "15000";

  private Brokers() {}

  /**
   * Returns a client that the brokers have answered once, within the time of {@value #TIMEOUT}, or
   * {@value #PATIENCE_MILLIS} ms where that is not given.
   *
   * @throws StartRefusedException if they do not, with the option to correct
   */
  public static Admin connect(JobConfig config) throws InterruptedException {
    return connect(config.kafka(), config.kafkaSettings());
  }

  /**
   * Sees whether the brokers answer.
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

  private static StartRefusedException refused(Map<String, String> settings, Throwable failure) {
    return new StartRefusedException(
        "The Kafka brokers are not reached", List.of(new KafkaFaults(settings).explain(failure)));
  }
}
