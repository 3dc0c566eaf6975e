/**
 * Benchmarks on the current machine, with an embedded broker and a local cluster.
 *
 * <p>They run the job's own graph, with another segment function, and read the committed records
 * with ordinary clients. This package must not depend on how a policy chooses an arm, and no
 * package below depends on it.
 */
@NullMarked
package io.equipoise.lab.bench;

import org.jspecify.annotations.NullMarked;
