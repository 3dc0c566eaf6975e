package io.equipoise.offline.count;

import io.equipoise.event.RecordCodec;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.Wire;
import io.equipoise.event.WireException;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.file.DataFileReader;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.jspecify.annotations.Nullable;

/**
 * Reads segment events from Avro object container files. A chunk includes the blocks that begin in
 * it. Checks every length in a file against the available bytes.
 */
final class AvroRows {
  private static final RecordCodec<SegmentEvent> CODEC =
      RecordCodec.bind(SegmentEvent.class, Wire.SEGMENT_EVENT.schema());

  private final SegmentEventRows rows;
  private long count;

  /** Start of the current block. */
  private long place;

  AvroRows(SegmentEventRows rows) {
    this.rows = rows;
  }

  /** Reads a chunk up to its end or its first error; returns the number of rows. */
  long read(Chunk chunk, RowSink sink) throws IOException {
    count = 0;
    long at = chunk.from();
    try (ContainerGuard guard = new ContainerGuard(chunk.file())) {
      guard.checkHeader();
      try (DataFileReader<GenericRecord> file = open(chunk.file())) {
        Wire.SEGMENT_EVENT.requireSchema(file.getSchema());
        file.sync(chunk.from());
        at = file.previousSync();
        while (guard.isBlockAt(at) && file.hasNext() && !file.pastSync(chunk.to())) {
          ByteBuffer block = file.nextBlock();
          place = at;
          String fault = block(block, file.getBlockCount(), chunk, sink);
          if (fault != null) {
            sink.fault(chunk.number(), at, fault);
            return count;
          }
          at = file.previousSync();
        }
      }
    } catch (AvroRuntimeException | WireException | IOException e) {
      sink.fault(chunk.number(), at, "is no file of segment events: " + e.getMessage());
    }
    return count;
  }

  /** Opens a file; for a damaged schema Avro's parser may throw any exception. */
  private static DataFileReader<GenericRecord> open(String file) throws IOException {
    try {
      return new DataFileReader<>(new File(file), new GenericDatumReader<>());
    } catch (RuntimeException e) {
      throw new IOException("Avro cannot read the schema of its header", e);
    }
  }

  /** Reads the records of a block; returns the error of one, or null. */
  private @Nullable String block(ByteBuffer block, long records, Chunk chunk, RowSink sink) {
    byte[] bytes = new byte[block.remaining()];
    block.get(bytes);
    int at = 0;
    for (long record = 1; record <= records; record++) {
      int end = RecordCodec.endOf(CODEC.schema(), bytes, at);
      if (end == at) {
        return "begins a block of records without bytes";
      }
      SegmentEvent segmentEvent = CODEC.decode(bytes, at, end - at);
      String fault = rows.read(segmentEvent);
      if (fault != null) {
        return "record " + record + " from there " + fault;
      }
      if (rows.isRow()) {
        sink.writerEpoch(segmentEvent, chunk.number(), place);
        sink.add(rows.levels(), 1);
        count++;
      }
      at = end;
    }
    return at == bytes.length
        ? null
        : "begins a block with " + (bytes.length - at) + " excess bytes";
  }
}
