package io.equipoise.state;

import io.equipoise.event.PropensityKind;
import io.equipoise.event.RewardEvent;
import io.equipoise.layout.LayoutException;
import io.equipoise.layout.LayoutReader;
import io.equipoise.layout.LayoutWriter;
import io.equipoise.segment.state.Entry;
import io.equipoise.segment.state.PendingPropensities;
import io.equipoise.segment.state.RewardAggregate;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.jspecify.annotations.Nullable;

/**
 * Serializes the entry of a decision id, version 1, big-endian.
 *
 * <pre>
 *   0 version (u8)   1 kind (u8: 0 early rewards, 1 pending with propensity 1, 2 that with inputs,
 *                    3 pending with propensities, 4 dedup entry)
 *   2 due (i64)   10 bucket (i64)
 *  18 early:     rewards (i32), each an input ({@link InputLayout})
 *  18 pending:   context digest (i64)   context time (i64)   decision seq (i64)   arm (i32)
 *                level version (i32)   propensity (f64)   levels (i32), each (i32)
 *                [kinds 2, 3: inputs (i32), each (f64)]
 *                [kind 3: propensity kind (u8), draws (i32), values (i32), each (f64),
 *                runs (i32), each (i32)]   fingerprints
 *                aggregate (u8 present): arm decided (i32)   count (i32)  sum, min, max (f64)  last time (i64)
 *                last (f64)  mediators (i32), each (i32)
 *  18 dedup:     resolution (u8)   context digest (i64)   arm decided (i32, -1 none)   fingerprints
 *     fingerprints: rewards (i32), per reward: identity (i64), content (i64)
 * </pre>
 *
 * <p>A pending decision on 3 context variables takes 79 bytes after its length. Kind 3 takes 13
 * bytes more, the number of its inputs, and 8 for each candidate, or 12 for each run of adjacent
 * candidates with equal propensity if that is less.
 */
@SuppressWarnings("EnumOrdinal") // the order of resolutions and propensity kinds is in the layout
public final class EntrySerializer extends LayoutSerializer<Entry> {
  private static final long serialVersionUID = 1L;

  private static final int EARLY = 0;
  private static final int AWAITING_SURE = 1;
  private static final int AWAITING_SURE_WITH_INPUTS = 2;
  private static final int AWAITING_WITH_PROPENSITIES = 3;
  private static final int DEDUP_ENTRY = 4;
  private static final double[] NO_INPUTS = {};
  private static final Entry.Resolution[] RESOLUTIONS = Entry.Resolution.values();
  private static final PropensityKind[] PROPENSITY_KINDS = PropensityKind.values();

  @Override
  protected void write(Entry entry, LayoutWriter out) throws IOException {
    if (entry instanceof Entry.EarlyRewards early) {
      writeFront(EARLY, entry, out);
      out.writeInt(early.held().size());
      for (RewardEvent reward : early.held()) {
        InputLayout.write(reward, out);
      }
    } else if (entry instanceof Entry.PendingDecision decision) {
      int kind = kind(decision);
      writeFront(kind, entry, out);
      writeAwaiting(decision, kind, out);
    } else {
      writeFront(DEDUP_ENTRY, entry, out);
      Entry.DedupEntry dedupEntry = (Entry.DedupEntry) entry;
      out.writeByte(dedupEntry.fate().ordinal());
      out.writeLong(dedupEntry.contextDigest());
      out.writeInt(dedupEntry.decided());
      writeSeen(dedupEntry.seen(), out);
    }
  }

  @Override
  protected Entry read(byte version, LayoutReader in) throws IOException {
    int kind = in.readByte();
    long due = in.readLong();
    long bucket = in.readLong();
    return switch (kind) {
      case EARLY -> new Entry.EarlyRewards(due, bucket, readHeld(in));
      case AWAITING_SURE, AWAITING_SURE_WITH_INPUTS, AWAITING_WITH_PROPENSITIES ->
          readAwaiting(due, bucket, kind, in);
      case DEDUP_ENTRY ->
          new Entry.DedupEntry(
              due, bucket, in.readEnum(RESOLUTIONS), in.readLong(), in.readInt(), readSeen(in));
      default -> throw new LayoutException("EntrySerializer: unknown kind " + kind);
    };
  }

  private static void writeFront(int kind, Entry entry, LayoutWriter out) throws IOException {
    out.writeByte(kind);
    out.writeLong(entry.due());
    out.writeLong(entry.bucket());
  }

  private static int kind(Entry.PendingDecision decision) {
    if (decision.propensities().equals(PendingPropensities.SURE)) {
      return decision.inputs().length > 0 ? AWAITING_SURE_WITH_INPUTS : AWAITING_SURE;
    }
    return AWAITING_WITH_PROPENSITIES;
  }

  private static boolean hasInputs(int kind) {
    return kind == AWAITING_SURE_WITH_INPUTS || kind == AWAITING_WITH_PROPENSITIES;
  }

  private static void writeAwaiting(Entry.PendingDecision decision, int kind, LayoutWriter out)
      throws IOException {
    out.writeLong(decision.contextDigest());
    out.writeLong(decision.contextTime());
    out.writeLong(decision.decisionSeq());
    out.writeInt(decision.arm());
    out.writeInt(decision.levelVersion());
    out.writeDouble(decision.propensity());
    out.writeInts(decision.context());
    if (hasInputs(kind)) {
      out.writeDoubles(decision.inputs());
    }
    if (kind == AWAITING_WITH_PROPENSITIES) {
      writePropensities(decision.propensities(), out);
    }
    writeSeen(decision.seen(), out);
    RewardAggregate rewardAggregate = decision.collected();
    out.writeByte(rewardAggregate == null ? 0 : 1);
    if (rewardAggregate != null) {
      out.writeInt(decision.decided());
      out.writeInt(rewardAggregate.count());
      out.writeDouble(rewardAggregate.sum());
      out.writeDouble(rewardAggregate.min());
      out.writeDouble(rewardAggregate.max());
      out.writeLong(rewardAggregate.lastTime());
      out.writeDouble(rewardAggregate.last());
      out.writeInts(rewardAggregate.mediators());
    }
  }

  private static Entry.PendingDecision readAwaiting(
      long due, long bucket, int kind, LayoutReader in) throws IOException {
    long contextDigest = in.readLong();
    long contextTime = in.readLong();
    long decisionSeq = in.readLong();
    int arm = in.readInt();
    int levelVersion = in.readInt();
    double propensity = in.readDouble();
    int[] context = in.readInts();
    double[] inputs = hasInputs(kind) ? in.readDoubles() : NO_INPUTS;
    if (hasInputs(kind) && inputs.length == 0 && kind != AWAITING_WITH_PROPENSITIES) {
      throw new LayoutException("EntrySerializer: an entry of a kind with inputs has none");
    }
    PendingPropensities propensities =
        kind == AWAITING_WITH_PROPENSITIES ? readPropensities(in) : PendingPropensities.SURE;
    List<Entry.RewardFingerprint> seen = readSeen(in);
    boolean hasCollected = in.readBoolean();
    int decided = hasCollected ? in.readInt() : arm;
    @Nullable RewardAggregate rewardAggregate = hasCollected ? readCollected(in) : null;
    return new Entry.PendingDecision(
        due,
        bucket,
        contextDigest,
        contextTime,
        decisionSeq,
        arm,
        decided,
        levelVersion,
        propensity,
        propensities,
        context,
        inputs,
        seen,
        rewardAggregate);
  }

  private static void writePropensities(PendingPropensities propensities, LayoutWriter out)
      throws IOException {
    out.writeByte(propensities.kind().ordinal());
    out.writeInt(propensities.draws());
    out.writeDoubles(propensities.values());
    out.writeInts(propensities.runs());
  }

  private static PendingPropensities readPropensities(LayoutReader in) throws IOException {
    PropensityKind kind = in.readEnum(PROPENSITY_KINDS);
    int draws = in.readInt();
    double[] values = in.readDoubles();
    if (values.length == 0) {
      throw new LayoutException("EntrySerializer: an entry of a kind with propensities has none");
    }
    return new PendingPropensities(kind, draws, values, in.readInts());
  }

  private static RewardAggregate readCollected(LayoutReader in) throws IOException {
    return new RewardAggregate(
        in.readInt(),
        in.readDouble(),
        in.readDouble(),
        in.readDouble(),
        in.readLong(),
        in.readDouble(),
        in.readInts());
  }

  private static List<RewardEvent> readHeld(LayoutReader in) throws IOException {
    List<RewardEvent> held = new ArrayList<>();
    for (int left = in.readCount(1); left > 0; left--) {
      if (InputLayout.read(in) instanceof RewardEvent reward) {
        held.add(reward);
      } else {
        throw new LayoutException("EntrySerializer: an early reward is a context");
      }
    }
    return held;
  }

  private static void writeSeen(List<Entry.RewardFingerprint> seen, LayoutWriter out)
      throws IOException {
    out.writeInt(seen.size());
    for (int i = 0; i < seen.size(); i++) {
      out.writeLong(seen.get(i).identity());
      out.writeLong(seen.get(i).content());
    }
  }

  private static List<Entry.RewardFingerprint> readSeen(LayoutReader in) throws IOException {
    List<Entry.RewardFingerprint> seen = new ArrayList<>();
    for (int left = in.readCount(2 * Long.BYTES); left > 0; left--) {
      seen.add(new Entry.RewardFingerprint(in.readLong(), in.readLong()));
    }
    return seen;
  }

  @Override
  public Entry createInstance() {
    return new Entry.EarlyRewards(0, 0, List.of());
  }

  @Override
  public TypeSerializerSnapshot<Entry> snapshotConfiguration() {
    return new EntrySnapshot();
  }
}
