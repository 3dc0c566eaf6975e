package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.ReaderInfo;
import org.apache.flink.api.connector.source.SplitsAssignment;
import org.apache.flink.api.connector.source.mocks.MockSplitEnumeratorContext;
import org.apache.flink.connector.kafka.source.enumerator.KafkaSourceEnumState;
import org.apache.flink.connector.kafka.source.enumerator.KafkaSourceEnumerator;
import org.apache.flink.connector.kafka.source.enumerator.initializer.NoStoppingOffsetsInitializer;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.connector.kafka.source.enumerator.subscriber.KafkaSubscriber;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** With the connector's enumerator, which finds given partitions instead of asking a broker. */
class InputEnumeratorTest {
  private static final String TOPIC = "shop.contexts";
  private static final int MOST_PARTITIONS = 8;
  private static final int MOST_READERS = 4;

  @Test
  void eachReaderHasAPartitionWhateverWasAddedAndHoweverManyReadersThereAre() {
    for (int before = 1; before <= MOST_PARTITIONS; before++) {
      for (int after = before; after <= MOST_PARTITIONS; after++) {
        for (int readers = 1; readers <= Math.min(MOST_READERS, after); readers++) {
          try (Start start = new Start(readers, splits(0, before), splits(before, after))) {
            start.discover();
            List<List<KafkaPartitionSplit>> restored = asFlinkRestores(splits(0, before), readers);
            for (int reader = 0; reader < readers; reader++) {
              start.register(reader, restored.get(reader));
            }
            String what = "from %d to %d partitions, %d readers".formatted(before, after, readers);
            assertEquals(range(readers), start.assigned().keySet(), what);
            assertEquals(splits(0, after), start.allAssigned(), what);
          }
        }
      }
    }
  }

  /** Else event time of the readers that register first passes the backlog of the others. */
  @Test
  void nothingIsAssignedBeforeAllReadersAreThereAndTheDiscoveryHasEnded() {
    try (Start start = new Start(2, splits(0, 2), splits(2, 3))) {
      start.register(1, splits(0, 2));
      start.register(0, List.of());
      assertEquals(List.of(), start.allAssigned());
      start.discover();
      assertEquals(splits(0, 3), start.allAssigned());
    }
    try (Start start = new Start(2, splits(0, 2), List.of())) {
      start.discover();
      start.register(1, splits(0, 2));
      assertEquals(List.of(), start.allAssigned());
      start.register(0, List.of());
      assertEquals(splits(0, 2), start.allAssigned());
    }
  }

  @Test
  void aCheckpointStoresWhatIsNotAssignedYet() throws Exception {
    try (Start start = new Start(2, splits(0, 2), List.of())) {
      start.discover();
      start.register(0, splits(0, 2));
      KafkaSourceEnumState state = start.enumerator.snapshotState(7);
      assertEquals(List.of(), List.copyOf(state.assignedSplits()));
      assertEquals(splits(0, 2), sorted(state.unassignedSplits()));
      start.register(1, List.of());
      state = start.enumerator.snapshotState(8);
      assertEquals(splits(0, 2), sorted(state.assignedSplits()));
      assertEquals(List.of(), List.copyOf(state.unassignedSplits()));
    }
  }

  /** A second failure before the next checkpoint: Flink returns what it assigned after the last. */
  @Test
  void aPartitionThatIsReturnedAndReportedIsAssignedOnce() {
    try (Start start = new Start(2, splits(0, 2), List.of())) {
      start.discover();
      start.register(0, splits(0, 2));
      start.register(1, List.of());
      Map<Integer, List<KafkaPartitionSplit>> first = start.assigned();
      start.fail();
      start.enumerator.addSplitsBack(first.get(0), 0);
      start.enumerator.addSplitsBack(first.get(1), 1);
      start.register(1, List.of());
      start.register(0, splits(0, 2));
      assertEquals(splits(0, 2), start.allAssigned());
      assertEquals(first, start.assigned());
    }
  }

  @Test
  void aPartitionWithTwoOffsetsEndsTheJob() {
    try (Start start = new Start(2, splits(0, 1), List.of())) {
      start.enumerator.addSplitsBack(splits(0, 1), 0);
      KafkaPartitionSplit other = new KafkaPartitionSplit(new TopicPartition(TOPIC, 0), 3);
      IllegalStateException thrown =
          assertThrows(
              IllegalStateException.class, () -> start.enumerator.addSplitsBack(List.of(other), 1));
      assertEquals(
          "partition shop.contexts-0 was returned from offset 100 and from offset 3",
          thrown.getMessage());
    }
  }

  /** Deals the restored partitions in their order, as Flink's operator state does. */
  private static List<List<KafkaPartitionSplit>> asFlinkRestores(
      List<KafkaPartitionSplit> all, int readers) {
    List<List<KafkaPartitionSplit>> dealt = new ArrayList<>();
    int next = 0;
    for (int reader = 0; reader < readers; reader++) {
      int share = all.size() / readers + (reader < all.size() % readers ? 1 : 0);
      dealt.add(all.subList(next, next + share));
      next += share;
    }
    return dealt;
  }

  private static List<KafkaPartitionSplit> splits(int first, int end) {
    return IntStream.range(first, end)
        .mapToObj(it -> new KafkaPartitionSplit(new TopicPartition(TOPIC, it), 100L + it))
        .toList();
  }

  private static List<KafkaPartitionSplit> sorted(Collection<KafkaPartitionSplit> splits) {
    return splits.stream()
        .sorted(Comparator.comparingInt(KafkaPartitionSplit::getPartition))
        .toList();
  }

  private static Set<Integer> range(int end) {
    return new TreeSet<>(IntStream.range(0, end).boxed().toList());
  }

  /** A start from a state, up to the assignment of all partitions. */
  private static final class Start implements AutoCloseable {
    private final MockSplitEnumeratorContext<KafkaPartitionSplit> context;
    private final InputEnumerator enumerator;
    private final int readers;
    private int seen;

    /**
     * Begins a start.
     *
     * @param restored partitions that the state has
     * @param added partitions that the discovery finds
     */
    Start(int readers, List<KafkaPartitionSplit> restored, List<KafkaPartitionSplit> added) {
      this.readers = readers;
      context = new MockSplitEnumeratorContext<>(readers);
      KafkaSourceEnumerator kafka =
          new KafkaSourceEnumerator(
              KafkaSubscriber.getTopicListSubscriber(List.of(TOPIC)),
              OffsetsInitializer.earliest(),
              new NoStoppingOffsetsInitializer(),
              new Properties(),
              context,
              Boundedness.CONTINUOUS_UNBOUNDED,
              new KafkaSourceEnumState(restored, List.of(), true)) {
            @Override
            public void start() {
              context.callAsync(
                  () -> added,
                  (found, failure) -> {
                    addSplitsBack(added, -1);
                    context.registeredReaders().keySet().forEach(this::addReader);
                  });
            }
          };
      enumerator = new InputEnumerator(kafka, context);
      enumerator.start();
    }

    void discover() {
      while (!context.getOneTimeCallables().isEmpty()) {
        try {
          context.runNextOneTimeCallable();
        } catch (Throwable e) {
          throw new AssertionError(e);
        }
      }
    }

    void register(int reader, List<KafkaPartitionSplit> reported) {
      context.registerReader(ReaderInfo.createReaderInfo(reader, "host", reported));
      enumerator.addReader(reader);
    }

    /** Ends all readers; what was assigned before is forgotten. */
    void fail() {
      for (int reader = 0; reader < readers; reader++) {
        context.unregisterReader(reader);
      }
      seen = context.getSplitsAssignmentSequence().size();
    }

    /** Returns the partitions of each reader, in order, as often as they were assigned. */
    Map<Integer, List<KafkaPartitionSplit>> assigned() {
      List<SplitsAssignment<KafkaPartitionSplit>> all = context.getSplitsAssignmentSequence();
      Map<Integer, List<KafkaPartitionSplit>> assigned = new TreeMap<>();
      all.subList(seen, all.size())
          .forEach(
              one ->
                  one.assignment()
                      .forEach(
                          (reader, splits) ->
                              assigned
                                  .computeIfAbsent(reader, it -> new ArrayList<>())
                                  .addAll(splits)));
      assigned.replaceAll((reader, splits) -> sorted(splits));
      return assigned;
    }

    List<KafkaPartitionSplit> allAssigned() {
      return sorted(assigned().values().stream().flatMap(List::stream).toList());
    }

    @Override
    public void close() {
      try {
        enumerator.close();
        context.close();
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    }
  }
}
