package io.equipoise.lab.cclb;

import io.equipoise.policy.logistic.Vectors;
import java.util.Arrays;

/** Maps observed values and a decision to a feature vector by the known function f. */
public interface CclbFeatureMap {
  /** Returns n. */
  int dimension();

  /**
   * Writes f.
   *
   * @param sensitive level index of every sensitive attribute, factual or not
   * @param context all other observed values (confounders and mediators)
   * @param decision the candidate's own values
   * @param out length n, to be filled
   */
  void write(int[] sensitive, double[] context, double[] decision, double[] out);

  /** Returns f divided by its own norm; a zero vector stays one. */
  default CclbFeatureMap normalized() {
    CclbFeatureMap raw = this;
    return new CclbFeatureMap() {
      @Override
      public int dimension() {
        return raw.dimension();
      }

      @Override
      public void write(int[] sensitive, double[] context, double[] decision, double[] out) {
        Arrays.fill(out, 0);
        raw.write(sensitive, context, decision, out);
        double norm = Vectors.norm(out);
        for (int i = 0; norm > 0 && i < out.length; i++) {
          out[i] /= norm;
        }
      }
    };
  }
}
