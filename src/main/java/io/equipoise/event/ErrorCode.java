package io.equipoise.event;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Names every reason why an input record is rejected, with its cause, its remedy, the accounts that
 * count it and its metric. {@code docs/reference/error-codes.md} is generated from it.
 */
public enum ErrorCode {
  TOMBSTONE(
      "The value is null.", "Send a value; this topic is not compacted and null deletes nothing."),
  EMPTY("The value has no bytes.", "Send a framed Avro record."),
  OVERSIZED(
      "The value has more bytes than equipoise.max-record-bytes allows.",
      "Send less in one record, or raise equipoise.max-record-bytes."),
  UNFRAMED(
      "The value does not start with an Avro single-object header.",
      "Write Avro single-object encoding, which starts with the bytes C3 01. For Confluent's format,"
          + " which starts with 00, set schema.registry.url."),
  UNKNOWN_SCHEMA(
      "The header names a schema that this build and the schema registry do not know, or that belongs"
          + " to another topic.",
      "Write with a schema of this build or of the registry, to the topic that it belongs to."),
  MALFORMED("The bytes do not follow their schema.", "Check the producer's encoder."),
  INVALID_ID(
      "A decision id, segment, reward id or shown arm is empty, too long or contains a control"
          + " character.",
      "Give decision, segment and reward ids 1 to 128 bytes of UTF-8 and arms 1 to 256 characters,"
          + " without control characters."),
  NOT_FINITE(
      "A number is NaN or infinite, or a numeric variable is not a number.",
      "Send finite numbers and leave out what was not observed.",
      Account.CONTEXT_REJECTED,
      Account.REWARD_INVALID),
  TIME_OUT_OF_RANGE(
      "The event time is before the year 2000.",
      "Send event times as milliseconds since 1970-01-01 UTC.",
      Account.CONTEXT_REJECTED,
      Account.REWARD_INVALID),
  EVENT_TIME_IN_FUTURE(
      "The event time is further ahead than equipoise.time.max-clock-skew allows.",
      "Correct the producer's clock or unit, or raise equipoise.time.max-clock-skew.",
      Account.CONTEXT_REJECTED,
      Account.REWARD_INVALID),
  UNKNOWN_SEGMENT(
      "No spec covers the segment.",
      "Publish a spec for this segment, or correct the segment's name.",
      Account.CONTEXT_REJECTED,
      Account.REWARD_INVALID,
      Account.DECISION_CLOSED_NOT_LEARNABLE),
  MISSING_VARIABLE(
      "A variable that the spec requires is missing.",
      "Send every variable that the spec requires, or declare how it may be missing.",
      Account.CONTEXT_REJECTED,
      Account.REWARD_INVALID),
  UNKNOWN_LEVEL(
      "A value is none of the levels of its variable.",
      "Send a level that the spec lists for this variable.",
      Account.CONTEXT_REJECTED,
      Account.REWARD_INVALID),
  OUT_OF_RANGE(
      "A number is outside the range of its variable.",
      "Send a number within the range that the spec gives this variable.",
      Account.CONTEXT_REJECTED,
      Account.REWARD_INVALID),
  MISSING_MEDIATOR(
      "A mediator that the policy needs to learn did not come with the reward.",
      "Send every mediator that the spec says is observed with the reward.",
      Account.REWARD_INVALID,
      Account.DECISION_CLOSED_NOT_LEARNABLE),
  UNKNOWN_ARM(
      "The arm shown is not an arm of any spec that the model learned under.",
      "Name the arm shown as the decision's candidates do.",
      Account.REWARD_INVALID,
      Account.DECISION_CLOSED_NOT_LEARNABLE),
  REWARD_OUT_OF_RANGE(
      "The reward, or the aggregate of rewards, is outside the range that the spec declares.",
      "Send a reward within the spec's range, or declare rewards unbounded: up to 1e9 in size.",
      Account.REWARD_INVALID,
      Account.DECISION_CLOSED_NOT_LEARNABLE),
  DEADLINE_EXCEEDED(
      "The context arrived after its deadline.",
      "Send the context earlier, or give it a later deadline.",
      Account.CONTEXT_DEADLINE_EXCEEDED),
  DUPLICATE_REWARD("The same reward arrived before.", "Nothing to do.", Account.REWARD_DUPLICATE),
  CONFLICTING_REWARD(
      "Another reward, or one for another arm or other mediators, arrived before under the same"
          + " identity.",
      "Give different rewards different ids, and name the arm that was confirmed as shown.",
      Account.REWARD_CONFLICTING),
  DUPLICATE_CONTEXT(
      "The same context was answered before.", "Nothing to do.", Account.CONTEXT_DUPLICATE),
  CONFLICTING_CONTEXT(
      "Another context was answered before under the same decision id.",
      "Give each context its own decision id.",
      Account.CONTEXT_CONFLICTING),
  REPEATED_CONTEXT(
      "A context was answered before under the same decision id; redaction conceals whether it was"
          + " the same.",
      "Give each context its own decision id.",
      Account.CONTEXT_DUPLICATE,
      Account.CONTEXT_CONFLICTING),
  LATE_REWARD(
      "The event time of the reward lies past the decision's reward window.",
      "Send rewards sooner, or widen the reward window of the spec.",
      Account.REWARD_LATE),
  DECISION_CLOSED(
      "The decision had ended when the reward arrived: its window closed or a reward settled it.",
      "Send rewards before the reward window closes; to send several per decision, declare an"
          + " aggregate in the spec.",
      Account.REWARD_LATE),
  ORPHAN(
      "No context with this decision id arrived in time.",
      "Send the context too, before the early-reward timeout ends, and the reward before join.dedup-window has passed.",
      Account.REWARD_ORPHAN),
  DECISION_NOT_LEARNABLE(
      "The decision is not one that the policy learns from.",
      "Nothing to do.",
      Account.REWARD_NOT_LEARNABLE),
  MODEL_CHANGED(
      "The decision was made under a model that a new spec has replaced.",
      "Nothing to do.",
      Account.CONTEXT_REJECTED,
      Account.REWARD_NOT_LEARNABLE,
      Account.DECISION_CLOSED_NOT_LEARNABLE),
  MISSING_REWARD_ID(
      "The segment aggregates rewards and this one has no reward id.",
      "Give rewards that are aggregated an id of their own.",
      Account.REWARD_INVALID),
  TOO_MANY_REWARDS(
      "The decision has its maximum number of rewards.",
      "Send fewer rewards for a decision.",
      Account.REWARD_INVALID),
  CANDIDATES_UNSUPPORTED(
      "The context brings candidates and the policy chooses among the arms of the spec.",
      "Leave the candidates out.",
      Account.CONTEXT_REJECTED),
  CANDIDATES_INVALID(
      "The candidates are none, too many or too large, or an id is invalid, repeated or used by"
          + " another arm.",
      "Send candidates once each, one to as many as a decision can list, or none for all arms of"
          + " the spec.",
      Account.CONTEXT_REJECTED),
  UNUSABLE_FEATURES(
      "The model cannot compute with the features or the reward.",
      "Scale features and rewards; they are too large.",
      Account.CONTEXT_REJECTED,
      Account.REWARD_INVALID,
      Account.DECISION_CLOSED_NOT_LEARNABLE),
  POLICY_FAILED(
      "The policy failed with an exception at a decision or a reward, which changed nothing.",
      "Report the message of the dead letter to the authors of the policy; publish a spec with less"
          + " extreme settings, or with another policy.",
      Account.CONTEXT_REJECTED,
      Account.REWARD_INVALID,
      Account.DECISION_CLOSED_NOT_LEARNABLE),
  SPEC_REJECTED(
      "The spec is invalid or incompatible with the running one, which stays.",
      "Correct the spec and publish it under a higher number."),
  BOUNDS_REJECTED(
      "The bounds are invalid; the running ones stay.",
      "Correct the bounds and publish them under a higher number."),
  BOUNDS_GRAPH_MISMATCH(
      "The bounds were computed for another graph; the running ones stay.",
      "Compute bounds for the graph of the spec, whose hash the command check prints."),
  TOO_MANY_ARMS(
      "None of the candidates was seen before and the segment has no room for new arms.",
      "Give candidates ids that last and attributes that tell them apart, or use another segment.",
      Account.CONTEXT_REJECTED),
  EVENT_TIME_TOO_OLD(
      "The event time is further behind than equipoise.time.max-lag allows.",
      "Correct the producer's clock, or raise equipoise.time.max-lag.",
      Account.CONTEXT_REJECTED,
      Account.REWARD_INVALID),
  NO_ROOM(
      "The reward arrived before its context and too many such rewards wait.",
      "Send rewards after their contexts, or raise join.max-pending.",
      Account.REWARD_ORPHAN),
  OUTPUT_OVERSIZED(
      "A record that the job wrote is larger than equipoise.max-record-bytes allows.",
      "Raise equipoise.max-record-bytes, or use a spec with fewer arms and levels."),
  TOO_MANY_SEGMENTS(
      "The job keeps its maximum number of active segments and this one is new.",
      "Use fewer segment names, let idle segments rest (idle-state), or raise"
          + " equipoise.segments.most."),
  TOO_MANY_SPECS(
      "The job keeps its maximum of specs, retired ones included, and this one is new.",
      "Publish fewer versions of specs, or continue under a new deployment name."),
  TOO_MANY_BOUNDS(
      "The job keeps its maximum of causal bounds, retired ones included, and this row is new.",
      "Publish fewer or smaller sets of bounds, or continue under a new deployment name."),
  SKIPPED(
      "The option equipoise.inputs.skip names the offset of the record.",
      "Send again what the record asked for, in records that the job can read.");

  private final String cause;
  private final String remedy;

  @SuppressWarnings("ImmutableEnumChecker") // made by List.of
  private final List<Account> accounts;

  ErrorCode(String cause, String remedy, Account... accounts) {
    this.cause = cause;
    this.remedy = remedy;
    this.accounts = List.of(accounts);
  }

  /** Returns the code of a name, or null if this version does not have it. */
  public static @Nullable ErrorCode of(@Nullable String name) {
    for (ErrorCode code : values()) {
      if (code.name().equals(name)) {
        return code;
      }
    }
    return null;
  }

  /** Returns the cause as one sentence. */
  public String cause() {
    return cause;
  }

  /** Returns the remedy as one sentence. */
  public String remedy() {
    return remedy;
  }

  /** Returns the accounts that count this code; empty if no segment's ledger does. */
  public List<Account> accounts() {
    return accounts;
  }

  /**
   * Returns the account of a reward that is rejected with this code.
   *
   * @throws IllegalStateException if no reward is rejected with this code
   */
  public Account rewardAccount() {
    return accounts.stream()
        .filter(account -> account.ledger() == Account.Ledger.REWARD)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no reward is rejected as " + this));
  }

  /**
   * Returns the metric that counts this code: a Flink counter by scope and name, or, if the code
   * makes no dead letter, the path in the segment's metrics.
   */
  public String metric() {
    return this == DEADLINE_EXCEEDED
        ? Account.CONTEXT_DEADLINE_EXCEEDED.path()
        : "deadLetter." + name() + ".records";
  }
}
