package io.equipoise.offline.count;

import io.equipoise.event.RecordCodec;
import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.util.Utf8;

/**
 * Checks the lengths in an Avro object container file against the file's size. Otherwise Avro would
 * allocate up to 2 GB for a header key and for each block.
 */
final class ContainerGuard implements Closeable {
  private static final byte[] MAGIC = {'O', 'b', 'j', 1};
  private static final int SYNC_BYTES = 16;
  private static final int MOST_HEADER_BYTES = 1 << 20;
  private static final int MOST_BLOCK_BYTES = 64 << 20;
  private static final int TWO_NUMBERS_BYTES = 20;
  private static final Utf8 CODEC = new Utf8("avro.codec");

  /** Codecs whose blocks Avro inflates within its limit, with available libraries. */
  private static final Set<String> CODECS = Set.of("null", "deflate", "snappy", "zstandard");

  private static final Schema HEADER = Schema.createMap(Schema.create(Schema.Type.BYTES));

  private final RandomAccessFile file;

  ContainerGuard(String file) throws IOException {
    this.file = new RandomAccessFile(file, "r");
  }

  /**
   * Checks the header, which must be complete within 1 MiB.
   *
   * @throws IOException if it is invalid, or names an unsupported codec
   * @throws io.equipoise.event.WireException if one of its lengths is invalid
   */
  void checkHeader() throws IOException {
    byte[] head = bytes(0, MOST_HEADER_BYTES);
    if (!Arrays.equals(MAGIC, Arrays.copyOf(head, MAGIC.length))) {
      throw new IOException("it does not begin like an Avro container");
    }
    int end = RecordCodec.endOf(HEADER, head, MAGIC.length);
    if (end + SYNC_BYTES > head.length) {
      throw new IOException("it ends within its header");
    }
    refuseCodec(head, end);
  }

  /** Libraries of other codecs may be missing, which only shows when a block is read. */
  private static void refuseCodec(byte[] head, int end) throws IOException {
    BinaryDecoder header =
        DecoderFactory.get().binaryDecoder(head, MAGIC.length, end - MAGIC.length, null);
    Map<?, ?> properties = new GenericDatumReader<Map<?, ?>>(HEADER).read(null, header);
    if (properties.get(CODEC) instanceof ByteBuffer name) {
      String codec = StandardCharsets.UTF_8.decode(name).toString();
      if (!CODECS.contains(codec)) {
        throw new IOException(
            "its codec must be one of "
                + new TreeSet<>(CODECS)
                + "; rewrite the file with one of them");
      }
    }
  }

  /**
   * Returns whether a block begins at a position; false at the end of the file.
   *
   * @throws IOException if the block's length exceeds the remaining bytes or the limit of a block
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
          "a block of %d bytes; the limit is %d, so write smaller blocks"
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
