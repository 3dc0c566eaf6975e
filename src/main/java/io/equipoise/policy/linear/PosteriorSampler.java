package io.equipoise.policy.linear;

import io.equipoise.event.PropensityKind;

/**
 * Draws what candidates are worth from the posterior, jointly (Agrawal and Goyal 2013). With a
 * model for each arm the draws are independent normals; with a shared theta, theta itself is drawn.
 */
record PosteriorSampler(LinearIndex.Posterior part, boolean isShared) {
  /**
   * Fills the index by the draw that decides, and the propensities by shares of the places that
   * {@code winner} names over this draw and as many more as make up the number. As the draw that
   * decides is among them the chosen place has a share always, which is above its probability on
   * average; from one draw it is 1, an estimate too.
   */
  void sample(LinearRound out, Winner winner) {
    boolean isFactored = isShared && factor(out.blocks().ridge(LinearBlocks.SHARED), out);
    double share = 1.0 / part.draws();
    for (int draw = part.draws() - 1; draw >= 0; draw--) {
      draw(out, isFactored);
      int place = winner.of(out);
      out.propensity[place] += share;
    }
    out.kind = PropensityKind.ESTIMATED;
    out.draws = part.draws();
  }

  /** What the rule picks where these are the indices. */
  interface Winner {
    int of(LinearRound out);
  }

  private static boolean factor(RidgeRegression ridge, LinearRound out) {
    return !ridge.isEmpty() && out.workspace.cholesky.factor(ridge.gram, ridge.rho);
  }

  private void draw(LinearRound out, boolean isFactored) {
    if (!isShared) {
      for (int place = 0; place < out.size; place++) {
        out.index[place] = out.mean[place] + part.scale() * out.width[place] * out.normals.next();
      }
      return;
    }
    RidgeRegression ridge = out.blocks().ridge(LinearBlocks.SHARED);
    double[] theta = out.sampled;
    double flat = part.scale() / Math.sqrt(ridge.rho);
    for (int i = 0; i < ridge.dimension(); i++) {
      theta[i] = out.normals.next();
    }
    if (isFactored) {
      out.workspace.cholesky.color(theta);
      flat = part.scale();
    }
    for (int i = 0; i < ridge.dimension(); i++) {
      theta[i] = ridge.theta(i) + flat * theta[i];
    }
    for (int place = 0; place < out.size; place++) {
      out.index[place] = SymmetricMatrix.dot(theta, out.x(place));
    }
  }
}
