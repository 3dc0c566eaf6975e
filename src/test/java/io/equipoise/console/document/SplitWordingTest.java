package io.equipoise.console.document;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.equipoise.audit.verify.MemoryLog;
import io.equipoise.console.Logs;
import io.equipoise.console.Rewritten;
import io.equipoise.event.AssumptionSummary;
import io.equipoise.event.GapPart;
import io.equipoise.event.GapPartKind;
import io.equipoise.event.GapSplit;
import io.equipoise.event.LogTopic;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.event.Wire;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecParser;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SplitWordingTest {
  private static final SegmentMetrics SNAPSHOT =
      IntStream.range(0, MemoryLog.PARTITIONS)
          .mapToObj(it -> Logs.run("offers", 150).log.records(LogTopic.METRICS, it))
          .flatMap(List::stream)
          .map(it -> Wire.METRICS.decode(it.value()))
          .findFirst()
          .orElseThrow();

  private static GapPart part(String name, GapPartKind kind, double estimate, double half) {
    return new GapPart(name, kind, estimate, estimate - half, estimate + half, 0);
  }

  private static GapSplit split(GapPart gap, GapPart... parts) {
    GapPart rest = part("gender", GapPartKind.REST, 0, 1);
    return new GapSplit("gender", "m", "f", 9, 9, 0, 1, gap, rest, List.of(parts));
  }

  private static String words(List<String> refuted, GapSplit split) {
    return Wording.split(
        split,
        Rewritten.with(
            SegmentMetrics.class,
            SNAPSHOT,
            "assumptions",
            new AssumptionSummary(refuted, refuted, List.of())),
        spec("gender -> repaid"));
  }

  private static SegmentSpec spec(String paths) {
    return SpecParser.parse(
        """
        name: offers
        version: 1
        segments: default
        variables:
          gender: {role: sensitive, levels: [f, m]}
          income: {role: context, levels: [low, high]}
          offer: {role: action, levels: [small, large]}
          repaid: {role: reward}
        graph: "dag { income -> repaid; gender -> offer -> repaid; %s }"
        reward: {range: [0, 1]}
        policy: {name: ucb}
        fairness: {tau: 0.2}
        join: {reward-window: 1d, fallback: offer=small}
        """
            .formatted(paths));
  }

  private static String words(GapSplit split) {
    return words(List.of(), split);
  }

  @Test
  void theSentenceNamesOnlyPartsWhoseIntervalExcludesZero() {
    GapSplit split =
        split(
            part("gender", GapPartKind.GAP, -.17, .02),
            part("age*region", GapPartKind.SPURIOUS, -.06, .03),
            part("income", GapPartKind.INDIRECT, -.06, .07),
            part("arm", GapPartKind.POLICY, .01, .005),
            part("gender", GapPartKind.DIRECT, -.06, .06));
    assertEquals(
        "The gap from m to f is -0.170. Proven to differ from 0: -0.060 who comes (age*region),"
            + " +0.010 what the policy decides.",
        words(split));
  }

  /** A part that is proven to differ from 0 is not printed as 0. */
  @Test
  void aSmallPartHasADigitThatIsNotZero() {
    assertEquals(
        "The gap from m to f is -2.0e-04. Proven to differ from 0: +4.0e-04 who comes (age),"
            + " -0.001 gender itself.",
        words(
            split(
                part("gender", GapPartKind.GAP, -.0002, .0001),
                part("age", GapPartKind.SPURIOUS, .0004, .0003),
                part("gender", GapPartKind.DIRECT, -.0006, .0005))));
  }

  /** What follows the attribute and is not matched is in the direct part. */
  @Test
  void theDirectPartNamesWhatFollowsTheAttributeAndIsNotMatched() {
    GapPart direct = part("gender", GapPartKind.DIRECT, .4, .1);
    GapPart income = part("income*age", GapPartKind.INDIRECT, .1, .01);
    GapSplit alone = split(part("gender", GapPartKind.GAP, .4, .02), direct);
    GapSplit matched = split(part("gender", GapPartKind.GAP, .4, .02), income, direct);
    SegmentSpec before = spec("gender -> repaid");
    SegmentSpec followed = spec("gender -> income; gender -> repaid");
    assertEquals("gender itself", Wording.part(direct, alone, before));
    assertEquals("gender, and income", Wording.part(direct, alone, followed));
    assertEquals("gender itself", Wording.part(direct, matched, followed));
    assertEquals(
        "gender, and what follows it and is not matched", Wording.part(direct, alone, null));
  }

  @Test
  void aSplitUnderRefutedAssumptionsMayBeWrong() {
    assertEquals(
        "The rewards refute what the spec assumes (P(income | gender); P(age)), so this may be"
            + " wrong: the gap from m to f is +0.003, which may be 0. No part of it is proven to"
            + " differ from 0.",
        words(
            List.of("P(income | gender)", "P(age)"),
            split(part("gender", GapPartKind.GAP, .003, .02))));
  }

  @Test
  void aSplitSaysSinceWhenItCounts() {
    assertEquals(
        "This split counts all learned rewards of decisions since 1970-01-01T00:00:00.001Z",
        Wording.counted(split(part("gender", GapPartKind.GAP, 0, 1))));
  }

  @Test
  void aGapThatMayBeZeroIsCalledSo() {
    assertEquals(
        "The gap from m to f is +0.003, which may be 0. Proven to differ from 0: +0.035 gender"
            + " itself.",
        words(
            split(
                part("gender", GapPartKind.GAP, .003, .02),
                part("gender", GapPartKind.DIRECT, .035, .02))));
    assertEquals(
        "The gap from m to f is +0.003, which may be 0. No part of it is proven to differ from 0.",
        words(split(part("gender", GapPartKind.GAP, .003, .02))));
  }
}
