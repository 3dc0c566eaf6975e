package io.equipoise.job;

import static org.apache.kafka.common.acl.AclOperation.CREATE;
import static org.apache.kafka.common.acl.AclOperation.DESCRIBE_CONFIGS;
import static org.apache.kafka.common.acl.AclOperation.READ;
import static org.apache.kafka.common.acl.AclOperation.WRITE;
import static org.apache.kafka.common.resource.PatternType.LITERAL;
import static org.apache.kafka.common.resource.PatternType.PREFIXED;
import static org.apache.kafka.common.resource.ResourceType.GROUP;
import static org.apache.kafka.common.resource.ResourceType.TOPIC;
import static org.apache.kafka.common.resource.ResourceType.TRANSACTIONAL_ID;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.Tier;
import io.equipoise.cli.OptionValues;
import io.equipoise.job.SecureBroker.Grant;
import io.equipoise.job.control.WatchPublisher;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.options.StartRefusedException;
import io.equipoise.job.options.Topics;
import io.equipoise.job.topics.Brokers;
import io.equipoise.segment.TestSpecs;
import io.equipoise.tools.LocalCluster;
import io.equipoise.tools.LocalJob;
import io.equipoise.tools.watch.WatchCommand;
import io.equipoise.tools.watch.WatchRun;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * The ACLs of docs/security/README.md are enough, over TLS and SCRAM, and none of them is too much.
 */
class MinimalAclsTest {
  private static final String NAME = "acl-shop";
  private static final Topics TOPICS = new Topics(NAME);
  private static final Map<String, Object> PERSON = Map.of("S", "a", "X", "low");

  @TempDir private static Path directory = Path.of("");
  private static SecureBroker broker;
  private static LocalCluster flink;

  @BeforeAll
  static void start() throws Exception {
    broker = new SecureBroker(directory);
    flink = LocalCluster.start(new Configuration(), 2);
  }

  @AfterAll
  static void stop() {
    flink.close();
    broker.close();
  }

  /** Returns the commands of docs/security/README.md, as what they allow. */
  private static List<Grant> minimal() {
    List<Grant> grants = new ArrayList<>();
    grants.add(new Grant(TOPIC, NAME + ".", PREFIXED, DESCRIBE_CONFIGS));
    for (String topic : List.of(TOPICS.contexts(), TOPICS.rewards())) {
      grants.add(new Grant(TOPIC, topic, LITERAL, READ));
    }
    for (String topic : TOPICS.controls()) {
      grants.add(new Grant(TOPIC, topic, LITERAL, READ));
    }
    grants.add(new Grant(TOPIC, TOPICS.specs(), LITERAL, WRITE));
    for (String topic : TOPICS.outputs()) {
      grants.add(new Grant(TOPIC, topic, LITERAL, WRITE));
    }
    grants.add(new Grant(GROUP, TOPICS.consumerGroup(), LITERAL, READ));
    grants.add(new Grant(TRANSACTIONAL_ID, NAME + ".job.", PREFIXED, WRITE));
    return grants;
  }

  private static JobConfig config() throws Exception {
    Path spec = Files.writeString(directory.resolve("spec.yaml"), TestSpecs.ucb());
    Configuration given = Configuration.fromMap(broker.options(SecureBroker.PASSWORD));
    given.setString("equipoise.deployment", NAME);
    given.setString("equipoise.specs", spec.toString());
    given.setString("equipoise.partitions", "1");
    given.setString("execution.checkpointing.interval", "200 ms");
    given.setString("restart-strategy.type", "none");
    return JobConfig.from(given);
  }

  private static void prepare() throws Exception {
    EquipoiseJob.prepare(config(), StreamExecutionEnvironment.createLocalEnvironment(1));
  }

  @Test
  void withTheMinimalAclsAContextIsAnsweredAndWithoutOneTheStartNamesIt() throws Exception {
    broker.allowOnly(minimal());
    assertMissing("--topic acl-shop.", "does not exist");
    List<Grant> withCreate = new ArrayList<>(minimal());
    withCreate.add(new Grant(TOPIC, NAME + ".", PREFIXED, CREATE));
    broker.allowOnly(withCreate);
    prepare(); // creates the topics
    for (List<Grant> missing : missing()) {
      List<Grant> others = new ArrayList<>(minimal());
      others.removeAll(missing);
      broker.allowOnly(others);
      StartRefusedException refusal =
          assertThrows(StartRefusedException.class, MinimalAclsTest::prepare, missing::toString);
      missing.forEach(grant -> assertNamed(refusal, grant.name(), operation(grant)));
    }
    broker.allowOnly(minimal());
    try (TestDeployment owner = new TestDeployment(broker.broker(), flink, NAME)) {
      JobConfig config = config();
      StreamExecutionEnvironment env = flink.environment(config.flink());
      EquipoiseJob.prepare(config, env);
      LocalJob job = flink.submit(env, NAME);
      owner.context("s", "d1", System.currentTimeMillis(), PERSON);
      assertEquals("d1", owner.awaitDecisions(1).get(0).decisionId());
      job.cancel();
      prepare(); // though the decisions may not be read
    }
    assertGroupsAreWatched();
  }

  /** The same user registers a monitor of groups, and then runs it with less. */
  private static void assertGroupsAreWatched() throws Exception {
    Grant run = new Grant(TOPIC, TOPICS.watch(), LITERAL, WRITE);
    List<Grant> grants = new ArrayList<>(List.of(run, read(TOPICS.watch())));
    for (String topic : List.of(TOPICS.decisions(), TOPICS.segmentEvents())) {
      grants.add(read(topic));
    }
    TOPICS.controls().forEach(topic -> grants.add(read(topic)));
    List<Grant> register = new ArrayList<>(grants);
    register.add(new Grant(TOPIC, TOPICS.watch(), LITERAL, CREATE));
    register.add(new Grant(TRANSACTIONAL_ID, TOPICS.watch(), LITERAL, WRITE));
    broker.allowOnly(register);
    StringWriter err = new StringWriter();
    List<String> words = new ArrayList<>(List.of("groups", "--segment", "s", "--attribute", "S"));
    words.addAll(List.of("--tolerance", "0.1", "-D", "equipoise.deployment=" + NAME));
    broker
        .options(SecureBroker.PASSWORD)
        .forEach((key, value) -> words.addAll(List.of("-D", key + "=" + value)));
    CommandLine watch = new CommandLine(new WatchCommand()).setErr(new PrintWriter(err, true));
    OptionValues.register(watch);
    assertEquals(0, watch.execute(words.toArray(String[]::new)), err::toString);
    broker.allowOnly(grants);
    JobConfig config = config();
    try (Admin admin = Brokers.connect(config);
        WatchRun follower = WatchRun.of(config, 10, Runnable::run)) {
      WatchPublisher.create(admin, config);
      var unused = follower.step(Duration.ofMillis(100));
    }
    List<String> verify = new ArrayList<>(words.subList(words.indexOf("-D"), words.size()));
    verify.add(0, "verify"); // reads the whole log
    assertEquals(0, watch.execute(verify.toArray(String[]::new)), err::toString);
    grants.remove(read(TOPICS.decisions()));
    broker.allowOnly(grants);
    assertEquals(2, watch.execute(words.toArray(String[]::new)));
    String told = "  topic %s: ".formatted(TOPICS.decisions());
    assertTrue(err.toString().contains(told), err::toString);
    assertTrue(err.toString().contains("; allow Read on it, or try again"), err::toString);
  }

  private static Grant read(String topic) {
    return new Grant(TOPIC, topic, LITERAL, READ);
  }

  /**
   * Returns what is taken away for a start. The CI tier takes together what one start names
   * together: topics without any other grant, and the group with the transactional ids.
   */
  private static List<List<Grant>> missing() {
    if (Tier.isFull()) {
      return minimal().stream().map(List::of).toList();
    }
    Map<String, List<Grant>> together = new LinkedHashMap<>();
    for (Grant grant : minimal()) {
      boolean isAlone =
          grant.operation() == DESCRIBE_CONFIGS || grant.name().equals(TOPICS.specs());
      String key =
          isAlone ? grant.toString() : grant.type() == TOPIC ? "topics" : "group and transactions";
      together.computeIfAbsent(key, any -> new ArrayList<>()).add(grant);
    }
    return List.copyOf(together.values());
  }

  private static String operation(Grant grant) {
    return switch (grant.operation()) {
      case DESCRIBE_CONFIGS -> "DescribeConfigs";
      case READ -> "Read";
      default -> "Write";
    };
  }

  private static void assertMissing(String resource, String why) {
    assertNamed(
        assertThrows(StartRefusedException.class, MinimalAclsTest::prepare, resource),
        resource,
        why);
  }

  private static void assertNamed(StartRefusedException refusal, String resource, String why) {
    boolean isNamed =
        refusal.faults().stream().anyMatch(it -> it.contains(resource) && it.contains(why));
    assertTrue(isNamed, () -> resource + ": " + refusal.getMessage());
  }
}
