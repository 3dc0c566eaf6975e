/**
 * {@code equipoise chaos}: a cluster of real processes under load with known truth, faults one
 * after the other, and a verdict on what was committed.
 *
 * <pre>
 *   ChaosCommand --> ChaosRun --> Fault (one class a kind) --> ChaosContext: cluster, Supervisor, Traffic
 *                       |                                                              |
 *                       |      TrafficDriver --contexts, rewards--> the job --> TopicReader --> Truth
 *                       '--> LogVerifier (reads the committed log) --> ChaosResult
 * </pre>
 *
 * <p>The supervisor starts dead processes again, as Docker or Kubernetes would. Recovery is counted
 * from the fault to the first committed answer to a context that was made after it.
 */
@NullMarked
package io.equipoise.tools.chaos;

import org.jspecify.annotations.NullMarked;
