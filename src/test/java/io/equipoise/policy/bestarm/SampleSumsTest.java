package io.equipoise.policy.bestarm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.layout.StoredBytes;
import io.equipoise.policy.bestarm.Divergences.DivergenceTables;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SampleSumsTest {
  private static final int PHASES = 8;

  private record Sample(int type, int group, int arm, int z, int v, double y) {
    void addTo(SampleSums sums) {
      sums.add(type, group, arm, z, v, y);
    }
  }

  private static List<Sample> samples(SplittableRandom random, CsrModel model, int size) {
    List<Sample> samples = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      int type = random.nextInt(3);
      samples.add(
          new Sample(
              type,
              type == 0 ? random.nextInt(3) - 1 : type - 1,
              random.nextInt(model.arms()),
              random.nextInt(model.cells()),
              random.nextInt(model.levels()),
              random.nextInt(1000) / 1000.0));
    }
    return samples;
  }

  /** Equations 3 and 4 as they stand, one sample after the other. */
  private static double literal(Channel channel, List<Sample> samples, int k, int l) {
    double numerator = 0;
    double normalizer = 0;
    for (Sample sample : samples) {
      if (!channel.takes(sample.type(), sample.group()) || !channel.reaches(k, sample.arm())) {
        continue;
      }
      double divergence = channel.divergence(k, sample.arm());
      normalizer += 1 / divergence;
      double weight = channel.weight(k, sample.arm(), sample.z(), sample.v());
      if (Math.abs(weight) <= 2 * l * divergence) {
        numerator += sample.y() * weight / divergence;
      }
    }
    return numerator / normalizer;
  }

  @Test
  void cellsAndBinsEqualLiteralClippingInEveryModeAndPhase() {
    for (long seed = 1; seed <= 60; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      CsrModel model = sharp(random);
      Mode mode = List.of(Mode.values()).get(random.nextInt(3));
      FairnessEstimate fairness = List.of(FairnessEstimate.values()).get(random.nextInt(2));
      List<Channel> channels =
          new Estimator(model, mode, fairness, DivergenceTables.of(model, fairness)).channels;
      List<Sample> samples = samples(random, model, 300);
      SampleSums cells = new CellCounts(channels);
      int phases = 1 + random.nextInt(PHASES);
      SampleSums bins = new PrefixBins(channels, phases);
      samples.forEach(sample -> sample.addTo(cells));
      samples.forEach(sample -> sample.addTo(bins));
      BitSet arms = new BitSet();
      arms.set(0, model.arms());
      for (int c = 0; c < channels.size(); c++) {
        for (int l = 1; l <= phases; l++) {
          double[] ofCells = cells.evaluate(c, l, arms).value();
          double[] ofBins = bins.evaluate(c, l, arms).value();
          for (int k = 0; k < model.arms(); k++) {
            double wanted = literal(channels.get(c), samples, k, l);
            String where = "seed " + seed + ", channel " + c + ", l " + l + ", arm " + k;
            assertEquals(wanted, ofCells[k], 1e-12 * (1 + Math.abs(wanted)), where);
            assertEquals(wanted, ofBins[k], 1e-12 * (1 + Math.abs(wanted)), where);
          }
        }
      }
    }
  }

  /** Rare levels and groups, so that weights exceed clips; an arm that never yields a level. */
  private static CsrModel sharp(SplittableRandom random) {
    double[][] law = {{.97, .02, .01}, {.95, .04, .01}};
    double[] ratio = {.97 / .95, .5, 1};
    double[][][] arms = new double[4][3][];
    for (double[][] arm : arms) {
      for (int z = 0; z < 3; z++) {
        double p = z == 0 ? .5 : .1 + .02 * random.nextDouble();
        arm[z] = random.nextBoolean() ? new double[] {p, 1 - p} : new double[] {1 - p, p};
      }
    }
    arms[3][1] = new double[] {0, 1};
    return new CsrModel(new double[] {.4, .6}, law, ratio, arms);
  }

  /** A silent sample counts as 0 at any level, so no sum without a reward may look at the level. */
  @Test
  void cellsAndBinsHaveTheSameMomentsWhateverTheLevelOfARewardOfZero() {
    for (FairnessEstimate estimate : FairnessEstimate.values()) {
      CsrModel model = sharp(new SplittableRandom(5));
      Design design = Fixtures.design(model, Algorithm.CSR_V2, Mode.POOLED, estimate, 1000, .5);
      SampleSums cells = new CellCounts(design.channels());
      SampleSums bins = new PrefixBins(design.channels(), PHASES);
      List<Sample> samples = samples(new SplittableRandom(7), model, 300);
      for (Sample sample : samples) {
        sample.addTo(cells);
        int other = sample.y() == 0 ? (sample.v() + 1) % model.levels() : sample.v();
        bins.add(sample.type(), sample.group(), sample.arm(), sample.z(), other, sample.y());
      }
      for (int channel = 0; channel < 2; channel++) {
        for (int k = 0; k < model.arms(); k++) {
          assertMoments(design.channels().get(channel), samples, k, cells.moments(channel, k));
          assertMoments(design.channels().get(channel), samples, k, bins.moments(channel, k));
        }
      }
    }
  }

  private static void assertMoments(Channel channel, List<Sample> samples, int k, Moments of) {
    for (int j = 0; j < of.n().length; j++) {
      double[] sums = new double[6];
      for (Sample sample : samples) {
        if (sample.arm() == j && channel.takes(sample.type(), sample.group())) {
          double factor = channel.factor(sample.z());
          double weight = channel.reaches(k, j) ? channel.weight(k, j, sample.z(), sample.v()) : 0;
          sums[0]++;
          sums[1] += sample.y() == 0 ? 0 : weight * sample.y();
          sums[2] += sample.y() == 0 ? 0 : factor * weight * sample.y();
          sums[3] += sample.y() == 0 ? 0 : weight * weight * sample.y();
          sums[4] += factor;
          sums[5] += factor * factor;
        }
      }
      double[] told = {
        of.n()[j],
        of.sum()[j],
        of.cross()[j],
        of.squares()[j],
        of.factors()[j],
        of.factorSquares()[j]
      };
      assertArrayEquals(sums, told, 1e-6, "arm " + j + " for " + k);
    }
  }

  @Test
  void clipsReallyCutInTheseModels() {
    CsrModel model = sharp(new SplittableRandom(1));
    Design design = Fixtures.design(model, Algorithm.CSR_V2, Mode.NATURAL, 1000, .5);
    SampleSums cells = new CellCounts(design.channels());
    samples(new SplittableRandom(2), model, 500).forEach(sample -> sample.addTo(cells));
    BitSet arms = design.arms();
    double[] early = cells.evaluate(2, 1, arms).clipped();
    double[] late = cells.evaluate(2, 8, arms).clipped();
    boolean isCut = false;
    for (int k = 0; k < 4; k++) {
      isCut |= early[k] > .05;
      assertTrue(late[k] <= early[k], "clips widen");
    }
    assertTrue(isCut);
  }

  @Test
  void cellsDoNotDependOnTheOrderOfSamples() {
    CsrModel model = RandomModels.model(new SplittableRandom(4), 3, 2, 3);
    List<Channel> channels =
        Fixtures.design(model, Algorithm.CSR_V2, Mode.SEPARATE, 1000, .5).channels();
    List<Sample> samples = samples(new SplittableRandom(8), model, 400);
    CellCounts first = new CellCounts(channels);
    samples.forEach(sample -> sample.addTo(first));
    Collections.shuffle(samples, new Random(1));
    CellCounts second = new CellCounts(channels);
    samples.forEach(sample -> sample.addTo(second));
    assertArrayEquals(bytes(first), bytes(second));
  }

  @Test
  void whatIsWrittenIsReadBackEqual() {
    CsrModel model = RandomModels.model(new SplittableRandom(4), 3, 2, 3);
    List<Channel> channels =
        Fixtures.design(model, Algorithm.CSR_V2, Mode.NATURAL, 1000, .5).channels();
    CellCounts cells = new CellCounts(channels);
    PrefixBins bins = new PrefixBins(channels, PHASES);
    for (Sample sample : samples(new SplittableRandom(9), model, 50)) {
      sample.addTo(cells);
      sample.addTo(bins);
    }
    ByteBuffer written = ByteBuffer.wrap(bytes(cells));
    assertArrayEquals(written.array(), bytes(StoredBytes.read(new CellCounts(channels), written)));
    written = ByteBuffer.wrap(bytes(bins));
    assertArrayEquals(
        written.array(), bytes(StoredBytes.read(new PrefixBins(channels, PHASES), written)));
  }

  private static byte[] bytes(SampleSums sums) {
    return sums.toBytes();
  }
}
