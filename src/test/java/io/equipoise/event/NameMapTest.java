package io.equipoise.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class NameMapTest {
  @Test
  void itIteratesInTheOrderOfTheNames() {
    Map<String, Integer> map = NameMap.copyOf(Map.of("b", 2, "a", 1, "c", 3));
    assertEquals(List.of("a", "b", "c"), new ArrayList<>(map.keySet()));
    assertEquals(List.of(1, 2, 3), new ArrayList<>(map.values()));
  }

  @Test
  void itEqualsAnyMapOfTheSameContent() {
    var tree = new TreeMap<>(Map.of("b", 2, "a", 1));
    NameMap<Integer> map = NameMap.copyOf(tree);
    assertEquals(tree, map);
    assertEquals(map, tree);
    assertEquals(tree.hashCode(), map.hashCode());
    assertEquals(2, map.get("b"));
    assertNull(map.get("d"));
  }

  @Test
  void itIsACopyAndCannotBeChanged() {
    var source = new HashMap<>(Map.of("a", 1));
    Map<String, Integer> map = NameMap.copyOf(source);
    source.put("a", 2);
    assertEquals(1, map.get("a"));
    assertThrows(UnsupportedOperationException.class, () -> map.put("b", 2));
    assertThrows(UnsupportedOperationException.class, () -> map.entrySet().clear());
    assertSame(map, NameMap.copyOf(map));
  }

  @Test
  void namesThatDoNotAscendAreRefused() {
    assertEquals(Map.of(), NameMap.ofAscending(new String[0], new Object[0]));
    assertEquals(
        Map.of("a", 1, "b", 2), NameMap.ofAscending(new String[] {"a", "b"}, new Object[] {1, 2}));
    for (String second : List.of("a", "A")) {
      String[] names = {"a", second};
      assertThrows(
          IllegalArgumentException.class, () -> NameMap.ofAscending(names, new Object[] {1, 2}));
    }
  }
}
