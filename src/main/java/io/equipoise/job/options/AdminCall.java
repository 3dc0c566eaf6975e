package io.equipoise.job.options;

import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.KafkaFuture;

/** Waits for a response of Kafka's admin client, which has its own time limit. */
public final class AdminCall {
  private AdminCall() {}

  public static <T> T of(KafkaFuture<T> promise, String what) {
    try {
      return promise.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(what + " failed", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(what + " was interrupted", e);
    }
  }
}
