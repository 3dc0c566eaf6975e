package io.equipoise.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.equipoise.event.CandidateArm;
import io.equipoise.event.ContextEvent;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.Input;
import io.equipoise.event.InputFault;
import io.equipoise.event.Origin;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class InputSerializerTest {
  private static final long SEED = 77;
  private static final InputSerializer SERIALIZER = new InputSerializer();

  private static final ContextEvent FULL =
      new ContextEvent(
          "d1",
          "segment-1",
          1,
          Map.of("S", "a", "age", 3L, "share", -0.0, "is", false),
          List.of(
              new CandidateArm("A=left", Map.of()),
              new CandidateArm("A=right", Map.of("price", 1.5))),
          9L,
          new Origin("contexts", 2, 3, 4),
          new byte[] {1, 2},
          new InputFault(ErrorCode.NOT_FINITE, "share is not finite", List.of("share")),
          new byte[] {3});

  @Test
  void inputsComeBackWithFaultsNullsAndCandidates() throws IOException {
    SplittableRandom random = new SplittableRandom(SEED);
    RandomValues values = new RandomValues(random);
    for (int i = 0; i < 1000; i++) {
      Input input = values.input();
      assertEquals(
          input, Bytes.read(SERIALIZER, Bytes.of(SERIALIZER, input)), "seed " + SEED + ", " + i);
    }
  }

  @Test
  void noCandidatesAreNotTheSameAsNone() throws IOException {
    for (List<CandidateArm> candidates : java.util.Arrays.asList(null, List.<CandidateArm>of())) {
      ContextEvent context =
          new ContextEvent(
              "d", "s", 1, Map.of(), candidates, null, new Origin("t", 0, 0, 0), new byte[0]);
      ContextEvent read = (ContextEvent) Bytes.read(SERIALIZER, Bytes.of(SERIALIZER, context));
      assertEquals(candidates, read.candidates());
    }
  }

  @Test
  void damagedInputsAreRefusedOrOthers() {
    for (Input input : List.of(FULL, Golden.fullReward(), Golden.bareReward())) {
      byte[] bytes = Bytes.of(SERIALIZER, input);
      Bytes.assertNoTruncationIsRead(SERIALIZER, bytes);
      Bytes.assertNoFlipIsMisread(SERIALIZER, bytes);
      Bytes.assertNoLengthIsBelieved(SERIALIZER, bytes);
    }
  }

  @Test
  void aStreamSerializerCannotBeUsedForState() {
    assertThrows(UnsupportedOperationException.class, SERIALIZER::snapshotConfiguration);
  }
}
