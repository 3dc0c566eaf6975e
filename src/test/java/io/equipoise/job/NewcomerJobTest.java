package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.Tier;
import io.equipoise.event.AuditVerdict;
import io.equipoise.event.Decision;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.Wire;
import io.equipoise.policy.linear.NewcomerWorld;
import io.equipoise.policy.linear.NewcomerWorld.Person;
import io.equipoise.tools.LocalJob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The new user's segment in the job: rewards follow decisions, and certificates arrive. */
@Tag("slow")
class NewcomerJobTest {
  private static final int DECISIONS = 3500;
  private static final int BATCH = 50;
  private static final Duration POLL = Duration.ofMillis(50);
  private static final List<String> OFFERS = List.of("offer=small", "offer=large", "offer=none");

  @RegisterExtension static final TestCluster CLUSTER = new TestCluster();

  @Test
  void theFirstCertificateComesBeforeThreeAndAHalfThousandDecisions() throws Exception {
    String spec = NewcomerWorld.text("  explore: {share: 0.5}", "");
    try (TestDeployment deployment =
        CLUSTER.deployment("newcomer").with("equipoise.delivery", "at-least-once").publish(spec)) {
      LocalJob job = deployment.start(1, null);
      play(deployment, new NewcomerWorld(1, 0, .25, 0));
      job.cancel();
      int first = firstCertified(deployment);
      Tier.found(getClass(), "first certificate in the job", first);
      assertTrue(first > 500, "decision " + first);
      StreamingJobTest.check(deployment, spec);
    }
  }

  /**
   * Sends few contexts at a time, and the rewards of their decisions before the next ones, until an
   * arm is certified.
   */
  private static void play(TestDeployment deployment, NewcomerWorld world) {
    long start = System.currentTimeMillis();
    List<Person> people = new ArrayList<>();
    try (Consumer<byte[], byte[]> decisions = deployment.follow(deployment.topics.decisions())) {
      int decided = 0;
      boolean isCertified = false;
      while (!isCertified) {
        assertTrue(decided < DECISIONS, "no certificate in " + decided + " decisions");
        for (int i = 0; i < BATCH; i++) {
          people.add(world.next());
          int place = people.size() - 1;
          deployment.context("loans", "d" + place, start + place, people.get(place).attributes());
        }
        while (decided < people.size()) {
          for (ConsumerRecord<byte[], byte[]> record : decisions.poll(POLL)) {
            if (record.value() != null) {
              Decision decision = Wire.DECISION.decode(record.value());
              answer(deployment, world, people, start, decision);
              decided++;
              isCertified |= !decision.reason().isWithoutCertificate();
            }
          }
        }
      }
    }
  }

  private static void answer(
      TestDeployment deployment,
      NewcomerWorld world,
      List<Person> people,
      long start,
      Decision decision) {
    int place = Integer.parseInt(decision.decisionId().substring(1));
    double reward = world.reward(people.get(place), OFFERS.indexOf(decision.arm()));
    deployment.reward("loans", decision.decisionId(), start + place + 1, reward, Map.of());
  }

  /** Returns the number of the first decision of which every effect is certified. */
  private static int firstCertified(TestDeployment deployment) {
    Set<String> uncertified = new HashSet<>();
    Set<String> audited = new HashSet<>();
    for (FairnessAudit audit : deployment.audits()) {
      audited.add(audit.decisionId());
      if (audit.verdict() != AuditVerdict.CERTIFIED_FAIR) {
        uncertified.add(audit.decisionId());
      }
    }
    List<Decision> decisions = new ArrayList<>(deployment.decisions());
    decisions.sort(Comparator.comparing(Decision::seq));
    assertEquals(decisions.size(), audited.size());
    for (int i = 0; i < decisions.size(); i++) {
      if (!uncertified.contains(decisions.get(i).decisionId())) {
        return i + 1;
      }
    }
    throw new AssertionError("no certificate in " + decisions.size() + " decisions");
  }
}
