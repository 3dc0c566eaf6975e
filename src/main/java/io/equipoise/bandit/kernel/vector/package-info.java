/**
 * Kernels written with jdk.incubator.vector, and nothing else: the compiler warns of an incubating
 * module whoever uses it, so this package is compiled by itself. Reached by name only, from {@link
 * io.equipoise.bandit.kernel.Kernels#best}, where the module is there.
 */
@NullMarked
package io.equipoise.bandit.kernel.vector;

import org.jspecify.annotations.NullMarked;
