package io.equipoise.policy.law;

import static org.assertj.core.api.Assertions.assertThat;

import io.equipoise.event.AuditVerdict;
import io.equipoise.fairness.AuditFinding;
import io.equipoise.policy.AuditedChoice;
import io.equipoise.policy.ClippedIndex;
import io.equipoise.policy.Experience;
import io.equipoise.policy.LevelMap;
import io.equipoise.policy.MemoryModelState;
import io.equipoise.policy.Policy;
import io.equipoise.policy.Request;
import io.equipoise.policy.Request.Candidate;
import io.equipoise.policy.SeededRandom;
import io.equipoise.policy.features.Profile;
import io.equipoise.segment.TestSpecs;
import io.equipoise.segmentspec.Arm;
import io.equipoise.segmentspec.SpecKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An edit of each key of a running spec: whether its statistics mean the same afterwards. */
class SpecEditTest {
  private static final Set<String> SECTIONS =
      Set.of("variables.NAME", "reward", "reward.default", "fairness", "join");

  private static final String SPEC =
      """
      name: w
      version: 1
      segments: default
      seed: 7
      variables:
        S: {role: sensitive, levels: [v0, v1], missing: reject}
        T: {role: sensitive, levels: [t0, t1], missing: reject}
        X: {role: context, levels: [x0, x1], missing: reject}
        N: {role: context, range: [0, 10], cuts: [5], missing: reject}
        A: {role: action, levels: [a0, a1]}
        R: {role: reward}
      graph: "dag { S -> R; T -> R; X -> R; N -> R; A -> R }"
      arms: all
      reward: {range: [0, 1], bounded: false, scale: 0.05, default: {value: 0}}
      policy: {name: linucb, theta-norm: 2}
      fairness: {tau: 0.1}
      join: {reward-window: 60s, fallback: "A=a0"}
      """;

  /** A key, what the edit replaces by what, and whether the model goes on. */
  private static final String EDITS =
      """
      spec.name                     | name: w\\n              | name: v\\n              | goes on
      spec.version                  | version: 1             | version: 2             | goes on
      spec.segments                 | default\\n              | {exact: [w]}\\n         | goes on
      spec.seed                     | seed: 7                | seed: 8                | goes on
      spec.graph                    | X -> R; N              | X -> R; X -> N; N      | goes on
      spec.arms                     | arms: all              | arms: [{A: a0}]        | goes on
      spec.metrics                  | arms: all              | metrics: {every: 9}    | goes on
      spec.idle-state               | arms: all              | idle-state: {after: 9h} | goes on
      spec.on-incompatible-change   | arms: all              | on-incompatible-change: reset | goes on
      variables.NAME.role           | X: {role: context      | X: {role: sensitive    | starts
      variables.NAME.levels         | [x0, x1]               | [x0, x1, x2]           | goes on
      variables.NAME.missing        | x1], missing: reject   | x1], missing: level    | starts
      variables.NAME.range          | [0, 10]                | [0, 20]                | starts
      variables.NAME.cuts           | [5]                    | [6]                    | starts
      variables.NAME.usual-range    | cuts: [5]              | cuts: [5], usual-range: [0, 5] | starts
      variables.NAME.acts-by        | cuts: [5]              | cuts: [5], acts-by: bin | goes on
      reward.range                  | [0, 1], b              | [0, 2], b              | starts
      reward.bounded                | bounded: false         | bounded: true          | starts
      reward.scale                  | scale: 0.05             | scale: 0.04             | goes on
      reward.default                | , default: {value: 0}  |                        | starts
      reward.default.value          | value: 0               | value: 0.5             | starts
      reward.default.mediators      | value: 0               | value: 0, mediators: {} | goes on
      fairness.tau                  | tau: 0.1               | tau: 0.2               | goes on
      fairness.delta                | tau: 0.1               | tau: 0.1, delta: 0.01  | goes on
      fairness.confidence           | tau: 0.1               | tau: 0.1, confidence: sub-gaussian | goes on
      fairness.scale                | tau: 0.1               | tau: 0.1, scale: 0.04   | goes on
      fairness.intersections        | tau: 0.1               | tau: 0.1, intersections: true | goes on
      fairness.refutation-delta     | tau: 0.1               | tau: 0.1, refutation-delta: 0.1 | goes on
      fairness.on-refuted-assumption | tau: 0.1              | tau: 0.1, on-refuted-assumption: ignore | goes on
      fairness.certificates         | tau: 0.1               | tau: 0.1, certificates: {sticky: false} | goes on
      join.reward-window            | window: 60s            | window: 90s            | starts
      join.early-reward-timeout     | window: 60s            | window: 60s, early-reward-timeout: 9s | starts
      join.dedup-window             | window: 60s            | window: 60s, dedup-window: 9s | goes on
      join.aggregate                | window: 60s            | window: 60s, aggregate: sum | starts
      join.learn                    | window: 60s            | window: 60s, delay: independent-of-outcome, learn: on-arrival | starts
      join.delay                    | window: 60s            | window: 60s, delay: independent-of-outcome, learn: on-window-close | goes on
      join.max-pending              | window: 60s            | window: 60s, max-pending: 9 | goes on
      join.shown                    | window: 60s            | window: 60s, shown: confirmed | starts
      join.fallback                 | A=a0                   | A=a1                   | goes on
      policy.features               | theta-norm: 2          | theta-norm: 2, features: [intercept, one-hot: S, one-hot: T, one-hot: X] | starts
      policy.model                  | theta-norm: 2          | theta-norm: 2, model: shared | starts
      policy.ridge                  | theta-norm: 2          | theta-norm: 2, ridge: 2 | starts
      policy.theta-norm             | theta-norm: 2          | theta-norm: 3          | goes on
      policy.alpha                  | theta-norm: 2          | theta-norm: 2, alpha: 2 | goes on
      policy.forget                 | theta-norm: 2          | theta-norm: 2, forget: {rounds: 9} | starts
      policy.constraint             | theta-norm: 2          | theta-norm: 2, constraint: hard | goes on
      policy.explore                | theta-norm: 2          | theta-norm: 2, explore: {share: 0.1, over: all} | goes on
      """;

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = EDITS)
  void anEditOfAKeyContinuesTheModelOrStartsOne(
      String key, String before, String after, String expected) {
    String replaced = before.replace("\\n", "\n");
    String by = after == null ? "" : after.replace("\\n", "\n");
    assertThat(SPEC).as(key).contains(replaced);
    Policy running = TestSpecs.compiled(SPEC).policy();
    Policy edited = TestSpecs.compiled(SPEC.replace(replaced, by)).policy();
    boolean isSame = edited.fingerprint().equals(running.fingerprint());
    boolean continues = isSame || edited.extensionOf(running) != null;
    assertThat(continues ? "goes on" : "starts").isEqualTo(expected);
  }

  /** Rewards of the same world before and after an edit that lets the model go on. */
  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = EDITS)
  void noCertificateIsFalseBeforeOrAfterAnEdit(
      String key, String before, String after, String expected) {
    String by = after == null ? "" : after.replace("\\n", "\n");
    Policy running = TestSpecs.compiled(SPEC).policy();
    Policy edited = TestSpecs.compiled(SPEC.replace(before.replace("\\n", "\n"), by)).policy();
    MemoryModelState state = new MemoryModelState();
    SplittableRandom random = new SplittableRandom(key.hashCode());
    int certified = play(running, state, random, 0, 1200);
    if (expected.equals("goes on")) {
      LevelMap levels = edited.extensionOf(running);
      if (levels != null && !edited.fingerprint().equals(running.fingerprint())) {
        edited.extend(running, levels, state);
      }
      edited.succeed(running, state);
      certified += play(edited, state, random, 1200, 600);
    }
    assertThat(certified).as("certificates").isPositive();
  }

  /** Plays people whose S has an effect of .25 and whose T has none; returns the certificates. */
  private static int play(
      Policy policy, MemoryModelState state, SplittableRandom random, int from, int rounds) {
    List<Candidate> arms = new ArrayList<>();
    for (Arm arm : policy.spec().arms().list()) {
      arms.add(new Candidate(arm.id(), arms.size(), Profile.ofArm(arm)));
    }
    int certified = 0;
    for (int round = from + 1; round <= from + rounds; round++) {
      double number = 10 * random.nextDouble();
      int[] levels = {random.nextInt(2), random.nextInt(2), random.nextInt(2), number < 5 ? 0 : 1};
      Profile person = new Profile(levels, new double[] {number});
      Request request = new Request(person, arms, true, arms.size());
      SeededRandom draw = new SeededRandom(7, "s", "d" + round);
      AuditedChoice decided = policy.decide(state, request, round, draw, ClippedIndex.NONE);
      for (AuditFinding finding : decided.findings()) {
        int attribute = finding.effect().attribute();
        double sign = finding.effect().factual() == 0 ? 1 : -1;
        double truth = attribute == 0 ? .25 * sign : attribute == 2 ? .05 * sign : 0;
        boolean isCertified = finding.verdict() == AuditVerdict.CERTIFIED_FAIR;
        certified += isCertified ? 1 : 0;
        if (attribute < levels.length) {
          assertThat(isCertified && Math.abs(truth) > finding.tau())
              .as(finding.toString())
              .isFalse();
        }
      }
      int arm = decided.choice().arm();
      double mean = .2 + .25 * levels[0] + .05 * levels[2] + .02 * number + .05 * arm;
      double reward = mean + .02 * (random.nextDouble() - .5);
      double[] inputs = policy.inputs(request, arm);
      policy.learn(state, new Experience(levels, inputs, arm, arm, new int[0], reward), round);
    }
    return certified;
  }

  /** An odds ratio is of logistic policies, whose tests edit it. */
  @Test
  void everyKeyThatSaysWhatARewardOrAVariableIsHasAnEdit() {
    // The graph does not identify a split; LiveSplitTest has it change nothing but metrics.
    Set<String> edited = new TreeSet<>(Set.of("fairness.odds-ratio", "fairness.split"));
    EDITS.lines().forEach(line -> edited.add(line.split(" ", 2)[0]));
    Stream<String> keys =
        SpecKeys.core().sections().stream()
            .filter(section -> SECTIONS.contains(section.section()))
            .flatMap(of -> of.rows().keySet().stream().map(key -> of.section() + "." + key));
    assertThat(edited).containsAll(keys.toList());
  }
}
