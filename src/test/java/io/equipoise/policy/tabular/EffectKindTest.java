package io.equipoise.policy.tabular;

import static io.equipoise.event.AuditEffectKind.DIRECT;
import static io.equipoise.event.AuditEffectKind.INDIRECT;
import static io.equipoise.event.AuditEffectKind.TOTAL;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.equipoise.Tier;
import io.equipoise.event.AuditEffectKind;
import io.equipoise.event.AuditVerdict;
import io.equipoise.fairness.AuditFinding;
import io.equipoise.fairness.EffectFinding;
import io.equipoise.fairness.EffectIdentification;
import io.equipoise.policy.AuditedChoice;
import io.equipoise.policy.MemoryModelState;
import io.equipoise.policy.ModelState;
import io.equipoise.policy.SeededRandom;
import io.equipoise.policy.TestSpec;
import io.equipoise.segmentspec.SpecException;
import java.io.InputStream;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Total, direct and indirect effects of one decision over cells. */
class EffectKindTest {
  /** The share of delta that the first version of a spec has. */
  private static final double OF_FIRST_VERSION = 0.8;

  private static final String PARENTS = "name: f-ucb, separating-set: parents";
  private static final String KINDS = "tau: {total: 0.3, direct: 0.2, indirect: 0.1}, delta: ";

  private static TestSpec spec(String fairness) {
    return TestSpec.spec()
        .variable("S", "sensitive", 2, ", missing: reject")
        .variable("A", "action", 3)
        .variable("M", "mediator", 2)
        .graph("S -> M S -> R M -> R A -> R")
        .cpt("M", "S", "['0',.7,.3],['1',.3,.7]")
        .reward("range: [0, 1]")
        .policy(PARENTS)
        .fairness(fairness);
  }

  private static Map<AuditEffectKind, EffectFinding> effects(List<AuditFinding> findings) {
    Map<AuditEffectKind, EffectFinding> effects = new EnumMap<>(AuditEffectKind.class);
    findings.forEach(it -> effects.put(it.effect().kind(), it.effect()));
    return effects;
  }

  private static String rows(JsonNode golden) {
    StringBuilder rows = new StringBuilder();
    for (String world : List.of("pHere", "pThere")) {
      rows.append(rows.isEmpty() ? "" : ",").append("['").append(world.equals("pHere") ? 0 : 1);
      rows.append('\'');
      golden.get(world).forEach(p -> rows.append(',').append(p.asDouble()));
      rows.append(']');
    }
    return rows.toString();
  }

  @Test
  void estimatesAndEndsAreTheGoldenOnes() throws Exception {
    JsonNode cases;
    try (InputStream in = EffectKindTest.class.getResourceAsStream("/split/cells.json")) {
      cases = new ObjectMapper().readTree(in).get("cases");
    }
    for (JsonNode golden : cases) {
      boolean isInW = golden.get("attributeInW").asBoolean();
      int levels = golden.get("pHere").size();
      double sets = isInW ? 3 : 1;
      TabularPolicy policy =
          TestSpec.spec()
              .variable("S", "sensitive", 2, ", missing: reject")
              .variable("A", "action", 2)
              .variable("M", "mediator", levels)
              .graph("S -> M M -> R A -> R" + (isInW ? " S -> R" : ""))
              .cpt("M", "S", rows(golden))
              .arms("[{id: a, A: '0'}]")
              .reward("range: [0, 1]")
              .policy(PARENTS)
              .fairness(KINDS + golden.get("alpha").asDouble() * sets / OF_FIRST_VERSION)
              .compile();
      assertEquals(sets, policy.sets());
      ModelState state = new MemoryModelState();
      for (int cell = 0; cell < golden.get("n").size(); cell++) {
        int n = golden.get("n").get(cell).asInt();
        for (int i = 0; i < n; i++) {
          double reward = i < golden.get("sum").get(cell).asInt() ? 1 : 0;
          policy.learn(state, new int[] {cell / levels}, 0, new int[] {cell % levels}, reward);
        }
      }
      var found = effects(policy.audit(state, new int[] {0}, 0, 1));
      assertEquals(isInW ? 3 : 2, found.size(), "a direct effect that is 0 has no row");
      for (EffectFinding effect : found.values()) {
        JsonNode wanted = golden.get("effects").get(effect.kind().name());
        assertEquals(wanted.get("estimate").asDouble(), effect.estimate(), 1e-9);
        assertEquals(wanted.get("joint").get(0).asDouble(), effect.lower(), 5e-9);
        assertEquals(wanted.get("joint").get(1).asDouble(), effect.upper(), 5e-9);
      }
      double direct = isInW ? found.get(DIRECT).estimate() : 0;
      assertEquals(found.get(TOTAL).estimate(), direct + found.get(INDIRECT).estimate(), 1e-12);
    }
  }

  @Test
  void aMappingOfTheTotalEffectAloneIsTheNumber() {
    TabularPolicy number = spec("tau: 0.3, delta: 0.05").compile();
    TabularPolicy mapping = spec("tau: {total: 0.3}, delta: 0.05").compile();
    assertEquals(number.fingerprint(), mapping.fingerprint());
    ModelState state = new MemoryModelState();
    SplittableRandom random = new SplittableRandom(3);
    for (int t = 1; t <= 200; t++) {
      int[] person = {random.nextInt(2)};
      SeededRandom draw = new SeededRandom(1, "s", "d" + t);
      AuditedChoice one = number.chooseAndAudit(state, person, t, draw);
      assertEquals(one.toString(), mapping.chooseAndAudit(state, person, t, draw).toString());
      number.learn(state, person, one.choice().arm(), new int[] {t % 2}, random.nextDouble());
    }
  }

  @Test
  void ofTheSameEffectTheLeastLimitDecides() {
    for (String kinds : List.of("{total: 0.3, indirect: 0.1}", "{total: 0.1, indirect: 0.3}")) {
      String graph = "S -> M M -> R A -> R";
      TabularPolicy number = spec("tau: 0.1, delta: 0.05").graph(graph).compile();
      TabularPolicy mapping = spec("tau: " + kinds + ", delta: 0.05").graph(graph).compile();
      ModelState state = new MemoryModelState();
      SplittableRandom random = new SplittableRandom(7);
      int certified = 0;
      for (int t = 1; t <= 3000; t++) {
        int[] person = {random.nextInt(2)};
        SeededRandom draw = new SeededRandom(1, "s", "d" + t);
        AuditedChoice one = number.chooseAndAudit(state, person, t, draw);
        AuditedChoice other = mapping.chooseAndAudit(state, person, t, draw);
        assertEquals(one.choice().arm(), other.choice().arm());
        assertEquals(one.choice().certified(), other.choice().certified());
        Map<AuditEffectKind, EffectFinding> found = effects(other.findings());
        assertEquals(found.get(TOTAL).upper(), found.get(INDIRECT).upper());
        certified += one.choice().certified() ? 1 : 0;
        int arm = one.choice().arm();
        int mediator = random.nextDouble() < (person[0] == 0 ? .3 : .7) ? 1 : 0;
        double reward = random.nextDouble() < .3 + .1 * arm * mediator ? 1 : 0;
        number.learn(state, person, arm, new int[] {mediator}, reward);
      }
      assertTrue(certified > 100 && certified < 3000, certified + " certified");
    }
  }

  @Test
  void aPersonsOwnFollowersStayInTheDirectEffect() {
    TestSpec spec =
        TestSpec.spec()
            .variable("S", "sensitive", 2, ", missing: reject")
            .variable("B", "context", 3)
            .variable("A", "action", 2)
            .graph("S -> B S -> R B -> R A -> R")
            .reward("range: [0, 1]")
            .fairness("tau: {total: 0.2, direct: 0.1}, delta: 0.05");
    TabularPolicy policy = spec.compile();
    ModelState state = new MemoryModelState();
    for (int i = 0; i < 100; i++) {
      policy.learn(state, new int[] {0, 1}, 0, new int[0], 0.25);
      policy.learn(state, new int[] {1, 1}, 0, new int[0], 0.75);
      policy.learn(state, new int[] {1, 2}, 0, new int[0], 0);
    }
    var effects = effects(policy.audit(state, new int[] {0, 1}, 0, 1));
    assertEquals(EffectIdentification.BOUNDED, effects.get(TOTAL).identification());
    assertEquals(EffectIdentification.IDENTIFIED, effects.get(DIRECT).identification());
    assertEquals(0.5, effects.get(DIRECT).estimate(), 1e-12);
    spec.fairness("tau: {direct: 0.1}, delta: 0.05");
    assertEquals(3 * 2, spec.compile().sets(), "pairs of S for each B and arm");
    spec.fairness("tau: {indirect: 0.1}, delta: 0.05");
    String faults = assertThrows(SpecException.class, spec::compile).getMessage();
    assertTrue(faults.contains("fairness.tau.indirect: [B] follow S given"), faults);
  }

  @Test
  void kindsThatTheGraphSaysAreZeroHaveNoRow() {
    TestSpec one =
        TestSpec.spec()
            .variable("S", "sensitive", 2, ", missing: reject")
            .variable("A", "action", 2)
            .graph("S -> R A -> R")
            .reward("range: [0, 1]")
            .fairness("tau: {direct: 0.1, indirect: 0.1}, delta: 0.05");
    var effects = effects(one.compile().audit(new MemoryModelState(), new int[] {0}, 0, 1));
    assertEquals(List.of(DIRECT), List.copyOf(effects.keySet()));
    one.fairness("tau: {indirect: 0.1}, delta: 0.05");
    String faults = assertThrows(SpecException.class, one::compile).getMessage();
    assertTrue(faults.contains("kinds of effects that the graph says are 0"), faults);
  }

  @Test
  void aMediatorWithAHiddenCauseInCommonWithTheRewardIsRefusedForTheDirectEffectOnly() {
    TestSpec spec = spec("tau: 0.3, delta: 0.05").graph("S -> M S -> R M -> R A -> R M <-> R");
    spec.compile();
    spec.fairness("tau: {direct: 0.3}, delta: 0.05");
    String faults = assertThrows(SpecException.class, spec::compile).getMessage();
    assertTrue(faults.contains("NOT_IDENTIFIED"), faults);
  }

  @Test
  void aGraphThatIdentifiesNoKindHasOneFault() {
    TestSpec spec = spec("tau: {total: 0.3, direct: 0.3, indirect: 0.3}, delta: 0.05");
    spec.graph("S -> M S -> R M -> R A -> R S <-> R");
    String faults = assertThrows(SpecException.class, spec::compile).getMessage();
    assertEquals(1, faults.lines().filter(it -> it.contains("NOT_IDENTIFIED")).count(), faults);
  }

  /**
   * The cheapest cells here are those of S and A: over them the direct effect would be the total.
   */
  @Test
  void cellsThatLackAMediatorOfTheAttributeAreRefused() {
    TestSpec spec = spec("tau: {direct: 0.1}, delta: 0.05").policy("name: f-ucb");
    String faults = assertThrows(SpecException.class, spec::compile).getMessage();
    assertTrue(faults.contains("which lacks M given; policy.separating-set: parents"), faults);
    String why = " with M. Effects by way of M would else count as direct";
    assertTrue(faults.endsWith(" or a list" + why), faults);
    faults = assertThrows(SpecException.class, spec.policy("name: ucb")::compile).getMessage();
    assertTrue(faults.endsWith("; policy: d-ucb or f-ucb, over cells" + why), faults);
  }

  @Test
  void anEffectWithoutOverlapOverCellsIsDecidedByTheRange() {
    TabularPolicy policy = spec("tau: {direct: 1}, delta: 0.05").compile();
    AuditFinding finding = policy.audit(new MemoryModelState(), new int[] {0}, 0, 1).get(0);
    assertEquals(1, finding.effect().unsupportedShare());
    assertEquals(AuditVerdict.CERTIFIED_FAIR, finding.verdict());
  }

  @Test
  void unitsKeepTheSideOfTheLimit() {
    KindLimit limit = new KindLimit(DIRECT, 0.1, 0.3);
    assertEquals(0.15, limit.scaled(0.05), 1e-15);
    for (double size = Math.nextDown(0.1); size <= Math.nextUp(0.1); size = Math.nextUp(size)) {
      assertEquals(size <= 0.1, limit.scaled(size) <= 0.3);
    }
    KindLimit only = new KindLimit(TOTAL, 0.1, 0.1);
    for (double size : new double[] {0, 0.07, 0.1, Math.nextUp(0.1), 0.9}) {
      assertEquals(size, only.scaled(size));
    }
  }

  /** Arm 0 pays most; its direct effect of .2 and its indirect effect of -.2 cancel. */
  private static double mean(int level, int arm, int z) {
    return arm == 0
        ? 0.5 + 0.2 * (level - 0.5) - 0.5 * (z - 0.5)
        : 0.3 + (arm == 2 ? 0.3 * (z - 0.5) : 0);
  }

  /** Returns the certified decisions and those among them with a direct effect of .2. */
  private static int[] play(TabularPolicy policy, int seed, int decisions) {
    ModelState state = new MemoryModelState();
    SplittableRandom random = new SplittableRandom(seed);
    int[] count = new int[2];
    for (int t = 1; t <= decisions; t++) {
      int level = random.nextInt(2);
      SeededRandom draw = new SeededRandom(seed, "cancel", "d" + t);
      AuditedChoice audited = policy.chooseAndAudit(state, new int[] {level}, t, draw);
      int arm = audited.choice().arm();
      int z = random.nextDouble() < 0.3 + 0.4 * level ? 1 : 0;
      if (audited.findings().stream().allMatch(it -> it.verdict() == AuditVerdict.CERTIFIED_FAIR)) {
        count[0]++;
        count[1] += arm == 0 ? 1 : 0;
      }
      double reward = random.nextDouble() < mean(level, arm, z) ? 1 : 0;
      policy.learn(state, new int[] {level}, arm, new int[] {z}, reward);
    }
    return count;
  }

  @Test
  void aNumberCertifiesDecisionsWhoseDirectEffectIsTwiceTheLimitAndAMappingNone() {
    int runs = Tier.count(1, 40);
    int decisions = Tier.count(9_000, 20_000);
    String policy = PARENTS + ", explore: {share: 0.2, over: all}";
    int[] total = new int[2];
    int[] kinds = new int[2];
    for (int seed = 0; seed < runs; seed++) {
      int[] one = play(spec("tau: 0.1, delta: 0.05").policy(policy).compile(), seed, decisions);
      int[] two =
          play(
              spec("tau: {direct: 0.1, indirect: 0.25}, delta: 0.05").policy(policy).compile(),
              seed,
              decisions);
      for (int i = 0; i < 2; i++) {
        total[i] += one[i];
        kinds[i] += two[i];
      }
    }
    Tier.foundShare(getClass(), "cancelling world, number: beyond the limit", total[1], total[0]);
    Tier.foundShare(
        getClass(), "cancelling world, mapping: beyond the limit", kinds[1], Math.max(1, kinds[0]));
    assertTrue(total[1] > 0.9 * total[0] && total[0] > 0, total[1] + " of " + total[0]);
    assertEquals(0, kinds[1], "of " + kinds[0]);
  }

  @Test
  void certifyFirstKeepsAnArmOpenUntilAllKindsAreDecided() {
    String fairness = "tau: {direct: 0.5, indirect: 0.05}, delta: 0.05";
    TabularPolicy policy = spec(fairness).policy(PARENTS + ", explore: certify").compile();
    ModelState state = new MemoryModelState();
    SplittableRandom random = new SplittableRandom(5);
    for (int t = 1; t <= 3_000; t++) {
      int[] person = {random.nextInt(2)};
      SeededRandom draw = new SeededRandom(5, "certify", "d" + t);
      AuditedChoice audited = policy.chooseAndAudit(state, person, t, draw);
      boolean isFair = AuditFinding.gravest(audited.findings()) == AuditVerdict.CERTIFIED_FAIR;
      assertEquals(isFair, audited.choice().certified());
      policy.learn(state, person, audited.choice().arm(), new int[] {random.nextInt(2)}, t % 2);
    }
    assertFalse(state.get(CellRound.EARNING) == null, "certify-first keeps its targets");
  }
}
