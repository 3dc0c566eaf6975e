package io.equipoise.state;

import io.equipoise.event.RewardEvent;
import io.equipoise.join.Collected;
import io.equipoise.join.Entry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.jspecify.annotations.Nullable;

/**
 * Bytes of what is remembered of a decision id, version 1. Big-endian.
 *
 * <pre>
 *   0 version (u8)   1 kind (u8: 0 early, 1 awaiting, 2 tombstone, 3 awaiting with inputs)
 *   2 due (i64)   10 bucket (i64)
 *  18 early:     rewards (i32), each an input ({@link InputLayout})
 *  18 awaiting:  context digest (i64)   context time (i64)   decision seq (i64)   arm (i32)
 *                epoch (i32)   propensity (f64)   levels (i32), each (i32)
 *                [kind 3: inputs (i32), each (f64)]   seen
 *                collected (u8 present): count (i32)  sum, min, max (f64)  last time (i64)
 *                last (f64)  mediators (i32), each (i32)
 *  18 tombstone: fate (u8)   context digest (i64)   seen
 *     seen:      rewards (i32), per reward: identity (i64), content (i64)
 * </pre>
 *
 * <p>An awaiting decision on 3 context variables takes 79 bytes behind its length.
 */
@SuppressWarnings("EnumOrdinal") // the order of fates is part of the layout
public final class EntrySerializer extends LayoutSerializer<Entry> {
  private static final long serialVersionUID = 1L;

  private static final int EARLY = 0;
  private static final int AWAITING = 1;
  private static final int TOMBSTONE = 2;
  private static final int AWAITING_WITH_INPUTS = 3;
  private static final double[] NO_INPUTS = {};
  private static final Entry.Fate[] FATES = Entry.Fate.values();

  @Override
  protected byte version() {
    return 1;
  }

  @Override
  protected void write(Entry entry, LayoutWriter out) throws IOException {
    if (entry instanceof Entry.Early early) {
      writeFront(EARLY, entry, out);
      out.writeInt(early.held().size());
      for (RewardEvent reward : early.held()) {
        InputLayout.write(reward, out);
      }
    } else if (entry instanceof Entry.Awaiting decision) {
      writeFront(decision.inputs().length == 0 ? AWAITING : AWAITING_WITH_INPUTS, entry, out);
      writeAwaiting(decision, out);
    } else {
      writeFront(TOMBSTONE, entry, out);
      Entry.Tombstone tombstone = (Entry.Tombstone) entry;
      out.writeByte(tombstone.fate().ordinal());
      out.writeLong(tombstone.contextDigest());
      writeSeen(tombstone.seen(), out);
    }
  }

  @Override
  protected Entry read(byte version, LayoutReader in) throws IOException {
    int kind = in.readByte();
    long due = in.readLong();
    long bucket = in.readLong();
    return switch (kind) {
      case EARLY -> new Entry.Early(due, bucket, readHeld(in));
      case AWAITING -> readAwaiting(due, bucket, false, in);
      case AWAITING_WITH_INPUTS -> readAwaiting(due, bucket, true, in);
      case TOMBSTONE ->
          new Entry.Tombstone(due, bucket, in.readEnum(FATES), in.readLong(), readSeen(in));
      default -> throw new LayoutException("EntrySerializer: there is no kind " + kind);
    };
  }

  private static void writeFront(int kind, Entry entry, LayoutWriter out) throws IOException {
    out.writeByte(kind);
    out.writeLong(entry.due());
    out.writeLong(entry.bucket());
  }

  private static void writeAwaiting(Entry.Awaiting decision, LayoutWriter out) throws IOException {
    out.writeLong(decision.contextDigest());
    out.writeLong(decision.contextTime());
    out.writeLong(decision.decisionSeq());
    out.writeInt(decision.arm());
    out.writeInt(decision.epoch());
    out.writeDouble(decision.propensity());
    out.writeInts(decision.context());
    if (decision.inputs().length > 0) {
      out.writeDoubles(decision.inputs());
    }
    writeSeen(decision.seen(), out);
    Collected collected = decision.collected();
    out.writeByte(collected == null ? 0 : 1);
    if (collected != null) {
      out.writeInt(collected.count());
      out.writeDouble(collected.sum());
      out.writeDouble(collected.min());
      out.writeDouble(collected.max());
      out.writeLong(collected.lastTime());
      out.writeDouble(collected.last());
      out.writeInts(collected.mediators());
    }
  }

  private static Entry.Awaiting readAwaiting(
      long due, long bucket, boolean hasInputs, LayoutReader in) throws IOException {
    long contextDigest = in.readLong();
    long contextTime = in.readLong();
    long decisionSeq = in.readLong();
    int arm = in.readInt();
    int epoch = in.readInt();
    double propensity = in.readDouble();
    int[] context = in.readInts();
    double[] inputs = hasInputs ? in.readDoubles() : NO_INPUTS;
    if (hasInputs && inputs.length == 0) {
      throw new LayoutException("EntrySerializer: an entry with inputs has none");
    }
    List<Entry.Seen> seen = readSeen(in);
    @Nullable Collected collected = in.readBoolean() ? readCollected(in) : null;
    return new Entry.Awaiting(
        due,
        bucket,
        contextDigest,
        contextTime,
        decisionSeq,
        arm,
        epoch,
        propensity,
        context,
        inputs,
        seen,
        collected);
  }

  private static Collected readCollected(LayoutReader in) throws IOException {
    return new Collected(
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
        throw new LayoutException("EntrySerializer: a context is held as a reward");
      }
    }
    return held;
  }

  private static void writeSeen(List<Entry.Seen> seen, LayoutWriter out) throws IOException {
    out.writeInt(seen.size());
    for (int i = 0; i < seen.size(); i++) {
      out.writeLong(seen.get(i).identity());
      out.writeLong(seen.get(i).content());
    }
  }

  private static List<Entry.Seen> readSeen(LayoutReader in) throws IOException {
    List<Entry.Seen> seen = new ArrayList<>();
    for (int left = in.readCount(2 * Long.BYTES); left > 0; left--) {
      seen.add(new Entry.Seen(in.readLong(), in.readLong()));
    }
    return seen;
  }

  @Override
  public boolean isImmutableType() {
    return true;
  }

  @Override
  public Entry createInstance() {
    return new Entry.Early(0, 0, List.of());
  }

  @Override
  public Entry copy(Entry from) {
    return from;
  }

  @Override
  public TypeSerializerSnapshot<Entry> snapshotConfiguration() {
    return new EntrySnapshot();
  }
}
