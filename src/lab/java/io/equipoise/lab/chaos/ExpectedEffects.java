package io.equipoise.lab.chaos;

import io.equipoise.event.LogTopic;
import io.equipoise.tools.RecordSender;
import io.equipoise.tools.TestRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Tracks the expected effects of the load: contexts that wait for a decision, rewards that wait for
 * their effect, and how long contexts that are newer than a fault waited.
 */
final class ExpectedEffects implements RecordSender.Listener {
  private final Map<String, Long> unanswered = new HashMap<>();
  private final Set<String> unapplied = new HashSet<>();

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

  /** Records a reward that must be learned, before it is sent. */
  synchronized void reward(String segment, String id) {
    unapplied.add(key(segment, id));
  }

  synchronized void applied(String segment, String id) {
    unapplied.remove(key(segment, id));
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
