package io.equipoise.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.SchemaCompatibility;
import org.apache.avro.SchemaCompatibility.SchemaCompatibilityType;
import org.junit.jupiter.api.Test;

class WireSchemasTest {
  private static final Set<String> SENSITIVITIES = Set.of("NONE", "QUASI", "SENSITIVE", "RAW");
  private static final int LEAST_DOC_CHARS = 10;

  private final WireSchemas schemas = WireSchemas.load();

  @Test
  void everyFieldSaysWhatItMeansAndHowSensitiveItIs() {
    List<String> silent = new ArrayList<>();
    for (String type : WireSchemas.TYPES) {
      collect(schemas.current(type), new HashSet<>(), silent);
    }
    assertEquals(List.of(), silent);
  }

  @Test
  void fieldsNamedForATimeHaveTheLogicalTypeOfATime() {
    for (String type : WireSchemas.TYPES) {
      for (Schema.Field field : schemas.current(type).getFields()) {
        if (field.name().endsWith("Time") || field.name().equals("answerBy")) {
          Schema time =
              field.schema().isUnion() ? field.schema().getTypes().get(1) : field.schema();
          assertEquals("timestamp-millis", time.getProp("logicalType"), type + "." + field.name());
        }
      }
    }
  }

  @Test
  void whatMayBeAbsentIsNullByDefaultWithNullFirst() {
    for (String type : WireSchemas.TYPES) {
      for (Schema.Field field : schemas.current(type).getFields()) {
        if (field.schema().isNullable()) {
          assertTrue(field.hasDefaultValue(), type + "." + field.name());
          assertEquals(Schema.Type.NULL, field.schema().getTypes().get(0).getType());
        }
      }
    }
  }

  @Test
  void everyEnumHasADefaultSymbol() {
    Set<Schema> all = new HashSet<>();
    WireSchemas.TYPES.forEach(type -> collect(schemas.current(type), all, new ArrayList<>()));
    List<Schema> enums = all.stream().filter(s -> s.getType() == Schema.Type.ENUM).toList();
    assertEquals(15, enums.size());
    enums.forEach(each -> assertEquals("UNKNOWN", each.getEnumDefault(), each.getName()));
  }

  @Test
  void everyVersionReadsEveryOtherVersion() {
    List<Map<String, Schema>> all = new ArrayList<>(schemas.versions().values());
    Map<String, Schema> current = new HashMap<>();
    WireSchemas.TYPES.forEach(type -> current.put(type, schemas.current(type)));
    all.add(current);
    for (Map<String, Schema> reader : all) {
      for (Map<String, Schema> writer : all) {
        reader.forEach(
            (type, schema) -> {
              if (writer.containsKey(type)) {
                assertReads(schema, writer.get(type));
              }
            });
      }
    }
  }

  @Test
  void theCurrentSchemasAreTheNewestCommittedVersion() {
    List<String> names = new ArrayList<>(schemas.versions().keySet());
    Map<String, Schema> newest = schemas.versions().get(names.get(names.size() - 1));
    assertNotNull(newest);
    for (String type : WireSchemas.TYPES) {
      assertEquals(
          newest.get(type),
          schemas.current(type),
          type + " differs from the newest version: commit a copy of avro/ as the next version");
    }
  }

  @Test
  void everyCommittedVersionIsFoundByItsFingerprint() {
    for (Map<String, Schema> version : schemas.versions().values()) {
      version.forEach(
          (type, schema) ->
              assertEquals(
                  schema.getFullName(),
                  schemas.writer(WireSchemas.fingerprint(schema)).orElseThrow().getFullName()));
    }
  }

  private static void assertReads(Schema reader, Schema writer) {
    var result = SchemaCompatibility.checkReaderWriterCompatibility(reader, writer);
    assertEquals(
        SchemaCompatibilityType.COMPATIBLE, result.getType(), () -> result.getResult().toString());
  }

  private static void collect(Schema schema, Set<Schema> seen, List<String> silent) {
    if (!seen.add(schema)) {
      return;
    }
    switch (schema.getType()) {
      case UNION -> schema.getTypes().forEach(each -> collect(each, seen, silent));
      case ARRAY -> collect(schema.getElementType(), seen, silent);
      case MAP -> collect(schema.getValueType(), seen, silent);
      case RECORD -> schema.getFields().forEach(field -> collectField(schema, field, seen, silent));
      default -> {}
    }
  }

  private static void collectField(
      Schema record, Schema.Field field, Set<Schema> seen, List<String> silent) {
    boolean isDocumented = field.doc() != null && field.doc().length() >= LEAST_DOC_CHARS;
    String sensitivity = field.getProp("sensitivity");
    if (!isDocumented || sensitivity == null || !SENSITIVITIES.contains(sensitivity)) {
      silent.add(record.getName() + "." + field.name());
    }
    collect(field.schema(), seen, silent);
  }
}
