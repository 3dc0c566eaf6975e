package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.equipoise.job.control.CatalogLimit;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.options.PrivacyOptions;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.kafka.lineage.KafkaDatasetFacet;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamEdge;
import org.apache.flink.streaming.api.graph.StreamGraph;
import org.apache.flink.streaming.api.graph.StreamNode;
import org.apache.flink.streaming.api.lineage.LineageDataset;
import org.apache.flink.streaming.api.lineage.LineageGraph;
import org.apache.flink.streaming.api.lineage.LineageVertex;
import org.apache.flink.streaming.runtime.partitioner.BroadcastPartitioner;
import org.apache.flink.streaming.runtime.partitioner.ForwardPartitioner;
import org.junit.jupiter.api.Test;

/** Looks at the graph alone: no broker listens where the endpoints point. */
class TopologyTest {

  /** The state contract: a name that changes here loses state on an upgrade. */
  @Test
  void theUidsAreExactlyThese() {
    Set<String> uids =
        graph(4).getStreamNodes().stream()
            .map(StreamNode::getTransformationUID)
            .collect(Collectors.toSet());
    assertEquals(
        Set.of(
            "contexts",
            "context-ingest",
            "rewards",
            "reward-ingest",
            "specs",
            "spec-validation",
            "causal-bounds",
            "bounds-validation",
            "segment",
            "outputs",
            "Sink Committer: outputs",
            "undecodable",
            "Sink Committer: undecodable"),
        uids);
  }

  @Test
  void everyOperatorHasANameOfOurs() {
    for (StreamNode node : graph(4).getStreamNodes()) {
      assertNotEquals(null, node.getOperatorName());
      assertFalse(
          Set.of("Process", "Co-Process-Broadcast-Keyed", "Sink: Writer", "Map")
              .contains(node.getOperatorName()),
          node.getOperatorName());
    }
  }

  /** All of one subtask's records between two checkpoints are one transaction, in order. */
  @Test
  void whatTheSegmentFunctionEmitsIsNotShuffledOnItsWayToTheSink() {
    for (int parallelism : new int[] {1, 2, 7}) {
      StreamGraph graph = graph(parallelism);
      StreamNode segment = node(graph, "segment");
      List<StreamEdge> out = segment.getOutEdges();
      assertEquals(1, out.size());
      assertEquals(ForwardPartitioner.class, out.get(0).getPartitioner().getClass());
      StreamNode sink = graph.getStreamNode(out.get(0).getTargetId());
      assertEquals(segment.getParallelism(), sink.getParallelism());
      assertEquals(parallelism, sink.getParallelism());
    }
  }

  @Test
  void specsAndCausalBoundsReachEverySubtaskAndInputsTheirSegments() {
    StreamGraph graph = graph(4);
    Map<String, String> partitioners = new TreeMap<>();
    for (StreamEdge edge : node(graph, "segment").getInEdges()) {
      partitioners.put(
          String.valueOf(graph.getStreamNode(edge.getSourceId()).getTransformationUID()),
          edge.getPartitioner().toString());
    }
    assertEquals(
        Map.of(
            "context-ingest",
            "HASH",
            "reward-ingest",
            "HASH",
            "spec-validation",
            new BroadcastPartitioner<>().toString(),
            "bounds-validation",
            new BroadcastPartitioner<>().toString()),
        partitioners);
  }

  @Test
  void noSourceSubtaskIsWithoutAPartition() {
    for (int parallelism : new int[] {1, 2, 3, 8}) {
      StreamGraph graph = graph(parallelism);
      assertEquals(Math.min(parallelism, 3), node(graph, "contexts").getParallelism());
      assertEquals(Math.min(parallelism, 3), node(graph, "context-ingest").getParallelism());
      assertEquals(Math.min(parallelism, 2), node(graph, "rewards").getParallelism());
      assertEquals(Math.min(parallelism, 2), node(graph, "reward-ingest").getParallelism());
      assertEquals(1, node(graph, "specs").getParallelism());
      assertEquals(1, node(graph, "spec-validation").getParallelism());
    }
  }

  @Test
  void theMaximalParallelismIsFixed() {
    assertEquals(128, node(graph(2), "segment").getMaxParallelism());
  }

  @Test
  void theLineageGraphNamesTheTopicsThatAreReadAndWritten() {
    LineageGraph lineage = graph(2).getLineageGraph();
    assertEquals(
        Set.of("shop.contexts", "shop.rewards", "shop.specs", "shop.causal-bounds"),
        topics(lineage.sources()));
    assertEquals(
        Set.of(
            "shop.decisions",
            "shop.audit",
            "shop.experiments",
            "shop.segment-events",
            "shop.metrics",
            "shop.dead-letter"),
        topics(lineage.sinks()));
  }

  private static Set<String> topics(List<? extends LineageVertex> vertices) {
    return vertices.stream()
        .flatMap(vertex -> vertex.datasets().stream())
        .map(LineageDataset::facets)
        .flatMap(facets -> facets.values().stream())
        .filter(KafkaDatasetFacet.class::isInstance)
        .flatMap(facet -> topics((KafkaDatasetFacet) facet).stream())
        .collect(Collectors.toSet());
  }

  private static List<String> topics(KafkaDatasetFacet facet) {
    return Objects.requireNonNull(facet.getTopicIdentifier().getTopics());
  }

  private static StreamNode node(StreamGraph graph, String uid) {
    return graph.getStreamNodes().stream()
        .filter(node -> uid.equals(node.getTransformationUID()))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no operator has the uid " + uid));
  }

  /** Lays the job for 3 partitions of contexts and 2 of rewards. */
  private static StreamGraph graph(int parallelism) {
    JobConfig config =
        JobConfig.from(
            Configuration.fromMap(
                Map.of(
                    "equipoise.deployment",
                    "shop",
                    "kafka.bootstrap.servers",
                    "127.0.0.1:1",
                    "parallelism.default",
                    String.valueOf(parallelism))));
    StreamExecutionEnvironment env =
        StreamExecutionEnvironment.getExecutionEnvironment(config.flink());
    Clock clock = Clock.systemUTC();
    Topology.define(
        Endpoints.of(config, clock, Endpoints.Bounds.NONE),
        env,
        config,
        new Topology.InputPartitions(3, 2),
        clock,
        new SegmentFunction(
            accepted -> List.of(),
            clock,
            PrivacyOptions.PLAIN,
            SegmentHarness.UNCHECKED,
            CatalogLimit.of(config),
            config.segmentLimits(),
            null));
    return env.getStreamGraph();
  }
}
