/**
 * Repeats the papers' experiments on simulated people. One trial is a sequence of rounds that was
 * drawn before, the same for every policy. Runs compiled policies without Flink and Kafka.
 */
@NullMarked
package io.equipoise.lab;

import org.jspecify.annotations.NullMarked;
