package io.equipoise.job;

import io.equipoise.event.ContextEvent;
import io.equipoise.event.Decision;
import io.equipoise.event.Wire;
import io.equipoise.job.options.JobOptions;
import io.equipoise.privacy.CiphertextException;
import io.equipoise.privacy.Unredactor;
import io.equipoise.segment.log.RecoveredDecisions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.configuration.MemorySize;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The answers that earlier attempts had written and whose contexts have not come again.
 *
 * <p>An answer is dropped as soon as a context comes that stands behind its own in the same
 * partition. Those of one partition come in order, so its own was before the checkpoint that was
 * restored, where the state knows it. What stays is what a partition without new contexts left.
 *
 * <p>Answers are held as they stand on their topic, and what is hidden in one is opened only when
 * its context comes. One that cannot be opened, because the key has been changed, is handed over as
 * it is: its context keeps the arm, and nothing is learned from it.
 */
final class RecoveredDecisionBuffer implements RecoveredDecisions {
  private static final Logger LOG = LoggerFactory.getLogger(RecoveredDecisionBuffer.class);

  /** Bytes that one answer takes besides its own, in entries of the maps and its ids. */
  private static final int ENTRY_BYTES = 300;

  private final MemorySize memory;
  private final Unredactor unredactor;
  private final Map<Key, Standing> answers = new LinkedHashMap<>();
  private final Map<Integer, TreeMap<Long, Key>> byOrigin = new TreeMap<>();
  private List<byte[]> kept = List.of();
  private boolean isKept = true;
  private long held;
  private boolean hasWarned;

  /** An answer's framed bytes, and whose context's they are. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Standing(int partition, long offset, byte[] framed) {
    long bytes() {
      return (long) ENTRY_BYTES + framed.length;
    }
  }

  private record Key(String segment, String decisionId) {
    static Key of(Decision decision) {
      return new Key(decision.segment(), decision.decisionId());
    }
  }

  /**
   * Starts empty.
   *
   * @param memory that answers may be held in
   * @param revealer gives back what was hidden in an answer that is to be given again
   */
  RecoveredDecisionBuffer(MemorySize memory, Unredactor unredactor) {
    this.memory = memory;
    this.unredactor = unredactor;
  }

  /**
   * Takes in an answer, unless the same context has one that was there before.
   *
   * @param framed the bytes that the decision was read from, which are not copied
   * @throws IllegalStateException if there are more than may be held
   */
  void add(Decision decision, byte[] framed) {
    Key key = Key.of(decision);
    Standing standing = new Standing(decision.contextPartition(), decision.contextOffset(), framed);
    if (answers.putIfAbsent(key, standing) != null) {
      return;
    }
    isKept = false;
    held += standing.bytes();
    if (held > memory.getBytes()) {
      throw new IllegalStateException(
          "%d answers of earlier attempts, which wait for their contexts to come again, take more"
                  .formatted(answers.size())
              + " than %s (%s), and there may be more; raise it, with task heap for it, and start"
                  .formatted(JobOptions.RECOVERY_MAX_MEMORY.key(), memory)
              + " from the same checkpoint or savepoint, or from the last one where this start had"
              + " none");
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
    Standing given = remove(new Key(context.segment(), context.decisionId()));
    if (given != null) {
      forget(given);
    }
    TreeMap<Long, Key> ofPartition = byOrigin.get(context.origin().partition());
    while (ofPartition != null
        && !ofPartition.isEmpty()
        && ofPartition.firstKey() < context.origin().offset()) {
      remove(ofPartition.pollFirstEntry().getValue());
    }
    return given == null ? null : opened(Wire.DECISION.decode(given.framed()));
  }

  private @Nullable Standing remove(Key key) {
    Standing removed = answers.remove(key);
    if (removed != null) {
      isKept = false;
      held -= removed.bytes();
    }
    return removed;
  }

  private void forget(Standing given) {
    TreeMap<Long, Key> ofPartition = byOrigin.get(given.partition());
    if (ofPartition != null) {
      ofPartition.remove(given.offset());
    }
  }

  private Decision opened(Decision given) {
    try {
      return unredactor.reveal(given);
    } catch (CiphertextException e) {
      if (!hasWarned) {
        LOG.warn(
            "An answer that is to be given again cannot be opened: {}; its context keeps the arm"
                + " and is not learned from, and so may those of the {} other answers that stand",
            e.getMessage(),
            answers.size());
        hasWarned = true;
      }
      return given;
    }
  }

  int size() {
    return answers.size();
  }

  /**
   * Returns the framed bytes of all answers, in the order in which they were written. Costs nothing
   * where none was added or dropped since the last call, else a reference each.
   */
  List<byte[]> bytes() {
    if (!isKept) {
      kept = answers.values().stream().map(Standing::framed).toList();
      isKept = true;
    }
    return kept;
  }
}
