/**
 * {@code equipoise cluster}: the topology of docker-compose.yml as plain JVMs on loopback, for
 * machines without Docker.
 *
 * <pre>
 *   up, status, down --> Cluster --> ClusterProcess --> ProcessStart --> java @run/NAME.args
 *                           |                              |
 *                           '--> ClusterFile <-- Started --' (plan, ports, started processes)
 *                           '--> FlinkRest, JobSubmission (the job jar, by Flink's own command)
 * </pre>
 *
 * <p>One directory contains the whole cluster: {@link io.equipoise.tools.cluster.ClusterLayout}. A
 * process is signaled only if its id, start time and command line are the recorded ones.
 */
@NullMarked
package io.equipoise.tools.cluster;

import org.jspecify.annotations.NullMarked;
