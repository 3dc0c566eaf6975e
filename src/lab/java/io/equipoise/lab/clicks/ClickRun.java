package io.equipoise.lab.clicks;

/**
 * Reports the result of one player in one world under one seed.
 *
 * @param regret the mean of the best truly fair arm that was offered minus that of the arm, where
 *     above 0, summed over the decisions
 * @param regretOfBest the same with the best arm, fair or not
 * @param reward sum of the mean rewards of the arms
 * @param unfair share of the decisions whose true effect exceeds tau
 * @param certified share of the decisions whose every effect was certified
 * @param firstCertified number of the first such decision, from 1; 0 for none
 * @param mostPlayed share of the most played arm in the second half: 1 is a lock-in
 * @param micros mean processor time of a round, one choice and one reward learned; 0 if not
 *     measured
 * @param curve regret after each twentieth of the decisions
 */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody
public record ClickRun(
    int decisions,
    double regret,
    double regretOfBest,
    double reward,
    double unfair,
    double certified,
    int firstCertified,
    double mostPlayed,
    double micros,
    double[] curve) {}
