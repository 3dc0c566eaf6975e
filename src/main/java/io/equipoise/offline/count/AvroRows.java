package io.equipoise.offline.count;

import io.equipoise.event.Outcome;
import io.equipoise.event.RecordCodec;
import io.equipoise.event.Wire;
import io.equipoise.event.WireException;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.file.DataFileReader;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.jspecify.annotations.Nullable;

/**
 * Reads outcomes from Avro object container files, whatever version of the schema wrote them. A
 * chunk is read from the first block that begins in it.
 */
final class AvroRows {
  private static final RecordCodec<Outcome> CODEC =
      RecordCodec.bind(Outcome.class, Wire.OUTCOME.schema());

  private final OutcomeRows rows;
  private final GenericDatumWriter<GenericRecord> writer =
      new GenericDatumWriter<>(Wire.OUTCOME.schema());
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private @Nullable BinaryEncoder encoder;

  AvroRows(OutcomeRows rows) {
    this.rows = rows;
  }

  /** Reads a chunk up to its end or its first fault; returns how many rows there were. */
  long read(Chunk chunk, RowSink sink) throws IOException {
    long count = 0;
    GenericDatumReader<GenericRecord> datum = new GenericDatumReader<>(null, Wire.OUTCOME.schema());
    try (DataFileReader<GenericRecord> file = new DataFileReader<>(new File(chunk.file()), datum)) {
      file.sync(chunk.from());
      long block = -1;
      long inBlock = 0;
      while (file.hasNext() && !file.pastSync(chunk.to())) {
        inBlock = file.previousSync() == block ? inBlock + 1 : 1;
        block = file.previousSync();
        String fault = rows.read(outcome(file.next()));
        if (fault != null) {
          sink.fault(chunk.number(), block, "record " + inBlock + " from there " + fault);
          return count;
        }
        if (rows.isRow()) {
          sink.add(rows.levels(), 1);
          count++;
        }
      }
    } catch (AvroRuntimeException | WireException | IOException e) {
      sink.fault(chunk.number(), chunk.from(), "is no file of outcomes: " + e.getMessage());
    }
    return count;
  }

  private Outcome outcome(GenericRecord record) throws IOException {
    bytes.reset();
    encoder = EncoderFactory.get().binaryEncoder(bytes, encoder);
    writer.write(record, encoder);
    encoder.flush();
    byte[] body = bytes.toByteArray();
    return CODEC.decode(Wire.OUTCOME.schema(), body, 0, body.length);
  }
}
