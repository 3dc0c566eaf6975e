package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.equipoise.audit.ExperimentCommand;
import io.equipoise.audit.report.TwoWriterEpochs;
import io.equipoise.event.LogTopic;
import io.equipoise.event.WriterEpochMarker;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import picocli.CommandLine;

/**
 * The verb {@code experiment report} on the topics of a job of at-least-once delivery that failed.
 */
class ReportedWriterEpochsTest {
  @RegisterExtension static final TestCluster CLUSTER = new TestCluster();

  private final TwoWriterEpochs writerEpochs = new TwoWriterEpochs();
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void theVerbReportsWhatSurvivesAndRefusesATopicThatDoesNotTell() throws Exception {
    try (TestDeployment deployment = CLUSTER.deployment("attempts").publish()) {
      writerEpochs.first((topic, marker, value) -> send(deployment, topic, marker, value));
      assertEquals(2, phases(deployment));
      writerEpochs.second((topic, marker, value) -> send(deployment, topic, marker, value));
      assertEquals(1, phases(deployment));
      String topic = deployment.topics.experiments();
      assertEquals(1, report(deployment, "--topic", topic));
      assertTrue(err.toString().contains("set equipoise.deployment too"), err::toString);
      String name = "equipoise.deployment=" + deployment.topics.deployment();
      assertEquals(0, report(deployment, "--topic", topic, "-D", name));
    }
  }

  private void send(
      TestDeployment deployment,
      LogTopic topic,
      @Nullable WriterEpochMarker marker,
      byte @Nullable [] value) {
    byte[] key = marker != null ? null : writerEpochs.segment().getBytes(StandardCharsets.UTF_8);
    Headers headers = marker == null ? new RecordHeaders() : marker.headers();
    deployment.send(
        new ProducerRecord<>(deployment.topics.of(topic), 0, null, key, value, headers));
  }

  private int phases(TestDeployment deployment) throws Exception {
    out.getBuffer().setLength(0);
    String name = "equipoise.deployment=" + deployment.topics.deployment();
    assertEquals(0, report(deployment, "-D", name, "--json", "-"), err::toString);
    JsonNode experiments = new ObjectMapper().readTree(out.toString());
    assertEquals(1, experiments.size());
    return experiments.get(0).get("phases").size();
  }

  private int report(TestDeployment deployment, String... more) {
    String brokers = deployment.config().kafka().getProperty("bootstrap.servers");
    List<String> arguments = new ArrayList<>(List.of("report"));
    arguments.addAll(List.of("-D", "kafka.bootstrap.servers=" + brokers));
    arguments.addAll(List.of(more));
    return new CommandLine(new ExperimentCommand())
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(arguments.toArray(new String[0]));
  }
}
