package io.equipoise.event;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class CountedTest {
  @Test
  void oneThingIsOne() {
    assertEquals("1 decision has no reward", Counted.of(1, "decisions have no reward"));
    assertEquals("1 text of specs", Counted.of(1, "texts of specs"));
    assertEquals("1 valid spec", Counted.of(1, "valid specs"));
    assertEquals("1 row is left out", Counted.of(1, "rows are left out"));
    assertEquals("0 rows are left out", Counted.of(0, "rows are left out"));
    assertEquals("2 decisions have no reward", Counted.of(2, "decisions have no reward"));
  }
}
