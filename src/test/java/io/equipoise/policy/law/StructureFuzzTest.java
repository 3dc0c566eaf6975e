package io.equipoise.policy.law;

import static org.assertj.core.api.Assertions.assertThat;

import io.equipoise.Tier;
import io.equipoise.event.AuditGuarantee;
import io.equipoise.event.AuditVerdict;
import io.equipoise.fairness.AuditFinding;
import io.equipoise.policy.AuditedChoice;
import io.equipoise.policy.ClippedIndex;
import io.equipoise.policy.Experience;
import io.equipoise.policy.MemoryModelState;
import io.equipoise.policy.Policy;
import io.equipoise.policy.Request;
import io.equipoise.policy.Request.Candidate;
import io.equipoise.policy.SeededRandom;
import io.equipoise.policy.features.Profile;
import io.equipoise.segment.TestSpecs;
import io.equipoise.segmentspec.SpecException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Random graphs, random features and random coarsenings: whatever `check` takes, no certificate may
 * be false. The truth comes from enumeration. The means are functions of the kind that the model
 * assumes, so that only the structure of a spec can make a certificate false.
 */
@Tag("slow")
@SuppressWarnings("EnumOrdinal") // a seed for each kind
class StructureFuzzTest {
  private static final int WORLDS = Tier.count(150, 10_000);
  private static final int ROUNDS = 1500;
  private static final double DELTA = .05;

  /** The share of worlds with a false certificate, far below delta. */
  private static final double MOST_MISSED = .002;

  /** A policy with the effect that its cells or regression bounds. */
  enum Kind {
    CELLS("f-ucb", true),
    SHARED("linucb, model: shared", false),
    DISJOINT("linucb", false),
    OAM("oam, horizon: 400", false),
    LOGISTIC("glm-ucb", false),
    PAIRS("glm-ucb", false);

    private final String policy;
    private final boolean isTotal;

    Kind(String policy, boolean isTotal) {
      this.policy = policy;
      this.isTotal = isTotal;
    }

    boolean isLogistic() {
      return this == LOGISTIC || this == PAIRS;
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void noAcceptedSpecCertifiesWhatIsNotFair(Kind kind) {
    int worlds = WORLDS / Kind.values().length;
    int refused = 0;
    int certified = 0;
    int falseRuns = 0;
    int missedRuns = 0;
    List<String> examples = new ArrayList<>();
    for (int seed = 1; seed <= worlds; seed++) {
      World world = new World(kind, new SplittableRandom(seed * 977L + kind.ordinal()));
      String text = world.text();
      Policy policy;
      try {
        policy = TestSpecs.compiled(text).policy();
      } catch (SpecException e) {
        refused++;
        continue;
      }
      Outcome outcome = play(world, policy);
      certified += outcome.certified;
      falseRuns += outcome.isFalse ? 1 : 0;
      missedRuns += outcome.isMissed ? 1 : 0;
      if (outcome.isFalse || outcome.isMissed) {
        examples.add("seed " + seed + " of " + kind + ": " + outcome.example + "\n" + text);
      }
    }
    int played = worlds - refused;
    Tier.found(StructureFuzzTest.class, kind + " worlds refused", refused + " of " + worlds);
    Tier.found(StructureFuzzTest.class, kind + " certificates", certified);
    Tier.foundShare(StructureFuzzTest.class, kind + " false certificate", falseRuns, played);
    Tier.foundShare(StructureFuzzTest.class, kind + " missed interval", missedRuns, played);
    assertThat(played).isPositive();
    boolean certifiesInTime = kind != Kind.OAM; // its ellipsoid needs more rounds
    assertThat(certified > 0).as("certificates of %s", kind).isEqualTo(certifiesInTime);
    String found = String.join("\n", examples);
    assertThat((double) falseRuns / played).as(found).isLessThanOrEqualTo(MOST_MISSED);
    assertThat((double) missedRuns / played).as(found).isLessThanOrEqualTo(MOST_MISSED);
  }

  private static final class Outcome {
    private int certified;
    private boolean isFalse;
    private boolean isMissed;
    private String example = "";
  }

  private static Outcome play(World world, Policy policy) {
    Outcome outcome = new Outcome();
    MemoryModelState state = new MemoryModelState();
    List<Candidate> arms =
        List.of(new Candidate("A=a0", 0, Profile.of(0)), new Candidate("A=a1", 1, Profile.of(1)));
    for (int round = 1; round <= ROUNDS; round++) {
      int[] hidden = world.hidden();
      int[] person = world.person(hidden);
      Request request = new Request(world.profile(person), arms, true, 2);
      SeededRandom draw = new SeededRandom(1, "s", "d" + round);
      AuditedChoice decided = policy.decide(state, request, round, draw, ClippedIndex.NONE);
      int arm = decided.choice().arm();
      for (AuditFinding finding : decided.findings()) {
        if (finding.effect().attribute() != world.sensitive) {
          continue;
        }
        double truth = world.effect(person, finding.effect().counterfactual(), arm);
        boolean isCertified = finding.verdict() == AuditVerdict.CERTIFIED_FAIR;
        outcome.certified += isCertified ? 1 : 0;
        boolean isOfProof = finding.guarantee() == AuditGuarantee.ANYTIME;
        boolean isFalse = isCertified && Math.abs(truth) > finding.tau() + 1e-9;
        boolean isMissed =
            isOfProof
                && (truth < finding.effect().lower() - 1e-9
                    || truth > finding.effect().upper() + 1e-9);
        if ((isFalse && (isOfProof || world.kind.isLogistic())) || isMissed) {
          outcome.isFalse |= isFalse;
          outcome.isMissed |= isMissed;
          outcome.example =
              String.format(Locale.ROOT, "round %d, true effect %.3f, %s", round, truth, finding);
        }
      }
      int[] mediators = world.mediators(person, arm);
      double reward = world.reward(person, arm, mediators, hidden);
      Experience experience =
          new Experience(
              request.person().levels(),
              policy.inputs(request, arm),
              arm,
              new int[] {arm},
              arm,
              world.levels(mediators),
              reward);
      policy.learn(state, experience, round);
    }
    return outcome;
  }

  /** A variable with finitely many values, of which a bin or level may hold several. */
  private static final class Node {
    private final String name;
    private final boolean isNumber;
    private final int atoms;
    private final List<Integer> parents = new ArrayList<>();
    private final List<Integer> latents = new ArrayList<>();
    private double[][] table = new double[0][];
    private double[] slope = new double[0];
    private boolean actsByBin;
    private boolean isSensitive;

    Node(String name, boolean isNumber, int atoms) {
      this.name = name;
      this.isNumber = isNumber;
      this.atoms = atoms;
    }

    /** Two bins: the last atom alone, or the last two. */
    int level(int atom) {
      return isNumber ? (atom >= 2 ? 1 : 0) : atom;
    }

    double value(int atom) {
      return (atom + .5) / atoms;
    }
  }

  /**
   * A structural model of people, a mediator and the reward, and a spec that may see it in part.
   */
  private static final class World {
    private static final int LATENT_LEVELS = 2;

    private final Kind kind;
    private final SplittableRandom random;
    private final List<Node> people = new ArrayList<>();
    private final Node mediator;
    private final boolean hasMediator;
    private final List<int[]> latents = new ArrayList<>();
    private final double[] ofLatent = new double[2];
    private final double ofArm;
    private final int sensitive;
    private final double scale;
    private final String spec;

    World(Kind kind, SplittableRandom random) {
      this.kind = kind;
      this.random = random;
      int others = kind == Kind.CELLS ? 1 : 1 + random.nextInt(2);
      sensitive = random.nextInt(others + 1);
      scale = new double[] {1, 1, 10, 40}[random.nextInt(4)];
      for (int place = 0; place <= others; place++) {
        boolean isNumber = place != sensitive && random.nextInt(3) == 0;
        int atoms = isNumber ? 4 : 2 + random.nextInt(2);
        Node node = new Node(place == sensitive ? "S" : "X" + place, isNumber, atoms);
        for (int cause = 0; cause < place; cause++) {
          if (random.nextInt(5) < 3) {
            node.parents.add(cause);
          }
        }
        people.add(node);
      }
      int hidden = random.nextInt(4) == 0 ? 1 : 0;
      for (int u = 0; u < hidden; u++) {
        int one = random.nextInt(people.size());
        int other = random.nextInt(people.size() + 1);
        if (one != other) {
          latents.add(new int[] {one, other});
          people.get(one).latents.add(latents.size() - 1);
          if (other < people.size()) {
            people.get(other).latents.add(latents.size() - 1);
          }
        }
      }
      mediator = new Node("M", random.nextInt(3) == 0, 4);
      hasMediator = kind == Kind.CELLS && random.nextBoolean();
      if (hasMediator) {
        mediator.parents.add(sensitive);
      }
      people.forEach(node -> node.table = table(node, 1));
      mediator.table = table(mediator, 2);
      double share = kind.isLogistic() ? 3.2 : .45;
      double rest = kind.isLogistic() ? 3.2 : .5 / (people.size() + 1);
      for (Node node : people) {
        boolean acts = node == people.get(sensitive) || random.nextInt(4) > 0;
        node.actsByBin = node.isNumber && random.nextInt(3) == 0;
        boolean isLarge = node == people.get(sensitive);
        node.slope = acts ? slope(node, isLarge ? share : rest) : new double[node.atoms];
      }
      mediator.actsByBin = mediator.isNumber && random.nextBoolean();
      mediator.slope = hasMediator ? slope(mediator, rest) : new double[4];
      ofArm = rest * (random.nextDouble() - .5);
      for (int u = 0; u < latents.size(); u++) {
        ofLatent[u] = latents.get(u)[1] == people.size() ? rest : 0;
      }
      spec = write();
    }

    private double[][] table(Node node, int arms) {
      int rows = arms;
      for (int parent : node.parents) {
        rows *= people.get(parent).atoms;
      }
      rows *= (int) Math.pow(LATENT_LEVELS, node.latents.size());
      double[][] table = new double[rows][node.atoms];
      for (double[] row : table) {
        double sum = 0;
        for (int atom = 0; atom < row.length; atom++) {
          row[atom] = .02 + Math.pow(random.nextDouble(), 6);
          sum += row[atom];
        }
        for (int atom = 0; atom < row.length; atom++) {
          row[atom] /= sum;
        }
      }
      return table;
    }

    /** Numbers act linearly, or by their bins. */
    private double[] slope(Node node, double share) {
      double[] slope = new double[node.atoms];
      double line = (random.nextBoolean() ? 1 : -1) * share;
      for (int atom = 0; atom < node.atoms; atom++) {
        double level = node.actsByBin ? node.level(atom) : node.value(atom);
        slope[atom] = node.isNumber ? line * (level - .5) : share * (random.nextDouble() - .5);
      }
      return slope;
    }

    private String write() {
      StringBuilder variables = new StringBuilder();
      StringBuilder graph = new StringBuilder("A -> R; S -> A");
      boolean statesRange = random.nextInt(3) > 0;
      for (int place = 0; place < people.size(); place++) {
        Node node = people.get(place);
        node.isSensitive = place == sensitive || random.nextInt(4) == 0;
        variables.append("  ").append(node.name).append(": {role: ");
        variables.append(node.isSensitive ? "sensitive" : "context").append(", missing: reject, ");
        variables.append(domain(node, statesRange)).append("}\n");
        for (int parent : node.parents) {
          graph.append("; ").append(people.get(parent).name).append(" -> ").append(node.name);
        }
        if (place == sensitive || acts(node)) {
          graph.append("; ").append(node.name).append(" -> R");
        }
      }
      for (int[] latent : latents) {
        String other = latent[1] == people.size() ? "R" : people.get(latent[1]).name;
        graph.append("; ").append(people.get(latent[0]).name).append(" <-> ").append(other);
      }
      String tables = "";
      if (hasMediator) {
        variables.append("  M: {role: mediator, ").append(domain(mediator, false)).append("}\n");
        graph.append("; S -> M; A -> M; M -> R");
        tables = mediatorTable();
      }
      double tau = kind.isLogistic() ? .3 : kind == Kind.CELLS ? .25 : .2;
      String certificates = kind == Kind.PAIRS ? ", certificates: {interval: pairs}" : "";
      return """
             name: w
             version: 1
             segments: default
             variables:
             %s  A: {role: action, levels: [a0, a1]}
               R: {role: reward}
             graph: "dag { %s }"
             arms: all
             %sreward: {range: [0, 1]}
             policy: {name: %s%s%s, explore: {share: 0.6, over: all}}
             fairness: {tau: %s, delta: %s%s}
             join: {reward-window: 60s, fallback: "A=a0"}
             """
          .formatted(
              variables,
              graph,
              tables,
              kind.policy,
              kind == Kind.CELLS ? "" : features(),
              hasConstraint() ? ", constraint: hard" : "",
              tau,
              DELTA,
              certificates);
    }

    private boolean hasConstraint() {
      return (kind == Kind.SHARED || kind == Kind.DISJOINT) && random.nextBoolean();
    }

    private static boolean acts(Node node) {
      for (double slope : node.slope) {
        if (slope != 0) {
          return true;
        }
      }
      return false;
    }

    private String domain(Node node, boolean statesRange) {
      if (!node.isNumber) {
        StringBuilder levels = new StringBuilder("levels: [");
        for (int atom = 0; atom < node.atoms; atom++) {
          levels.append(atom == 0 ? "" : ", ").append("v").append(atom);
        }
        return levels.append("]").toString();
      }
      String usual = statesRange ? ", usual-range: [0, 1]" : "";
      String bin = node.actsByBin ? ", acts-by: bin" : "";
      return "range: [0, %s], cuts: [0.5]%s%s".formatted(scale, usual, bin);
    }

    private String mediatorTable() {
      StringBuilder rows = new StringBuilder();
      Node s = people.get(sensitive);
      for (int level = 0; level < s.atoms; level++) {
        for (int arm = 0; arm < 2; arm++) {
          double[] row = mediator.table[level * 2 + arm];
          rows.append(rows.isEmpty() ? "" : ", ");
          rows.append("[v").append(level).append(", a").append(arm);
          double low = row[0] + row[1];
          for (double p : mediator.isNumber ? new double[] {low, 1 - low} : row) {
            rows.append(", ").append(p);
          }
          rows.append("]");
        }
      }
      return "distributions:\n  cpts:\n    M: {given: [S, A], rows: [" + rows + "]}\n";
    }

    private String features() {
      StringBuilder features = new StringBuilder(", features: [intercept");
      for (int place = 0; place < people.size(); place++) {
        Node node = people.get(place);
        String name = node.name;
        int way = random.nextInt(10);
        if (way < 6) {
          boolean isLine =
              node.isNumber && !node.actsByBin && !node.isSensitive && random.nextInt(3) > 0;
          boolean takesNumbers = kind != Kind.OAM && kind != Kind.PAIRS;
          features.append(isLine && takesNumbers ? ", number: " : ", one-hot: ").append(name);
        } else if (way == 6 && !node.isNumber) {
          features.append(", level: {of: ").append(name).append(", is: v0}");
        } else if (way == 7 && !node.isNumber && place != sensitive) {
          features.append(", match: [S, ").append(name).append("]");
        } else if (way == 8 && place != sensitive) {
          features.append(", product: [{one-hot: ").append(name);
          features.append("}, {level: {of: S, is: v0}}]");
        }
      }
      boolean isArmShown = kind == Kind.DISJOINT || random.nextInt(8) > 0;
      return features.append(isArmShown ? ", one-hot: A]" : "]").toString();
    }

    String text() {
      return spec;
    }

    int[] hidden() {
      int[] hidden = new int[latents.size()];
      for (int u = 0; u < hidden.length; u++) {
        hidden[u] = random.nextInt(LATENT_LEVELS);
      }
      return hidden;
    }

    int[] person(int[] hidden) {
      int[] person = new int[people.size()];
      for (int place = 0; place < person.length; place++) {
        person[place] = drawn(row(people.get(place), person, hidden));
      }
      return person;
    }

    private int drawn(double[] row) {
      double u = random.nextDouble();
      int atom = 0;
      while (atom < row.length - 1 && u >= row[atom]) {
        u -= row[atom++];
      }
      return atom;
    }

    private double[] row(Node node, int[] person, int[] hidden) {
      int row = 0;
      for (int parent : node.parents) {
        row = row * people.get(parent).atoms + person[parent];
      }
      for (int latent : node.latents) {
        row = row * LATENT_LEVELS + hidden[latent];
      }
      return node.table[row];
    }

    Profile profile(int[] person) {
      int[] levels = new int[person.length];
      double[] numbers = new double[person.length];
      int count = 0;
      for (int place = 0; place < person.length; place++) {
        Node node = people.get(place);
        levels[place] = node.level(person[place]);
        if (node.isNumber) {
          numbers[count++] = node.value(person[place]);
        }
      }
      return new Profile(levels, Arrays.copyOf(numbers, count));
    }

    int[] mediators(int[] person, int arm) {
      return hasMediator
          ? new int[] {drawn(mediator.table[person[sensitive] * 2 + arm])}
          : new int[0];
    }

    int[] levels(int[] mediators) {
      return hasMediator ? new int[] {mediator.level(mediators[0])} : mediators;
    }

    double reward(int[] person, int arm, int[] mediators, int[] hidden) {
      double score = score(person, arm, hidden);
      score += hasMediator ? mediator.slope[mediators[0]] : 0;
      double mean = mean(score);
      return kind.isLogistic() ? (random.nextDouble() < mean ? 1 : 0) : mean;
    }

    private double mean(double score) {
      return kind.isLogistic() ? 1 / (1 + Math.exp(-score)) : .5 + score;
    }

    private double score(int[] person, int arm, int[] hidden) {
      double score = arm * ofArm;
      for (int place = 0; place < person.length; place++) {
        score += people.get(place).slope[person[place]];
      }
      for (int u = 0; u < hidden.length; u++) {
        score += ofLatent[u] * (hidden[u] - .5);
      }
      return score;
    }

    /** Returns the mean reward of a person in a world, averaged over the mediator. */
    private double mean(int[] person, int arm, int[] hidden) {
      double score = score(person, arm, hidden);
      if (!hasMediator) {
        return mean(score);
      }
      double[] row = mediator.table[person[sensitive] * 2 + arm];
      double mean = 0;
      for (int atom = 0; atom < row.length; atom++) {
        mean += row[atom] * mean(score + mediator.slope[atom]);
      }
      return mean;
    }

    /** Returns the effect of another level on this person's expected reward, by enumeration. */
    double effect(int[] person, int level, int arm) {
      double whole = 0;
      double sum = 0;
      int states = (int) Math.pow(LATENT_LEVELS, latents.size());
      for (int state = 0; state < states; state++) {
        int[] hidden = new int[latents.size()];
        for (int u = 0, rest = state; u < hidden.length; u++, rest /= LATENT_LEVELS) {
          hidden[u] = rest % LATENT_LEVELS;
        }
        double weight = 1;
        for (int place = 0; place < person.length; place++) {
          weight *= row(people.get(place), person, hidden)[person[place]];
        }
        int[] other = person.clone();
        other[sensitive] = level;
        double there =
            kind.isTotal ? there(person, other, 0, hidden, arm) : mean(other, arm, hidden);
        whole += weight;
        sum += weight * (there - mean(person, arm, hidden));
      }
      return sum / whole;
    }

    /** Followers take the value of the same quantile of their own noise. */
    private double there(int[] person, int[] other, int place, int[] hidden, int arm) {
      if (place == people.size()) {
        return mean(other, arm, hidden);
      }
      Node node = people.get(place);
      double[] here = row(node, person, hidden);
      double[] then = row(node, other, hidden);
      if (place == sensitive || Arrays.equals(here, then)) {
        return there(person, other, place + 1, hidden, arm);
      }
      double low = 0;
      for (int atom = 0; atom < person[place]; atom++) {
        low += here[atom];
      }
      double high = low + here[person[place]];
      double mean = 0;
      double from = 0;
      for (int atom = 0; atom < then.length; atom++) {
        double to = from + then[atom];
        double overlap = Math.min(high, to) - Math.max(low, from);
        if (overlap > 0) {
          int[] next = other.clone();
          next[place] = atom;
          mean += overlap / (high - low) * there(person, next, place + 1, hidden, arm);
        }
        from = to;
      }
      return mean;
    }
  }
}
