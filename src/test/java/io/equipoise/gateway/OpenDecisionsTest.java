package io.equipoise.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.client.GatewayClient.Effect;
import io.equipoise.event.AuditEffectKind;
import io.equipoise.event.DecisionReason;
import io.equipoise.event.EffectUnit;
import io.equipoise.http.ProblemException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What callers can make a gateway remember. */
class OpenDecisionsTest {
  private static final long LIMIT = 2_000_000;

  private final OpenDecisions open =
      new OpenDecisions(
          10_000, 20_000, new HeapShare(LIMIT), new HeapShare(LIMIT), new HeapShare(LIMIT));

  private static Answer answer(String id, int candidates) {
    return new Answer(
        "offers",
        id,
        0,
        "small",
        new ArrayList<>(Collections.nCopies(candidates, "x".repeat(185))),
        Collections.nCopies(candidates, 0.001),
        DecisionReason.EXPLOIT,
        1L,
        null,
        null,
        null);
  }

  /** A thousand of these candidates occupied 280 KB, so 970 answers ended every gateway. */
  @Test
  void answersAreForgottenByTheirBytes() {
    for (int number = 0; number < 1_000; number++) {
      open.answer(answer("big-" + number, 1_000));
    }
    assertTrue(open.remembered() * 280_000L <= LIMIT, () -> open.remembered() + " answers");
    assertTrue(open.recent(new OpenDecisions.DecisionKey("offers", "big-999")).isPresent());
    assertFalse(open.recent(new OpenDecisions.DecisionKey("offers", "big-990")).isPresent());
    for (int number = 0; number < 2_000; number++) {
      open.answer(answer("small-" + number, 3));
    }
    assertTrue(open.remembered() > 500, () -> open.remembered() + " answers");
  }

  @Test
  void comparisonsCountToo() {
    List<Effect> effects =
        Collections.nCopies(
            512,
            new Effect(
                "a", AuditEffectKind.TOTAL, "b", "c", 0.1, 0.0, 0.2, 0.3, EffectUnit.REWARD, null));
    for (int number = 0; number < 100; number++) {
      Answer plain = answer("compared-" + number, 3);
      open.answer(plain);
      open.replace(plain.with(effects));
    }
    assertTrue(open.remembered() < 10, () -> open.remembered() + " answers");
  }

  /** A caller that confirms too got a duplicate in the dead letters for each decision. */
  @Test
  void theSameConfirmationIsSentOnceAlsoBeforeTheBrokersHaveIt() {
    OpenDecisions.DecisionKey key = new OpenDecisions.DecisionKey("offers", "one");
    open.answer(answer("one", 3));
    List<CompletableFuture<Void>> sent = new ArrayList<>();
    Supplier<CompletableFuture<Void>> send =
        () -> {
          sent.add(new CompletableFuture<>());
          return sent.get(sent.size() - 1);
        };
    CompletableFuture<Void> first = open.confirm(key, "small", send);
    CompletableFuture<Void> second = open.confirm(key, "small", send);
    assertEquals(1, sent.size());
    assertFalse(second.isDone(), "the brokers do not have it yet");
    sent.get(0).completeExceptionally(new IllegalStateException("no brokers"));
    assertTrue(first.isCompletedExceptionally() && second.isCompletedExceptionally());
    CompletableFuture<Void> third = open.confirm(key, "small", send);
    assertEquals(2, sent.size(), "a failure is forgotten");
    sent.get(1).complete(null);
    assertTrue(third.isDone() && open.confirm(key, "small", send).isDone());
    ProblemException refused =
        assertThrows(ProblemException.class, () -> open.confirm(key, "large", send));
    assertEquals("CONFLICTING_REWARD", refused.problem().code());
    assertEquals(2, sent.size(), "the job would refuse another arm");
    assertEquals(
        "small",
        open.confirmed(key).map(OpenDecisions.Shown::arm).orElse(null),
        "the first counts");
  }

  @Test
  void whatTheJobDecidesAnewReplacesTheEarlierDecisionButNoAnswerAtTheDeadline() {
    OpenDecisions.DecisionKey key = new OpenDecisions.DecisionKey("offers", "one");
    open.answer(answer("one", 3));
    var unused = open.confirm(key, "small", CompletableFuture::new);
    open.forgetEarlier(key);
    assertEquals(0, open.remembered());
    open.answer(answer("one", 2));
    assertEquals(2, open.recent(key).map(it -> it.candidates().size()).orElse(0));
    assertTrue(open.confirmed(key).isEmpty(), "the arm of the earlier one");
    open.forgetEarlier(key);
    Answer late =
        new Answer(
            "offers",
            "one",
            0,
            "large",
            List.of(),
            List.of(),
            DecisionReason.DEADLINE_EXCEEDED,
            1L,
            null,
            null,
            null);
    open.answer(late);
    open.forgetEarlier(key);
    open.answer(answer("one", 3));
    assertEquals(late, open.recent(key).orElse(null));
  }

  /** 300 requests with a thousand candidates each kept all processors, and nobody was answered. */
  @Test
  void bodiesThatAreReadAtTheSameTimeAreRefusedBeyondTheirShareOfTheMemory() {
    open.read(LIMIT - 1);
    ProblemException refused = assertThrows(ProblemException.class, () -> open.read(2));
    assertEquals(429, refused.problem().status());
    open.read(1 - LIMIT);
    open.read(5 * LIMIT); // one is always read
    assertThrows(ProblemException.class, () -> open.read(1));
  }

  /** Callers ask again and again, with the same id or others, and nobody answers. */
  @Test
  void requestsThatWaitAreRefusedBeyondTheirShareOfTheMemory() {
    List<CompletableFuture<Answer>> waiting = new ArrayList<>();
    ProblemException refused =
        assertThrows(
            ProblemException.class,
            () -> {
              while (true) {
                CompletableFuture<Answer> answer = new CompletableFuture<>();
                var unused = open.waiting(20_000, () -> answer);
                waiting.add(answer);
              }
            });
    assertEquals(429, refused.problem().status());
    assertTrue(refused.problem().retryAfterSeconds() > 0);
    assertEquals(LIMIT / 20_000, waiting.size());
    waiting.get(0).complete(answer("done", 1));
    assertThrows(
        IllegalStateException.class,
        () ->
            open.waiting(
                20_000,
                () -> {
                  throw new IllegalStateException("refused later");
                }));
    CompletableFuture<Answer> next = open.waiting(20_000, CompletableFuture::new);
    assertFalse(next.isDone());
  }
}
