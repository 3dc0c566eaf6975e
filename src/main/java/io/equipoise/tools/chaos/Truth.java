package io.equipoise.tools.chaos;

import io.equipoise.event.TopicKind;
import io.equipoise.tools.RecordSender;
import io.equipoise.tools.TestRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What the load knows: which contexts await their answer, which rewards their effect, and when the
 * first answer came to a context that is newer than a fault.
 */
final class Truth implements RecordSender.Listener {
  private final Map<String, Long> unanswered = new HashMap<>();
  private final Set<String> unapplied = new HashSet<>();

  /** When watched contexts that were answered were made, and when they were answered. */
  private final List<long[]> answers = new ArrayList<>();

  private boolean isWatching;
  private long watchedFrom;

  @Override
  public void onSend(TestRecord record) {
    String segment = record.segment();
    String id = record.decisionId();
    if (record.kind() == TopicKind.CONTEXTS && segment != null && id != null) {
      context(segment, id, System.nanoTime());
    }
  }

  /** Notes a context, before it is sent. */
  synchronized void context(String segment, String id, long nanoTime) {
    unanswered.put(key(segment, id), nanoTime);
  }

  /** Notes a committed decision; says whether it answers what was open. */
  synchronized boolean decided(String segment, String id, long nanoTime) {
    Long made = unanswered.remove(key(segment, id));
    if (made != null && isWatching && made - watchedFrom > 0) {
      answers.add(new long[] {made, nanoTime});
    }
    return made != null;
  }

  /** Notes a reward that must be learned, before it is sent. */
  synchronized void reward(String segment, String id) {
    unapplied.add(key(segment, id));
  }

  synchronized void applied(String segment, String id) {
    unapplied.remove(key(segment, id));
  }

  /** Begins to watch for answers to contexts that are made after a time. */
  synchronized void watch(long nanoTime) {
    answers.clear();
    watchedFrom = nanoTime;
    isWatching = true;
  }

  /** Watches on for answers to contexts that are made after a later time only. */
  synchronized void rewatch(long nanoTime) {
    watchedFrom = nanoTime;
    answers.removeIf(answer -> answer[0] - nanoTime <= 0);
  }

  /** Ends a watch. */
  synchronized void unwatch() {
    isWatching = false;
    answers.clear();
  }

  /** Returns when the first answer came that is watched for. */
  synchronized OptionalLong firstAnswer() {
    return answers.stream().mapToLong(answer -> answer[1]).min();
  }

  /** Says whether all that was sent has had its effect. */
  synchronized boolean isSettled() {
    return unanswered.isEmpty() && unapplied.isEmpty();
  }

  synchronized int unanswered() {
    return unanswered.size();
  }

  synchronized int unapplied() {
    return unapplied.size();
  }

  private static String key(String segment, String id) {
    return segment + "/" + id;
  }
}
