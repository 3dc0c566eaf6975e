package io.equipoise.tools.specs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.segment.SpecVariant;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.Arm;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecParser;
import io.equipoise.tools.adoption.SpecEffect;
import io.equipoise.tools.adoption.SpecEffect.EffectOfChange;
import io.equipoise.tools.adoption.UpgradePreview;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RollbackTextTest {
  @ParameterizedTest
  @ValueSource(strings = {"linucb", "linucb, model: shared", "glm-ucb"})
  void theWayBackKeepsLevelsAndWhatWasLearned(String policy) {
    SegmentSpec first = withoutTables(SpecVariant.of(policy));
    SegmentSpec more =
        withoutTables(
            SpecVariant.of(policy)
                .version(2)
                .levels("A", "left", "up", "right")
                .levels("X", "mid", "low", "high"));
    SegmentSpec back = SpecParser.parse(RollbackCommand.kept(first, more));
    assertEquals(
        List.of("left", "right", "up"), back.variables().named("A").levels(), "its own come first");
    assertEquals(List.of("low", "high", "mid"), back.variables().named("X").levels());
    assertEquals(ids(first), ids(back), "the arms are those of the earlier text");
    assertEquals(EffectOfChange.REJECTED, effect(more, first).kind());
    assertEquals(EffectOfChange.MIGRATED, effect(more, back).kind());
    assertEquals(
        first.text(), RollbackCommand.kept(first, first), "nothing is missing, nothing changes");
  }

  @Test
  void aTextThatNeedsATableForALevelIsRefused() {
    SegmentSpec first = SpecParser.parse(SpecVariant.of("ucb").text());
    SegmentSpec more =
        SpecParser.parse(SpecVariant.of("ucb").version(2).levels("S", "a", "b", "c").text());
    String refused =
        assertThrows(IllegalArgumentException.class, () -> RollbackCommand.kept(first, more))
            .getMessage();
    assertTrue(refused.startsWith("version 1 of test does not take the levels that"), refused);
    assertTrue(refused.endsWith("pass --as-written to roll back without them"), refused);
  }

  private static SegmentSpec withoutTables(SpecVariant variant) {
    return SpecParser.parse(variant.text().replaceAll("distributions:\n(  .*\n)+", ""));
  }

  private static SpecEffect effect(SegmentSpec before, SegmentSpec next) {
    return UpgradePreview.of(CompiledSpec.of(before), CompiledSpec.of(next));
  }

  private static List<String> ids(SegmentSpec spec) {
    return spec.arms().list().stream().map(Arm::id).toList();
  }
}
