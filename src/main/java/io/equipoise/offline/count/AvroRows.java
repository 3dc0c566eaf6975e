package io.equipoise.offline.count;

import io.equipoise.event.Outcome;
import io.equipoise.event.RecordCodec;
import io.equipoise.event.Wire;
import io.equipoise.event.WireException;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.file.DataFileReader;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.jspecify.annotations.Nullable;

/**
 * Reads outcomes from Avro object container files, whatever committed version of the schema wrote
 * them. A chunk is read from the first block that begins in it. No length that a file claims is
 * believed before it was held against the bytes that are there.
 */
final class AvroRows {
  private static final RecordCodec<Outcome> CODEC =
      RecordCodec.bind(Outcome.class, Wire.OUTCOME.schema());

  private final OutcomeRows rows;
  private long count;

  /** Where the block begins that is read. */
  private long place;

  AvroRows(OutcomeRows rows) {
    this.rows = rows;
  }

  /** Reads a chunk up to its end or its first fault; returns how many rows there were. */
  long read(Chunk chunk, RowSink sink) throws IOException {
    count = 0;
    long at = chunk.from();
    try (ContainerGuard guard = new ContainerGuard(chunk.file())) {
      guard.checkHeader();
      try (DataFileReader<GenericRecord> file = open(chunk.file())) {
        Schema writer = Wire.OUTCOME.committed(file.getSchema());
        file.sync(chunk.from());
        at = file.previousSync();
        while (guard.isBlockAt(at) && file.hasNext() && !file.pastSync(chunk.to())) {
          ByteBuffer block = file.nextBlock();
          place = at;
          String fault = block(writer, block, file.getBlockCount(), chunk, sink);
          if (fault != null) {
            sink.fault(chunk.number(), at, fault);
            return count;
          }
          at = file.previousSync();
        }
      }
    } catch (AvroRuntimeException | WireException | IOException e) {
      sink.fault(chunk.number(), at, "is no file of outcomes: " + e.getMessage());
    }
    return count;
  }

  /** Opens a file; of a damaged schema Avro's parser throws whatever it runs into. */
  private static DataFileReader<GenericRecord> open(String file) throws IOException {
    try {
      return new DataFileReader<>(new File(file), new GenericDatumReader<>());
    } catch (RuntimeException e) {
      throw new IOException("its header is none that Avro reads: " + e.getMessage(), e);
    }
  }

  /** Reads the records of a block; returns what is wrong with one, or null. */
  private @Nullable String block(
      Schema writer, ByteBuffer block, long records, Chunk chunk, RowSink sink) {
    byte[] bytes = new byte[block.remaining()];
    block.get(bytes);
    int at = 0;
    for (long record = 1; record <= records; record++) {
      int end = RecordCodec.endOf(writer, bytes, at);
      if (end == at) {
        return "begins a block of records without bytes";
      }
      Outcome outcome = CODEC.decode(writer, bytes, at, end - at);
      String fault = rows.read(outcome);
      if (fault != null) {
        return "record " + record + " from there " + fault;
      }
      if (rows.isRow()) {
        sink.attempt(outcome, chunk.number(), place);
        sink.add(rows.levels(), 1);
        count++;
      }
      at = end;
    }
    return at == bytes.length ? null : "begins a block with " + (bytes.length - at) + " bytes over";
  }
}
