package io.equipoise.policy.bestarm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.layout.StoredBytes;
import io.equipoise.policy.SeededRandom;
import io.equipoise.policy.bestarm.ExperimentRun.State;
import io.equipoise.policy.bestarm.ExperimentSteps.Sample;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The committed bytes of an experiment in mid-phase, with either kind of sums. */
class ExperimentBytesTest {
  private static final CsrModel MODEL = RandomModels.model(new SplittableRandom(5), 3, 2, 2);
  private static final Design DESIGN =
      Fixtures.design(MODEL, Algorithm.CSR_V2, Mode.SEPARATE, 100, .5);

  /** What the files were written from. */
  private static State state(boolean keepsBins) {
    ExperimentSteps steps =
        new ExperimentSteps(
            DESIGN, new RunSettings("shop", 1, 7, 1, 1000, OptionalDouble.of(0), 1), keepsBins);
    State state = State.begin(steps);
    int arms = MODEL.arms();
    for (int i = 0; i < 60; i++) {
      double u = new SeededRandom(7, "shop/1", "c" + i).uniform(SeededRandom.Purpose.URN);
      int phase = state.progress().open.phase().place();
      int group = i % 2;
      int cell = i % 3 % 2;
      int drawn = steps.draw(state.progress(), group, cell, u);
      if (drawn != Urn.NOT_SAMPLED) {
        Sample sample = new Sample(drawn / arms, group, drawn % arms, cell, i % 5 % 2, i % 4 / 4.0);
        steps.count(state.progress(), state.sums(), phase, sample);
      }
      while (steps.isDone(state.progress())) {
        steps.close(state.progress(), state.sums());
      }
    }
    return state;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void goldenBytesOfAnExperimentAreReadForEver(boolean keepsBins) throws IOException {
    byte[] golden = golden(keepsBins);
    State read = State.of(golden, DESIGN);
    assertArrayEquals(golden, read.bytes());
    State made = state(keepsBins);
    assertFalse(read.progress().isOver);
    assertEquals(made.progress().pulls, read.progress().pulls);
    assertEquals(made.progress().costSpent, read.progress().costSpent);
    assertEquals(made.progress().open.phase(), read.progress().open.phase());
    BitSet left = made.progress().remaining;
    assertEquals(left, read.progress().remaining);
    assertEquals(made.progress().open.counters(), read.progress().open.counters());
    for (int channel = 0; channel < 3; channel++) {
      assertArrayEquals(
          made.sums().evaluate(channel, 2, left).value(),
          read.sums().evaluate(channel, 2, left).value());
    }
  }

  @Test
  void aRestoredBlockIsEndedWithoutItsDesignAsOneAtWorkIs() {
    ExperimentBlock live = ExperimentBlock.of(state(false).progress());
    ByteBuffer bytes = StoredBytes.of(live);
    ExperimentBlock restored = StoredBytes.read(new ExperimentBlock(), bytes.flip());
    assertTrue(restored.isRunning());
    assertEquals(live.samples(), restored.samples());
    assertEquals(live.costSpent(), restored.costSpent());
    restored.abort();
    assertFalse(restored.isRunning());
    assertTrue(live.isRunning(), "a copy");
    live.abort();
    assertEquals(live, restored);
    assertTrue(restored.progress(DESIGN).isOver);
    assertFalse(ExperimentBlock.of(state(false).sums()).isRunning());
  }

  private static byte[] golden(boolean keepsBins) throws IOException {
    String name = keepsBins ? "/state/experiment-bins-v1.bin" : "/state/experiment-cells-v1.bin";
    try (InputStream in = ExperimentBytesTest.class.getResourceAsStream(name)) {
      return Objects.requireNonNull(in, name).readAllBytes();
    }
  }
}
