/**
 * Keeps the state of a segment between two events: header, decision ids, due times, ledgers and
 * kept definitions of earlier specs, behind {@link io.equipoise.segment.state.SegmentState}; and
 * what it runs under: the compiled spec and the validated causal bounds. {@link
 * io.equipoise.segment.state.SegmentContext} carries all of it while one event is handled.
 */
@NullMarked
package io.equipoise.segment.state;

import org.jspecify.annotations.NullMarked;
