package io.equipoise.tools.watch;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.common.KafkaFuture;

/**
 * Says when the brokers answer no more, and when they answer again: a consumer without brokers only
 * finds nothing. Not thread-safe.
 */
final class BrokerContact {
  private static final long PERIOD = Duration.ofSeconds(5).toNanos();
  private static final long PATIENCE = Duration.ofSeconds(10).toNanos();

  private final Supplier<KafkaFuture<?>> question;
  private final Consumer<String> text;
  private final LongSupplier nanos;
  private KafkaFuture<?> asked;
  private long askedAt;
  private long answeredAt;
  private boolean isLost;

  /**
   * @param question asks the brokers anything, without waiting
   * @param nanos a clock such as {@link System#nanoTime}
   */
  BrokerContact(Supplier<KafkaFuture<?>> question, Consumer<String> text, LongSupplier nanos) {
    this.question = question;
    this.text = text;
    this.nanos = nanos;
    asked = question.get();
    askedAt = nanos.getAsLong();
    answeredAt = askedAt;
  }

  /** Looks at the last reply, and asks again every few seconds. */
  void check() {
    long now = nanos.getAsLong();
    if (asked.isDone()) {
      if (!asked.isCompletedExceptionally()) {
        answeredAt = now;
        if (isLost) {
          isLost = false;
          text.accept("The brokers answer again.");
        }
      }
      if (now - askedAt >= PERIOD) {
        asked = question.get();
        askedAt = now;
      }
    }
    if (!isLost && now - answeredAt >= PERIOD + PATIENCE) {
      isLost = true;
      text.accept("The brokers do not answer. This goes on when they do.");
    }
  }
}
