package io.equipoise.tools.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.job.control.CatalogLimit;
import io.equipoise.job.control.RawControl;
import io.equipoise.job.control.SpecHistory;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.SpecParser;
import io.equipoise.segmentspec.VersionEdit;
import io.equipoise.tools.simulate.SimulationSpecs;
import io.equipoise.watch.WatchRefusal;
import io.equipoise.watch.WatchRefusedException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PromotionPlanTest {
  private static final CompiledSpec BASE = SimulationSpecs.cells();

  private static CompiledSpec spec(CompiledSpec of, String name, String segments) {
    String text =
        of.spec()
            .text()
            .replace("name: offers", "name: " + name)
            .replace("segments: default", "segments: {exact: [%s]}".formatted(segments));
    return CompiledSpec.of(SpecParser.parse(text));
  }

  private static final CatalogLimit LIMIT = new CatalogLimit(1 << 20);

  private static SpecHistory history(CompiledSpec... published) {
    List<RawControl> topic = new ArrayList<>();
    for (CompiledSpec spec : published) {
      byte[] key = spec.spec().key().getBytes(StandardCharsets.UTF_8);
      byte[] value = spec.spec().text().getBytes(StandardCharsets.UTF_8);
      topic.add(new RawControl("specs", 0, topic.size(), 7000, key, value));
    }
    return SpecHistory.of(topic, LIMIT);
  }

  /** Plans a promotion where shop-a runs the first spec and shop-b the last one. */
  private static PromotionPlan plan(CompiledSpec text, CompiledSpec... published) {
    return PromotionPlan.of(
        history(published),
        LIMIT,
        text.spec(),
        Map.of(
            "shop-a", published[0].spec().hash(),
            "shop-b", published[published.length - 1].spec().hash()));
  }

  private static WatchRefusedException refusal(PromotionPlan plan) {
    return assertThrows(WatchRefusedException.class, () -> plan.effect("shop-b"));
  }

  @Test
  void aTextThatTakesASegmentFromItsNameIsRefused() {
    CompiledSpec better = spec(BASE, "better", "shop-a");
    CompiledSpec narrow = spec(BASE, "better", "shop-b");
    WatchRefusedException toBase = refusal(plan(narrow, better, BASE));
    assertEquals(WatchRefusal.NOT_SELECTED, toBase.code());
    assertEquals(
        "segment shop-a is decided by spec better now and would fall to spec offers; give the"
            + " challenger a name of its own",
        toBase.getMessage());
    WatchRefusedException toNone = refusal(plan(narrow, better, spec(BASE, "other", "shop-b")));
    assertTrue(
        String.valueOf(toNone.getMessage()).contains("would fall to no spec"), toNone::getMessage);
    assertTrue(plan(spec(BASE, "better-2", "shop-b"), better, BASE).effect("shop-b").isModelKept());
    assertTrue(
        plan(spec(BASE, "better", "shop-a, shop-b"), better, BASE).effect("shop-b").isModelKept());
  }

  @Test
  void aTextThatAnotherSegmentWouldRejectIsRefused() {
    CompiledSpec better = spec(SimulationSpecs.ridge(), "better", "shop-a");
    WatchRefusedException refused =
        refusal(plan(spec(BASE, "better", "shop-a, shop-b"), better, BASE));
    assertEquals(WatchRefusal.WOULD_BE_REJECTED, refused.code());
    assertTrue(
        String.valueOf(refused.getMessage()).startsWith("segment shop-a, spec better: rejected"),
        refused::getMessage);
  }

  /** It would be ended by the adoption, and its part of alpha be lost. */
  @Test
  void aSegmentWithAnAdoptionThatWaitsTakesNoChallenger() {
    WatchedSegment shop = new WatchedSegment("shop-a", BASE, Map.of());
    shop.refuseBeforeAdoption(history(BASE, spec(BASE, "better", "shop-b")));
    SpecHistory waits = history(BASE, spec(BASE, "better", "shop-a"));
    WatchRefusedException refused =
        assertThrows(WatchRefusedException.class, () -> shop.refuseBeforeAdoption(waits));
    assertEquals(WatchRefusal.ADOPTION_WAITS, refused.code());
    assertTrue(
        String.valueOf(refused.getMessage())
            .startsWith("segment shop-a runs offers version 1 and adopts better version 1 with"),
        refused::getMessage);
    shop.refuseBeforeAdoption(history(BASE, spec(SimulationSpecs.ridge(), "better", "shop-a")));
    String text = VersionEdit.with(spec(SimulationSpecs.ridge(), "offers", "x").spec().text(), 2);
    shop.refuseBeforeAdoption(history(CompiledSpec.of(SpecParser.parse(text))));
  }
}
