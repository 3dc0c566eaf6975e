package io.equipoise.event;

import org.jspecify.annotations.Nullable;

/**
 * Reports the evidence about one registration after some rows. {@code avro/WatchRecord.avsc}
 * documents the meaning and unit of every component.
 */
public record WatchEvidence(
    long rows,
    long seq,
    long pending,
    long missing,
    long leftOut,
    @Nullable ChallengerEvidence ofChallenger,
    @Nullable GroupsEvidence ofGroups) {}
