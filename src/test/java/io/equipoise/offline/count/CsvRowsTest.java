package io.equipoise.offline.count;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.causal.DistributionException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.java.tuple.Tuple5;
import org.apache.flink.util.Collector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CsvRowsTest {
  private static final CountLayout LAYOUT =
      CountLayout.of(
          List.of(
              new CountedVariable(
                  "A", List.of("left", "ri,ght"), List.of(), Double.NaN, Double.NaN),
              new CountedVariable("X", List.of("[0,5)", "[5,9]"), List.of(5.0), 0, 9),
              CountedVariable.binary("R", -1, 1)),
          List.of(List.of("A", "X", "R")),
          "S");

  @TempDir private Path directory = Path.of("");

  /** Keeps what is collected. */
  private static final class Collected
      implements Collector<Tuple5<Integer, Long, Long, Long, String>> {
    private final Map<Long, Long> cells = new TreeMap<>();
    private final List<String> faults = new ArrayList<>();

    @Override
    public void collect(Tuple5<Integer, Long, Long, Long, String> cell) {
      if (cell.f0 == Cell.FAULT) {
        faults.add(cell.f3 + ": " + cell.f4);
      } else {
        cells.merge(cell.f1, cell.f2, Long::sum);
      }
    }

    @Override
    public void close() {}
  }

  private Path file(String text) throws IOException {
    return Files.writeString(directory.resolve("log.csv"), text);
  }

  private static Collected read(Path file, long... cuts) throws IOException {
    Collected collected = new Collected();
    RowSink sink = new RowSink(LAYOUT, collected);
    for (int i = 0; i + 1 < cuts.length; i++) {
      CsvRows.of(LAYOUT, file).read(new Chunk(0, file.toString(), cuts[i], cuts[i + 1]), sink);
    }
    sink.flush();
    return collected;
  }

  @Test
  void whereverAFileIsCutEveryRowIsCountedOnce() throws IOException {
    String text =
        "note,A,X,R,S\r\nfirst,left,0,-1,1\r\n\"a, \"\"b\"\"\",\"ri,ght\",5.0,1.0,1\n\n"
            + "größe,left,9,1,1\n,left, 4.99 ,-1.0,1";
    Path file = file(text);
    long size = text.getBytes(StandardCharsets.UTF_8).length;
    Collected whole = read(file, 0, size);
    assertEquals(List.of(), whole.faults);
    assertEquals(Map.of(0L, 2L, 3L, 1L, 7L, 1L), whole.cells);
    for (long cut = 1; cut < size; cut++) {
      Collected parts = read(file, 0, cut, size);
      assertEquals(whole.cells, parts.cells, "cut at " + cut);
      assertEquals(List.of(), parts.faults, "cut at " + cut);
    }
  }

  @Test
  void eachKindOfBadRowIsToldWithItsPlace() throws IOException {
    String heading = "A,X,R,S\n";
    Map<String, String> bad =
        Map.of(
            "left,0,1,0", "S is 0, but a log of selected rows contains only 1",
            "left,0,1,", "S is missing",
            "up,0,1,1", "A is up; its levels are [left, ri,ght]",
            "left,10,1,1", "X is 10; it must be a number from 0 to 9",
            "left,NaN,1,1", "no value of X",
            "left,0,,1", "no value of R",
            "left,0,0.5,1", "R is 0.5; a reward must be -1 or 1",
            "left,0,1", "3 values, but the heading has 4",
            "left,0,1,1,1", "5 values, but the heading has 4",
            "left,NA,1,1", "no value of X");
    for (Map.Entry<String, String> row : bad.entrySet()) {
      String text = heading + "left,0,1,1\n" + row.getKey() + "\n";
      Collected collected = read(file(text), 0, text.length());
      assertEquals(1, collected.faults.size(), row.getKey());
      String fault = collected.faults.get(0);
      assertTrue(fault.startsWith("19: " + row.getValue()), fault);
    }
  }

  @Test
  void whatOnlyJavaReadsAsANumberAndControlCharactersAreRefused() throws IOException {
    for (String row : List.of("left,5d,1,1", "left,0x1p1,1,1", "left,\u001b,1,1", "left,\t,1,1")) {
      String text = "A,X,R,S\n" + row + "\n";
      assertEquals(1, read(file(text), 0, text.length()).faults.size(), row);
    }
    Path file = directory.resolve("log.csv");
    Files.write(file, "A,X,R,S,n\nleft,0,1,1,\u00e4\n".getBytes(StandardCharsets.ISO_8859_1));
    assertEquals(
        List.of("10: bytes that are no UTF-8; save the file as UTF-8"),
        read(file, 0, Files.size(file)).faults);
  }

  @Test
  void aFileWithoutANeededColumnIsRefused() throws IOException {
    Path file = file("A,R\nleft,1\n");
    String message =
        assertThrows(DistributionException.class, () -> CsvRows.of(LAYOUT, file)).getMessage();
    assertTrue(message.contains("no column [X] in [A, R]"), message);
  }

  @Test
  void aRowCountsAsOftenAsItsWeightSaysAndNoneWithWeightZero() throws IOException {
    Path file = file("A,n,X,R\nleft,3,0,-1\nleft,0,0,1\nleft,\"2\",0,-1\nleft,1000000000,9,1\n");
    Collected collected = new Collected();
    CountLayout weighted = LAYOUT.weightedBy("n");
    RowSink sink = new RowSink(weighted, collected);
    Chunk chunk = new Chunk(0, file.toString(), 0, Files.size(file));
    assertEquals(4, CsvRows.of(weighted, file).read(chunk, sink));
    sink.flush();
    assertEquals(Map.of(0L, 5L, 3L, 1_000_000_000L), collected.cells);
  }

  @Test
  void whatIsNoWeightIsAFault() throws IOException {
    CountLayout weighted = LAYOUT.weightedBy("n");
    for (String weight : List.of("-1", "1.5", "", "x", "1000000001", "99999999999999999999")) {
      Path file = file("A,n,X,R\nleft," + weight + ",0,-1\n");
      Collected collected = new Collected();
      RowSink sink = new RowSink(weighted, collected);
      CsvRows.of(weighted, file).read(new Chunk(0, file.toString(), 0, Files.size(file)), sink);
      assertEquals(
          List.of("8: n is " + weight + "; a weight must be a whole number from 0 to 1000000000"),
          collected.faults);
    }
    Path without = file("A,X,R\nleft,0,-1\n");
    DistributionException refused =
        assertThrows(DistributionException.class, () -> CsvRows.of(weighted, without));
    assertTrue(refused.getMessage().contains("no column n in [A, X, R] for the weights"));
  }
}
