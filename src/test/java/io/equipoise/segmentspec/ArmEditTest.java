package io.equipoise.segmentspec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class ArmEditTest {
  private static final String HEAD =
      """
      name: news # 😀
      version: 1
      segments: default
      seed: 1
      variables:
        gender: {role: sensitive, levels: [m, f]}
        article:
          role: action
          levels: %s
        click: {role: reward}
      graph: "dag { gender -> click; article -> click }"
      %s
      reward: {range: [0, 1]}
      policy: {name: linucb, model: shared, features: [{one-hot: gender}, {one-hot: article}]}
      fairness: {tau: 0.1}
      join: {reward-window: 1m} # the end
      """;

  private static String text(String levels, String arms) {
    return HEAD.formatted(levels, arms);
  }

  private static String added(String text, String arm) {
    return ArmEdit.add(SpecParser.parse(text), null, arm);
  }

  private static String retired(String text, String arm) {
    return ArmEdit.retire(SpecParser.parse(text), null, arm);
  }

  private static List<String> ids(String text) {
    return SpecParser.parse(text).arms().list().stream().map(Arm::id).toList();
  }

  @Test
  void theFallbackIsNamedWhenItsArmIsToGo() {
    String text =
        text("[n1, n2]", "arms: all")
            .replace("reward-window: 1m", "reward-window: 1m, fallback: article=n1");
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> retired(text, "n1"));
    assertEquals(
        "ARM: 'n1' given; article=n1 is join.fallback; change that first", refused.getMessage());
    assertEquals(List.of("article=n1"), ids(retired(text, "n2")));
  }

  @Test
  void aNewArmIsALevelMoreWhereAllLevelsAreArms() {
    String block = "\n      - n1 # first\n      - n2 # last";
    for (String arms : List.of("arms: all", "# arms: all of them")) {
      assertEquals(text("[n1, n2, n3]", arms), added(text("[n1, n2]", arms), "n3"));
      assertEquals(
          text("\n      - n1 # first\n      - n2\n      - \"n 3\" # last", arms),
          added(text(block, arms), "n 3"));
    }
    assertEquals(
        List.of("article=n1", "article=n2", "article=yes"),
        ids(added(text("[n1, n2]", "arms: all"), "yes")));
  }

  @Test
  void aNewArmIsListedInTheStyleOfTheOthers() {
    assertEquals(
        text("[n1, n2, n3]", "arms:\n  - {article: n1}\n  - {article: n2}\n  - {article: n3} # b"),
        added(text("[n1, n2]", "arms:\n  - {article: n1}\n  - {article: n2} # b"), "n3"));
    assertEquals(
        text("[n1, n2, n3]", "arms: [{id: a, article: n1}, {id: n3, article: n3}]"),
        added(text("[n1, n2]", "arms: [{id: a, article: n1}]"), "n3"));
    String lines = "arms:\n  - id: a\n    article: n1\n  - id: b\n    article: n2\n";
    assertEquals(List.of("a", "b", "n3"), ids(added(text("[n1, n2]", lines), "n3")));
    assertEquals(
        text("[n1, n2]", "arms: [{article: n1}, {article: n2}]"),
        added(text("[n1, n2]", "arms: [{article: n1}]"), "n2"),
        "a level that was kept");
  }

  @Test
  void aRetiredArmLeavesTheListAndKeepsItsLevel() {
    String lines =
        """
        arms:
          - id: a # one
            article: n1
          # two
          - {id: b, article: n2}
          - {id: c, article: n3}
        """;
    for (String name : List.of("b", "n2")) {
      assertEquals(
          text("[n1, n2, n3]", lines.replace("  - {id: b, article: n2}\n", "")),
          retired(text("[n1, n2, n3]", lines), name));
    }
    assertEquals(List.of("b", "c"), ids(retired(text("[n1, n2, n3]", lines), "a")));
    assertEquals(List.of("a", "b"), ids(retired(text("[n1, n2, n3]", lines), "c")));
    String flow = "arms: [{article: n1}, {article: n2}]";
    assertEquals(text("[n1, n2]", "arms: [{article: n2}]"), retired(text("[n1, n2]", flow), "n1"));
    assertEquals(text("[n1, n2]", "arms: [{article: n1}]"), retired(text("[n1, n2]", flow), "n2"));
  }

  @Test
  void whereAllLevelsWereArmsTheRestIsListed() {
    assertEquals(
        text("[n1, n2, n3]", "arms: [{article: n1}, {article: n3}]"),
        retired(text("[n1, n2, n3]", "arms: all"), "article=n2"));
    assertEquals(
        List.of("article=n1", "article=n3"), ids(retired(text("[n1, n2, n3]", "# all"), "n2")));
  }

  @Test
  void anAddedArmMayBeNamedByItsIdAsARetiredOne() {
    String all = text("[n1, n2]", "arms: all");
    assertEquals(added(all, "n3"), added(all, "article=n3"));
    assertEquals(
        "ARM: 'article=n1' given, which is an arm already",
        refused(() -> added(all, "article=n1")));
  }

  @Test
  void whatCannotBeEditedIsRefused() {
    String text = text("[n1, n2]", "arms: [{id: a, article: n1}]");
    assertEquals("ARM: 'n1' given, which is an arm already", refused(() -> added(text, "n1")));
    assertEquals("ARM: 'a' given, which is an arm already", refused(() -> added(text, "a")));
    assertTrue(refused(() -> retired(text, "n2")).startsWith("ARM: 'n2' given; "));
    assertEquals(
        "ARM: 'a' given, which leaves spec news without an arm", refused(() -> retired(text, "a")));
    String two = two("[n1, n2]", "arms: all");
    assertEquals(
        "--action: nothing given; spec news has the actions [article, slot], name the one to edit",
        refused(() -> added(two, "n3")));
    assertTrue(
        refused(() -> ArmEdit.add(SpecParser.parse(two), "articel", "n3"))
            .startsWith("--action: 'articel' given; "));
  }

  private static String two(String levels, String arms) {
    return text(levels, arms)
        .replace("  click:", "  slot: {role: action, levels: [top, side]}\n  click:")
        .replace("; article", "; slot -> click; article");
  }

  @Test
  void ofSeveralActionsOneIsNamed() {
    String all = two("[n1, n2]", "arms: all");
    assertEquals(
        two("[n1, n2, n3]", "arms: all"), ArmEdit.add(SpecParser.parse(all), "article", "n3"));
    String retired = ArmEdit.retire(SpecParser.parse(all), "article", "n1");
    assertEquals(
        two("[n1, n2]", "arms: [{article: n2, slot: top}, {article: n2, slot: side}]"), retired);
    assertEquals(
        List.of("article=n1,slot=top", "article=n1,slot=side", "article=n2,slot=side"),
        ids(ArmEdit.retire(SpecParser.parse(all), "slot", "article=n2,slot=top")),
        "one arm by its id");
    String more = ArmEdit.add(SpecParser.parse(retired), "article", "n3");
    assertEquals(
        List.of(
            "article=n2,slot=top",
            "article=n2,slot=side",
            "article=n3,slot=top",
            "article=n3,slot=side"),
        ids(more));
    assertEquals(
        two("[n1, n2, n3]", "arms: [{article: n3, slot: top}, {article: n3, slot: side}]"),
        ArmEdit.retire(SpecParser.parse(more), "article", "n2"));
    String lines =
        two("[n1, n2]", "arms:\n  - {id: a, article: n1, slot: top}\n  - {article: n2, slot: top}");
    assertEquals(
        lines.replace(
            "- {article: n2, slot: top}",
            """
            - {article: n2, slot: top}
              - {article: n1, slot: side}
              - {article: n2, slot: side}"""),
        ArmEdit.add(SpecParser.parse(lines), "slot", "side"),
        "for each article that is an arm");
  }

  private static String refused(Runnable edit) {
    return assertThrows(IllegalArgumentException.class, edit::run).getMessage();
  }
}
