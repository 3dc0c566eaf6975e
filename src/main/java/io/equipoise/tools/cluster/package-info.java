/**
 * {@code equipoise cluster}: the topology of docker-compose.yml as plain JVMs on loopback, for
 * machines without Docker.
 *
 * <pre>
 *   up, status, down --> Cluster --> Member (what a process is) --> ProcessStart --> java @run/NAME.args
 *                           |                                                             |
 *                           '--> ClusterFile (plan, ports, who was started) <-- Started --'
 *                           '--> FlinkRest, JobSubmission (the job jar, by Flink's own command)
 * </pre>
 *
 * <p>All that a cluster is lives in one directory: {@link
 * io.equipoise.tools.cluster.ClusterLayout}. A process is only ever signalled when its id, its
 * start and its command line are those that were recorded when it was started.
 */
@NullMarked
package io.equipoise.tools.cluster;

import org.jspecify.annotations.NullMarked;
