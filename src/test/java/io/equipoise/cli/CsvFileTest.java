package io.equipoise.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.Tier;
import io.equipoise.causal.DistributionException;
import io.equipoise.hostile.OneEdit;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CsvFileTest {
  @TempDir Path directory;

  private Path file(String text) throws IOException {
    return Files.writeString(directory.resolve("table.csv"), text);
  }

  @Test
  void aRowIsALineWithoutByteOrderMarkWhiteSpaceAndQuotes() throws IOException {
    Path file = file("\uFEFF A ,\"B, C\"\r\n\n 1 , \" say \"\"x\"\" \" \r\n   \n,\n");
    try (CsvFile csv = CsvFile.open(file)) {
      assertEquals(List.of("A", "B, C"), csv.heading());
      assertEquals(List.of("1", "say \"x\""), csv.next());
      assertEquals(file + ", line 3: ", csv.place());
      assertEquals(List.of("", ""), csv.next());
      assertEquals(file + ", line 5: ", csv.place());
      assertNull(csv.next());
    }
    assertEquals(List.of("A", "B, C"), CsvFile.heading(file));
  }

  @Test
  void anEmptyValueAtTheEndIsAValue() throws IOException {
    try (CsvFile csv = CsvFile.open(file("a,b\n1,\n,\n"))) {
      assertEquals(List.of("1", ""), csv.next());
      assertEquals(List.of("", ""), csv.next());
    }
    try (CsvFile csv = CsvFile.open(file("a\n\"\"\n"))) {
      assertEquals(List.of(""), csv.next());
    }
  }

  @Test
  void aRowOfAnotherWidthADoubledColumnAndOtherBytesAreRefusedWithFileAndLine() throws IOException {
    refused("A,B\n1,2\n1\n", ", line 3: 1 values, but the heading has 2");
    refused("A,B\n1,2,\n", ", line 2: 3 values, but the heading has 2");
    refused("A,B,A\n", ", line 1: duplicate column \"A\"");
    refused("A,B,\n1,2,\n", ", line 1: column 3 has no name");
    refused("A;B\n1;2,5\n", ", line 1: semicolons separate the names; write commas");
    refused("\uFEFF\"A\";\"B\"\n1;2\n", ", line 1: semicolons separate the names; write commas");
    refused("A, \"\" ,B\n1,2,3\n", ", line 1: column 2 has no name");
    assertEquals(List.of("", "B"), CsvFile.heading(file("\uFEFF,B\n1,2\n"))); // row numbers
    refused("A,B\n1,\u001b[2J\n", ", line 2: a control character");
    refused("A\tB\n", ", line 1: a control character; only commas separate values");
    Path file = directory.resolve("table.csv");
    Files.write(file, "A,B\n1,2\n\u00e4,1\n".getBytes(StandardCharsets.ISO_8859_1));
    refused(file, ", line 3: bytes that are no UTF-8; save the file as UTF-8");
    Files.write(file, "A,B\n1,2\n".getBytes(StandardCharsets.UTF_16));
    refused(file, ", line 1: bytes that are no UTF-8; save the file as UTF-8");
  }

  private void refused(String text, String message) throws IOException {
    refused(file(text), message);
  }

  private static void refused(Path file, String message) {
    DistributionException refusal =
        assertThrows(
            DistributionException.class,
            () -> {
              try (CsvFile csv = CsvFile.open(file)) {
                List<String> row = csv.next();
                while (row != null) {
                  row = csv.next();
                }
              }
            });
    assertTrue(refusal.getMessage().startsWith(file + message), refusal.getMessage());
  }

  @Test
  void anEditedTableIsRefusedOrReadAsItsFormatSays() throws IOException {
    int edits = Tier.count(300, 10_000);
    OneEdit edit =
        new OneEdit(
            List.of("A,B,C\n1,x y,\n\"2\",\"a, \"\"b\"\"\",0.5\n", "A, B\r\n1 ,2\r\n\r\n,4\r\n"),
            ",,;\"\"'\\\n\r\t \u00a0\u00e4\u0000\uFEFF1.");
    SplittableRandom random = new SplittableRandom(41);
    int read = 0;
    for (int i = 0; i < edits; i++) {
      String text = edit.next(random);
      List<List<String>> rows = new ArrayList<>();
      try (CsvFile csv = CsvFile.open(file(text))) {
        for (List<String> row = csv.heading(); row != null; row = csv.next()) {
          rows.add(row);
        }
      } catch (DistributionException e) {
        continue;
      }
      read++;
      List<List<String>> expected = new ArrayList<>();
      for (String line : text.replaceFirst("^\uFEFF", "").split("\n", -1)) {
        if (!line.isBlank() || expected.isEmpty()) {
          expected.add(fieldsOf(line));
        }
      }
      assertEquals(expected, rows, text);
    }
    assertTrue(read > edits / 20, "read " + read);
    Tier.found(CsvFileTest.class, "edited tables read", read + " of " + edits);
  }

  /** RFC 4180, with blanks removed around values. */
  private static List<String> fieldsOf(String line) {
    List<String> fields = new ArrayList<>();
    Matcher field =
        Pattern.compile(" *(?:\"((?:[^\"]|\"\")*)\" *|([^,]*))(,|$)").matcher(line.stripTrailing());
    int at = 0;
    do {
      assertTrue(field.find(at) && field.start() == at, line);
      String quoted = field.group(1);
      fields.add((quoted == null ? field.group(2) : quoted.replace("\"\"", "\"")).strip());
      at = field.end();
    } while (!field.group(3).isEmpty());
    return fields;
  }

  @Test
  void anOpenQuoteIsReportedWithItsLine() throws IOException {
    Path file = file("A,B\n1,2\n1,\"2\n");
    try (CsvFile csv = CsvFile.open(file)) {
      csv.next();
      String message = assertThrows(DistributionException.class, csv::next).getMessage();
      assertTrue(message.startsWith(file + ", line 3: "), message);
    }
  }

  @Test
  void aFileWithoutHeadingIsRejected() throws IOException {
    String empty = ", line 1: the heading is empty; begin the file with the names of its columns";
    for (String text :
        List.of("", "\n", "\n\nA,B\n1,2\n", "  \n1,2\n", "\uFEFF \t\nA\n", "\r\nA\n")) {
      refused(text, empty);
    }
    Path endless = file("A,".repeat(1 << 20));
    assertThrows(DistributionException.class, () -> CsvFile.heading(endless));
  }
}
