package io.equipoise.job.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.equipoise.job.options.JobConfig;
import io.equipoise.job.options.StartRefusedException;
import io.equipoise.segment.TestBounds;
import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.Test;

class BoundsPublisherTest {
  @Test
  void anAddressWhereNoBrokerListensIsNamedWithItsOption() {
    JobConfig config =
        JobConfig.from(
            Configuration.fromMap(
                Map.of(
                    "equipoise.deployment", "shop",
                    "kafka.bootstrap.servers", "127.0.0.1:1",
                    "kafka.max.block.ms", "1000")));
    StartRefusedException refused =
        assertThrows(
            StartRefusedException.class,
            () ->
                new BoundsPublisher(config)
                    .publish(TestBounds.set(1, new double[] {0, 0}, new double[] {1, 1})));
    assertEquals(
        "causal bounds shop version 1 (28d273992450): topic shop.causal-bounds: kafka.bootstrap.servers:"
            + " nothing listens at 127.0.0.1:1",
        refused.faults().get(0));
  }
}
