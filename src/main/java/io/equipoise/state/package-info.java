/**
 * Versioned byte layouts of everything that is checkpointed, and the Flink serializers over them.
 *
 * <p>One class owns the offsets of one type, checks every length before it allocates, and is held
 * by golden bytes. Snapshot classes are public, top-level and never renamed. Knows what a segment
 * is made of, not what is done with it.
 */
@NullMarked
package io.equipoise.state;

import org.jspecify.annotations.NullMarked;
