package io.equipoise.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.Docs;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ReasonsPageTest {
  private static final String BEGIN =
      """
# Reasons and verdicts

After this page you know what each word in a decision, an audit record and an experiment means. Error codes have
[a page of their own](error-codes.md).

## Why an arm was played

`reason` of a decision. "waits": the decision waits for a reward, and the model learns from it. "policy": a policy chose the arm; skip the
others when you evaluate a policy.

| `reason` | meaning | policy | waits |
| --- | --- | --- | --- |
""";

  private static final String VERDICTS =
      """

## Verdicts of the audit

`verdict` of an audit record. `estimate` is the effect of the counterfactual value on the expected reward, and [`lower`, `upper`] its interval.

| `verdict` | condition | meaning |
| --- | --- | --- |
""";

  private static final String GUARANTEES =
      """

## Guarantees

`guarantee` of an audit record says how strong its interval is.

| `guarantee` | meaning |
| --- | --- |
""";

  private static final String ELIMINATIONS =
      """

## Why an experiment eliminated an arm

| reason | meaning |
| --- | --- |
""";

  private static final String ABORTS =
      """

## Why an experiment ended without a result

| `abortReason` | meaning |
| --- | --- |
""";

  /** Run with {@code -Dequipoise.write-docs=true} to write the page instead of comparing it. */
  @Test
  void thePageListsAllReasonsAndVerdicts() throws Exception {
    Docs.assertGenerated("docs/reference/reasons.md", ReasonsPageTest.class, any -> page());
  }

  private static String page() {
    return BEGIN
        + table(
            DecisionReason.values(),
            it -> List.of(it.meaning(), mark(it.isChoice()), mark(it.isLearned())))
        + VERDICTS
        + table(AuditVerdict.values(), it -> List.of(it.condition(), it.meaning()))
        + GUARANTEES
        + table(AuditGuarantee.values(), it -> List.of(it.meaning()))
        + ELIMINATIONS
        + table(EliminationReason.values(), it -> List.of(it.meaning()))
        + ABORTS
        + table(AbortReason.values(), it -> List.of(it.meaning()));
  }

  private static String mark(boolean is) {
    return is ? "yes" : "no";
  }

  private static <E extends Enum<E>> String table(E[] words, Function<E, List<String>> cells) {
    return Stream.of(words)
        .map(word -> "| " + word.name() + " | " + String.join(" | ", cells.apply(word)) + " |\n")
        .collect(Collectors.joining());
  }

  @Test
  void fallbackIsAnArmThatTheSpecNames() {
    assertTrue(DecisionReason.FALLBACK.meaning().contains("an arm that the spec names"));
    assertEquals(
        List.of(DecisionReason.FALLBACK, DecisionReason.UNCERTIFIED),
        Stream.of(DecisionReason.values()).filter(DecisionReason::isWithoutCertificate).toList());
  }
}
