package io.equipoise.console.document;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.equipoise.event.GapPart;
import io.equipoise.event.GapPartKind;
import io.equipoise.event.GapSplit;
import java.util.List;
import org.junit.jupiter.api.Test;

class SplitWordingTest {
  private static GapPart part(String name, GapPartKind kind, double estimate, double half) {
    return new GapPart(name, kind, estimate, estimate - half, estimate + half, 0);
  }

  private static GapSplit split(GapPart gap, GapPart... parts) {
    GapPart rest = part("gender", GapPartKind.REST, 0, 1);
    return new GapSplit("gender", "m", "f", 9, 9, 0, 1, gap, rest, List.of(parts));
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
        Wording.split(split));
  }

  @Test
  void aSplitSaysSinceWhenItCounts() {
    assertEquals(
        "This split counts all people since 1970-01-01T00:00:00.001Z",
        Wording.counted(split(part("gender", GapPartKind.GAP, 0, 1))));
  }

  @Test
  void aGapThatMayBeZeroIsCalledSo() {
    assertEquals(
        "The gap from m to f is +0.003, which may be 0. Proven to differ from 0: +0.035 gender"
            + " itself.",
        Wording.split(
            split(
                part("gender", GapPartKind.GAP, .003, .02),
                part("gender", GapPartKind.DIRECT, .035, .02))));
    assertEquals(
        "The gap from m to f is +0.003, which may be 0. No part of it is proven to differ from 0.",
        Wording.split(split(part("gender", GapPartKind.GAP, .003, .02))));
  }
}
