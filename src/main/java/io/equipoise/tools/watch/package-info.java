/**
 * The verbs {@code watch}: challengers in shadow, and the monitor of gaps between groups. They read
 * the committed topics beside the job and write the topic {@code watch}. The statistics are in
 * {@code io.equipoise.watch} and {@code io.equipoise.evidence}, which know no topic.
 */
@NullMarked
package io.equipoise.tools.watch;

import org.jspecify.annotations.NullMarked;
