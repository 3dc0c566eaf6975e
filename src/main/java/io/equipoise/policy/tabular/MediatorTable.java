package io.equipoise.policy.tabular;

/**
 * p(z|x,a) of one context for all arms.
 *
 * @param p by row and joint level of the mediators
 * @param error by row, how far p may be from the truth in L1 distance; 0 where it is known exactly
 */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody
record MediatorTable(double[][] p, double[] error) {}
