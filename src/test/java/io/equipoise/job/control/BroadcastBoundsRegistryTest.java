package io.equipoise.job.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.BoundSetHeader;
import io.equipoise.event.CausalBound;
import io.equipoise.event.CausalBoundKey;
import io.equipoise.event.CausalBoundSet;
import io.equipoise.segment.TestBounds;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class BroadcastBoundsRegistryTest {
  private static final CausalBoundSet SET =
      TestBounds.set(3, new double[] {0, 1}, new double[] {0, 1});
  private static final CausalBound LEFT = SET.rows().get(0);
  private static final CausalBound RIGHT = SET.rows().get(1);

  private final BroadcastBoundsRegistry registry = new BroadcastBoundsRegistry();

  @Test
  void aSetIsThereOnceItsLastRowIs() {
    put(RIGHT);
    assertEquals(List.of(), registry.offered("shop"));
    assertNull(registry.byHash(SET.hash()));
    put(LEFT);
    assertEquals(List.of(SET), registry.offered("shop"));
    assertEquals(SET, registry.byHash(SET.hash()));
    assertEquals(List.of(), registry.offered("other"));
    CausalBoundSet whole = registry.byHash(SET.hash());
    put(LEFT); // delivered again
    assertSame(whole, registry.byHash(SET.hash()));
  }

  @Test
  void theHighestNumberComesFirstInWhateverOrderTheRowsCome() {
    List<CausalBound> rows = new ArrayList<>();
    List<CausalBoundSet> sets = new ArrayList<>();
    for (int number : new int[] {7, 3, 3, 1}) {
      double end = 1 - sets.size() / 8.0;
      sets.add(TestBounds.set(number, new double[] {0, end}, new double[] {0, end}));
      rows.addAll(sets.get(sets.size() - 1).rows());
    }
    if (sets.get(1).hash().compareTo(sets.get(2).hash()) > 0) {
      Collections.swap(sets, 1, 2);
    }
    for (int seed = 0; seed < 20; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      for (int left = rows.size(); left > 1; left--) {
        Collections.swap(rows, left - 1, random.nextInt(left));
      }
      BroadcastBoundsRegistry shuffled = new BroadcastBoundsRegistry();
      rows.forEach(row -> shuffled.put(CausalBoundKey.of(row), row));
      assertEquals(sets, shuffled.offered("shop"), "seed " + seed);
    }
  }

  @Test
  void aRetiredSetIsOfferedNoMoreAndStillKnownUntilItsRowsComeAgain() {
    SET.rows().forEach(this::put);
    registry.retire(CausalBoundKey.of(LEFT));
    assertEquals(List.of(), registry.offered("shop"));
    assertEquals(SET, registry.byHash(SET.hash()));
    registry.retire(CausalBoundKey.of(RIGHT));
    put(LEFT);
    assertEquals(List.of(), registry.offered("shop"));
    put(RIGHT);
    assertEquals(List.of(SET), registry.offered("shop"));
  }

  @Test
  void aRowThatContradictsItsSetIsNotTakenAndTheSetStays() {
    put(LEFT);
    assertRefused("an earlier row has the same key", like(LEFT, LEFT.arm(), 3, 2, 0.5));
    assertRefused("version 4 and 2 rows", like(RIGHT, "A=right", 4, 2, 1));
    assertRefused("version 3 and 9 rows", like(RIGHT, "A=right", 3, 9, 1));
    put(RIGHT);
    assertRefused("an earlier row has the same key", like(RIGHT, "A=right", 3, 2, 0.5));
    assertRefused("all of its 2 rows", like(RIGHT, "A=up", 3, 2, 1));
    assertEquals(List.of(SET), registry.offered("shop"));
    assertTrue(SET.isSound());
  }

  @Test
  void aWholeSetThatIsNotWhatItsHashSaysIsOfferedToBeRefusedAndNeverFoundByIt() {
    put(like(LEFT, "A=left", 3, 2, 0.5));
    put(RIGHT);
    assertEquals(1, registry.offered("shop").size());
    assertNull(registry.byHash(SET.hash()));
  }

  private void put(CausalBound row) {
    assertEquals(Optional.empty(), registry.put(CausalBoundKey.of(row), row));
  }

  private void assertRefused(String why, CausalBound row) {
    String said = registry.put(CausalBoundKey.of(row), row).orElse("");
    assertTrue(said.contains(why), said);
  }

  private static CausalBound like(
      CausalBound row, String arm, long number, int rows, double upper) {
    BoundSetHeader set = row.set();
    return new CausalBound(
        new BoundSetHeader(set.name(), number, set.hash(), rows, set.graphHash()),
        arm,
        Map.of(),
        0,
        upper,
        row.evidence());
  }
}
