package io.equipoise.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class WireGuardTest {
  private static final long SEED = 7L;

  static List<WireTest.Kind<?>> kinds() {
    return WireTest.kinds();
  }

  @ParameterizedTest
  @MethodSource("kinds")
  <T extends Record> void aBodyCutAnywhereIsRefused(WireTest.Kind<T> kind) {
    var records = new RandomRecords(SEED);
    for (int i = 0; i < 20; i++) {
      byte[] body = GenericOracle.encode(kind.random(records), kind.wire().schema());
      assertEquals(Optional.empty(), WireGuard.check(kind.wire().schema(), body, 0));
      for (int cut = 0; cut < body.length; cut++) {
        byte[] rest = Arrays.copyOf(body, cut);
        assertTrue(
            WireGuard.check(kind.wire().schema(), rest, 0).isPresent(),
            "record " + i + " cut at " + cut);
      }
    }
  }

  /** Schema, body in hexadecimal digits, and the fault or nothing. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "'string' | feffffff0f | a length of 2147483647 with 0 bytes left, at byte 0",
        "'string' | 8080808080808080 | the bytes end within a number, at byte 0",
        "'string' | 01 | a length of -1 with 0 bytes left, at byte 0",
        "'string' | ffffffffffffffffff01"
            + " | a length of -9223372036854775808 with 0 bytes left, at byte 0",
        "'bytes' | 0401 | a length of 2 with 1 bytes left, at byte 0",
        "'bytes' | 040102 |",
        "'long' | 8080808080808080808000 | a number of more than 10 bytes, at byte 0",
        "'long' | 80808080808080808002 | a number of more than 64 bits, at byte 0",
        "'long' | 80808080808080808001 |",
        "'int' | 808080808000 | a number of more than 5 bytes, at byte 0",
        "'int' | 8080808010 | a number of more than 32 bits, at byte 0",
        "'int' | 8080808008 |",
        "'boolean' | 02 | a boolean that is neither 0 nor 1, at byte 0",
        "'boolean' | 01 |",
        "'double' | 0000 | the bytes end within a value of 8 bytes, at byte 0",
        "'null' | 00 | 1 bytes after the end of the record, at byte 0",
        "['null','long'] | 04 | no branch has the index 2, there are 2, at byte 0",
        "['null','long'] | 01 | no branch has the index -1, there are 2, at byte 0",
        "{'type':'enum','name':'E','symbols':['A']} | 02"
            + " | no symbol has the index 1, there are 1, at byte 0",
        "{'type':'enum','name':'E','symbols':['A']} | 00 |",
        "{'type':'array','items':'null'} | 808080808040"
            + " | a block of 1099511627776 items with 0 bytes left, at byte 0",
        "{'type':'array','items':'null'} | 0200 |",
        "{'type':'array','items':'null'} | 0404040400"
            + " | a block of 2 items with 2 bytes left, at byte 2",
        "{'type':'array','items':'long'} | 808080808040"
            + " | a block of 1099511627776 items with 0 bytes left, at byte 0",
        "{'type':'array','items':'long'} | 0101020200 | a length of -1 with 3 bytes left, at byte"
            + " 1",
        "{'type':'array','items':'long'} | 01020200 |",
        "{'type':'array','items':'long'} | 01040200"
            + " | a block that ends at byte 3 instead of byte 4, at byte 0",
        "{'type':'array','items':'long'} | ffffffffffffffffff0100"
            + " | a block of -9223372036854775808 items with 0 bytes left, at byte 0",
        "{'type':'map','values':'null'} | 02026100 |",
        "{'type':'map','values':'null'} | 0202ff00 | text that is not UTF-8, at byte 2",
        "{'type':'map','values':'long'} | 808080808040"
            + " | a block of 1099511627776 items with 0 bytes left, at byte 0"
      })
  void hostileBytesAreRefusedWithTheirPosition(String schema, String hex, String fault) {
    Schema writer = new Schema.Parser().parse(schema.replace('\'', '"'));
    byte[] body = HexFormat.of().parseHex(hex);
    assertEquals(Optional.ofNullable(fault), WireGuard.check(writer, body, 0));
  }

  @Test
  void itemsWithoutWidthCostNoMoreThanTheirBytes() {
    Schema nested =
        new Schema.Parser()
            .parse("{'type':'array','items':{'type':'array','items':'null'}}".replace('\'', '"'));
    byte[] body = new byte[1 << 20];
    Arrays.fill(body, (byte) 0x40);
    assertTrue(WireGuard.check(nested, body, 0).isPresent());
  }

  @Test
  void nestingWithoutEndIsRefused() {
    Schema chain =
        new Schema.Parser()
            .parse(
                "{'type':'record','name':'N','fields':[{'name':'n','type':['null','N']}]}"
                    .replace('\'', '"'));
    byte[] body = new byte[100_000];
    Arrays.fill(body, (byte) 2);
    String fault = WireGuard.check(chain, body, 0).orElseThrow();
    assertTrue(fault.startsWith("N.n: nested deeper than 32"), fault);
  }

  @Test
  void theFaultNamesTheFieldAndCountsFromTheFrame() {
    byte[] framed = Wire.REWARD.encode(new WireReward("d", null, "s", 0, 1, Map.of(), null));
    framed[Frame.HEADER_BYTES] = 100;
    assertEquals(
        Optional.of("RewardEvent.decisionId: a length of 50 with 16 bytes left, at byte 10"),
        WireGuard.check(Wire.REWARD.schema(), framed, Frame.HEADER_BYTES));
  }

  /**
   * Java's own decoder is the oracle over every sequence of two bytes and corners of longer ones.
   */
  @Test
  void textIsAcceptedExactlyWhereJavaAcceptsIt() {
    int[] bytes = {
      0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC,
      0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF
    };
    for (int a : bytes) {
      for (int b : bytes) {
        for (int c : bytes) {
          for (int d : bytes) {
            byte[] text = {(byte) a, (byte) b, (byte) c, (byte) d};
            for (int length = 1; length <= text.length; length++) {
              assertAgrees(Arrays.copyOf(text, length));
            }
          }
        }
      }
    }
  }

  private static void assertAgrees(byte[] text) {
    String decoded = new String(text, StandardCharsets.UTF_8);
    boolean isText = Arrays.equals(text, decoded.getBytes(StandardCharsets.UTF_8));
    if (isText != (Utf8Text.firstFault(text, 0, text.length) < 0)) {
      throw new AssertionError(HexFormat.of().formatHex(text) + " is UTF-8: " + isText);
    }
  }
}
