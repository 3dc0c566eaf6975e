package io.equipoise.offline.decompose;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.Tier;
import io.equipoise.causal.effect.GapParts.Level;
import io.equipoise.event.GapPartKind;
import io.equipoise.offline.decompose.Decomposition.Cell;
import io.equipoise.offline.decompose.Decomposition.Moments;
import io.equipoise.offline.decompose.Decomposition.Scale;
import io.equipoise.segmentspec.NumberRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Identities of random models with 2 to 4 values of the confounder and of the mediator. */
class DecompositionTest {
  private static final int MODELS = Tier.count(300, 10_000);
  private static final int RUNS = 2000;
  private static final double EXACT = 1e-12;
  private static final Scale UNIT = new Scale(new NumberRange(0, 1), .05);
  private static final List<Level> LEVELS =
      List.of(
          new Level("z", GapPartKind.SPURIOUS, List.of("z")),
          new Level("w", GapPartKind.INDIRECT, List.of("w")));

  private final SplittableRandom random = new SplittableRandom(20_261_128);

  private static Decomposition decompose(List<Cell> cells) {
    return new Decomposition(cells, LEVELS, "x", UNIT);
  }

  @SuppressWarnings("ArrayRecordComponent") // compared by nobody
  private record Model(
      double one, double[][] confounders, double[][][] mediators, double[][][] outcomes) {}

  private double[] law(int size) {
    double[] law = random.doubles(size, .05, 1).toArray();
    double sum = 0;
    for (double p : law) {
      sum += p;
    }
    for (int i = 0; i < size; i++) {
      law[i] /= sum;
    }
    return law;
  }

  private Model model() {
    int z = random.nextInt(2, 5);
    int w = random.nextInt(2, 5);
    double[][] pz = {law(z), law(z)};
    double[][][] pw = new double[2][z][];
    double[][][] mu = new double[2][z][];
    for (int x = 0; x < 2; x++) {
      for (int i = 0; i < z; i++) {
        pw[x][i] = law(w);
        mu[x][i] = random.doubles(w).toArray();
      }
    }
    return new Model(random.nextDouble(.05, .95), pz, pw, mu);
  }

  private static List<Cell> cells(Model model) {
    return GoldenSplitTest.cells(model.one, model.confounders, model.mediators, model.outcomes);
  }

  static List<Cell> swapped(List<Cell> cells) {
    return cells.stream().map(it -> new Cell(it.key(), it.other(), it.reference())).toList();
  }

  private static double estimate(Decomposition result, GapPartKind kind) {
    return result.parts.stream()
        .filter(it -> it.kind() == kind)
        .mapToDouble(Decomposition.Part::estimate)
        .sum();
  }

  @Test
  void partsAddUpToTheGapAndAreTheMeasuresOfTheLiterature() {
    for (int i = 0; i < MODELS; i++) {
      Model model = model();
      List<Cell> cells = cells(model);
      Decomposition result = decompose(cells);
      Map<String, Double> measures = Measures.of(cells, 1);
      double sum = result.parts.stream().mapToDouble(Decomposition.Part::estimate).sum();
      assertEquals(result.gap.estimate(), sum, EXACT);
      assertEquals(measures.get("TV"), result.gap.estimate(), EXACT);
      assertEquals(measures.get("Ctf-DE_01(x0)"), estimate(result, GapPartKind.DIRECT), EXACT);
      assertEquals(-measures.get("Ctf-IE_10(x0)"), estimate(result, GapPartKind.INDIRECT), EXACT);
      assertEquals(-measures.get("Ctf-SE_10"), estimate(result, GapPartKind.SPURIOUS), EXACT);
      Decomposition reverse = decompose(swapped(cells));
      assertEquals(-result.gap.estimate(), reverse.gap.estimate(), EXACT);
      assertEquals(measures.get("Ctf-DE_10(x1)"), estimate(reverse, GapPartKind.DIRECT), EXACT);
      assertEquals(-measures.get("Ctf-IE_01(x1)"), estimate(reverse, GapPartKind.INDIRECT), EXACT);
      assertEquals(-measures.get("Ctf-SE_01"), estimate(reverse, GapPartKind.SPURIOUS), EXACT);
      assertEquals(measures.get("TE"), measures.get("NDE_01") - measures.get("NIE_10"), EXACT);
    }
  }

  @Test
  void aPathThatDoesNotExistHasAPartOfZero() {
    for (int i = 0; i < MODELS; i++) {
      Model model = model();
      model.outcomes[1] = model.outcomes[0];
      assertEquals(0, estimate(decompose(cells(model)), GapPartKind.DIRECT), EXACT);
      model = model();
      model.mediators[1] = model.mediators[0];
      assertEquals(0, estimate(decompose(cells(model)), GapPartKind.INDIRECT), EXACT);
      model = model();
      model.confounders[1] = model.confounders[0];
      assertEquals(0, estimate(decompose(cells(model)), GapPartKind.SPURIOUS), EXACT);
    }
  }

  /**
   * Everybody has the outcome 0, and yet shares p of others are likely enough: none goes beyond.
   */
  @Test
  void withoutVarianceAnIntervalHasAllMeansUnderWhichNobodyDiffersWithHalfOfDelta() {
    for (int i = 0; i < MODELS; i++) {
      int strata = random.nextInt(1, 6);
      double[] law = law(strata);
      double[] rows = random.doubles(strata, 1, 30).map(Math::rint).toArray();
      List<Cell> cells = new ArrayList<>();
      for (int z = 0; z < strata; z++) {
        Moments zero = new Moments();
        zero.add(1000 * law[z], 0);
        Moments one = new Moments();
        one.add(rows[z], 0);
        cells.add(new Cell("" + (char) z, zero, one));
      }
      double reference = 1 - Math.pow(.025, 1 / 1000.0);
      Decomposition result = new Decomposition(cells, LEVELS.subList(0, 1), "x", UNIT);
      double reach = result.parts.get(1).upper() - reference;
      double greatest = 0;
      for (int draw = 0; draw < 200; draw++) {
        double[] part = random.doubles(strata).map(it -> Math.pow(it, 8)).toArray();
        double all = Arrays.stream(part).sum();
        double mean = 0;
        for (int z = 0; z < strata; z++) {
          mean += law[z] * (1 - Math.pow(.025, part[z] / all / rows[z]));
        }
        greatest = Math.max(greatest, mean);
      }
      assertTrue(greatest <= reach + EXACT, greatest + " beyond " + reach);
      assertTrue(greatest >= .8 * reach, greatest + " far below " + reach);
    }
  }

  /**
   * A share of the reference is like {@code few} people of the other group, the rest like 999
   * others.
   */
  private Decomposition ofTwoStrata(double share, int few, double mean, double others) {
    int first = (int) (2_000 * share);
    List<Cell> cells = new ArrayList<>();
    cells.add(new Cell("a", drawn(first, mean), drawn(few, mean)));
    cells.add(new Cell("b", drawn(2_000 - first, others), drawn(999, others)));
    return new Decomposition(cells, LEVELS.subList(0, 1), "x", UNIT);
  }

  private Moments drawn(int rows, double mean) {
    Moments drawn = new Moments();
    for (int row = 0; row < rows; row++) {
      drawn.add(1, random.nextDouble() < mean ? 1 : 0);
    }
    return drawn;
  }

  @ParameterizedTest
  @CsvSource({
    ".5, 4, .5, .5",
    ".5, 12, .9, .5",
    ".5, 20, .9, .02",
    ".5, 26, .9, .5",
    ".5, 26, .5, .02",
    ".5, 40, .7, .02",
    ".5, 60, .9, .1",
    ".9, 51, .98, .02",
    ".55, 30, .98, .02",
    ".9, 51, .02, .02",
    ".9, 51, .98, .5",
    ".9, 200, .995, .005"
  })
  void anIntervalHasItsCoverageOrTheReportWarnsWhateverTheOutcomes(
      double share, int few, double mean, double others) {
    int covered = 0;
    int warned = 0;
    for (int run = 0; run < RUNS; run++) {
      Decomposition result = ofTwoStrata(share, few, mean, others);
      Decomposition.Part part = result.parts.get(1);
      covered += part.lower() <= 0 && 0 <= part.upper() ? 1 : 0;
      warned += result.isTooThin() ? 1 : 0;
    }
    assertTrue(warned == RUNS || warned == 0, warned + " warnings");
    assertTrue(warned == RUNS || covered >= .93 * RUNS, covered + " covered");
    assertEquals(share / few > .02, warned == RUNS);
  }

  /** Sixty women who all do as their region does show nothing of the women who might not. */
  @Test
  void aReferenceWithoutVarianceInItsStrataHasADoubtOfItsOwn() {
    Moments[] men = {alike(9_800, 1), alike(200, 1)};
    men[0].add(200, 0);
    men[1].add(9_800, 0);
    List<Cell> cells =
        List.of(new Cell("r", alike(54, 1), men[0]), new Cell("u", alike(6, 0), men[1]));
    Decomposition.Part direct =
        new Decomposition(cells, LEVELS.subList(0, 1), "sex", UNIT).parts.get(1);
    double clopperPearson = 1 - Math.pow(.025, 1 / 60.0);
    assertTrue(direct.upper() - direct.estimate() >= clopperPearson, direct.toString());
  }

  @Test
  void strataInWhichTheReferenceHasNobodyMayHaveSomeOfIt() {
    List<Cell> cells =
        List.of(
            new Cell("r", alike(20, 1), alike(10_000, 1)),
            new Cell("u", new Moments(), alike(10_000, 0)));
    Decomposition.Part region =
        new Decomposition(cells, LEVELS.subList(0, 1), "sex", UNIT).parts.get(0);
    double clopperPearson = 1 - Math.pow(.025, 1 / 20.0);
    assertEquals(-.5, region.estimate(), EXACT);
    assertTrue(region.upper() >= -.5 + clopperPearson, region.toString());
  }

  private static Moments alike(int rows, double outcome) {
    Moments alike = new Moments();
    alike.add(rows, outcome);
    return alike;
  }

  /** In the reference a share lives in the first of two regions, which alone decides. */
  @ParameterizedTest
  @CsvSource({
    "10, .9, .9, .1",
    "20, .95, .9, .1",
    "50, .98, .9, .1",
    "60, .9, .98, .02",
    "100, .9, .98, .02",
    "200, .9, .99, .01"
  })
  void aSmallReferenceHasItsCoverage(int few, double share, double mean, double others) {
    int direct = 0;
    int spurious = 0;
    for (int run = 0; run < RUNS; run++) {
      int first = 0;
      for (int row = 0; row < few; row++) {
        first += random.nextDouble() < share ? 1 : 0;
      }
      List<Cell> cells =
          List.of(
              new Cell("r", drawn(first, mean), drawn(2_000, mean)),
              new Cell("u", drawn(few - first, others), drawn(2_000, others)));
      Decomposition result = new Decomposition(cells, LEVELS.subList(0, 1), "x", UNIT);
      double truth = (.5 - share) * (mean - others);
      Decomposition.Part region = result.parts.get(0);
      Decomposition.Part own = result.parts.get(1);
      spurious += region.lower() <= truth && truth <= region.upper() ? 1 : 0;
      direct += own.lower() <= 0 && 0 <= own.upper() ? 1 : 0;
    }
    assertTrue(direct >= .93 * RUNS, direct + " direct");
    assertTrue(spurious >= .92 * RUNS, spurious + " spurious");
  }
}
