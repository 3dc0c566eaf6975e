package io.equipoise.lab.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.lab.chaos.SoakReport.Trend;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xml.sax.InputSource;

/** What {@code bench soak} keeps, reports and draws of its samples; without any process. */
class SoakReportTest {
  private static final int PIECES = 3;
  private static final double HOURS = 1;

  /** A value with noise, as it is at a time of a piece. */
  private interface Course {
    double at(int piece, double hours, double noise);
  }

  @Test
  void samplesAreReadAsTheyWereWritten(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("samples.csv");
    List<SoakSample> samples =
        List.of(
            new SoakSample(1, 30, Map.of("heap MB/a", 1.5, "threads/a", 7.0)),
            new SoakSample(1, 60, Map.of("threads/a", 8.0)),
            new SoakSample(2, 60, Map.of("threads/a", 9.0)));
    for (SoakSample sample : samples) {
      sample.append(file);
    }
    assertEquals(samples, SoakSample.parse(Files.readAllLines(file)));
    IllegalArgumentException refusal =
        assertThrows(
            IllegalArgumentException.class,
            () -> SoakSample.parse(List.of("piece,seconds,measure,value", "1,30,threads/a")));
    assertEquals(
        "1,30,threads/a must have the columns piece,seconds,measure,value", refusal.getMessage());
  }

  @Test
  void theHeapIsTheSumOfTheUsedSpaces() {
    Pattern heap = SoakSample.HEAP;
    assertEquals(
        1234 + 5000,
        SoakSample.sum(
            heap,
            """
             def new generation   total 9792K, used 1234K [0x1, 0x2, 0x3)
              eden space 8704K,  85% used [0x1, 0x2, 0x3)
             tenured generation   total 21888K, used 5000K [0x1, 0x2, 0x3)
             Metaspace       used 34567K, committed 35000K, reserved 1081344K
            """));
    assertEquals(
        10240, SoakSample.sum(heap, " garbage-first heap   total 262144K, used 10240K [0x1, 0x2)"));
  }

  @Test
  void aLeakGrowsInEachPieceAndFromPieceToPiece() {
    SoakReport report =
        new SoakReport(
            samples(
                Map.of(
                    "heap MB/flat", (piece, hours, noise) -> 100 + 4 * noise,
                    "heap MB/leak", (piece, hours, noise) -> 100 + 10 * hours + noise,
                    "heap MB/warm-up", (piece, hours, noise) -> (hours < .15 ? 20 : 100) + noise,
                    "state MB/kept", (piece, hours, noise) -> 5 + piece + .1 * noise,
                    "topic MB/saw", (piece, hours, noise) -> 20 + 10 * (hours * 30 % 1),
                    "http ms/p99", (piece, hours, noise) -> 600 * Math.exp(noise / 2))));
    assertEquals(
        Map.of(
            "heap MB/flat", "FLAT",
            "heap MB/leak", "GROWS",
            "heap MB/warm-up", "FLAT",
            "state MB/kept", "GROWS",
            "topic MB/saw", "FLAT",
            "http ms/p99", "FLAT"),
        report.trends().stream().collect(Collectors.toMap(Trend::measure, Trend::verdict)));
    Trend leak =
        report.trends().stream()
            .filter(it -> it.measure().equals("heap MB/leak"))
            .findFirst()
            .orElseThrow();
    assertEquals(10, leak.perHour(), 1);
  }

  @Test
  void thereIsNoVerdictOnAFewSamples() {
    List<SoakSample> few = new ArrayList<>();
    for (int i = 1; i < 8; i++) {
      few.add(new SoakSample(1, 1000 + i, Map.of("heap MB/leak", 100.0 * i)));
    }
    assertEquals("-", new SoakReport(few).trends().get(0).verdict());
  }

  @Test
  void thePlotHasALineOfEachMeasureAndPiece() throws Exception {
    SoakReport report =
        new SoakReport(samples(Map.of("heap MB/a", (piece, hours, noise) -> 100 + noise)));
    var lines =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new InputSource(new StringReader(report.svg())))
            .getElementsByTagName("path");
    String line = lines.item(1).getAttributes().getNamedItem("d").getNodeValue();
    assertEquals(PIECES, line.chars().filter(it -> it == 'M').count());
    assertTrue(line.chars().filter(it -> it == 'L').count() > 50, line);
  }

  private static List<SoakSample> samples(Map<String, Course> courses) {
    SplittableRandom random = new SplittableRandom(1);
    List<SoakSample> samples = new ArrayList<>();
    for (int piece = 1; piece <= PIECES; piece++) {
      for (double seconds = 30; seconds <= HOURS * 3600; seconds += 30) {
        Map<String, Double> values = new TreeMap<>();
        for (var course : new TreeMap<>(courses).entrySet()) {
          double noise = random.nextGaussian();
          values.put(course.getKey(), course.getValue().at(piece, seconds / 3600, noise));
        }
        samples.add(new SoakSample(piece, seconds, values));
      }
    }
    return samples;
  }
}
