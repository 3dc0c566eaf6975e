package io.equipoise.lab;

/**
 * Who a person might have been with the other value of the sensitive attribute. Where no feature
 * follows the attribute there is one twin; where one does, there is one for each of its values.
 *
 * @param context the twin's features
 * @param chance how likely the twin is, given the person
 */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody
record Twin(int[] context, double chance) {}
