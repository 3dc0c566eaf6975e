package io.equipoise.tools.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.equipoise.Tier;
import io.equipoise.cli.report.Sample;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.SpecParser;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compares the first certified decision of {@code simulate} with medians of an independent
 * simulation, in which one target after the other gets 95 % of the decisions.
 *
 * <p>That simulation starts with a target that pays least, so the offer that pays least comes first
 * here. The random worlds of that simulation are not known: of ours, only whether there are
 * certificates is compared.
 */
@Tag("slow")
class CertificateTableTest {
  private static final double TOLERANCE = 0.15;
  private static final int NEVER = Integer.MAX_VALUE;
  private static final int RANDOM_WORLDS = 20;
  private static final int RUNS_OF_A_WORLD = 3;

  /** How effects are bounded and explored. */
  private enum Way {
    TODAY(", certificates: {interval: ellipsoid}"),
    INTERVAL(""),
    CERTIFY("");

    private final String fairness;

    Way(String fairness) {
      this.fairness = fairness;
    }

    String explore() {
      return this == CERTIFY ? "over: certify" : "share: 0.1, over: all";
    }
  }

  /** What people are like, and how rewards are modeled. */
  private enum Segment {
    LEVELS_2("g0, g1", "reject", 4, "shared"),
    LEVELS_3("g0, g1, g2", "reject", 4, "shared"),
    DISJOINT("g0, g1", "reject", 4, "disjoint"),
    NEWCOMER("g0, g1", "level", 3, "shared");

    private final String genders;
    private final String missing;
    private final int levels;
    private final String model;

    Segment(String genders, String missing, int levels, String model) {
      this.genders = genders;
      this.missing = missing;
      this.levels = levels;
      this.model = model;
    }

    CompiledSpec spec(Way way, int offers) {
      String some = String.join(", ", List.of("a", "b", "c", "d").subList(0, levels));
      String region = this == NEWCOMER ? "a, b" : some;
      String ofOffers =
          model.equals("shared")
              ? ", one-hot: offer, product: [{one-hot: gender}, {one-hot: offer}]"
              : "";
      List<String> names = new ArrayList<>();
      for (int offer = 0; offer < offers; offer++) {
        names.add("o" + offer);
      }
      return CompiledSpec.of(
          SpecParser.parse(
              """
              name: table
              version: 1
              segments: default
              variables:
                age: {role: context, levels: [%s]}
                income: {role: context, levels: [%s]}
                region: {role: context, levels: [%s]}
                gender: {role: sensitive, levels: [%s], missing: %s}
                offer: {role: action, levels: [%s]}
                repaid: {role: reward}
              graph: "dag { {age income region gender offer} -> repaid }"
              reward: {range: [0, 1]}
              policy: {name: linucb, model: %s, alpha: 0.45, constraint: hard, features: [intercept,
                one-hot: age, one-hot: income, one-hot: region, one-hot: gender%s], explore: {%s}}
              fairness: {tau: 0.1, delta: 0.05%s}
              join: {reward-window: 1d}
              """
                  .formatted(
                      some,
                      some,
                      region,
                      genders,
                      missing,
                      String.join(", ", Collections.unmodifiableList(names)),
                      model,
                      ofOffers,
                      way.explore(),
                      way.fairness)));
    }
  }

  /**
   * A row of the table.
   *
   * @param worlds played by equally many seeds
   * @param median of the independent simulation; {@link #NEVER} if there is no certificate
   */
  private record Row(
      String name, Segment segment, Way way, int decisions, List<Stated> worlds, int median) {
    @Override
    public String toString() {
      return name + ", " + way.name().toLowerCase(Locale.ROOT);
    }
  }

  /** The text of a world, and how many offers it has. */
  private record Stated(int offers, String text) {}

  private static Stated world(double base, String levels, String... effects) {
    return new Stated(
        3,
        "{base-rate: %s, levels: {gender: {%s}}, effects: [{offer: o0, effect: -0.05}, {offer: o1, effect: 0.05}%s]}"
            .formatted(base, levels, String.join("", effects)));
  }

  /** Says that an offer is worth more to one gender, by the whole effect. */
  private static String unfair(int offer, double effect) {
    return ", {offer: o%d, gender: g0, effect: %s}, {offer: o%d, gender: g1, effect: %s}"
        .formatted(offer, -effect / 2, offer, effect / 2);
  }

  /** Draws 3 to 5 offers, of which two in five are unfair, and shares of the levels. */
  private static Stated random(SplittableRandom random) {
    int offers = random.nextInt(3, 6);
    double share = random.nextDouble(.2, .8);
    StringBuilder effects = new StringBuilder();
    for (int offer = 0; offer < offers; offer++) {
      effects.append(offer == 0 ? "" : ", ");
      effects.append("{offer: o%d, effect: %s}".formatted(offer, random.nextDouble(-.2, .2)));
      if (random.nextDouble() < .4) {
        effects.append(unfair(offer, random.nextDouble(.1, .3)));
      }
    }
    return new Stated(
        offers,
        "{base-rate: 0.5, levels: {gender: {g0: %s, g1: %s}}, effects: [%s]}"
            .formatted(share, 1 - share, effects));
  }

  private static Stream<Row> rows() {
    String even = "g0: 0.5, g1: 0.5";
    Stated fair = world(.5, even);
    Stated rare = world(.5, "g0: 0.45, g1: 0.45, g2: 0.1");
    Stated seldom = world(.08, even);
    Stated unfair = world(.5, even, unfair(1, .25));
    Stated newcomer =
        world(
            .51,
            "g0: 0.45, g1: 0.45, undisclosed: 0.1",
            unfair(1, .25),
            ", {age: a, effect: -0.04}, {age: c, effect: 0.04}, {income: a, effect: -0.03}",
            ", {income: c, effect: 0.03}, {region: a, effect: -0.01}, {region: b, effect: 0.01}");
    SplittableRandom random = new SplittableRandom(1);
    List<Stated> any = Stream.generate(() -> random(random)).limit(RANDOM_WORLDS).toList();
    List<Row> rows = new ArrayList<>();
    add(rows, "base rate .08", Segment.LEVELS_2, 40_000, List.of(seldom), 742, 881, 20_701);
    add(rows, "fair", Segment.LEVELS_2, 40_000, List.of(fair), 2_581, 2_141, 21_461);
    add(rows, "best unfair", Segment.LEVELS_2, 40_000, List.of(unfair), 2_281, 2_221, 21_761);
    add(rows, "disjoint", Segment.DISJOINT, 40_000, List.of(fair), 2_282, 2_241, 17_781);
    add(rows, "3 levels", Segment.LEVELS_3, 40_000, List.of(rare), 7_844, 7_042, NEVER);
    add(rows, "random worlds", Segment.LEVELS_2, 20_000, any, 3_412, 2_481, NEVER);
    add(rows, "newcomer", Segment.NEWCOMER, 60_000, List.of(newcomer), 2_824, 2_381, 26_201);
    return rows.stream().limit(Tier.count(1, rows.size()));
  }

  private static void add(
      List<Row> rows,
      String name,
      Segment segment,
      int decisions,
      List<Stated> worlds,
      int certify,
      int interval,
      int today) {
    rows.add(new Row(name, segment, Way.CERTIFY, decisions, worlds, certify));
    rows.add(new Row(name, segment, Way.INTERVAL, decisions, worlds, interval));
    rows.add(new Row(name, segment, Way.TODAY, decisions, worlds, today));
  }

  private static List<SimulationRun> played(Row row) {
    int decisions = Tier.count(2_000, row.decisions());
    int seeds = row.worlds().size() > 1 ? RUNS_OF_A_WORLD : Tier.count(9, 50);
    List<SimulationRun> runs = new ArrayList<>();
    for (Stated world : row.worlds()) {
      CompiledSpec spec = row.segment().spec(row.way(), world.offers());
      World people = World.of(spec.spec(), WorldFile.parse("world", world.text()), null);
      Simulation simulation =
          new Simulation(spec, people, new SimulationSettings(decisions, 1, 1, 0, 1));
      for (int seed = 1; seed <= seeds; seed++) {
        runs.add(simulation.run(seed));
      }
    }
    return runs;
  }

  @ParameterizedTest
  @MethodSource("rows")
  void theMedianOfTheFirstCertifiedDecisionIsThatOfTheTable(Row row) {
    List<SimulationRun> runs = played(row);
    Spread first = Spread.of(runs.stream().map(SimulationRun::firstCertified).toList());
    double regret = Sample.of(runs, run -> run.last().regret()).mean();
    double unfair = Sample.of(runs, run -> run.last().unfair()).mean();
    double certified =
        Sample.of(runs, run -> (double) run.last().certified() / run.last().decisions()).mean();
    Tier.found(
        getClass(),
        row + ": first certificate of " + row.median() + ", certified, regret, unfair",
        String.format(
            Locale.ROOT, "%s, %.0f %%, %.0f, %.0f", first, 100 * certified, regret, unfair));
    if (row.median() == NEVER || row.worlds().size() > 1) {
      assertThat(first.median() == null).isEqualTo(row.median() == NEVER);
    } else {
      assertThat(first.median()).isNotNull();
      assertThat((double) first.median() / row.median()).isBetween(1 - TOLERANCE, 1 + TOLERANCE);
    }
  }
}
