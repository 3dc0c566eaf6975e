package io.equipoise.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Replicas and voters of one broker and of three. */
class EmbeddedBrokerPropertiesTest {
  private static final List<String> REPLICAS =
      List.of(
          "default.replication.factor",
          "offsets.topic.replication.factor",
          "transaction.state.log.replication.factor");
  private static final List<String> IN_SYNC =
      List.of("min.insync.replicas", "transaction.state.log.min.isr");

  @Test
  void oneOfThreeBrokersHasAReplicaAndAVoteAndTwoAreInSync() {
    List<String> addresses = List.of("10.0.0.2", "10.0.0.3", "10.0.0.4");
    Map<String, String> second =
        EmbeddedBrokerProperties.of(Path.of("kafka-2"), addresses, 2, 9092, 9093);
    assertEquals("2", second.get("node.id"));
    assertEquals("CLIENTS://10.0.0.3:9092,CONTROLLER://10.0.0.3:9093", second.get("listeners"));
    assertEquals("CLIENTS://10.0.0.3:9092", second.get("advertised.listeners"));
    assertEquals(
        "1@10.0.0.2:9093,2@10.0.0.3:9093,3@10.0.0.4:9093", second.get("controller.quorum.voters"));
    REPLICAS.forEach(name -> assertEquals("3", second.get(name), name));
    IN_SYNC.forEach(name -> assertEquals("2", second.get(name), name));
  }

  @Test
  void aSingleBrokerIsOnLoopbackAndHasTheOnlyReplica() {
    Map<String, String> only = EmbeddedBrokerProperties.of(Path.of("kafka"), 9092, 9093);
    assertEquals("1@127.0.0.1:9093", only.get("controller.quorum.voters"));
    REPLICAS.forEach(name -> assertEquals("1", only.get(name), name));
    IN_SYNC.forEach(name -> assertEquals("1", only.get(name), name));
  }
}
