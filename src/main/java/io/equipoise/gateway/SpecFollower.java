package io.equipoise.gateway;

import io.equipoise.job.control.CatalogLimit;
import io.equipoise.job.control.RawControl;
import io.equipoise.job.control.SpecHistory;
import io.equipoise.job.options.JobConfig;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;

/** Keeps the specs that are in force, from the topic {@code specs}. */
final class SpecFollower implements AutoCloseable {
  private final CatalogLimit limit;
  private final TopicFollower follower;
  private final Map<String, RawControl> newest = new LinkedHashMap<>();
  private SpecHistory history;
  private volatile ServedSpecs specs = ServedSpecs.NONE;

  SpecFollower(JobConfig config) {
    limit = CatalogLimit.of(config);
    history = SpecHistory.of(List.of(), limit);
    follower =
        new TopicFollower(config.kafka(), config.topics().specs(), Long.MAX_VALUE, this::onRecords);
  }

  void start() {
    follower.start();
  }

  ServedSpecs specs() {
    return specs;
  }

  /** Returns a future that ends when the specs are known that were published at the start. */
  CompletableFuture<Void> caughtUp() {
    return follower.caughtUp();
  }

  /** Of a key only a text and the retirement after it matter. */
  private void onRecords(ConsumerRecords<byte[], byte[]> records) {
    for (ConsumerRecord<byte[], byte[]> record : records) {
      String key = record.key() == null ? "" : new String(record.key(), StandardCharsets.UTF_8);
      boolean isRetired = record.value() == null;
      String slot = isRetired ? "retired " + key : "text " + key;
      if (!isRetired) {
        newest.remove("retired " + key);
      }
      newest.remove(slot);
      newest.put(slot, RawControl.of(record));
    }
    if (!records.isEmpty()) {
      history = SpecHistory.of(List.copyOf(newest.values()), limit, history);
      specs = ServedSpecs.of(history);
    }
  }

  @Override
  public void close() {
    follower.close();
  }
}
