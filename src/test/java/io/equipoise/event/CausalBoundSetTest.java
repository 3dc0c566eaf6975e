package io.equipoise.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CausalBoundSetTest {
  private static final String GRAPH = "ab".repeat(16);
  private static final BoundSetHeader OF_ONE = new BoundSetHeader("shop", 1, GRAPH, 1, GRAPH);

  @Test
  void aSetStampsItsRowsAndOrdersThemByKey() {
    CausalBoundSet set =
        CausalBoundSet.of(
            "shop", 3, List.of(row("b", Map.of(), 0, 1), row("a", Map.of(), 0.25, 0.5)));
    assertEquals(List.of("a", "b"), set.rows().stream().map(CausalBound::arm).toList());
    for (CausalBound row : set.rows()) {
      assertEquals(new BoundSetHeader("shop", 3, set.hash(), 2, GRAPH), row.set());
      assertEquals(Optional.empty(), CausalBoundRules.fault(row));
    }
    assertEquals(GRAPH, set.graphHash());
    assertTrue(set.isSound());
  }

  /** A published set is found again by it: it never changes. */
  @Test
  void theHashIsThis() {
    CausalBoundSet set =
        CausalBoundSet.of("shop", 1, List.of(row("a", Map.of("X", "low"), 0.25, 0.5)));
    assertEquals("08d8b3383308f338226bec40f6c91475", set.hash());
  }

  @Test
  void theOrderOfTheRowsDoesNotCountAndEverythingElseDoes() {
    List<CausalBound> rows = new ArrayList<>();
    for (String arm : List.of("a", "b")) {
      for (String level : List.of("low", "high")) {
        rows.add(row(arm, Map.of("X", level), 0.1, 0.9));
      }
    }
    String hash = CausalBoundSet.of("shop", 1, rows).hash();
    Collections.reverse(rows);
    assertEquals(hash, CausalBoundSet.of("shop", 1, rows).hash());
    assertNotEquals(hash, CausalBoundSet.of("shop", 2, rows).hash());
    assertNotEquals(hash, CausalBoundSet.of("shoP", 1, rows).hash());
    assertNotEquals(hash, CausalBoundSet.of("shop", 1, rows.subList(1, 4)).hash());
    rows.set(0, row("b", Map.of("X", "high"), 0.1, Math.nextUp(0.9)));
    assertNotEquals(hash, CausalBoundSet.of("shop", 1, rows).hash());
  }

  @Test
  void aSetThatWasTamperedWithIsNotSound() {
    CausalBoundSet set =
        CausalBoundSet.of("shop", 1, List.of(row("a", Map.of(), 0, 1), row("b", Map.of(), 0, 1)));
    assertTrue(CausalBoundSet.ofRead(set.rows()).isSound());
    assertFalse(CausalBoundSet.ofRead(set.rows().subList(0, 1)).isSound());
    List<CausalBound> changed = new ArrayList<>(set.rows());
    changed.set(1, row("b", Map.of(), 0, 0.5).in(set.rows().get(1).set()));
    assertFalse(CausalBoundSet.ofRead(changed).isSound());
  }

  @Test
  void aSetOfNothingOfTwoGraphsOrWithARowTwiceIsRefused() {
    CausalBound row = row("a", Map.of("X", "low"), 0, 1);
    CausalBound elsewhere = row("b", Map.of(), 0, 1).in(BoundSetHeader.of("cd".repeat(16)));
    assertThrows(IllegalArgumentException.class, () -> CausalBoundSet.of("shop", 1, List.of()));
    assertThrows(
        IllegalArgumentException.class,
        () -> CausalBoundSet.of("shop", 1, List.of(row, elsewhere)));
    assertThrows(
        IllegalArgumentException.class, () -> CausalBoundSet.of("shop", 1, List.of(row, row)));
    assertThrows(IllegalArgumentException.class, () -> CausalBoundSet.of("sh/op", 1, List.of(row)));
    assertThrows(IllegalArgumentException.class, () -> CausalBoundSet.of("shop", 0, List.of(row)));
  }

  @Test
  void whatIsNoIntervalIsAFault() {
    double[][] bad = {
      {0.5, 0.4}, {Double.NaN, 1}, {0, Double.NaN}, {Double.NEGATIVE_INFINITY, 1}, {0, 1.0 / 0}
    };
    for (double[] ends : bad) {
      CausalBound row = row("a", Map.of(), ends[0], ends[1]).in(OF_ONE);
      assertTrue(
          CausalBoundRules.fault(row).orElse("").contains("not an interval"), row.toString());
    }
    assertEquals(Optional.empty(), CausalBoundRules.fault(row("a", Map.of(), 0.5, 0.5).in(OF_ONE)));
  }

  @Test
  void noTwoRowsHaveOneKeyAndEveryKeyIsReadBack() {
    List<String> texts = List.of("a", "a=b", "a,b=c", "a%2cb", "a/b", "%", "", "\u00e9\n");
    Set<String> keys = new HashSet<>();
    int rows = 0;
    for (String one : texts) {
      for (String other : texts) {
        for (Map<String, String> context :
            List.of(Map.of(one, other), Map.of(one, other, "Z", ""))) {
          CausalBound row = row(other + "!", context, 0, 1).in(OF_ONE);
          CausalBoundKey key = CausalBoundKey.of(row);
          keys.add(key.text());
          assertEquals(Optional.of(key), CausalBoundKey.parse(key.text()), key.text());
          rows++;
        }
      }
    }
    assertEquals(rows, keys.size());
    assertEquals(Optional.empty(), CausalBoundKey.parse("shop/" + GRAPH));
    assertEquals(
        "shop@" + GRAPH + "/A=left/S=a,X=low",
        CausalBoundKey.of(row("A=left", Map.of("X", "low", "S", "a"), 0, 1).in(OF_ONE)).text());
  }

  private static CausalBound row(String arm, Map<String, String> context, double low, double high) {
    return new CausalBound(
        BoundSetHeader.of(GRAPH),
        arm,
        context,
        low,
        high,
        new BoundEvidence(
            CausalBoundMode.SOUND,
            List.of("W"),
            "P(r | a)",
            12L,
            0.01,
            "ef".repeat(16),
            List.of(CausalBoundFlag.WIDENED)));
  }
}
