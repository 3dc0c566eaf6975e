package io.equipoise.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecordCodecTest {
  enum Color {
    RED,
    GREEN
  }

  record Attribute(Object value) {}

  record Numbers(Map<String, Long> values) {}

  record Small(String name, @Nullable Long count, double weight, Color color) {}

  private static final String COUNT = "{'name':'count','type':['null','long'],'default':null}";
  private static final String COLOR =
      "{'name':'color','type':{'type':'enum','name':'Color',"
          + "'symbols':['RED','GREEN','UNKNOWN'],'default':'UNKNOWN'}}";
  private static final String NAME = "{'name':'name','type':'string'}";
  private static final String WEIGHT = "{'name':'weight','type':'double'}";
  private static final Schema SMALL = schema(NAME, COUNT, WEIGHT, COLOR);

  @Test
  void fieldsAreFoundByNameInWhateverOrder() {
    Schema turned = schema(COLOR, WEIGHT, COUNT, NAME);
    var codec = RecordCodec.bind(Small.class, turned);
    var small = new Small("a", 3L, 0.5, Color.GREEN);
    byte[] body = codec.encode(small);
    assertEquals(small, codec.decode(body, 0, body.length));
    assertEquals(2, body[0], "GREEN comes first, zigzag 1");
  }

  @Test
  void theDefaultSymbolIsRejected() {
    var written = new GenericData.Record(SMALL);
    written.put("weight", 0.5);
    written.put("name", "a");
    Schema color = SMALL.getField("color").schema();
    written.put("color", new GenericData.EnumSymbol(color, "UNKNOWN"));
    byte[] body = write(written);
    var codec = RecordCodec.bind(Small.class, SMALL);
    var refusal = assertThrows(WireException.class, () -> codec.decode(body, 0, body.length));
    assertEquals(ErrorCode.UNKNOWN_SCHEMA, refusal.code());
  }

  @ParameterizedTest
  @CsvSource({
    "0261 04 06 0000000000000000 00",
    "0261 03 06 0000000000000000 00",
    "0261 00 0000000000000000 06",
    "0261 00 0000000000000000 01"
  })
  void anIndexOutsideItsUnionOrEnumIsRejected(String hex) {
    byte[] body = HexFormat.of().parseHex(hex.replace(" ", ""));
    var codec = RecordCodec.bind(Small.class, SMALL);
    var refusal = assertThrows(WireException.class, () -> codec.decode(body, 0, body.length));
    assertEquals(ErrorCode.MALFORMED, refusal.code());
  }

  @Test
  void anIndexOutsideTheTypesOfAnAttributeIsRejected() {
    var codec =
        RecordCodec.bind(
            Attribute.class,
            schema("{'name':'value','type':['string','long','double','boolean']}"));
    byte[] body = {8, 0};
    var refusal = assertThrows(WireException.class, () -> codec.decode(body, 0, body.length));
    assertEquals(ErrorCode.MALFORMED, refusal.code());
  }

  @Test
  void ofANameThatIsThereTwiceTheLastValueCounts() {
    var codec =
        RecordCodec.bind(
            Numbers.class, schema("{'name':'values','type':{'type':'map','values':'long'}}"));
    byte[] twoBlocks = HexFormat.of().parseHex("040261020262040202610600");
    assertEquals(
        new Numbers(Map.of("a", 3L, "b", 2L)), codec.decode(twoBlocks, 0, twoBlocks.length));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "weight | {'name':'wait','type':'double'} | Small.wait is a field of the schema",
        "weight | {'name':'weight','type':'float'} | Small.weight is a double",
        "weight | {'name':'weight','type':['null','double']} | Small.weight is not @Nullable",
        "count | {'name':'count','type':'long'} | Small.count is @Nullable",
        "count | {'name':'count','type':['null','int']} | Small.count is a",
        "count | {'name':'count','type':['null','long','int']} | Small.count is @Nullable",
        "name | {'name':'name','type':'bytes'} | Small.name is a java.lang.String",
        "name | {'name':'name','type':{'type':'array','items':'string'}} | Small.name is a",
        "color | {'name':'color','type':{'type':'enum','name':'C',"
            + "'symbols':['RED','GREEN'],'default':'RED'}} | Small.color is a",
        "color | {'name':'color','type':{'type':'enum','name':'C','symbols':['RED','GREEN']}}"
            + " | Small.color is a",
        "color | {'name':'color','type':{'type':'enum','name':'C',"
            + "'symbols':['RED','UNKNOWN'],'default':'UNKNOWN'}} | Small.color is a"
      })
  void whateverDoesNotAgreeIsRefused(String replaced, String field, String message) {
    List<String> fields =
        Arrays.asList(NAME, COUNT, WEIGHT, COLOR).stream()
            .map(each -> each.startsWith("{'name':'" + replaced + "'") ? field : each)
            .toList();
    Schema other = schema(fields.toArray(new String[0]));
    var refusal =
        assertThrows(IllegalArgumentException.class, () -> RecordCodec.bind(Small.class, other));
    assertTrue(refusal.getMessage().startsWith(message), refusal.getMessage());
  }

  @Test
  void aComponentWithoutAFieldIsRefused() {
    var refusal =
        assertThrows(
            IllegalArgumentException.class,
            () -> RecordCodec.bind(Small.class, schema(NAME, COUNT, COLOR)));
    assertEquals("Small has components without a field: [weight]", refusal.getMessage());
  }

  @Test
  void nullIsRefusedWhereNothingMayBeAbsent() {
    var codec = RecordCodec.bind(Small.class, SMALL);
    @Nullable String none = null;
    var refusal =
        assertThrows(
            IllegalArgumentException.class,
            () -> codec.encode(new Small(none, null, 0, Color.RED)));
    assertEquals("Small.name is null, but it is required", refusal.getMessage());
  }

  @Test
  void anAttributeOfAnotherTypeIsRefused() {
    var context = new WireContext("d", "s", 0, Map.of("age", 7), null, null);
    assertThrows(IllegalArgumentException.class, () -> Wire.CONTEXT.encode(context));
  }

  private static byte[] write(GenericData.Record written) {
    return GenericOracle.encodeGeneric(written);
  }

  private static Schema schema(String... fields) {
    String text = "{'type':'record','name':'Small','fields':[" + String.join(",", fields) + "]}";
    return new Schema.Parser().parse(text.replace('\'', '"'));
  }
}
