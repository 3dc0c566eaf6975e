package io.equipoise.offline.count;

import io.equipoise.event.SegmentEvent;
import io.equipoise.event.Wire;
import io.equipoise.event.WireException;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads segment events from a file of consecutive frames, as on the topic. A console consumer
 * writes a line end after each; a plain copy has none. A frame ends where the next begins.
 */
record FramedRows(SegmentEventRows rows) {
  private static final int LONGEST = 1 << 20;
  private static final byte[] CONTAINER = {'O', 'b', 'j', 1};

  /** Returns whether a file contains frames rather than an Avro container, by its first bytes. */
  static boolean isFramed(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return !Arrays.equals(CONTAINER, in.readNBytes(CONTAINER.length));
    }
  }

  /** Reads the frames that begin in a chunk, up to the first error; returns the number of rows. */
  long read(Chunk chunk, RowSink sink) throws IOException {
    byte[] bytes = bytes(chunk);
    int end = (int) (chunk.to() - chunk.from());
    int begin = next(bytes, 0);
    if (chunk.from() == 0 && begin != 0) {
      sink.fault(chunk.number(), 0, "is neither an Avro container nor a frame of a segment event");
      return 0;
    }
    long count = 0;
    while (begin < end) {
      int stop = next(bytes, begin + 1);
      String fault =
          stop - begin > LONGEST
              ? "begins a frame of more than " + LONGEST + " bytes"
              : read(Arrays.copyOfRange(bytes, begin, stop), chunk, begin, sink);
      if (fault != null) {
        sink.fault(chunk.number(), chunk.from() + begin, fault);
        return count;
      }
      if (rows.isRow()) {
        sink.add(rows.levels(), 1);
        count++;
      }
      begin = stop;
    }
    return count;
  }

  /** Returns the chunk and the bytes after it that its last frame may need. */
  private static byte[] bytes(Chunk chunk) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(chunk.file(), "r")) {
      long length = Math.min(file.length(), chunk.to() + LONGEST + 1) - chunk.from();
      byte[] bytes = new byte[(int) length];
      file.seek(chunk.from());
      file.readFully(bytes);
      return bytes;
    }
  }

  private static int next(byte[] bytes, int from) {
    int at = from;
    while (at < bytes.length && !Wire.SEGMENT_EVENT.beginsAt(bytes, at)) {
      at++;
    }
    return at;
  }

  private @Nullable String read(byte[] frame, Chunk chunk, int begin, RowSink sink) {
    SegmentEvent segmentEvent;
    try {
      segmentEvent = Wire.SEGMENT_EVENT.decode(frame);
    } catch (WireException e) {
      boolean hasLineEnd = frame[frame.length - 1] == '\n';
      if (!hasLineEnd) {
        return "is no segment event: " + e.fact();
      }
      try {
        segmentEvent = Wire.SEGMENT_EVENT.decode(Arrays.copyOf(frame, frame.length - 1));
      } catch (WireException stillNone) {
        return "is no segment event: " + stillNone.fact();
      }
    }
    String fault = rows.read(segmentEvent);
    if (fault == null && rows.isRow()) {
      sink.writerEpoch(segmentEvent, chunk.number(), chunk.from() + begin);
    }
    return fault;
  }
}
