/**
 * Versioned byte layouts of checkpointed values, and their Flink serializers.
 *
 * <p>One class owns the layout of one type and checks every length before it allocates; tests
 * compare it with golden bytes. Snapshot classes are public, top-level and never renamed. Knows the
 * parts of a segment, not their use.
 */
@NullMarked
package io.equipoise.state;

import org.jspecify.annotations.NullMarked;
