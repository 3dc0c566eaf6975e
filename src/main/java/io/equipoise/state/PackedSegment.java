package io.equipoise.state;

import io.equipoise.layout.LayoutException;
import io.equipoise.policy.ModelState;
import io.equipoise.policy.StateBlock;
import io.equipoise.segment.state.SegmentHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;

/**
 * Compresses the header and the model of a passivated segment. Unpacking restores them bit for bit;
 * the packed bytes may differ between versions of zlib.
 *
 * <pre>
 *   0 unpacked length of the rest (i32)
 *   4 deflated (RFC 1951): the header ({@link HeadSerializer}), blocks (i32),
 *     per block: key (i64), the block ({@link BlockSerializer})
 * </pre>
 */
public final class PackedSegment {
  private static final HeadSerializer HEAD = new HeadSerializer();
  private static final BlockSerializer BLOCK = new BlockSerializer();
  private static final boolean RAW = true;

  /** A thread's own: creating one costs as much as packing a small segment. Empty between calls. */
  private static final ThreadLocal<Deflater> DEFLATER =
      ThreadLocal.withInitial(() -> new Deflater(Deflater.BEST_SPEED, RAW));

  private static final ThreadLocal<Inflater> INFLATER =
      ThreadLocal.withInitial(() -> new Inflater(RAW));

  /** Maximum compression ratio of Deflate, about 1032. */
  private static final int MOST_PER_BYTE = 1100;

  private PackedSegment() {}

  /** Packs a header and all blocks. */
  public static byte[] pack(SegmentHeader head, ModelState model) throws IOException {
    DataOutputSerializer plain = new DataOutputSerializer(1024);
    HEAD.serialize(head, plain);
    int countAt = plain.length();
    plain.writeInt(0);
    int count = 0;
    for (Map.Entry<Long, StateBlock> block : model.entries()) {
      plain.writeLong(block.getKey());
      BLOCK.serialize(block.getValue(), plain);
      count++;
    }
    plain.writeIntUnsafe(count, countAt);
    return deflated(plain.getCopyOfBuffer());
  }

  /**
   * Restores the blocks and returns the header.
   *
   * @throws LayoutException if the bytes are not a result of {@link #pack}
   */
  public static SegmentHeader unpack(byte[] packed, ModelState model) throws IOException {
    DataInputDeserializer in = new DataInputDeserializer(inflated(packed));
    SegmentHeader head = HEAD.deserialize(in);
    for (int left = in.readInt(); left > 0; left--) {
      model.put(in.readLong(), BLOCK.deserialize(in));
    }
    if (in.available() > 0) {
      throw new LayoutException("PackedSegment: " + in.available() + " trailing bytes");
    }
    return head;
  }

  private static byte[] deflated(byte[] plain) {
    Deflater deflater = DEFLATER.get();
    try {
      deflater.setInput(plain);
      deflater.finish();
      DataOutputSerializer out = new DataOutputSerializer(plain.length / 2 + 64);
      out.writeInt(plain.length);
      byte[] buffer = new byte[1 << 12];
      while (!deflater.finished()) {
        out.write(buffer, 0, deflater.deflate(buffer));
      }
      return out.getCopyOfBuffer();
    } catch (IOException e) {
      throw new IllegalStateException("cannot extend a byte array", e);
    } finally {
      deflater.reset();
    }
  }

  private static byte[] inflated(byte[] packed) throws LayoutException {
    if (packed.length < Integer.BYTES) {
      throw new LayoutException("PackedSegment: " + packed.length + " bytes are too few");
    }
    int length = lengthOf(packed);
    Inflater inflater = INFLATER.get();
    try {
      inflater.setInput(packed, Integer.BYTES, packed.length - Integer.BYTES);
      byte[] plain = new byte[length];
      int filled = 0;
      while (filled < length && !inflater.finished()) {
        int more = inflater.inflate(plain, filled, length - filled);
        if (more == 0 && (inflater.needsInput() || inflater.needsDictionary())) {
          break;
        }
        filled += more;
      }
      if (filled < length || inflater.inflate(new byte[1]) > 0 || !inflater.finished()) {
        throw new LayoutException(
            "PackedSegment: %d unpacked bytes, expected %d".formatted(filled, length));
      }
      return plain;
    } catch (DataFormatException e) {
      throw new LayoutException("PackedSegment: the bytes are not deflated: " + e.getMessage(), e);
    } finally {
      inflater.reset();
    }
  }

  private static int lengthOf(byte[] packed) throws LayoutException {
    int length = ByteBuffer.wrap(packed).getInt();
    if (length < 0 || length > (long) MOST_PER_BYTE * packed.length) {
      throw new LayoutException(
          "PackedSegment: %d bytes cannot unpack from %d".formatted(length, packed.length));
    }
    return length;
  }
}
