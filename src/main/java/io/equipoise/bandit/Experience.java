package io.equipoise.bandit;

/**
 * What came of a decision.
 *
 * @param person level indices in the order of the features
 * @param inputs what {@link Bandit#inputs} returned for the arm that was shown
 * @param arm place of the arm in the catalogue; -1 for an arm of the request's own
 * @param position place of the arm in the segment's arm dictionary
 * @param mediators level indices, -1 where one was not observed
 */
@SuppressWarnings("ArrayRecordComponent") // handed on, compared by nobody
public record Experience(
    int[] person, double[] inputs, int arm, int position, int[] mediators, double reward) {}
