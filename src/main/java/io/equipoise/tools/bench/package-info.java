/**
 * Measures the job on the machine at hand, on an embedded broker and a local cluster.
 *
 * <p>Lays the job's own graph, with the function at its heart exchanged, and reads what was
 * committed with ordinary clients. Must not know how an arm is chosen, and nothing below knows it.
 */
@NullMarked
package io.equipoise.tools.bench;

import org.jspecify.annotations.NullMarked;
