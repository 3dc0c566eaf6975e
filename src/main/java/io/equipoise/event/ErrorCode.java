package io.equipoise.event;

/** Names every reason why an input record is not used as it came, and what to do about it. */
public enum ErrorCode {
  TOMBSTONE("Send a value; this topic is not compacted and null deletes nothing."),
  EMPTY("Send a framed Avro record; the value has no bytes."),
  OVERSIZED("Send less in one record, or raise the limit on its bytes."),
  UNFRAMED("Write Avro single-object encoding, which starts with the bytes C3 01."),
  UNKNOWN_SCHEMA("Write with a schema that this build knows and that belongs to this topic."),
  MALFORMED("Check the producer's encoder; the bytes do not follow their schema."),
  BAD_ID(
      "Give decision, segment and reward ids 1 to 128 bytes of UTF-8, no control character among"
          + " them, and arms 1 to 256 characters."),
  NOT_FINITE("Send finite numbers and leave out what was not observed."),
  TIME_OUT_OF_RANGE(
      "Send event times as milliseconds since 1970-01-01 UTC, none before the year 2000."),
  FUTURE("Correct the producer's clock or unit, or raise the allowed skew."),
  UNKNOWN_SEGMENT("Publish a spec for this segment, or correct the segment's name."),
  MISSING_VARIABLE("Send every variable that the spec requires, or declare how it may be missing."),
  UNKNOWN_LEVEL("Send a level that the spec lists for this variable."),
  OUT_OF_RANGE("Send a number within the range that the spec gives this variable."),
  MISSING_MEDIATOR("Send every mediator that the spec says is observed with the reward."),
  UNKNOWN_ARM("Name the arm shown as the decision's candidates do."),
  REWARD_OUT_OF_RANGE(
      "Send a reward within the spec's range, or declare rewards unbounded: up to 1e9 in size."),
  STALE("Send the context earlier, or give it a later deadline."),
  DUPLICATE("Nothing to do; the same reward came before."),
  CONFLICT("Give different rewards different ids; another reward came under this one before."),
  DUPLICATE_CONTEXT("Nothing to do; the same context was answered before."),
  CONFLICT_CONTEXT("Give each context its own decision id; another one came under it before."),
  REPEATED_CONTEXT("Give each context its own decision id; one came under it before."),
  LATE("Send rewards sooner, or widen the window of the spec."),
  ORPHAN("Send the context too; none with this decision id came in time."),
  UNLEARNT("Nothing to do; the decision is not one that is learnt from."),
  MODEL_CHANGED("Nothing to do; the decision was made under a model that has been replaced."),
  EVICTED("Raise the number of pending decisions, or shorten the window."),
  MISSING_REWARD_ID("Give rewards that are aggregated an id of their own."),
  TOO_MANY_REWARDS("Send fewer rewards for a decision."),
  CANDIDATES_UNSUPPORTED("Leave the candidates out; the policy chooses among the spec's arms."),
  CANDIDATES_INVALID(
      "Send candidates once each, one to as many as an answer can list, or none for all arms."),
  UNUSABLE_FEATURES("Scale features and rewards; they are too large to be computed with."),
  SPEC_REFUSED("Correct the spec and publish it under a higher number; the running one stays."),
  PRIOR_REFUSED(
      "Correct the bounds and publish them under a higher number; the running ones stay."),
  PRIOR_OF_OTHER_GRAPH(
      "Compute bounds for the graph of the spec, whose hash the command check prints; the running"
          + " ones stay."),
  TOO_MANY_ARMS(
      "Give candidates ids that last and attributes that tell them apart, or use another segment."),
  EVENT_TIME_TOO_OLD("Correct the producer's clock, or raise equipoise.time.allowed-lag."),
  NO_ROOM("Send rewards after their contexts, or raise join.max-entries."),
  OUTPUT_OVERSIZED("Raise equipoise.max-record-bytes, or use a spec with fewer arms and levels."),
  TOO_MANY_SEGMENTS(
      "Use fewer segment names, let idle segments end, or raise the number of segments that are"
          + " kept.");

  private final String remedy;

  ErrorCode(String remedy) {
    this.remedy = remedy;
  }

  /** Returns one sentence that says what to do. */
  public String remedy() {
    return remedy;
  }
}
