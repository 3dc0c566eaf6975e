package io.equipoise.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.client.GatewayClient.Effect;
import io.equipoise.event.AuditConclusion;
import io.equipoise.event.AuditEffectKind;
import io.equipoise.event.AuditGuarantee;
import io.equipoise.event.AuditVerdict;
import io.equipoise.event.AuditedEffect;
import io.equipoise.event.DecisionReason;
import io.equipoise.event.EffectUnit;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.Place;
import io.equipoise.event.Versions;
import io.equipoise.job.options.JobConfig;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.Test;

/** A follower that is not started, so that records arrive in a chosen order. */
class FairnessFollowerTest {
  private static final OpenDecisions.DecisionKey KEY = new OpenDecisions.DecisionKey("offers", "d");

  private final OpenDecisions open = new OpenDecisions(10, 10);
  private final FairnessFollower follower = new FairnessFollower(config(), open);
  private final CompletableFuture<Answer> decision = open.ask(KEY).answer();

  private static JobConfig config() {
    Configuration settings = new Configuration();
    settings.setString("equipoise.deployment", "follower");
    settings.setString("kafka.bootstrap.servers", "localhost:1");
    return JobConfig.from(settings);
  }

  private static Answer answer(int writerEpoch, long seq) {
    return new Answer(
        "offers",
        "d",
        0,
        "small",
        List.of(),
        List.of(),
        DecisionReason.EXPLOIT,
        1L,
        null,
        new Answer.Change(writerEpoch, seq, "hash"),
        null);
  }

  private static FairnessAudit audit(int writerEpoch, long seq, String counterfactual) {
    AuditedEffect effect =
        new AuditedEffect(
            "race",
            "a",
            counterfactual,
            AuditEffectKind.DIRECT,
            true,
            0.1,
            -0.2,
            0.4,
            null,
            null,
            null,
            null,
            null);
    return new FairnessAudit(
        "d",
        new Place("offers", writerEpoch, seq),
        0,
        new Versions("5e".repeat(16), 1L, null, null, null),
        "screen",
        "small",
        false,
        false,
        null,
        effect,
        new AuditConclusion(
            0.3, EffectUnit.REWARD, AuditVerdict.UNCERTAIN, AuditGuarantee.ANYTIME, null),
        null,
        null,
        null,
        null);
  }

  private static List<String> compared(Answer answer) {
    return Objects.requireNonNull(answer.fairness()).stream().map(Effect::counterfactual).toList();
  }

  @Test
  void anAnswerWaitsForAllItsAuditsInAnyOrder() {
    CompletableFuture<Answer> whole = follower.collect(KEY, decision, any -> 2);
    follower.on(audit(3, 7, "b"));
    assertTrue(open.answer(answer(3, 7)));
    assertFalse(whole.isDone());
    follower.on(audit(3, 7, "c"));
    assertEquals(List.of("b", "c"), compared(whole.join()));
    assertSame(whole.join(), open.recent(KEY).orElseThrow());
    assertEquals(0, follower.size());
  }

  /** A frozen process may write audits of another decision under the same id. */
  @Test
  void auditsOfAnotherWriterEpochDoNotCount() {
    CompletableFuture<Answer> whole = follower.collect(KEY, decision, any -> 1);
    follower.on(audit(2, 7, "void"));
    assertTrue(open.answer(answer(3, 7)));
    follower.on(audit(2, 7, "void"));
    follower.on(audit(3, 6, "earlier"));
    assertFalse(whole.isDone());
    follower.on(audit(3, 7, "b"));
    assertEquals(List.of("b"), compared(whole.join()));
  }

  @Test
  void atTheDeadlineTheDecisionIsAnsweredWithoutComparisons() {
    CompletableFuture<Answer> whole = follower.collect(KEY, decision, any -> 2);
    assertTrue(open.answer(answer(3, 7)));
    follower.on(audit(3, 7, "b"));
    follower.giveUp(KEY);
    assertEquals("small", whole.join().arm());
    assertNull(whole.join().fairness());
    assertEquals(0, follower.size());
    follower.on(audit(3, 7, "c"));
    assertEquals(0, follower.size());
  }

  @Test
  void aDecisionWithoutComparisonsWaitsForNothing() {
    CompletableFuture<Answer> whole = follower.collect(KEY, decision, any -> 0);
    assertTrue(open.answer(answer(3, 7)));
    assertEquals(List.of(), whole.join().fairness());
  }

  @Test
  void anAnswerThatNoPolicyGaveWaitsForNothing() {
    CompletableFuture<Answer> whole =
        follower.collect(KEY, decision, any -> FairnessFollower.UNKNOWN);
    assertTrue(open.answer(answer(3, 7)));
    assertNull(whole.join().fairness());
    assertEquals(0, follower.size());
  }
}
