package io.equipoise.job;

import io.equipoise.event.ContextEvent;
import io.equipoise.event.Decision;
import io.equipoise.event.Wire;
import io.equipoise.join.GivenAnswers;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The answers that earlier attempts had written and whose contexts have not come again.
 *
 * <p>An answer is dropped as soon as a context comes that stands behind its own in the same
 * partition. Those of one partition come in order, so its own was before the checkpoint that was
 * restored, where the state knows it. What stays is what a partition without new contexts left.
 */
final class AnswerBook implements GivenAnswers {
  private final int most;
  private final Map<Key, Decision> answers = new LinkedHashMap<>();
  private final Map<Integer, TreeMap<Long, Key>> byOrigin = new TreeMap<>();

  private record Key(String segment, String decisionId) {
    static Key of(Decision decision) {
      return new Key(decision.segment(), decision.decisionId());
    }
  }

  /** Starts empty, to hold no more than {@code most}. */
  AnswerBook(int most) {
    this.most = most;
  }

  /**
   * Takes in an answer, unless the same context has one that was there before.
   *
   * @throws IllegalStateException if there are too many
   */
  void add(Decision decision) {
    Key key = Key.of(decision);
    if (answers.putIfAbsent(key, decision) != null) {
      return;
    }
    if (answers.size() > most) {
      throw new IllegalStateException(
          "more than %d decisions stand on their topic that no state knows; start from the last"
                  .formatted(most)
              + " checkpoint or savepoint, or give this job another equipoise.deployment");
    }
    byOrigin
        .computeIfAbsent(decision.contextPartition(), partition -> new TreeMap<>())
        .put(decision.contextOffset(), key);
  }

  @Override
  public @Nullable Decision take(ContextEvent context) {
    if (answers.isEmpty()) {
      return null;
    }
    Decision given = answers.remove(new Key(context.segment(), context.decisionId()));
    if (given != null) {
      forget(given);
    }
    TreeMap<Long, Key> ofPartition = byOrigin.get(context.origin().partition());
    while (ofPartition != null
        && !ofPartition.isEmpty()
        && ofPartition.firstKey() < context.origin().offset()) {
      answers.remove(ofPartition.pollFirstEntry().getValue());
    }
    return given;
  }

  private void forget(Decision given) {
    TreeMap<Long, Key> ofPartition = byOrigin.get(given.contextPartition());
    if (ofPartition != null) {
      ofPartition.remove(given.contextOffset());
    }
  }

  int size() {
    return answers.size();
  }

  /** Returns the framed bytes of all answers, in the order in which they were written. */
  List<byte[]> bytes() {
    List<byte[]> bytes = new ArrayList<>(answers.size());
    answers.values().forEach(answer -> bytes.add(Wire.DECISION.encode(answer)));
    return bytes;
  }
}
