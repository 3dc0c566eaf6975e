/**
 * {@code equipoise demo}: the Email Campaign played against the job, its policies side by side.
 *
 * <pre>
 *   DemoTraffic --contexts, rewards--> RecordSender --> Kafka --> the job --> Kafka --> TopicReader
 *      ^                                    |                                              |
 *      |                                    '--> Reconciliation <-- dead letters ----------|
 *      '------------- Tally <------------- decisions, segment events, metrics -------------'
 * </pre>
 *
 * <p>Uses the job as any producer and consumer would. Knows the truth of the simulated environment,
 * which the job does not.
 */
@NullMarked
package io.equipoise.tools.demo;

import org.jspecify.annotations.NullMarked;
