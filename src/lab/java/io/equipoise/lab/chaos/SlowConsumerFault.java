package io.equipoise.lab.chaos;

import io.equipoise.job.topics.Consumers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * Reads decisions a few records at a time with long pauses, while a task manager is killed. The
 * reader must see the final records: nothing withdrawn, repeated or reordered.
 */
record SlowConsumerFault() implements Fault {
  private static final int TURNS = 12;
  private static final Duration PAUSE = Duration.ofSeconds(2);

  @Override
  public String name() {
    return "slow-consumer";
  }

  @Override
  public FaultEffect inject(ChaosContext context) throws InterruptedException {
    String topic = context.config().topics().decisions();
    List<String> slowly = new ArrayList<>();
    long killed = 0;
    Map<String, String> few = Map.of("max.poll.records", "100");
    try (Consumer<byte[], byte[]> consumer = Consumers.committed(context.config().kafka(), few)) {
      TopicPartition partition = new TopicPartition(topic, context.random().nextInt(2));
      consumer.assign(List.of(partition));
      for (int turn = 0; turn < TURNS; turn++) {
        consumer.poll(PAUSE).forEach(record -> slowly.add(text(record)));
        if (turn == TURNS / 2) {
          killed = System.nanoTime();
          context.cluster().kill(context.workingTaskManager());
        }
        Thread.sleep(PAUSE.toMillis());
      }
      List<String> again = new ArrayList<>();
      consumer.seekToBeginning(List.of(partition));
      while (again.size() < slowly.size()) {
        consumer.poll(PAUSE).forEach(record -> again.add(text(record)));
      }
      boolean isSame = slowly.equals(again.subList(0, slowly.size()));
      return isSame
          ? FaultEffect.at(killed)
          : new FaultEffect(killed, List.of(withdrawn(partition)));
    }
  }

  private static String withdrawn(TopicPartition partition) {
    return "I9: a slow reader of " + partition + " saw other records than the topic has now";
  }

  private static String text(ConsumerRecord<byte[], byte[]> record) {
    return record.offset() + " " + Arrays.hashCode(record.value());
  }
}
