package io.equipoise.job.options;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TopicsTest {
  private final Topics topics = new Topics("shop-1");

  @Test
  void everyNameBeginsWithTheDeployment() {
    assertEquals(List.of("shop-1.contexts", "shop-1.rewards"), topics.inputs());
    assertEquals(
        List.of(
            "shop-1.decisions",
            "shop-1.audit",
            "shop-1.experiments",
            "shop-1.segment-events",
            "shop-1.metrics",
            "shop-1.dead-letter"),
        topics.outputs());
    assertEquals(List.of("shop-1.specs", "shop-1.causal-bounds"), topics.controls());
    assertEquals("shop-1.job", topics.consumerGroup());
    assertEquals("shop-1.job.outputs", topics.transactionalIdPrefix("outputs"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Shop", "-shop", "shop.one", "shop_one", "shop one", "shöp"})
  void otherNamesAreRefused(String deployment) {
    assertThrows(IllegalArgumentException.class, () -> new Topics(deployment));
  }

  @Test
  void aNameThatLeavesNoRoomForTheTopicIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> new Topics("a".repeat(201)));
  }
}
