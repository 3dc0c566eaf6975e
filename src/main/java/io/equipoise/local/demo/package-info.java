/**
 * {@code equipoise demo}: the Email Campaign played against the job, its policies side by side.
 *
 * <pre>
 *   Campaign --contexts--> Post --> Kafka --> the job --> Kafka --> Reader --> Tally, Evidence
 *      ^                     ^                                          |
 *      '---- arm decided ----'---- Rewards (delayed, doubled, lost) <---'
 * </pre>
 *
 * <p>Uses the job as any producer and consumer would. Knows the truth of the simulated environment,
 * which the job does not.
 */
@NullMarked
package io.equipoise.local.demo;

import org.jspecify.annotations.NullMarked;
