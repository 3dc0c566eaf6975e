package io.equipoise.event;

import org.jspecify.annotations.Nullable;

/**
 * Carries one of four parts on the topic {@code watch}: a registration, the evidence on one, its
 * end, or its promotion. {@code avro/WatchRecord.avsc} documents the components.
 *
 * @param id of the registration, 32 hexadecimal digits
 */
public record WatchRecord(
    Type type,
    String segment,
    String id,
    @Nullable ChallengerRegistration challenger,
    @Nullable GroupsRegistration groups,
    @Nullable WatchEvidence evidence,
    @Nullable WatchEnded ended,
    @Nullable WatchPromoted promoted) {
  private static final String NO_ID = "0".repeat(2 * Sha256.HEX_BYTES);

  public enum Type {
    CHALLENGER,
    GROUPS,
    EVIDENCE,
    ENDED,
    PROMOTED
  }

  /** Returns the registration of a challenger, under the id of its content. */
  public static WatchRecord of(String segment, ChallengerRegistration challenger) {
    return new WatchRecord(Type.CHALLENGER, segment, NO_ID, challenger, null, null, null, null)
        .identified();
  }

  /** Returns the registration of a group monitor, under the id of its content. */
  public static WatchRecord of(String segment, GroupsRegistration groups) {
    return new WatchRecord(Type.GROUPS, segment, NO_ID, null, groups, null, null, null)
        .identified();
  }

  private WatchRecord identified() {
    String hash = Sha256.hex(Wire.WATCH.encode(this));
    return new WatchRecord(type, segment, hash, challenger, groups, null, null, null);
  }

  public WatchRecord with(WatchEvidence found) {
    return new WatchRecord(Type.EVIDENCE, segment, id, null, null, found, null, null);
  }

  public WatchRecord with(WatchEnded end) {
    return new WatchRecord(Type.ENDED, segment, id, null, null, null, end, null);
  }

  public WatchRecord with(WatchPromoted promotion) {
    return new WatchRecord(Type.PROMOTED, segment, id, null, null, null, null, promotion);
  }
}
