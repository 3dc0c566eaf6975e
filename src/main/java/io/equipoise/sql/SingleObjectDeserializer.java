package io.equipoise.sql;

import io.equipoise.event.Wire;
import io.equipoise.event.WireException;
import java.io.IOException;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.io.DecoderFactory;
import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.RowType;
import org.jspecify.annotations.Nullable;

/**
 * Decodes records of one topic to rows. Hostile bytes are rejected as the job rejects them. Null
 * values, which are the markers of writer epochs on {@code decisions}, give no row.
 */
final class SingleObjectDeserializer implements DeserializationSchema<RowData> {
  private static final long serialVersionUID = 1L;

  private final TypeInformation<RowData> produced;
  private final RowType columns;
  private final String record;
  private final boolean isIgnoringErrors;
  private transient Wire<?> wire;
  private transient GenericDatumReader<IndexedRecord> reader;
  private transient UnaryOperator<Object> conversion;

  SingleObjectDeserializer(
      TypeInformation<RowData> produced, RowType columns, String record, boolean ignoresErrors) {
    this.produced = produced;
    this.columns = columns;
    this.record = record;
    this.isIgnoringErrors = ignoresErrors;
    open(null); // refuses wrong columns when the query is planned
  }

  @Override
  public void open(@Nullable InitializationContext context) {
    wire = SingleObjectFormatFactory.wire(record);
    reader = new GenericDatumReader<>(wire.schema());
    conversion = AvroColumns.conversion(wire.schema(), columns, "");
  }

  @Override
  public @Nullable RowData deserialize(byte @Nullable [] value) throws IOException {
    if (value == null) {
      return null;
    }
    try {
      int body = wire.bodyOf(value);
      var decoder = DecoderFactory.get().binaryDecoder(value, body, value.length - body, null);
      return (RowData) conversion.apply(reader.read(null, decoder));
    } catch (WireException e) {
      if (isIgnoringErrors) {
        return null;
      }
      throw new IOException(
          "A value is no %s: %s. Set %s.%s to 'true' to skip such records."
              .formatted(
                  record,
                  e.getMessage(),
                  SingleObjectFormatFactory.IDENTIFIER,
                  SingleObjectFormatFactory.IGNORE_PARSE_ERRORS.key()),
          e);
    }
  }

  @Override
  public boolean isEndOfStream(RowData next) {
    return false;
  }

  @Override
  public TypeInformation<RowData> getProducedType() {
    return produced;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof SingleObjectDeserializer that
        && columns.equals(that.columns)
        && record.equals(that.record)
        && isIgnoringErrors == that.isIgnoringErrors;
  }

  @Override
  public int hashCode() {
    return Objects.hash(columns, record);
  }
}
