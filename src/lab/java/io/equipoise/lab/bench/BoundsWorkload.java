package io.equipoise.lab.bench;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;

/**
 * Generates a confounded and selected log of any length, shaped like Huang and Wu 2023, Figure 2:
 * binary variables, a hidden cause of mediator and reward, and row selection by the mediator.
 */
final class BoundsWorkload {
  static final String HEADING = "U1,U2,X1,X2,I1,Y";

  static final String SPEC =
      """
      name: bench-bounds
      version: 1
      segments: default
      seed: 1
      variables:
        U1: {role: context, levels: ["0", "1"]}
        U2: {role: context, levels: ["0", "1"]}
        X1: {role: action, levels: ["0", "1"]}
        X2: {role: action, levels: ["0", "1"]}
        I1: {role: mediator, levels: ["0", "1"]}
        Y: {role: reward}
      graph: |
        dag { C1 [latent]  S [latent]
              U1 -> X1 -> I1 -> Y  U2 -> X2 -> Y  U1 -> Y  I1 -> S  I1 <- C1 -> Y }
      arms: all
      reward: {range: [0, 1]}
      policy: {name: ucb-pcb, causal-bounds: {name: bench}}
      fairness: {tau: 0.3}
      join: {reward-window: 30m}
      """;

  private static final int BUFFER = 1 << 20;

  private BoundsWorkload() {}

  /** Writes a CSV file with the given number of rows. */
  static void write(Path file, long rows, long seed) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), BUFFER)) {
      out.write((HEADING + "\n").getBytes(StandardCharsets.US_ASCII));
      byte[] line = ",,,,,,".repeat(2).substring(0, 12).getBytes(StandardCharsets.US_ASCII);
      line[11] = '\n';
      for (long row = 0; row < rows; ) {
        int u1 = draw(random, .5);
        int u2 = draw(random, .5);
        int x1 = draw(random, u1 == 1 ? .7 : .3);
        int x2 = draw(random, u2 == 1 ? .6 : .4);
        int c1 = draw(random, .5);
        int i1 = draw(random, .2 + .3 * x1 + .3 * c1);
        int y = draw(random, .1 + .2 * u1 + .15 * x2 + .2 * i1 + .2 * c1);
        if (draw(random, i1 == 1 ? .8 : .2) == 1) {
          int[] values = {u1, u2, x1, x2, i1, y};
          for (int column = 0; column < values.length; column++) {
            line[2 * column] = (byte) ('0' + values[column]);
          }
          out.write(line);
          row++;
        }
      }
    }
  }

  private static int draw(SplittableRandom random, double chance) {
    return random.nextDouble() < chance ? 1 : 0;
  }
}
