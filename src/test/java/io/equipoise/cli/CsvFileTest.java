package io.equipoise.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.causal.DistributionException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
  void anEmptyValueAtTheEndIsAValue() {
    assertEquals(List.of("a", ""), CsvFile.fields("a,"));
    assertEquals(List.of("a", "", "", ""), CsvFile.fields("a,,,"));
    assertEquals(List.of(""), CsvFile.fields("\"\""));
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
    Path blank = file("  \n1,2\n");
    assertThrows(DistributionException.class, () -> CsvFile.open(blank));
    Path endless = file("A,".repeat(1 << 20));
    assertThrows(DistributionException.class, () -> CsvFile.heading(endless));
  }
}
