package io.equipoise.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaCompatibility;
import org.apache.avro.SchemaCompatibility.SchemaCompatibilityType;
import org.junit.jupiter.api.Test;

class WireSchemasTest {
  private static final Set<String> SENSITIVITIES = Set.of("NONE", "QUASI", "SENSITIVE", "RAW");
  private static final int LEAST_DOC_CHARS = 10;
  private static final Path FROZEN = Path.of("src/test/resources/wire");

  private static final List<Schema> SCHEMAS = Wire.ALL.stream().<Schema>map(Wire::schema).toList();

  @Test
  void everyFieldSaysWhatItMeansAndHowSensitiveItIs() {
    List<String> silent = new ArrayList<>();
    for (Schema schema : SCHEMAS) {
      collect(schema, new HashSet<>(), silent);
    }
    assertEquals(List.of(), silent);
  }

  @Test
  void fieldsNamedForATimeHaveTheLogicalTypeOfATime() {
    for (Schema schema : SCHEMAS) {
      for (Schema.Field field : schema.getFields()) {
        if (field.name().endsWith("Time") || field.name().equals("deadline")) {
          Schema time =
              field.schema().isUnion() ? field.schema().getTypes().get(1) : field.schema();
          assertEquals(
              "timestamp-millis",
              time.getProp("logicalType"),
              schema.getName() + "." + field.name());
        }
      }
    }
  }

  @Test
  void whatMayBeAbsentIsNullByDefaultWithNullFirst() {
    for (Schema schema : SCHEMAS) {
      for (Schema.Field field : schema.getFields()) {
        if (field.schema().isNullable()) {
          assertTrue(field.hasDefaultValue(), schema.getName() + "." + field.name());
          assertEquals(Schema.Type.NULL, field.schema().getTypes().get(0).getType());
        }
      }
    }
  }

  @Test
  void everyEnumHasADefaultSymbol() {
    Set<Schema> all = new HashSet<>();
    SCHEMAS.forEach(schema -> collect(schema, all, new ArrayList<>()));
    List<Schema> enums = all.stream().filter(s -> s.getType() == Schema.Type.ENUM).toList();
    assertEquals(22, enums.size());
    enums.forEach(each -> assertEquals("UNKNOWN", each.getEnumDefault(), each.getName()));
  }

  @Test
  void theSchemasAreThoseOfTheNewestFrozenVersion() throws IOException {
    Map<String, Schema> newest = frozen().lastEntry().getValue();
    for (Schema schema : SCHEMAS) {
      assertEquals(
          newest.get(schema.getName()),
          schema,
          schema.getName()
              + " differs from the newest version in "
              + FROZEN
              + "; before the first release copy avro/ over v1, afterwards to the next version");
    }
  }

  @Test
  void everyVersionReadsEveryOtherVersion() throws IOException {
    List<String> faults = new ArrayList<>();
    for (Map<String, Schema> reader : frozen().values()) {
      for (Map<String, Schema> writer : frozen().values()) {
        faults.addAll(incompatible(reader, writer));
      }
    }
    assertEquals(List.of(), faults);
  }

  @Test
  void aFieldThatIsAddedWithoutADefaultIsIncompatible() {
    Map<String, Schema> today = Map.of("RewardEvent", Wire.REWARD.schema());
    assertEquals(List.of("RewardEvent"), incompatible(with(today, ""), today));
    assertEquals(List.of(), incompatible(with(today, ", \"default\": 0"), today));
    assertEquals(List.of(), incompatible(today, with(today, "")));
  }

  private static Map<String, Schema> with(Map<String, Schema> schemas, String withDefault) {
    Schema reward = schemas.get("RewardEvent");
    String added = "\"fields\":[{\"name\": \"added\", \"type\": \"int\"%s}, ";
    String text = reward.toString().replaceFirst("\"fields\":\\[", added.formatted(withDefault));
    return Map.of("RewardEvent", new Schema.Parser().parse(text));
  }

  /** Returns the names of the record types that the reader cannot read. */
  private static List<String> incompatible(Map<String, Schema> reader, Map<String, Schema> writer) {
    return reader.keySet().stream()
        .filter(writer::containsKey)
        .filter(
            type ->
                SchemaCompatibility.checkReaderWriterCompatibility(
                            reader.get(type), writer.get(type))
                        .getType()
                    != SchemaCompatibilityType.COMPATIBLE)
        .toList();
  }

  /** Returns the frozen versions, oldest first, each by record type. */
  private static NavigableMap<String, Map<String, Schema>> frozen() throws IOException {
    NavigableMap<String, Map<String, Schema>> versions = new TreeMap<>();
    try (Stream<Path> files = Files.walk(FROZEN)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".avsc")).toList()) {
        Schema schema = new Schema.Parser().parse(Files.readString(file));
        versions
            .computeIfAbsent(file.getParent().getFileName().toString(), any -> new TreeMap<>())
            .put(schema.getName(), schema);
      }
    }
    return versions;
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
