package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.Tier;
import io.equipoise.event.AuditVerdict;
import io.equipoise.event.Decision;
import io.equipoise.event.DecisionReason;
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

/**
 * The new user's segment in the job: rewards follow decisions, certificates arrive, and the better
 * of the two fair offers is found.
 */
@Tag("slow")
class NewcomerJobTest {
  private static final int LATEST_CERTIFICATE = 3500;
  private static final int LEARNED = 10_000;

  /** The tier full plays on after LEARNED; CI ends with the first certificate. */
  private static final int DECISIONS = 20_000;

  private static final int BATCH_BEFORE = 50;
  private static final int BATCH_AFTER = 500;
  private static final Duration POLL = Duration.ofMillis(50);
  private static final List<String> OFFERS = List.of("offer=small", "offer=large", "offer=none");

  @RegisterExtension static final TestCluster CLUSTER = new TestCluster();

  @Tag("full")
  @Test
  void theFirstCertificateComesSoonAndTheBetterFairOfferIsPlayed() throws Exception {
    String spec = NewcomerWorld.text("  explore: balanced", "");
    try (TestDeployment deployment =
        CLUSTER
            .deployment("newcomer")
            .withoutWaiting()
            .with("equipoise.delivery", "at-least-once")
            .publish(spec)) {
      LocalJob job = deployment.start(1, null);
      int played = play(deployment, new NewcomerWorld(1, 0, .25, 0));
      job.cancel();
      List<Decision> decisions = new ArrayList<>(deployment.decisions());
      decisions.sort(Comparator.comparing(Decision::seq));
      assertEquals(played, decisions.size());
      int first = firstCertified(deployment, decisions);
      Tier.found(getClass(), "first certificate in the job", first);
      assertTrue(first > 500 && first < LATEST_CERTIFICATE, "decision " + first);
      List<Decision> later = decisions.subList(Math.min(LEARNED, played), played);
      long better = later.stream().filter(decision -> OFFERS.get(0).equals(decision.arm())).count();
      Tier.found(
          getClass(),
          "better fair offer between " + LEARNED + " and " + DECISIONS + " decisions",
          better);
      assertTrue(later.isEmpty() || better > .8 * later.size(), "the better fair offer: " + better);
      StreamingJobTest.check(deployment, spec);
    }
  }

  /**
   * Sends few contexts at a time, and the rewards of their decisions before the next ones; more at
   * a time once an arm is certified. Returns the number of decisions.
   */
  private static int play(TestDeployment deployment, NewcomerWorld world) {
    long start = System.currentTimeMillis();
    List<Person> people = new ArrayList<>();
    try (Consumer<byte[], byte[]> decisions = deployment.follow(deployment.topics.decisions())) {
      int decided = 0;
      boolean isCertified = false;
      while (decided < DECISIONS) {
        assertTrue(isCertified || decided < LATEST_CERTIFICATE, "no certificate in " + decided);
        int batch = isCertified ? BATCH_AFTER : BATCH_BEFORE;
        for (int i = 0; i < batch && people.size() < DECISIONS; i++) {
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
              isCertified |= decision.reason() == DecisionReason.EXPLOIT;
            }
          }
        }
      }
      return decided;
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
  private static int firstCertified(TestDeployment deployment, List<Decision> decisions) {
    Set<String> uncertified = new HashSet<>();
    Set<String> audited = new HashSet<>();
    for (FairnessAudit audit : deployment.audits()) {
      audited.add(audit.decisionId());
      if (audit.verdict() != AuditVerdict.CERTIFIED_FAIR) {
        uncertified.add(audit.decisionId());
      }
    }
    assertEquals(decisions.size(), audited.size());
    for (int i = 0; i < decisions.size(); i++) {
      if (!uncertified.contains(decisions.get(i).decisionId())) {
        return i + 1;
      }
    }
    throw new AssertionError("no certificate in " + decisions.size() + " decisions");
  }
}
