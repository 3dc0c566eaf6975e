package io.equipoise.lab.pcb;

import io.equipoise.causal.BifFormat;
import io.equipoise.causal.CausalGraph;
import io.equipoise.causal.DagittyText;
import io.equipoise.causal.KnownDistributions;
import io.equipoise.causal.Variable;
import io.equipoise.causal.estimand.ContingencyTable;
import io.equipoise.simulation.Resources;
import io.equipoise.simulation.SplitMix;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Simulates the model of Table 2: all variables binary, C1 hidden, a row logged if S = 1.
 *
 * <p>The edges are those of the tables: U2 is no cause of Y, and X1 acts on Y through I1 alone.
 */
final class LoggedWorld {
  /** Rows before selection, as in the paper. */
  static final int POINTS = 30_000;

  private static final List<String> MEASURED = List.of("U1", "U2", "X1", "X2", "I1", "Y");

  private static final CausalGraph GRAPH =
      DagittyText.parse(
          """
          dag {
            U1; U2; X1; X2; I1; Y
            C1 [latent]
            S [selected]
            U1 -> X1 -> I1 -> Y
            U2 -> X2 -> Y
            U1 -> Y
            I1 -> S
            I1 <- C1 -> Y
          }
          """);

  private final KnownDistributions model;
  private final List<Variable> variables;
  private final double[] joint;

  /** Separates the random streams of a trial by their use. */
  enum Streams {
    LOG(1),
    VISITS(2),
    TIES(3);

    private static final long STRIDE = 0x632BE59BD9B4E019L;

    private final int number;

    Streams(int number) {
      this.number = number;
    }

    /** Returns the stream of a trial's seed. */
    SplitMix of(long seed) {
      long mixed = new SplitMix(seed).nextLong();
      return new SplitMix(new SplitMix(mixed + STRIDE * number).nextLong());
    }
  }

  LoggedWorld() {
    model = BifFormat.read(Resources.text("/lab/pcb/model.bif"));
    variables = MEASURED.stream().map(model::variable).toList();
    List<String> all = new ArrayList<>(MEASURED);
    all.add("S");
    joint = model.conditional(all, Map.of());
  }

  static CausalGraph graph() {
    return GRAPH;
  }

  /**
   * Returns E[Y | do(x1, x2), u1, u2] by place. U1 and U2 have no causes, so do equals
   * conditioning.
   */
  double[] truth() {
    double[] truth = new double[PcbPlace.PLACES];
    for (int place = 0; place < truth.length; place++) {
      truth[place] = model.conditional(List.of("Y"), PcbPlace.levels(place))[1];
    }
    return truth;
  }

  /** Returns P(u1, u2) by context; contexts that arrive online are not selected. */
  double[] contextShares() {
    return model.conditional(List.of("U1", "U2"), Map.of());
  }

  /** Returns P(S = 1). */
  double selected() {
    return model.conditional(List.of("S"), Map.of())[1];
  }

  /** Returns the log of the population: probabilities instead of counts. */
  LoggedRounds exact() {
    return log(joint);
  }

  /** Draws the paper's number of points; the log contains the selected ones. */
  LoggedRounds sample(SplitMix random) {
    return sample(random, POINTS);
  }

  /** Draws points; the log contains the selected ones. */
  LoggedRounds sample(SplitMix random, int points) {
    double[] cumulative = joint.clone();
    for (int cell = 1; cell < cumulative.length; cell++) {
      cumulative[cell] += cumulative[cell - 1];
    }
    double[] counts = new double[joint.length];
    for (int i = 0; i < points; i++) {
      int found = Arrays.binarySearch(cumulative, random.nextDouble());
      int cell = found < 0 ? -found - 1 : found + 1;
      counts[Math.min(cell, counts.length - 1)]++;
    }
    return log(counts);
  }

  private LoggedRounds log(double[] cells) {
    double[] logged = new double[cells.length / 2];
    double[] everyone = new double[logged.length];
    for (int cell = 0; cell < logged.length; cell++) {
      logged[cell] = cells[2 * cell + 1];
      everyone[cell] = cells[2 * cell] + cells[2 * cell + 1];
    }
    return new LoggedRounds(
        ContingencyTable.dense(variables, logged), ContingencyTable.dense(variables, everyone));
  }
}
