package io.equipoise.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.equipoise.segmentspec.SpecParser;
import java.util.List;
import org.junit.jupiter.api.Test;

class SimilarNamesTest {
  private static final String SPEC =
      """
      name: offers
      version: 1
      segments: default
      variables:
        gender: {role: sensitive, levels: [f, m]}
        income: {role: context, levels: [%s]}
        offer: {role: action, levels: [small, standard, large]}
        accepted: {role: reward}
      graph: "dag { {gender income} -> offer {gender income offer} -> accepted }"
      reward: {range: [0, 1]}
      policy: {name: f-ucb, explore: {share: 0.2, over: all}}
      fairness: {tau: 0.2}
      join: {reward-window: 1d, fallback: offer=standard}
      """;

  private static List<String> warnings(String levels) {
    return SimilarNames.warnings(SpecParser.parse(SPEC.formatted(levels)));
  }

  @Test
  void levelsThatLookAlikeAreNamedWithWhatCannotBeSeen() {
    assertEquals(List.of(), warnings("low, high"));
    String fix =
        ", which differ only in case, Unicode form, invisible characters or outer blanks, and count"
            + " as different; keep one";
    assertEquals(
        List.of("the levels of income contain \"caf\\u00e9\" and \"cafe\\u0301\"" + fix),
        warnings("\"caf\u00e9\", \"cafe\u0301\""));
    assertEquals(
        List.of("the levels of income contain \"low\" and \"Low\"" + fix), warnings("low, Low"));
    assertEquals(
        List.of("the levels of income contain \"low\" and \"low\\u00a0\" and \"lo\\u200bw\"" + fix),
        warnings("low, \"low\u00a0\", \"lo\u200bw\""));
    assertEquals(
        List.of(
            "the levels of income contain \"low \" with a blank at an end, which no CSV file can"
                + " contain; remove it",
            "the levels of income contain \"low\" and \"low \"" + fix),
        warnings("low, \"low \""));
  }
}
