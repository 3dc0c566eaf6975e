package io.equipoise.lab.chaos;

import static java.util.stream.Collectors.joining;

import io.equipoise.event.ErrorCode;
import io.equipoise.event.LogTopic;
import io.equipoise.tools.RecordSender;
import io.equipoise.tools.TestRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Tracks the expected effects of the load: contexts that wait for a decision, rewards that wait for
 * their effect, and how long contexts that are newer than a fault waited.
 *
 * <p>A reward must be learned, unless it was appended after its window: a decision that waits
 * longer for an outage than its window lasts gets its reward too late. Such a reward must be a dead
 * letter.
 */
final class ExpectedEffects implements RecordSender.Listener {
  /** Codes of rewards that are too late: past the window, after its end, or of a forgotten id. */
  private static final Set<ErrorCode> LATE =
      EnumSet.of(ErrorCode.LATE_REWARD, ErrorCode.DECISION_CLOSED, ErrorCode.ORPHAN);

  private final Map<String, Long> unanswered = new HashMap<>();

  /** Ends of the windows of rewards, ms. */
  private final Map<String, Long> unapplied = new HashMap<>();

  /** What happened to rewards instead of what is expected. */
  private final Map<String, String> faults = new TreeMap<>();

  private final Map<ErrorCode, Integer> late = new EnumMap<>(ErrorCode.class);

  /** Creation and decision times of watched contexts. */
  private final List<long[]> answers = new ArrayList<>();

  private boolean isWatching;
  private long watchedFrom;

  @Override
  public void onSend(TestRecord record) {
    String segment = record.segment();
    String id = record.decisionId();
    if (record.kind() == LogTopic.CONTEXTS && segment != null && id != null) {
      context(segment, id, System.nanoTime());
    }
  }

  /** Records a context, before it is sent. */
  synchronized void context(String segment, String id, long nanoTime) {
    unanswered.put(key(segment, id), nanoTime);
  }

  /** Records a committed decision; returns whether its context was waiting. */
  synchronized boolean decided(String segment, String id, long nanoTime) {
    Long made = unanswered.remove(key(segment, id));
    if (made != null && isWatching && made - watchedFrom > 0) {
      answers.add(new long[] {made, nanoTime});
    }
    return made != null;
  }

  /**
   * Records a reward, before it is sent.
   *
   * @param windowEnd end of its window, ms
   */
  synchronized void reward(String segment, String id, long windowEnd) {
    unapplied.put(key(segment, id), windowEnd);
  }

  /** Records that a reward was learned; the event time is that of the reward, ms. */
  synchronized void applied(String segment, String id, long eventTime) {
    Long end = unapplied.get(key(segment, id));
    if (end != null && eventTime > end) {
      faults.put(key(segment, id), "learned, %d ms after its window".formatted(eventTime - end));
    } else {
      settled(key(segment, id));
    }
  }

  /** Records that a reward was rejected; other codes than those of late rewards are ignored. */
  synchronized void rejected(String segment, String id, @Nullable ErrorCode code, long appended) {
    Long end = unapplied.get(key(segment, id));
    if (end == null || code == null || !LATE.contains(code)) {
      return; // a repetition or a contradiction
    }
    if (appended > end) {
      settled(key(segment, id));
      late.merge(code, 1, Integer::sum);
    } else {
      faults.put(
          key(segment, id),
          "%s, appended %d ms before the end of its window".formatted(code, end - appended));
    }
  }

  private void settled(String key) {
    unapplied.remove(key);
    faults.remove(key);
  }

  /** Returns the numbers of rewards that were appended after their window and rejected, by code. */
  synchronized Map<ErrorCode, Integer> late() {
    return new TreeMap<>(late);
  }

  /** Describes the effects that are missing. */
  synchronized String missing() {
    String some = faults.entrySet().stream().limit(3).map(Object::toString).collect(joining("; "));
    return "%d contexts without decision, %d rewards not learned%s"
        .formatted(unanswered.size(), unapplied.size(), some.isEmpty() ? "" : ": " + some);
  }

  /** Starts to watch for decisions of contexts created after a time. */
  synchronized void watch(long nanoTime) {
    answers.clear();
    watchedFrom = nanoTime;
    isWatching = true;
  }

  /** Restricts the watch to contexts created after a later time. */
  synchronized void rewatch(long nanoTime) {
    watchedFrom = nanoTime;
    answers.removeIf(answer -> answer[0] - nanoTime <= 0);
  }

  /** Returns whether a watched context has its decision. */
  synchronized boolean isAnswered() {
    return !answers.isEmpty();
  }

  /** Returns whether all watched contexts that were created before a time have their decisions. */
  synchronized boolean isAnswered(long before) {
    return unanswered.values().stream()
        .noneMatch(made -> made - watchedFrom > 0 && made - before <= 0);
  }

  /**
   * Ends a watch; returns the longest time from the creation of a watched context to its decision.
   */
  synchronized Duration unwatch() {
    isWatching = false;
    long longest = answers.stream().mapToLong(answer -> answer[1] - answer[0]).max().orElse(0);
    answers.clear();
    return Duration.ofNanos(longest);
  }

  /** Returns whether all records have had their effect. */
  synchronized boolean isSettled() {
    return unanswered.isEmpty() && unapplied.isEmpty();
  }

  synchronized int undecided() {
    return unanswered.size();
  }

  synchronized int unapplied() {
    return unapplied.size();
  }

  private static String key(String segment, String id) {
    return segment + "/" + id;
  }
}
