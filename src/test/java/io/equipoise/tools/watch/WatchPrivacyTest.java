package io.equipoise.tools.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.equipoise.event.GroupTest;
import io.equipoise.event.GroupsEvidence;
import io.equipoise.event.GroupsRegistration;
import io.equipoise.event.WatchEvidence;
import io.equipoise.event.WatchRecord;
import io.equipoise.event.WatchedQuantity;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class WatchPrivacyTest {
  private static final long ALL = 100;

  private static WatchEvidence evidence(GroupTest... tests) {
    return new WatchEvidence(ALL, 1, 0, 0, 0, null, new GroupsEvidence(List.of(tests), 0, 0, null));
  }

  private static GroupTest group(String level, long rows) {
    return new GroupTest(level, rows, 0, 0, ALL - rows, 0, 0, -1, 1, 0, false, false);
  }

  private static List<String> shown(WatchEvidence plain, String... attributes) {
    WatchRecord registration =
        WatchRecord.of(
            "north",
            new GroupsRegistration(
                List.of(attributes), WatchedQuantity.REWARD, List.of(), 0, .05, 1000, 0, 0, 0));
    WatchEvidence shown = WatchPrivacy.suppressed(plain, registration, 10);
    return Stream.of(Objects.requireNonNull(shown.ofGroups()).tests())
        .flatMap(List::stream)
        .map(GroupTest::level)
        .toList();
  }

  @Test
  void aSmallGroupIsLeftOutWithTheNextSoThatItDoesNotFollowFromTheTotal() {
    WatchEvidence plain = evidence(group("a", 4), group("b", 30), group("c", 66));
    assertEquals(List.of("c"), shown(plain, "age"));
  }

  @Test
  void theOnlyTestOfTwoLevelsNeedsBothToBeLarge() {
    assertEquals(List.of("f"), shown(evidence(group("f", 50)), "gender"));
    assertEquals(List.of(), shown(evidence(group("f", 95)), "gender"));
    assertEquals(List.of(), shown(evidence(group("f", 5)), "gender"));
  }

  @Test
  void jointGroupsAreLeftOutAllTogether() {
    WatchEvidence plain = evidence(group("f*a", 4), group("f*b", 30), group("m*a", 66));
    assertEquals(List.of(), shown(plain, "gender", "age"));
  }

  @Test
  void evidenceWithoutSmallGroupsStaysAsItIs() {
    WatchEvidence plain = evidence(group("a", 34), group("b", 30), group("c", 36));
    WatchRecord registration =
        WatchRecord.of(
            "north",
            new GroupsRegistration(
                List.of("age"), WatchedQuantity.REWARD, List.of(), 0, .05, 1000, 0, 0, 0));
    assertSame(plain, WatchPrivacy.suppressed(plain, registration, 10));
  }
}
