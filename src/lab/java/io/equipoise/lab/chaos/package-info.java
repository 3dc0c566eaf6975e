/**
 * {@code equipoise chaos}: runs a cluster of real processes under known load, injects one fault
 * after the other, and verifies the committed records.
 *
 * <pre>
 *   ChaosCommand --> ChaosRun --> Fault (one class a kind) --> ChaosContext: cluster, Supervisor, Traffic
 *                       |                                                              |
 *                       |      TrafficDriver --contexts, rewards--> the job --> TopicReader --> ExpectedEffects
 *                       '--> LogVerifier (reads the committed log) --> ChaosResult
 * </pre>
 *
 * <p>The supervisor restarts dead processes, as Docker or Kubernetes would. Recovery is the time
 * from the fault to the first committed decision for a later context.
 *
 * <p>{@code bench soak} runs the same traffic for hours without faults: SoakCommand appends
 * SoakSamples, and SoakReport decides which measures grow.
 */
@NullMarked
package io.equipoise.lab.chaos;

import org.jspecify.annotations.NullMarked;
