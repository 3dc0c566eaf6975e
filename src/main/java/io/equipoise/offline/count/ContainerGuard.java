package io.equipoise.offline.count;

import io.equipoise.event.RecordCodec;
import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.util.Arrays;
import org.apache.avro.Schema;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DecoderFactory;

/**
 * Holds the lengths in an Avro object container file against the file, before Avro allocates what
 * they claim: up to 2 GB for a key in the header, and for each block.
 */
final class ContainerGuard implements Closeable {
  private static final byte[] MAGIC = {'O', 'b', 'j', 1};
  private static final int SYNC_BYTES = 16;
  private static final int MOST_HEADER_BYTES = 1 << 20;
  private static final int MOST_BLOCK_BYTES = 64 << 20;
  private static final int TWO_NUMBERS_BYTES = 20;
  private static final Schema HEADER = Schema.createMap(Schema.create(Schema.Type.BYTES));

  private final RandomAccessFile file;

  ContainerGuard(String file) throws IOException {
    this.file = new RandomAccessFile(file, "r");
  }

  /**
   * Looks at the header, which must be whole within 1 MiB.
   *
   * @throws IOException if it is none
   * @throws io.equipoise.event.WireException if one of its lengths cannot be
   */
  void checkHeader() throws IOException {
    byte[] head = bytes(0, MOST_HEADER_BYTES);
    if (!Arrays.equals(MAGIC, Arrays.copyOf(head, MAGIC.length))) {
      throw new IOException("it does not begin as an Avro container does");
    }
    int end = RecordCodec.endOf(HEADER, head, MAGIC.length);
    if (end + SYNC_BYTES > head.length) {
      throw new IOException("it ends within its header");
    }
  }

  /**
   * Says whether a block begins at a place; false at the end of the file.
   *
   * @throws IOException if the block claims more bytes than are left, or than a block may have
   */
  boolean isBlockAt(long place) throws IOException {
    long left = file.length() - place;
    if (left <= 0) {
      return false;
    }
    BinaryDecoder numbers =
        DecoderFactory.get().binaryDecoder(bytes(place, TWO_NUMBERS_BYTES), null);
    long records = numbers.readLong();
    long size = numbers.readLong();
    if (records < 0 || size < 0 || size > left) {
      throw new IOException(
          "a block of %d records in %d bytes, where %d bytes are left"
              .formatted(records, size, left));
    }
    if (size > MOST_BLOCK_BYTES) {
      throw new IOException(
          "a block of %d bytes; at most %d are read at once, so write smaller blocks"
              .formatted(size, MOST_BLOCK_BYTES));
    }
    return true;
  }

  private byte[] bytes(long from, int most) throws IOException {
    byte[] bytes = new byte[(int) Math.min(most, file.length() - from)];
    file.seek(from);
    file.readFully(bytes);
    return bytes;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
