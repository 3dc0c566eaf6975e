package io.equipoise.policy.linear;

import io.equipoise.layout.Layout;
import io.equipoise.layout.LayoutException;
import io.equipoise.policy.StateBlock;
import io.equipoise.policy.constraint.ContrastBoundary;
import io.equipoise.policy.constraint.DeltaShares;
import io.equipoise.policy.features.FeaturePlaces;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the {@linkplain Contrast contrasts} of one model. Mutable; {@link #copy} is deep. The bytes
 * list the state. The plan, the position, its share and the grid of lambdas are derived at {@link
 * #adopt} and valid until the next one.
 *
 * <p>A contrast that the plan does not list is registered when it is first asked for, if its
 * entries are those of levels, -1, 0 and 1 times a unit: with a number in it, it would never come
 * again.
 *
 * <pre>
 * Bytes, format 17, big-endian:
 *   0 format (u8)   1 dim (i32)   5 tau of the grid (f64)  13 meaning of the running ends (i64)
 *  21 contrasts of the first plan (i32)  25 places given (i32)
 *  29 contrasts (i32)   . [{@link Contrast}]
 * </pre>
 */
public final class ContrastBlock extends StateBlock {
  /** The format code. */
  public static final byte FORMAT = 17;

  /** Another tau by more than this factor needs another grid. */
  private static final double LARGEST_CHANGE = 4;

  private static final int LARGEST_DIMENSION = 20_000;

  private int dimension;
  private final List<Contrast> contrasts = new ArrayList<>();
  private double tau;
  private double[] lambdas;
  private long meaning;

  /** 0 before a plan is adopted. */
  private int first;

  private int places;

  private @Nullable ContrastPlan plan;
  private int position;
  private double share;
  private boolean isOfSpec;
  private boolean isChanged;

  /** What was found last; derived, in no byte. */
  private int last;

  /** Of the model as it is; NaN until it is asked for; derived, in no byte. */
  private double beta = Double.NaN;

  /** Makes a block without contrasts, to be read. */
  public ContrastBlock() {
    this(1, 1, 0);
  }

  private ContrastBlock(int dimension, double tau, long meaning) {
    this.dimension = dimension;
    this.tau = tau;
    this.meaning = meaning;
    lambdas = ContrastBoundary.grid(tau);
  }

  /** Starts without a contrast, to be adopted by the plan. */
  public static ContrastBlock of(ContrastPlan plan, int dimension) {
    return new ContrastBlock(dimension, plan.tau(), plan.meaning);
  }

  /**
   * Goes on under a plan: registers what it knows. Where it means something else than before,
   * running ends are reset, and all sums are where the grid no longer fits tau.
   *
   * @param at position of the model's arm, or {@link LinearBlocks#SHARED}
   * @param models how many models there were at first
   * @param isArmOfSpec whether the plan has counted the model
   */
  public void adopt(ContrastPlan next, int at, int models, boolean isArmOfSpec) {
    if (next.equals(plan) && position == at && isOfSpec == isArmOfSpec) {
      return;
    }
    plan = next;
    position = at;
    share = at == LinearBlocks.SHARED ? 1 : DeltaShares.share(at, models);
    isOfSpec = isArmOfSpec;
    beta = Double.NaN;
    if (meaning != next.meaning) {
      meaning = next.meaning;
      isChanged = true;
      contrasts.forEach(Contrast::restart);
      if (next.tau() > LARGEST_CHANGE * tau || next.tau() * LARGEST_CHANGE < tau) {
        contrasts.clear();
        last = 0;
        tau = next.tau();
        lambdas = ContrastBoundary.grid(tau);
      }
    }
    List<FeatureVector> known = isArmOfSpec ? next.known() : List.of();
    for (int i = 0; i < known.size() && contrasts.size() < next.most; i++) {
      boolean isThere = i < contrasts.size() && isSame(contrasts.get(i).c(), known.get(i), 1);
      if (!isThere && find(known.get(i), 1) < 0) {
        register(known.get(i));
      }
    }
    if (first == 0) {
      first = Math.max(1, places);
      isChanged = true;
    }
  }

  /** A place is given once, whatever becomes of its contrast. */
  private void register(FeatureVector c) {
    contrasts.add(new Contrast(c, places));
    places++;
    isChanged = true;
  }

  /** Returns a contrast with the sign of its first entry positive: c and -c are one. */
  public static FeatureVector canonical(FeatureVector c) {
    double sign = sign(c);
    double[] values = new double[c.dimension()];
    for (int i = 0; i < values.length; i++) {
      values[i] = c.value(i) == 0 ? 0 : sign * c.value(i);
    }
    return FeatureVector.of(values);
  }

  /** Returns 1 or -1, what a contrast is multiplied by to be canonical; 0 of the zero vector. */
  public static int sign(FeatureVector c) {
    if (c.isSparse()) {
      return c.nonzeros() == 0 ? 0 : c.nonzero(0) > 0 ? 1 : -1;
    }
    for (int i = 0; i < c.dimension(); i++) {
      if (c.value(i) != 0) {
        return c.value(i) > 0 ? 1 : -1;
      }
    }
    return 0;
  }

  /**
   * Returns whether a contrast comes again: its entries are those of levels.
   *
   * @param unit what a level counts for
   */
  public static boolean isOfLevels(FeatureVector c, double unit) {
    for (int i = 0; i < c.dimension(); i++) {
      if (c.value(i) != 0 && Math.abs(c.value(i)) != unit) {
        return false;
      }
    }
    return true;
  }

  private static boolean isSame(FeatureVector one, FeatureVector other, int sign) {
    if (one.isSparse() && other.isSparse()) {
      return isSameSparse(one, other, sign);
    }
    for (int i = 0; i < one.dimension(); i++) {
      if (one.value(i) != sign * other.value(i)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isSameSparse(FeatureVector one, FeatureVector other, int sign) {
    int count = one.nonzeros();
    boolean isSame = count == other.nonzeros();
    int[] indices = one.indices;
    int[] others = other.indices;
    double[] values = one.nonzero;
    double[] otherValues = other.nonzero;
    for (int k = count - 1; k >= 0 && isSame; k--) {
      isSame = indices[k] == others[k] && values[k] == sign * otherValues[k];
    }
    return isSame;
  }

  /**
   * Returns the place of a contrast, or -1. Each is asked for several times on end, and candidates
   * ask in the same order again and again.
   */
  private int find(FeatureVector c, int sign) {
    int size = contrasts.size();
    for (int i = 0; i < size; i++) {
      int place = last + i < size ? last + i : last + i - size;
      if (isSame(contrasts.get(place).c(), c, sign)) {
        last = place;
        return place;
      }
    }
    return -1;
  }

  /**
   * Returns the contrast of a difference of features, with its interval up to date; null if it has
   * none and there is no room, or it would never come again. Its sign is the {@linkplain #sign
   * canonical} one.
   */
  public @Nullable Contrast of(ContrastModel model, FeatureVector c) {
    int sign = sign(c);
    if (plan == null || sign == 0) {
      return null;
    }
    int place = find(c, sign);
    if (place < 0) {
      if (contrasts.size() >= plan.most || !isOfLevels(c, plan.unit())) {
        return null;
      }
      place = contrasts.size();
      register(canonical(c));
    }
    Contrast contrast = contrasts.get(place);
    if (!contrast.isFresh()) {
      beta = Double.isNaN(beta) ? plan.beta(model, position) : beta;
      isChanged |= contrast.refresh(plan, lambdas, model, beta, alpha(plan, contrast));
    }
    return contrast;
  }

  /** Returns the probability with which one side of a contrast may ever miss. */
  double alpha(ContrastPlan terms, Contrast contrast) {
    return terms.alpha(share, contrast.place(), first);
  }

  /** Returns whether an interval came out empty, so that what the model assumes is false. */
  public boolean isRefuted() {
    return contrasts.stream().anyMatch(Contrast::isRefuted);
  }

  /** Returns whether something was changed since this was asked last. */
  public boolean takeChanged() {
    boolean wasChanged = isChanged;
    isChanged = false;
    return wasChanged;
  }

  /**
   * Takes an observation that the model is about to learn; it must have been adopted.
   *
   * @param y A^-1 x
   * @param product x'A^-1 x
   */
  public void observe(
      ContrastModel model, FeatureVector x, double[] y, double product, double reward) {
    ContrastPlan terms = plan;
    if (terms == null) {
      throw new IllegalStateException("contrasts that no plan has adopted");
    }
    double z = model.mean(x);
    for (Contrast contrast : contrasts) {
      contrast.observe(terms, lambdas, model, x, y, product, reward, z);
    }
    beta = Double.NaN;
  }

  double[] lambdas() {
    return lambdas;
  }

  /** Returns how many contrasts there are. */
  public int size() {
    return contrasts.size();
  }

  /** Returns a contrast by its place. */
  public Contrast at(int place) {
    return contrasts.get(place);
  }

  /**
   * Returns the contrasts as they are with other features, to be adopted by a plan: more of them
   * were 0 in all observations, and contrasts that need one that is gone end.
   *
   * @param to where the features of today are then
   * @param left the features that leave the model
   */
  public ContrastBlock spread(FeaturePlaces to, List<RidgeRegression.Left> left) {
    ContrastBlock wide = new ContrastBlock(to.among(), tau, meaning);
    wide.first = first;
    wide.places = places;
    for (Contrast contrast : contrasts) {
      if (!contrast.sums.needsGone(to)) {
        wide.contrasts.add(contrast.spread(to, left));
      }
    }
    return wide;
  }

  @Override
  public ContrastBlock copy() {
    ContrastBlock copy = new ContrastBlock(dimension, tau, meaning);
    contrasts.forEach(contrast -> copy.contrasts.add(contrast.copy()));
    copy.first = first;
    copy.places = places;
    copy.plan = plan;
    copy.position = position;
    copy.share = share;
    copy.isOfSpec = isOfSpec;
    copy.isChanged = isChanged;
    return copy;
  }

  /** Returns the bytes of a block of these contrasts. */
  public static int byteLength(List<FeatureVector> known, int dimension) {
    ContrastBlock block = new ContrastBlock(dimension, 1, 0);
    known.forEach(block::register);
    return block.byteLength() + (known.isEmpty() ? ContrastSums.byteLength(dimension, 2) : 0);
  }

  @Override
  protected void layout(Layout bytes) throws LayoutException {
    bytes.begin(FORMAT);
    dimension = bytes.i32(dimension);
    bytes.check(dimension >= 1 && dimension <= LARGEST_DIMENSION, "dimension", dimension);
    tau = bytes.f64(tau);
    bytes.check(
        tau > 0 && tau < Double.POSITIVE_INFINITY, "bits of tau", Double.doubleToRawLongBits(tau));
    meaning = bytes.i64(meaning);
    first = bytes.i32(first);
    places = bytes.i32(places);
    bytes.check(first >= 0 && places >= 0, "places", places);
    int size = bytes.count(contrasts.size(), ContrastSums.byteLength(dimension, 1));
    if (bytes.isReading()) {
      lambdas = ContrastBoundary.grid(tau);
      FeatureVector unread = FeatureVector.of(new double[size == 0 ? 0 : dimension]);
      for (int i = 0; i < size; i++) {
        contrasts.add(new Contrast(unread, 0));
      }
    }
    for (Contrast contrast : contrasts) {
      bytes.part(contrast.sums);
    }
  }
}
