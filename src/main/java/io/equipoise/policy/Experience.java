package io.equipoise.policy;

/**
 * Carries to a model what came of a decision.
 *
 * @param person level indices in the order of the features
 * @param inputs what {@link Policy#inputs} returned for the arm that was shown
 * @param arm place of the arm in the catalog; -1 for an arm of the request's own or a retired one
 * @param levels of the arm's action variables, by the catalog that has it or had it; none where the
 *     inputs say what the arm is
 * @param position place of the arm in the segment's arm dictionary
 * @param mediators level indices, -1 where one was not observed
 */
@SuppressWarnings("ArrayRecordComponent") // handed on, compared by nobody
public record Experience(
    int[] person,
    double[] inputs,
    int arm,
    int[] levels,
    int position,
    int[] mediators,
    double reward) {
  private static final int[] NONE = {};

  /** For models that know an arm by its inputs, its place or its position. */
  public Experience(
      int[] person, double[] inputs, int arm, int position, int[] mediators, double reward) {
    this(person, inputs, arm, NONE, position, mediators, reward);
  }
}
