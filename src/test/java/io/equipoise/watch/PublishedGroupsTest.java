package io.equipoise.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.equipoise.event.GroupTest;
import java.util.List;
import org.junit.jupiter.api.Test;

class PublishedGroupsTest {
  private static final long ALL = 100;

  private static GroupTest group(String level, long rows) {
    return new GroupTest(level, rows, 0, 0, ALL - rows, 0, 0, -1, 1, 0, false, false);
  }

  private static List<String> shown(List<GroupTest> tests, String... attributes) {
    return GroupWatch.published(tests, List.of(attributes), 10).stream()
        .map(GroupTest::level)
        .toList();
  }

  @Test
  void aSmallGroupIsLeftOutWithTheNextSoThatItDoesNotFollowFromTheTotal() {
    List<GroupTest> plain = List.of(group("a", 4), group("b", 30), group("c", 66));
    assertEquals(List.of("c"), shown(plain, "age"));
  }

  @Test
  void theOnlyTestOfTwoLevelsNeedsBothToBeLarge() {
    assertEquals(List.of("f"), shown(List.of(group("f", 50)), "gender"));
    assertEquals(List.of(), shown(List.of(group("f", 95)), "gender"));
    assertEquals(List.of(), shown(List.of(group("f", 5)), "gender"));
  }

  @Test
  void jointGroupsAreLeftOutAllTogether() {
    List<GroupTest> plain = List.of(group("f*a", 4), group("f*b", 30), group("m*a", 66));
    assertEquals(List.of(), shown(plain, "gender", "age"));
  }

  @Test
  void evidenceWithoutSmallGroupsStaysAsItIs() {
    List<GroupTest> plain = List.of(group("a", 34), group("b", 30), group("c", 36));
    assertEquals(List.of("a", "b", "c"), shown(plain, "age"));
  }
}
