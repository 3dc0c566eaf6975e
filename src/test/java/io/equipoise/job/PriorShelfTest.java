package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.PriorBound;
import io.equipoise.event.PriorKey;
import io.equipoise.event.PriorSet;
import io.equipoise.join.TestPriors;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PriorShelfTest {
  private static final PriorSet SET = TestPriors.set(3, new double[] {0, 1}, new double[] {0, 1});
  private static final PriorBound LEFT = SET.rows().get(0);
  private static final PriorBound RIGHT = SET.rows().get(1);

  private final PriorShelf shelf = new PriorShelf();

  @Test
  void aSetIsThereOnceItsLastRowIs() {
    put(RIGHT);
    assertEquals(List.of(), shelf.offered("shop"));
    assertNull(shelf.byHash(SET.hash()));
    put(LEFT);
    assertEquals(List.of(SET), shelf.offered("shop"));
    assertEquals(SET, shelf.byHash(SET.hash()));
    assertEquals(List.of(), shelf.offered("other"));
    PriorSet whole = shelf.byHash(SET.hash());
    put(LEFT); // delivered again
    assertSame(whole, shelf.byHash(SET.hash()));
  }

  @Test
  void theHighestNumberComesFirstInWhateverOrderTheRowsCome() {
    List<PriorBound> rows = new ArrayList<>();
    List<PriorSet> sets = new ArrayList<>();
    for (int number : new int[] {7, 3, 3, 1}) {
      double end = 1 - sets.size() / 8.0;
      sets.add(TestPriors.set(number, new double[] {0, end}, new double[] {0, end}));
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
      PriorShelf shuffled = new PriorShelf();
      rows.forEach(row -> shuffled.put(PriorKey.of(row), row));
      assertEquals(sets, shuffled.offered("shop"), "seed " + seed);
    }
  }

  @Test
  void aRetiredSetIsOfferedNoMoreAndStillKnownUntilItsRowsComeAgain() {
    SET.rows().forEach(this::put);
    shelf.retire(PriorKey.of(LEFT));
    assertEquals(List.of(), shelf.offered("shop"));
    assertEquals(SET, shelf.byHash(SET.hash()));
    shelf.retire(PriorKey.of(RIGHT));
    put(LEFT);
    assertEquals(List.of(), shelf.offered("shop"));
    put(RIGHT);
    assertEquals(List.of(SET), shelf.offered("shop"));
  }

  @Test
  void aRowThatContradictsItsSetIsNotTakenAndTheSetStays() {
    put(LEFT);
    assertRefused("another row under this key", like(LEFT, LEFT.arm(), 3, 2, 0.5));
    assertRefused("number 4 and 2 rows", like(RIGHT, "A=right", 4, 2, 1));
    assertRefused("number 3 and 9 rows", like(RIGHT, "A=right", 3, 9, 1));
    put(RIGHT);
    assertRefused("another row under this key", like(RIGHT, "A=right", 3, 2, 0.5));
    assertRefused("all of its 2 rows", like(RIGHT, "A=up", 3, 2, 1));
    assertEquals(List.of(SET), shelf.offered("shop"));
    assertTrue(SET.isSound());
  }

  @Test
  void aWholeSetThatIsNotWhatItsHashSaysIsOfferedToBeRefusedAndNeverFoundByIt() {
    put(like(LEFT, "A=left", 3, 2, 0.5));
    put(RIGHT);
    assertEquals(1, shelf.offered("shop").size());
    assertNull(shelf.byHash(SET.hash()));
  }

  private void put(PriorBound row) {
    assertEquals(Optional.empty(), shelf.put(PriorKey.of(row), row));
  }

  private void assertRefused(String why, PriorBound row) {
    String said = shelf.put(PriorKey.of(row), row).orElse("");
    assertTrue(said.contains(why), said);
  }

  private static PriorBound like(PriorBound row, String arm, long number, int rows, double upper) {
    return new PriorBound(
        row.name(),
        number,
        row.hash(),
        rows,
        arm,
        Map.of(),
        0,
        upper,
        row.mode(),
        List.of(),
        "",
        null,
        null,
        row.graphHash(),
        null,
        List.of());
  }
}
