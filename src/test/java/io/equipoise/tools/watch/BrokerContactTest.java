package io.equipoise.tools.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.internals.KafkaFutureImpl;
import org.junit.jupiter.api.Test;

class BrokerContactTest {
  private static final String LOST = "The brokers do not answer. This goes on when they do.";
  private static final String FOUND = "The brokers answer again.";

  private final List<String> lines = new ArrayList<>();
  private KafkaFuture<?> reply = KafkaFuture.completedFuture("id");
  private long seconds;
  private final BrokerContact contact =
      new BrokerContact(() -> reply, lines::add, () -> seconds * 1_000_000_000L);

  private void pass(int more) {
    for (int second = 0; second < more; second++) {
      seconds++;
      contact.check();
    }
  }

  @Test
  void brokersThatAnswerHaveNoLine() {
    pass(100);
    assertEquals(List.of(), lines);
  }

  @Test
  void brokersThatGoAndComeBackHaveOneLineEach() {
    pass(7);
    KafkaFutureImpl<String> late = new KafkaFutureImpl<>();
    reply = late;
    pass(10);
    assertEquals(List.of(), lines);
    pass(100);
    assertEquals(List.of(LOST), lines);
    late.complete("id");
    pass(1);
    assertEquals(List.of(LOST, FOUND), lines);
  }

  @Test
  void aReplyThatFailedIsNone() {
    pass(7);
    KafkaFutureImpl<String> failed = new KafkaFutureImpl<>();
    failed.completeExceptionally(new IllegalStateException());
    reply = failed;
    pass(30);
    assertEquals(List.of(LOST), lines);
    reply = KafkaFuture.completedFuture("id");
    pass(6);
    assertEquals(List.of(LOST, FOUND), lines);
  }
}
