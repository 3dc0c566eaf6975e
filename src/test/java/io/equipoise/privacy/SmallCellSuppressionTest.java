package io.equipoise.privacy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.ExperimentRecord;
import io.equipoise.event.GroupMean;
import io.equipoise.event.GroupSummary;
import io.equipoise.event.Origin;
import io.equipoise.event.PhaseAudit;
import io.equipoise.event.PhaseCounts;
import io.equipoise.event.Place;
import io.equipoise.event.RewardEvent;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.event.ShareAudit;
import io.equipoise.event.Versions;
import io.equipoise.segment.RecordedLog;
import io.equipoise.segment.SegmentMachine;
import io.equipoise.segment.TestBook;
import io.equipoise.segment.TestSpecs;
import io.equipoise.segment.state.MemorySegmentState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class SmallCellSuppressionTest {
  private static final SegmentMetrics SNAPSHOT = snapshot();
  private static final SmallCellSuppression TEN = new SmallCellSuppression(10);

  /** Returns a snapshot with groups a, b, c ... of these sizes, in reverse order of their means. */
  private static SegmentMetrics groups(long... rewards) {
    List<GroupMean> groups = new ArrayList<>();
    for (int i = 0; i < rewards.length; i++) {
      groups.add(new GroupMean("S", "" + (char) ('a' + i), rewards[i], 1.0 / (i + 1)));
    }
    return SNAPSHOT.with(new GroupSummary(groups, 0.5, null, 0));
  }

  private static SegmentMetrics snapshot() {
    RecordedLog log = new RecordedLog();
    MemorySegmentState state = new MemorySegmentState();
    SegmentMachine machine =
        new SegmentMachine(new TestBook().publish(TestSpecs.ucb()), () -> 0, 0);
    for (int i = 0; i < 10; i++) {
      machine.onContext(TestContexts.person("d" + i, "a"), state, log);
    }
    return log.metrics.get(0);
  }

  private static String told(long... rewards) {
    StringBuilder told = new StringBuilder();
    SegmentMetrics after = TEN.suppress(groups(rewards));
    after.groups().means().forEach(group -> told.append(group.level()));
    assertEquals(rewards.length - told.length(), after.groups().suppressed());
    return told.toString();
  }

  /** The minimum count is not on the log; what it left out tells what another may leave out. */
  @Test
  void aReplayLeavesOutWhatSomeMinimumDoes() {
    SplittableRandom random = new SplittableRandom(5);
    for (int i = 0; i < 1_000; i++) {
      SegmentMetrics plain = groups(random.longs(1 + random.nextInt(6), 0, 40).toArray());
      SegmentMetrics told = new SmallCellSuppression(1 + random.nextInt(60)).suppress(plain);
      assertEquals(told, SmallCellSuppression.like(told, plain));
    }
    SegmentMetrics plain = groups(3, 20, 30);
    SegmentMetrics wrong =
        plain.with(plain.groups().with(plain.groups().means().subList(0, 2), 0.5, 1));
    assertEquals("c", SmallCellSuppression.like(wrong, plain).groups().means().get(0).level());
  }

  @Test
  void groupsThatAreLargeEnoughAreTold() {
    SegmentMetrics plain = groups(10, 11, 2000);
    assertSame(plain, TEN.suppress(plain));
  }

  @Test
  void aSmallGroupTakesTheNextSmallestWithItSoThatTheTotalDoesNotTell() {
    assertEquals("bd", told(9, 200, 50, 300));
    assertEquals("", told(9, 2000));
  }

  @Test
  void severalSmallGroupsAreEnoughIfTogetherTheyAreLarge() {
    assertEquals("cd", told(5, 6, 100, 200));
    assertEquals("d", told(2, 3, 100, 200));
  }

  /** Else the level that nobody is of, as undisclosed often, would silence all others. */
  @Test
  void aGroupOfNobodyHidesNobody() {
    assertEquals("abc", told(10, 10, 0));
    assertEquals("c", told(10, 1, 0));
  }

  @Test
  void theDifferenceIsThatOfTheGroupsTold() {
    assertNull(TEN.suppress(groups(9, 2000)).groups().difference());
    assertEquals(
        0.5 - 0.25, TEN.suppress(groups(9, 200, 50, 300)).groups().difference(), 1e-12); // b and d
  }

  @Test
  void attributesAreSuppressedEachByItself() {
    SegmentMetrics plain =
        SNAPSHOT.with(
            new GroupSummary(
                List.of(
                    new GroupMean("S", "a", 9, 1),
                    new GroupMean("S", "b", 100, 0),
                    new GroupMean("T", "a", 50, 1),
                    new GroupMean("T", "b", 59, 0)),
                1.0,
                null,
                0));
    SegmentMetrics after = TEN.suppress(plain);
    assertEquals(plain.groups().means().subList(2, 4), after.groups().means());
    assertEquals(2, after.groups().suppressed());
  }

  private static GroupMean joint(String level, long rewards) {
    return new GroupMean("S*T", level, rewards, rewards);
  }

  /** Of a table with told margins two cells of a row would give away the others. */
  @Test
  void jointGroupsAreToldAllOrNone() {
    List<GroupMean> alone =
        List.of(
            new GroupMean("S", "a", 100, 0.75),
            new GroupMean("S", "b", 53, 0.5),
            new GroupMean("T", "a", 103, 0.25),
            new GroupMean("T", "b", 50, 0.25));
    List<GroupMean> all = new ArrayList<>(alone);
    all.addAll(List.of(joint("a*a", 60), joint("a*b", 40), joint("b*a", 43), joint("b*b", 10)));
    SegmentMetrics plain = SNAPSHOT.with(new GroupSummary(all, 0.25, null, 0));
    assertSame(plain, TEN.suppress(plain));
    all.set(6, joint("b*a", 44));
    all.set(7, joint("b*b", 9));
    SegmentMetrics after = TEN.suppress(SNAPSHOT.with(new GroupSummary(all, 0.25, null, 0)));
    assertEquals(alone, after.groups().means());
    assertEquals(4, after.groups().suppressed());
    assertEquals(0.25, after.groups().difference());
  }

  @Test
  void thoseWhoDoNotTellAreNoGroupToBeBehind() {
    List<GroupMean> groups =
        List.of(
            new GroupMean("S", "a", 9, 1),
            new GroupMean("S", "b", 100, 0.25),
            new GroupMean("S", "c", 100, 0.5),
            new GroupMean("S", "d", 100, 0.125),
            new GroupMean("S", "undisclosed", 100, 0));
    SegmentMetrics after = TEN.suppress(SNAPSHOT.with(new GroupSummary(groups, 1.0, null, 0)));
    assertEquals(0.5 - 0.125, after.groups().difference(), 1e-12);
  }

  /** With the means of those told the difference of the sides gives that of a small group away. */
  @Test
  void theDifferenceOfTwoSidesIsToldWithAllTheirGroupsOnly() {
    MemorySegmentState state = new MemorySegmentState();
    RecordedLog log = new RecordedLog();
    String spec = FORGETTING.replace("    forget: {discount: 0.9}\n", "");
    SegmentMachine machine = new SegmentMachine(new TestBook().publish(spec), () -> 0, 0);
    for (int i = 0; i < 24; i++) {
      String race = i < 8 ? "white" : "black";
      Map<String, Object> person = Map.of("gender", i % 2 == 0 ? "f" : "m", "race", race);
      machine.onContext(TestContexts.of("d" + i, person), state, log);
      machine.onReward(reward(i, i % 2 == 0 ? 0.75 : 0.25), state, log);
    }
    SegmentMetrics plain = log.metrics.get(1);
    assertEquals("gender*race", plain.groups().differenceOf());
    assertEquals(0.5, plain.groups().difference());
    assertEquals(0.5, new SmallCellSuppression(4).suppress(plain).groups().difference());
    SegmentMetrics told = new SmallCellSuppression(5).suppress(plain);
    assertNull(told.groups().difference());
    assertTrue(told.groups().suppressed() > 0);
    SegmentMetrics ofRace =
        plain.with(plain.groups().with(race(plain, 3), plain.groups().difference(), 0));
    assertEquals(
        0.5, new SmallCellSuppression(4).suppress(ofRace).groups().difference(), "of another one");
  }

  /** Returns groups of which one of another attribute than the balanced has so many rewards. */
  private static List<GroupMean> race(SegmentMetrics plain, long rewards) {
    return plain.groups().means().stream()
        .map(
            group ->
                group.attribute().equals("race") && group.level().equals("white")
                    ? new GroupMean("race", "white", rewards, group.mean())
                    : group)
        .toList();
  }

  private static final String FORGETTING =
      """
      name: test
      version: 1
      segments: default
      variables:
        gender: {role: sensitive, levels: [f, m]}
        race: {role: sensitive, levels: [black, white]}
        A: {role: action, levels: [left, right]}
        R: {role: reward}
      graph: "dag { {gender race A} -> R }"
      arms: all
      reward: {range: [0, 1]}
      policy:
        name: fair-linucb
        groups:
          attributes: [gender, race]
          privileged: [[m, '*']]
          protected: [[f, '*']]
          forget: {discount: 0.9}
      fairness: {tau: 0.2}
      join: {reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s}
      metrics: {every: 12}
      """;

  /** What one person's reward weighs falls below a half long before the mean forgets it. */
  @Test
  void aGroupThatThePolicyHasMostlyForgottenIsStillSmall() {
    RecordedLog log = new RecordedLog();
    MemorySegmentState state = new MemorySegmentState();
    SegmentMachine machine = new SegmentMachine(new TestBook().publish(FORGETTING), () -> 0, 0);
    for (int i = 0; i < 12; i++) {
      Map<String, Object> person = Map.of("gender", i == 0 ? "f" : "m", "race", "white");
      machine.onContext(TestContexts.of("d" + i, person), state, log);
      machine.onReward(reward(i, i == 0 ? 0.625 : 0.25), state, log);
    }
    SegmentMetrics plain = log.metrics.get(0);
    List<GroupMean> women =
        plain.groups().means().stream().filter(group -> group.level().equals("f*white")).toList();
    assertEquals(1, women.size());
    assertEquals(1, women.get(0).rewards());
    assertEquals(0.625, women.get(0).mean(), 1e-12);
    SegmentMetrics told = new SmallCellSuppression(3).suppress(plain);
    assertTrue(
        told.groups().means().stream().noneMatch(it -> Math.abs(it.mean() - 0.625) < 1e-9),
        told::toString);
  }

  private static RewardEvent reward(int number, double value) {
    return new RewardEvent(
        "d" + number,
        null,
        "s",
        TestContexts.TIME,
        value,
        Map.of(),
        null,
        new Origin("rewards", 0, number, TestContexts.TIME),
        new byte[0]);
  }

  private static ExperimentRecord phase(Long... arrived) {
    PhaseAudit phase =
        new PhaseAudit(
            0,
            "joint",
            1,
            20,
            1,
            1.5,
            2.5,
            0.3,
            List.of(new ShareAudit(1, "left", 0.8, 16), new ShareAudit(2, "right", 0.2, 4)),
            new PhaseCounts(List.of(arrived), 1, 0, 3, 0, 0),
            20,
            List.of(),
            List.of("left"),
            "left",
            false,
            List.of(),
            List.of("left"),
            "hash");
    return new ExperimentRecord(
        new Place("s", 0, 7), 8, Versions.NONE, "csr-v1", null, phase, null, null);
  }

  /** What is planned tells what came, but for what is missing. */
  @Test
  void aPhaseWithFewSamplesOfAGroupTellsNoCountByGroup() {
    ExperimentRecord told = TEN.suppress(phase(0L, 16L, 3L));
    PhaseAudit phase = Objects.requireNonNull(told.phase());
    assertEquals(List.of(-1L, -1L, -1L), phase.counts().arrived());
    assertEquals(List.of(), phase.allocation());
    assertEquals(-1, phase.counts().missing());
    ExperimentRecord many = phase(0L, 16L, 10L);
    assertSame(many, TEN.suppress(many));
    PhaseAudit other = Objects.requireNonNull(many.phase());
    PhaseCounts none = other.counts().with(phase.counts().arrived(), -1);
    assertEquals(many.with(null, other.with(List.of(), none), null), told, "and all else");
    assertEquals(told, SmallCellSuppression.like(told, phase(0L, 16L, 3L)), "as another one tells");
    assertSame(many, SmallCellSuppression.like(many, many));
  }

  /** What is left out is nothing, or two groups at least with the minimum, or everybody. */
  @Test
  void nothingSmallCanBeWorkedOutFromTheTotal() {
    SplittableRandom random = new SplittableRandom(17);
    for (int trial = 0; trial < 2_000; trial++) {
      long[] sizes = new long[1 + random.nextInt(6)];
      for (int i = 0; i < sizes.length; i++) {
        sizes[i] = random.nextInt(40);
      }
      SegmentMetrics plain = groups(sizes);
      SegmentMetrics after = TEN.suppress(plain);
      long all = plain.groups().means().stream().mapToLong(GroupMean::rewards).sum();
      long told = after.groups().means().stream().mapToLong(GroupMean::rewards).sum();
      boolean isSafe =
          after.groups().suppressed() == 0
              || told == 0
              || (after.groups().suppressed() >= 2 && all - told >= 10);
      assertTrue(
          isSafe,
          "trial " + trial + ": " + plain.groups().means() + " -> " + after.groups().means());
      assertTrue(
          after.groups().means().stream().allMatch(g -> g.rewards() == 0 || g.rewards() >= 10));
    }
  }
}
