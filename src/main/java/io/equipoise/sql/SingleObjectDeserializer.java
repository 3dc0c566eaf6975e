package io.equipoise.sql;

import io.equipoise.event.Wire;
import io.equipoise.event.WireException;
import io.equipoise.event.WriterSchemas;
import io.equipoise.registry.SchemaRegistry;
import java.io.IOException;
import java.io.Serializable;
import java.security.NoSuchAlgorithmException;
import java.util.Objects;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;
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
  private final @Nullable Registry registry;
  private transient Wire<?> wire;
  private transient WriterSchemas schemas;
  private transient GenericDatumReader<IndexedRecord> reader;
  private transient UnaryOperator<Object> conversion;

  /**
   * Holds the address and the credentials of a schema registry.
   *
   * @param user name and password, or null
   * @param token or null
   */
  record Registry(String url, @Nullable String user, @Nullable String token)
      implements Serializable {
    WriterSchemas schemas() {
      return new WriterSchemas(
          new SchemaRegistry(url, user, token, id -> null, Registry::tls)::schema);
    }

    private static SSLContext tls() {
      try {
        return SSLContext.getDefault();
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException("this JVM has no TLS", e);
      }
    }

    /** Hides the secrets. */
    @Override
    public String toString() {
      return url;
    }
  }

  SingleObjectDeserializer(
      TypeInformation<RowData> produced,
      RowType columns,
      String record,
      boolean ignoresErrors,
      @Nullable Registry registry) {
    this.produced = produced;
    this.columns = columns;
    this.record = record;
    this.isIgnoringErrors = ignoresErrors;
    this.registry = registry;
    open(null); // refuses wrong columns when the query is planned
  }

  @Override
  public void open(@Nullable InitializationContext context) {
    wire = SingleObjectFormatFactory.wire(record);
    schemas = registry == null ? WriterSchemas.NONE : registry.schemas();
    reader = new GenericDatumReader<>(wire.schema());
    conversion = AvroColumns.conversion(wire.schema(), columns, "");
  }

  @Override
  public @Nullable RowData deserialize(byte @Nullable [] value) throws IOException {
    if (value == null) {
      return null;
    }
    try {
      byte[] framed = schemas.singleObject(wire, value);
      int body = wire.bodyOf(framed);
      var decoder = DecoderFactory.get().binaryDecoder(framed, body, framed.length - body, null);
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
        && isIgnoringErrors == that.isIgnoringErrors
        && Objects.equals(registry, that.registry);
  }

  @Override
  public int hashCode() {
    return Objects.hash(columns, record);
  }
}
