package io.equipoise.event;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.avro.io.EncoderFactory;
import org.junit.jupiter.api.Test;

class WriterSchemasTest {
  private static final WireContext CONTEXT =
      new WireContext(
          "d1",
          "shop",
          1_700_000_000_000L,
          Map.of("age", 31L, "plan", "free"),
          List.of(new CandidateArm("left", Map.of("price", 2.5))),
          null);
  private static final byte[] SINGLE = Wire.CONTEXT.encode(CONTEXT);

  /** As Flink SQL writes it: other names, nullable map values, and a field that we do not know. */
  private static final Schema FOREIGN =
      new Schema.Parser()
          .parse(
              """
              {"type": "record", "name": "record", "fields": [
                {"name": "shopVersion", "type": "int"},
                {"name": "decisionId", "type": "string"},
                {"name": "segment", "type": "string"},
                {"name": "eventTime", "type": {"type": "long", "logicalType": "timestamp-millis"}},
                {"name": "attributes", "type": {"type": "map", "values": ["null", "string", "long"]}},
                {"name": "candidates", "type": ["null", {"type": "array", "items":
                  {"type": "record", "name": "record_candidates", "fields": [
                    {"name": "id", "type": "string"},
                    {"name": "attributes", "type": {"type": "map", "values": ["null", "double"]}}]}}]}]}
              """);

  private final WriterSchemas schemas =
      new WriterSchemas(id -> id == 7 ? Wire.CONTEXT.schema() : id == 8 ? FOREIGN : null);

  @Test
  void ourSchemaUnderAnyIdGivesTheSameBytes() {
    byte[] framed = WriterSchemas.framed(7, SINGLE);
    assertEquals(SINGLE.length - 5, framed.length);
    assertArrayEquals(new byte[] {0, 0, 0, 0, 7}, Arrays.copyOf(framed, 5));
    assertArrayEquals(SINGLE, schemas.singleObject(Wire.CONTEXT, framed));
    assertEquals(CONTEXT, schemas.decode(Wire.CONTEXT, SINGLE));
    assertSame(framed, WriterSchemas.framed(9, framed));
  }

  @Test
  void anotherSchemaIsResolvedByAvro() throws IOException {
    WireContext found = schemas.decode(Wire.CONTEXT, foreign(Map.of("age", 31L, "plan", "free")));
    assertEquals(CONTEXT, found);
  }

  @Test
  void aRecordThatOurSchemaCannotContainIsMalformedAndItsNeighborsAreNot() throws IOException {
    Map<String, Object> withNull = new HashMap<>();
    withNull.put("age", null);
    assertEquals(ErrorCode.MALFORMED, fault(foreign(withNull)));
    assertEquals("d1", schemas.decode(Wire.CONTEXT, foreign(Map.of())).decisionId());
  }

  @Test
  void hostileBytesOfAnySchemaAreMalformed() throws IOException {
    for (byte[] whole : List.of(WriterSchemas.framed(7, SINGLE), foreign(Map.of("age", 31L)))) {
      assertEquals(ErrorCode.MALFORMED, fault(Arrays.copyOf(whole, whole.length - 1)));
      assertEquals(ErrorCode.MALFORMED, fault(Arrays.copyOf(whole, whole.length + 1)));
      assertEquals(ErrorCode.MALFORMED, fault(Arrays.copyOf(whole, 5)));
    }
    assertEquals(ErrorCode.UNKNOWN_SCHEMA, fault(new byte[] {0, 0, 0, 0, 9, 1}));
    assertEquals(ErrorCode.UNFRAMED, fault(new byte[] {0, 0, 0, 0}));
  }

  @Test
  void withoutARegistryTheFrameIsUnknown() {
    WireException refused =
        assertThrows(
            WireException.class,
            () -> WriterSchemas.NONE.decode(Wire.CONTEXT, WriterSchemas.framed(7, SINGLE)));
    assertEquals(ErrorCode.UNFRAMED, refused.code());
  }

  @Test
  void anInputKeepsItsOriginalBytes() {
    byte[] framed = WriterSchemas.framed(7, SINGLE);
    Decoded decoded =
        new InputDecoder(1 << 20, schemas)
            .decode(LogTopic.CONTEXTS, null, framed, new Origin("t", 0, 0, 0), CONTEXT.eventTime());
    assertSame(framed, ((Decoded.Good) decoded).input().raw());
  }

  private ErrorCode fault(byte[] value) {
    return assertThrows(WireException.class, () -> schemas.decode(Wire.CONTEXT, value)).code();
  }

  private static byte[] foreign(Map<String, ?> attributes) throws IOException {
    Schema candidates = FOREIGN.getField("candidates").schema().getTypes().get(1);
    GenericData.Record candidate =
        new GenericRecordBuilder(candidates.getElementType())
            .set("id", "left")
            .set("attributes", Map.of("price", 2.5))
            .build();
    GenericData.Record record =
        new GenericRecordBuilder(FOREIGN)
            .set("shopVersion", 3)
            .set("decisionId", CONTEXT.decisionId())
            .set("segment", CONTEXT.segment())
            .set("eventTime", CONTEXT.eventTime())
            .set("attributes", attributes)
            .set("candidates", List.of(candidate))
            .build();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(new byte[] {0, 0, 0, 0, 8});
    new GenericDatumWriter<>(FOREIGN)
        .write(record, EncoderFactory.get().directBinaryEncoder(out, null));
    return out.toByteArray();
  }
}
