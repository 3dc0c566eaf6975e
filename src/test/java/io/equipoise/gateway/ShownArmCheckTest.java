package io.equipoise.gateway;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.equipoise.event.DecisionReason;
import io.equipoise.http.ProblemException;
import io.equipoise.job.control.CatalogLimit;
import io.equipoise.job.control.RawControl;
import io.equipoise.job.control.SpecHistory;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.SpecParser;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which shown arms a gateway refuses, and which may come with a version that it has not read. */
class ShownArmCheckTest {
  private static final String FIRST =
      """
      name: shop
      version: 1
      segments: {exact: [shop]}
      variables:
        income: {role: context, levels: [low, high]}
        offer: {role: action, levels: [loan, card, savings]}
        accepted: {role: reward}
      graph: "dag { income -> offer {income offer} -> accepted }"
      reward: {range: [0, 1]}
      policy: {name: ucb}
      fairness: {tau: 0.2}
      join: {reward-window: 1h, fallback: offer=card}
      """;

  private static final CompiledSpec ALL = compiled(FIRST);
  private static final CompiledSpec WITHOUT_SAVINGS =
      compiled(
          FIRST.replace("version: 1", "version: 2") + "arms: [{offer: loan}, {offer: card}]\n");
  private static final CompiledSpec NAMED =
      compiled(
          FIRST.replace("version: 1", "version: 3").replace("fallback: offer=card", "fallback: b")
              + "arms: [{id: a, offer: loan}, {id: b, offer: card}]\n");

  @Test
  void aMisspeltArmIsRefusedWithTheNearOne() {
    ProblemException refused = assertThrows(ProblemException.class, () -> check("loan", null, ALL));
    assertEquals("UNKNOWN_ARM", refused.problem().code());
    assertEquals(
        "shownArm: did you mean offer=loan? one of offer=loan, offer=card, offer=savings",
        refused.problem().detail());
    assertThrows(ProblemException.class, () -> check("offers=loan", null, ALL));
    ProblemException typo =
        assertThrows(ProblemException.class, () -> check("offer=laon", ALL, ALL));
    assertEquals(
        "shownArm: did you mean offer=loan? one of offer=loan, offer=card, offer=savings",
        typo.problem().detail());
  }

  @Test
  void everyArmThatTheJobMayKnowPasses() {
    assertDoesNotThrow(() -> check("offer=loan", null, ALL));
    assertDoesNotThrow(() -> check("offer=savings", ALL, ALL, WITHOUT_SAVINGS), "retired");
    assertDoesNotThrow(() -> check("offer=gift", null, ALL), "of a version that is not read");
    assertDoesNotThrow(() -> check("c", null, NAMED), "the spec names its arms itself");
    assertDoesNotThrow(() -> check("c", null, ALL, NAMED), "the newest names its arms itself");
    assertDoesNotThrow(
        () -> check("c", NAMED, ALL), "the version that decided is not on the topic");
    assertDoesNotThrow(() -> check("anything", null), "no spec: another check refuses it");
  }

  /**
   * Checks an arm of a decision.
   *
   * @param decided the version of the decision that is remembered, null for none
   * @param topic the versions, the newest last
   */
  private static void check(String arm, @Nullable CompiledSpec decided, CompiledSpec... topic) {
    List<RawControl> records = new ArrayList<>();
    for (CompiledSpec spec : topic) {
      records.add(
          new RawControl("specs", 0, records.size(), 0, bytes(spec.spec().key()), bytes(spec)));
    }
    ServedSpecs served = ServedSpecs.of(SpecHistory.of(records, new CatalogLimit(1 << 20)));
    CompiledSpec selected = served.select("shop");
    Answer answer =
        decided == null
            ? null
            : new Answer(
                "shop",
                "d",
                0,
                decided.armIds().get(0),
                decided.armIds(),
                decided.armIds().stream().map(it -> 0.5).toList(),
                DecisionReason.EXPLOIT,
                decided.spec().version(),
                null,
                new Answer.Change(1, 1, decided.spec().hash()),
                null);
    ShownArmCheck.refuseUnknown(
        arm, "shop", answer, selected == null ? List.of() : List.of(selected), served);
  }

  private static byte[] bytes(CompiledSpec spec) {
    return bytes(spec.spec().text());
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static CompiledSpec compiled(String text) {
    return CompiledSpec.of(SpecParser.parse(text));
  }
}
