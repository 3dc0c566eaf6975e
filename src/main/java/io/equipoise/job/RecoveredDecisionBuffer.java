package io.equipoise.job;

import static java.util.Objects.requireNonNull;

import io.equipoise.event.ContextEvent;
import io.equipoise.event.Decision;
import io.equipoise.event.Source;
import io.equipoise.event.Wire;
import io.equipoise.job.options.JobOptions;
import io.equipoise.privacy.CiphertextException;
import io.equipoise.privacy.Unredactor;
import io.equipoise.segment.log.RecoveredDecisions;
import io.equipoise.segment.log.SegmentWithoutSpec;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.apache.flink.configuration.MemorySize;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Buffers the decisions of earlier writer epochs whose contexts have not arrived again.
 *
 * <p>A recovered decision is of the context at its place: an id that the job has forgotten may be
 * decided again, so one id can have several. Another context with the id of one, which can arrive
 * before it from another partition, gets the same decision and leaves it in the buffer.
 *
 * <p>A recovered decision is discarded when its context arrives, or one with a higher offset of the
 * same partition. Contexts of a partition arrive in order, so its own context was before the
 * restored checkpoint, and the state contains the decision. The remaining decisions belong to
 * partitions without new contexts.
 *
 * <p>Decisions are kept as they are on the topic. Redacted values are decrypted when the context
 * arrives. If that fails because the key has changed, the decision is used as it is: its context
 * gets the same arm, and nothing is learned from it.
 *
 * <p>{@code answers} is the state that checkpoints store. The indices and the sum of bytes are
 * derived from it and change with it; {@code kept} is derived when a checkpoint asks, and valid
 * while {@code isKept} is true. The task thread calls all methods.
 */
final class RecoveredDecisionBuffer implements RecoveredDecisions {
  private static final Logger LOG = LoggerFactory.getLogger(RecoveredDecisionBuffer.class);

  /** Heap of a decision in addition to its bytes: entries of maps and sets, and ids. */
  private static final int ENTRY_BYTES = 500;

  private final MemorySize memory;
  private final Unredactor unredactor;
  private final Map<RecoveredKey, byte[]> answers = new LinkedHashMap<>();
  private final Map<Integer, TreeMap<Long, RecoveredKey>> byOrigin = new TreeMap<>();

  /** The first decision of each id. */
  private final Map<RecoveredId, RecoveredKey> byId = new HashMap<>();

  /** Without the decisions that gave their segment no state or that the state contains. */
  private final Map<String, Set<RecoveredKey>> bySegment = new HashMap<>();

  private List<byte[]> kept = List.of();
  private boolean isKept = true;
  private long held;
  private boolean hasWarned;

  private record RecoveredId(String segment, String decisionId) {}

  /** Names a decision by its id and by the place of its context. */
  private record RecoveredKey(RecoveredId id, int partition, long offset) {
    static RecoveredKey of(String segment, String decisionId, Source source) {
      return new RecoveredKey(
          new RecoveredId(segment, decisionId), source.partition(), source.offset());
    }
  }

  /**
   * Starts empty.
   *
   * @param memory limit in bytes
   * @param unredactor decrypts redacted values of a decision before it is re-applied
   */
  RecoveredDecisionBuffer(MemorySize memory, Unredactor unredactor) {
    this.memory = memory;
    this.unredactor = unredactor;
  }

  /**
   * Adds a decision, unless the context already has an earlier one.
   *
   * @param framed the bytes that the decision was read from, not copied
   * @throws IllegalStateException if the decisions exceed the limit
   */
  void add(Decision decision, byte[] framed) {
    RecoveredKey key =
        RecoveredKey.of(decision.segment(), decision.decisionId(), decision.source());
    if (answers.putIfAbsent(key, framed) != null) {
      return;
    }
    isKept = false;
    held += bytes(framed);
    if (held > memory.getBytes()) {
      throw new IllegalStateException(
          "%d decisions of earlier writer epochs that wait for their contexts exceed"
                  .formatted(answers.size())
              + " %s (%s), and there may be more; raise it together with the task heap, and start"
                  .formatted(JobOptions.RECOVERY_MAX_MEMORY.key(), memory)
              + " from the same checkpoint or savepoint, or from the last one if this start"
              + " had none");
    }
    if (decision.seq() != SegmentWithoutSpec.UNNUMBERED) {
      bySegment.computeIfAbsent(decision.segment(), segment -> new LinkedHashSet<>()).add(key);
    }
    byId.putIfAbsent(key.id(), key);
    byOrigin.computeIfAbsent(key.partition(), partition -> new TreeMap<>()).put(key.offset(), key);
  }

  private static long bytes(byte[] framed) {
    return (long) ENTRY_BYTES + framed.length;
  }

  @Override
  public @Nullable Decision take(ContextEvent context) {
    if (answers.isEmpty()) {
      return null;
    }
    RecoveredKey key =
        RecoveredKey.of(context.segment(), context.decisionId(), context.origin().source());
    RecoveredKey found = answers.containsKey(key) ? key : byId.get(key.id());
    byte[] given = found == null ? null : answers.get(found);
    remove(key);
    TreeMap<Long, RecoveredKey> ofPartition = byOrigin.get(key.partition());
    while (ofPartition != null
        && !ofPartition.isEmpty()
        && ofPartition.firstKey() <= key.offset()) {
      remove(ofPartition.pollFirstEntry().getValue());
    }
    return given == null ? null : opened(Wire.DECISION.decode(given));
  }

  @Override
  public @Nullable Decision next(String segment, Predicate<String> isKnown) {
    Set<RecoveredKey> waiting = bySegment.get(segment);
    while (waiting != null) {
      RecoveredKey first = waiting.iterator().next();
      if (!isKnown.test(first.id().decisionId())) {
        return Wire.DECISION.decode(requireNonNull(answers.get(first)));
      }
      waitNoLonger(first);
      waiting = bySegment.get(segment);
    }
    return null;
  }

  /**
   * Discards the decisions whose contexts will not arrive again.
   *
   * @param isRemoved whether retention has removed the context of a partition and offset
   * @return how many were discarded, by segment
   */
  Map<String, Integer> discardRemoved(BiPredicate<Integer, Long> isRemoved) {
    Map<String, Integer> discarded = new TreeMap<>();
    byOrigin.forEach(
        (partition, keys) ->
            keys.entrySet()
                .removeIf(
                    at -> {
                      boolean isGone = isRemoved.test(partition, at.getKey());
                      if (isGone && remove(at.getValue())) {
                        discarded.merge(at.getValue().id().segment(), 1, Integer::sum);
                      }
                      return isGone;
                    }));
    return discarded;
  }

  private boolean remove(RecoveredKey key) {
    byte[] removed = answers.remove(key);
    if (removed == null) {
      return false;
    }
    waitNoLonger(key);
    byId.remove(key.id(), key);
    isKept = false;
    held -= bytes(removed);
    return true;
  }

  private void waitNoLonger(RecoveredKey key) {
    bySegment.computeIfPresent(
        key.id().segment(),
        (segment, waiting) -> waiting.remove(key) && waiting.isEmpty() ? null : waiting);
  }

  private Decision opened(Decision given) {
    try {
      return unredactor.reveal(given);
    } catch (CiphertextException e) {
      if (!hasWarned) {
        LOG.warn(
            "A recovered decision cannot be decrypted: {}; its context keeps the arm and is not"
                + " learned. The same may apply to the {} other recovered decisions",
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
   * Returns the framed bytes of all decisions, in write order. Cached until a decision is added or
   * discarded.
   */
  List<byte[]> bytes() {
    if (!isKept) {
      kept = List.copyOf(answers.values());
      isKept = true;
    }
    return kept;
  }
}
