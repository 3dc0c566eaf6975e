package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.equipoise.Tier;
import io.equipoise.job.options.Topics;
import io.equipoise.segment.TestSpecs;
import io.equipoise.tools.EmbeddedBroker;
import io.equipoise.tools.LocalCluster;
import io.equipoise.tools.LocalJob;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.flink.configuration.Configuration;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.Test;

/** How many producers a broker remembers of a job that makes new ones at every checkpoint. */
class ProducerEntriesTest {
  private static final int CHECKPOINTS = 1_000;
  private static final int SUBTASKS = 2;
  private static final int PARTITIONS = 2;
  private static final int BATCH = 20;

  @Test
  void partitionsRememberTheProducersOfEachCheckpointUntilTheyExpire() throws Exception {
    assumeTrue(Tier.isFull(), "takes two minutes: mvn verify -Pfull");
    try (EmbeddedBroker broker = broker();
        LocalCluster flink = LocalCluster.start(new Configuration(), SUBTASKS);
        TestDeployment deployment = new TestDeployment(broker, flink, "producers");
        Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
      deployment.with("execution.checkpointing.interval", "100 ms").publish(TestSpecs.ucb());
      LocalJob job = deployment.start(SUBTASKS, null);
      String prefix = deployment.topics.transactionalIdPrefix(Topics.OUTPUTS) + "-";
      for (int sent = 0; newestCheckpoint(admin, prefix) < CHECKPOINTS; sent += BATCH) {
        for (int i = sent; i < sent + BATCH; i++) {
          long now = System.currentTimeMillis();
          deployment.context("s" + i % 8, "d" + i, now, Map.of("S", "a", "X", "low"));
        }
      }
      job.cancel();
      int decisions = entries(admin, List.of(deployment.topics.decisions()));
      int all = entries(admin, deployment.topics.outputs());
      Tier.found(getClass(), "checkpoints", newestCheckpoint(admin, prefix));
      Tier.found(getClass(), "producer entries a partition of decisions", decisions / PARTITIONS);
      Tier.found(getClass(), "producer entries of all outputs", all);
      assertTrue(decisions > CHECKPOINTS, decisions + " entries");
      assertTrue(decisions <= PARTITIONS * SUBTASKS * (CHECKPOINTS + 100), decisions + " entries");
      expireAfterOneSecond(admin);
      TestDeployment.await(() -> entries(admin, deployment.topics.outputs()), left -> left == 0);
    }
  }

  private static EmbeddedBroker broker() {
    return EmbeddedBroker.start(
        properties -> {
          properties.put("producer.id.expiration.check.interval.ms", "1000");
          return properties;
        });
  }

  /** Transactional ids end with the number of their checkpoint. */
  private static long newestCheckpoint(Admin admin, String prefix) throws Exception {
    return admin.listTransactions().all().get().stream()
        .map(it -> it.transactionalId())
        .filter(it -> it.startsWith(prefix) && it.matches(".*-\\d+"))
        .mapToLong(it -> Long.parseLong(it.substring(it.lastIndexOf('-') + 1)))
        .max()
        .orElse(0);
  }

  private static int entries(Admin admin, Iterable<String> topics) {
    List<TopicPartition> partitions = new ArrayList<>();
    for (String topic : topics) {
      for (int partition = 0; partition < PARTITIONS; partition++) {
        partitions.add(new TopicPartition(topic, partition));
      }
    }
    try {
      return admin.describeProducers(partitions).all().get().values().stream()
          .mapToInt(state -> state.activeProducers().size())
          .sum();
    } catch (ExecutionException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** As the remark of a start says, without a restart of the brokers. */
  private static void expireAfterOneSecond(Admin admin) throws Exception {
    ConfigResource brokers = new ConfigResource(ConfigResource.Type.BROKER, "");
    ConfigEntry entry = new ConfigEntry("producer.id.expiration.ms", "1000");
    List<AlterConfigOp> change = List.of(new AlterConfigOp(entry, AlterConfigOp.OpType.SET));
    admin.incrementalAlterConfigs(Map.of(brokers, change)).all().get();
  }
}
