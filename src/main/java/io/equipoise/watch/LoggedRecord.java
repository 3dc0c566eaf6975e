package io.equipoise.watch;

import io.equipoise.event.PlacedOutput;

/**
 * A record of a segment's log.
 *
 * @param offset of a decision in its partition; of other records it is not read
 */
public record LoggedRecord(PlacedOutput output, long offset) {}
