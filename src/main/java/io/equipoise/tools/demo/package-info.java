/**
 * {@code equipoise demo}: the Email Campaign with several policies side by side on the job.
 *
 * <pre>
 *   DemoTraffic --contexts, rewards--> RecordSender --> Kafka --> the job --> Kafka --> TopicReader
 *      ^                                    |                                              |
 *      |                                    '--> Reconciliation <-- dead letters ----------|
 *      '------------- Tally <------------- decisions, segment events, metrics -------------'
 * </pre>
 *
 * <p>Uses the job as any producer and consumer would. Knows the true means of the simulated
 * environment, unlike the job.
 */
@NullMarked
package io.equipoise.tools.demo;

import org.jspecify.annotations.NullMarked;
