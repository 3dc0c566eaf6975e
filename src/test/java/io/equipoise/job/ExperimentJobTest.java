package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.equipoise.audit.ExperimentCommand;
import io.equipoise.event.Decision;
import io.equipoise.event.DecisionReason;
import io.equipoise.event.ExperimentRecord;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentOutput;
import io.equipoise.segment.ExperimentBatch;
import io.equipoise.segment.OfferTraffic;
import io.equipoise.segment.RecordedLog;
import io.equipoise.segment.TestSpecs;
import io.equipoise.tools.LocalJob;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** A search for the best fair arm on a real broker and a real cluster that fails in mid-phase. */
class ExperimentJobTest {
  private static final String SEGMENT = "shop";
  private static final int BATCH = 40;
  private static final int MOST_BATCHES = 60;
  private static final long SEED = 4242;

  @RegisterExtension static final TestCluster CLUSTER = TestCluster.withMortalTaskManagers();

  @TempDir private Path directory;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void aFailureInMidPhaseChangesNothingOfWhatTheBatchSearchFinds() throws Exception {
    String spec = OfferTraffic.spec().replace("samples: 3000", "samples: 100");
    try (TestDeployment deployment =
        CLUSTER
            .deployment("experiment")
            .withoutWaiting()
            .with("equipoise.partitions", "1")
            .with("restart-strategy.type", "fixed-delay")
            .with("restart-strategy.fixed-delay.attempts", "10")
            .with("restart-strategy.fixed-delay.delay", "100 ms")
            .publish(spec)) {
      LocalJob job = deployment.start(2, null);
      OfferTraffic traffic = new OfferTraffic(SEED, SEGMENT);
      Set<String> shown = new HashSet<>();
      long time = System.currentTimeMillis() - Duration.ofHours(1).toMillis();
      boolean isServing = false;
      for (int batch = 0; batch < MOST_BATCHES && !isServing; batch++) {
        for (int i = 0; i < BATCH; i++) {
          time += 1_000;
          traffic.visit(time).forEach(sent -> send(deployment, sent));
        }
        if (batch == 1) {
          CLUSTER.replaceTaskManager();
        }
        int decided = (batch + 1) * BATCH;
        for (Decision decision :
            TestDeployment.await(
                () -> first(deployment.decisions()), first -> first.size() >= decided)) {
          isServing |= decision.reason() == DecisionReason.RECOMMENDED;
          if (shown.add(decision.decisionId())) {
            traffic.show(decision);
          }
        }
      }
      job.cancel();
      assertTrue(isServing, "seed " + SEED + ": the experiment did not end");
      assertEquals(shown.size(), first(deployment.decisions()).size());
      StreamingJobTest.check(deployment, spec);
      ExperimentBatch.assertAgrees(TestSpecs.compiled(spec), log(deployment));
      assertReported(deployment);
    }
  }

  private static List<Decision> first(List<Decision> decisions) {
    return decisions.stream().filter(decision -> !decision.isRepeated()).toList();
  }

  private void assertReported(TestDeployment deployment) throws Exception {
    Path json = directory.resolve("report.json");
    assertEquals(0, report(deployment, "--segment", SEGMENT, "--json", json.toString()));
    assertTrue(out.toString().contains("Segment shop, spec 1 ("), out::toString);
    assertTrue(out.toString().contains("Samples"), out::toString);
    JsonNode experiments = new ObjectMapper().readTree(json.toFile());
    assertEquals(1, experiments.size());
    assertTrue(experiments.get(0).get("isOver").asBoolean());
    assertTrue(experiments.get(0).get("phases").size() > 1);
    assertEquals(1, report(deployment, "--topic", "no-such-topic", "--timeout", "5"));
    assertTrue(err.toString().contains("no-such-topic"), err::toString);
  }

  private int report(TestDeployment deployment, String... more) {
    List<String> arguments = new ArrayList<>(List.of("report"));
    String brokers = deployment.config().kafka().getProperty("bootstrap.servers");
    arguments.addAll(List.of("-D", "kafka.bootstrap.servers=" + brokers));
    arguments.addAll(List.of("-D", "equipoise.deployment=" + deployment.topics.deployment()));
    arguments.addAll(List.of(more));
    return new CommandLine(new ExperimentCommand())
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(arguments.toArray(new String[0]));
  }

  private static void send(TestDeployment deployment, OfferTraffic.Sent sent) {
    if (sent instanceof OfferTraffic.Visit visit) {
      deployment.context(
          SEGMENT,
          visit.event().decisionId(),
          visit.event().eventTime(),
          visit.event().attributes());
    } else {
      var event = ((OfferTraffic.Outcome) sent).event();
      deployment.reward(
          SEGMENT, event.decisionId(), event.eventTime(), event.reward(), event.mediators());
    }
  }

  private static RecordedLog log(TestDeployment deployment) {
    RecordedLog log = new RecordedLog();
    List<Record> changes = new ArrayList<>();
    changes.addAll(deployment.decisions());
    changes.addAll(deployment.segmentEvents());
    changes.sort(Comparator.comparingLong(ExperimentJobTest::seq));
    for (Record change : changes) {
      log.write((SegmentOutput) change);
    }
    deployment.experiments().stream()
        .sorted(Comparator.comparingLong(ExperimentRecord::seq))
        .forEach(log::write);
    return log;
  }

  private static long seq(Record change) {
    return change instanceof Decision decision ? decision.seq() : ((SegmentEvent) change).seq();
  }
}
