package io.equipoise.bandit.csr;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.bandit.csr.Event.ContextArrived;
import io.equipoise.bandit.csr.Event.OutcomeArrived;
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

  private static Experiment experiment(boolean keepsBins) {
    return new Experiment(
        DESIGN, new Conduct("shop", 1, 7, 1, 1000, OptionalDouble.of(0), 1), keepsBins);
  }

  /** What the files were written from. */
  static ExperimentState state(boolean keepsBins) {
    Experiment experiment = experiment(keepsBins);
    ExperimentState state = experiment.begin();
    MemoryPulls pending = new MemoryPulls();
    for (int i = 0; i < 60; i++) {
      experiment.on(new ContextArrived("c" + i, i, i % 2, i % 3 % 2), state, pending);
      experiment.on(new OutcomeArrived("c" + i, i, i % 5 % 2, i % 4 / 4.0), state, pending);
    }
    return state;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void goldenBytesOfAnExperimentAreReadForEver(boolean keepsBins) throws IOException {
    byte[] golden = golden(keepsBins);
    ByteBuffer in = ByteBuffer.wrap(golden);
    ExperimentState read = ExperimentState.readFrom(in, DESIGN);
    assertEquals(0, in.remaining());
    assertArrayEquals(golden, ExperimentRun.bytes(read));
    ExperimentState made = state(keepsBins);
    assertFalse(read.isOver());
    assertEquals(made.pulls(), read.pulls());
    assertEquals(made.costSpent(), read.costSpent());
    assertEquals(made.phase(), read.phase());
    BitSet left = made.remaining();
    assertEquals(left, read.remaining());
    assertEquals(made.progress.open.counters(), read.progress.open.counters());
    for (int channel = 0; channel < 3; channel++) {
      assertArrayEquals(
          made.sums.evaluate(channel, 2, left).value(),
          read.sums.evaluate(channel, 2, left).value());
    }
  }

  @Test
  void aRestoredBlockIsEndedWithoutItsDesignAsOneAtWorkIs() {
    ExperimentBlock live = ExperimentBlock.of(state(false).progress);
    ByteBuffer bytes = ByteBuffer.allocate(live.byteLength());
    live.appendTo(bytes);
    ExperimentBlock restored = ExperimentBlock.readFrom(bytes.flip());
    assertTrue(restored.isRunning());
    assertEquals(live.pulls(), restored.pulls());
    assertEquals(live.costSpent(), restored.costSpent());
    restored.abort();
    assertFalse(restored.isRunning());
    assertTrue(live.isRunning(), "a copy");
    live.abort();
    assertEquals(live, restored);
    assertTrue(restored.progress(DESIGN).isOver);
    assertFalse(ExperimentBlock.of(state(false).sums).isRunning());
  }

  private static byte[] golden(boolean keepsBins) throws IOException {
    String name = keepsBins ? "/state/experiment-bins-v1.bin" : "/state/experiment-cells-v1.bin";
    try (InputStream in = ExperimentBytesTest.class.getResourceAsStream(name)) {
      return Objects.requireNonNull(in, name).readAllBytes();
    }
  }
}
