package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.Origin;
import io.equipoise.job.options.StartRefusedException;
import io.equipoise.state.WrittenState;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** Starts on topics that the state has read, and on others. */
class InputsReadTest {
  private static final String CONTEXTS = "shop.contexts";
  private static final String REWARDS = "shop.rewards";
  private static final TopicPartition FIRST = new TopicPartition(CONTEXTS, 0);
  private static final TopicPartition SECOND = new TopicPartition(CONTEXTS, 1);

  @Test
  void aCheckpointNamesTheTopicsAndWhatWasReadOfThem() {
    InputsRead inputs = InputsRead.begin(List.of(), topics("one", 0, 10), false);
    inputs.read(new Origin(CONTEXTS, 1, 6, 0));
    inputs.read(new Origin(REWARDS, 0, 2, 0));
    WrittenState state = state(inputs);
    assertEquals(
        List.of(new WrittenState.Topic(CONTEXTS, "one"), new WrittenState.Topic(REWARDS, "r")),
        state.inputs());
    assertEquals(
        List.of(new WrittenState.Offset(CONTEXTS, 1, 7), new WrittenState.Offset(REWARDS, 0, 3)),
        state.read());
    InputsRead next = InputsRead.begin(List.of(state), topics("one", 0, 10), false);
    assertEquals(state, state(next));
    assertEquals(0, next.warnOfRemoved());
    assertFalse(next.wasUnread(CONTEXTS, 1, 6));
    assertTrue(next.wasUnread(CONTEXTS, 1, 7));
    assertTrue(next.wasUnread(CONTEXTS, 0, 0));
  }

  @Test
  void anotherTopicOfTheSameNameIsRefusedUnlessThatIsAccepted() {
    WrittenState state = state(read(7));
    String told = refused(state, topics("two", 0, 100));
    assertTrue(
        told.contains(
            "shop.contexts is not the topic that the state has read: its id is two and the state has one"),
        told);
    assertTrue(told.contains("set equipoise.allow-replaced-inputs to true"), told);
    assertFalse(told.contains(REWARDS), told);
    InputsRead accepted = InputsRead.begin(List.of(state), topics("two", 3, 100), true);
    assertFalse(accepted.wasUnread(CONTEXTS, 0, 50), "nobody can say");
    assertFalse(accepted.wasUnread(CONTEXTS, 1, 50), "nobody can say");
    assertTrue(accepted.wasUnread(REWARDS, 0, 0));
    assertEquals(0, accepted.warnOfRemoved(), "nobody can say");
    accepted.read(new Origin(CONTEXTS, 0, 4, 0));
    WrittenState next = state(accepted);
    assertEquals(
        List.of(new WrittenState.Offset(CONTEXTS, 0, 5), new WrittenState.Offset(CONTEXTS, 1, 3)),
        next.read(),
        "without the offsets of the other topic");
    InputsRead.begin(List.of(next), topics("two", 3, 100), false);
  }

  @Test
  void aPartitionThatEndsBeforeTheStateIsRefusedUnlessThatIsAccepted() {
    WrittenState state = state(read(7));
    String told = refused(state, topics("one", 0, 5));
    assertTrue(
        told.contains("shop.contexts, partition 0, ends at offset 5, and the state has read to 7"),
        told);
    assertFalse(told.contains("partition 1"), told);
    InputsRead accepted = InputsRead.begin(List.of(state), topics("one", 0, 5), true);
    assertFalse(accepted.wasUnread(CONTEXTS, 0, 50));
    assertTrue(accepted.wasUnread(CONTEXTS, 1, 0));
    assertEquals(List.of(), state(accepted).read());
    InputsRead.begin(List.of(state), topics("one", 0, 7), false);
  }

  /** Of records before the first start, nothing was ever to be read. */
  @Test
  void whatRetentionRemovedBeforeItWasReadIsCountedOnceAndNamed() throws Exception {
    InputsRead first = InputsRead.begin(List.of(), topics("one", 2, 10), false);
    first.read(new Origin(CONTEXTS, 0, 6, 0));
    WrittenState state = state(first);
    assertEquals(0, InputsRead.begin(List.of(state), topics("one", 2, 10), false).warnOfRemoved());
    InputsRead later = InputsRead.begin(List.of(state), topics("one", 9, 20), false);
    List<String> said = Said.by(InputsRead.class, () -> assertEquals(2 + 7, later.warnOfRemoved()));
    assertEquals(2, said.size(), said.toString());
    assertTrue(
        said.get(0)
            .startsWith(
                "WARN Retention has removed records of shop.contexts, partition 0, that this"
                    + " deployment has not read: up to 2, before offset 9"),
        said.get(0));
    WrittenState next = state(later);
    assertEquals(0, InputsRead.begin(List.of(next), topics("one", 9, 20), false).warnOfRemoved());
  }

  /** Contexts have two partitions with the same first and end offset, rewards one of 5 records. */
  private static InputTopics topics(String id, long begin, long end) {
    TopicPartition rewards = new TopicPartition(REWARDS, 0);
    return new InputTopics(
        Map.of(CONTEXTS, id, REWARDS, "r"),
        Map.of(FIRST, begin, SECOND, begin, rewards, 0L),
        Map.of(FIRST, end, SECOND, end, rewards, 5L));
  }

  private static InputsRead read(long offset) {
    InputsRead inputs = InputsRead.begin(List.of(), topics("one", 0, 10), false);
    inputs.read(new Origin(CONTEXTS, 0, offset - 1, 0));
    return inputs;
  }

  private static WrittenState state(InputsRead inputs) {
    return new WrittenState("shop", inputs.topics(), inputs.offsets(), List.of(), List.of());
  }

  private static String refused(WrittenState state, InputTopics topics) {
    return String.valueOf(
        assertThrows(
                StartRefusedException.class, () -> InputsRead.begin(List.of(state), topics, false))
            .getMessage());
  }
}
