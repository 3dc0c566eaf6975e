package io.equipoise.lab.cclb;

import io.equipoise.policy.logistic.Logistic;
import io.equipoise.policy.logistic.Vectors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.ejml.data.DMatrixRMaj;

/**
 * Keeps all rewards, merged by equal features into counts, and computes their log loss L(theta) =
 * sum count log(1 + e^(x . theta)) - successes x . theta. Mutable; {@link #copy} is deep. Rows are
 * in the order of their first rewards.
 */
final class History {
  private final Map<VectorKey, Row> byFeatures = new LinkedHashMap<>();
  private final List<Row> rows = new ArrayList<>();
  private long rewards;

  /** Compares vectors by their values; a zero equals a negative zero. */
  record VectorKey(List<Double> values) {
    static VectorKey of(double[] x) {
      return new VectorKey(Arrays.stream(x).mapToObj(value -> value + 0.0).toList());
    }
  }

  private static final class Row {
    final double[] x;
    long count;
    long successes;

    Row(double[] x) {
      this.x = x;
    }
  }

  long rewards() {
    return rewards;
  }

  void add(double[] x, double y) {
    add(x, 1, y == 1 ? 1 : 0);
  }

  private void add(double[] x, long count, long successes) {
    Row row =
        byFeatures.computeIfAbsent(
            VectorKey.of(x),
            key -> {
              Row fresh = new Row(x.clone());
              rows.add(fresh);
              return fresh;
            });
    row.count += count;
    row.successes += successes;
    rewards += count;
  }

  double loss(double[] theta) {
    double loss = 0;
    for (Row row : rows) {
      double z = Vectors.dot(row.x, theta);
      loss += row.count * Logistic.softplus(z) - row.successes * z;
    }
    return loss;
  }

  /** Writes gradient (length n) and Hessian (n x n) of the loss, and returns the loss. */
  double derivatives(double[] theta, double[] gradient, DMatrixRMaj hessian) {
    Arrays.fill(gradient, 0);
    hessian.zero();
    int n = theta.length;
    double loss = 0;
    for (Row row : rows) {
      double[] x = row.x;
      double z = Vectors.dot(x, theta);
      double e = StrictMath.exp(-Math.abs(z));
      double mean = z >= 0 ? 1 / (1 + e) : e / (1 + e);
      double residual = row.count * mean - row.successes;
      double weight = row.count * e / ((1 + e) * (1 + e));
      loss += row.count * (Math.max(z, 0) + StrictMath.log1p(e)) - row.successes * z;
      for (int i = 0; i < n; i++) {
        gradient[i] += residual * x[i];
        for (int j = 0; j <= i; j++) {
          hessian.data[i * n + j] += weight * x[i] * x[j];
        }
      }
    }
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < i; j++) {
        hessian.data[j * n + i] = hessian.data[i * n + j];
      }
    }
    return loss;
  }

  History copy() {
    History copy = new History();
    rows.forEach(row -> copy.add(row.x, row.count, row.successes));
    return copy;
  }
}
