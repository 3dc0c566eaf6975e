package io.equipoise.lab.linear;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.equipoise.Tier;
import io.equipoise.lab.linear.ClassroomRun.RunMeasures;
import io.equipoise.lab.linear.Population.Student;
import io.equipoise.lab.linear.Population.Video;
import io.equipoise.lab.verbs.ReplicateCommand;
import io.equipoise.policy.linear.Candidates.FeatureMask;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class FairLinUcbTest {
  private static final int TRIALS = 3;
  private static final String DATA = System.getProperty("equipoise.fair-linucb-data", "");
  private static final boolean IS_FULL = Tier.isFull();

  @TempDir private Path directory = Path.of("");

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    List<String> all = new ArrayList<>(List.of("fair-linucb"));
    all.addAll(List.of(arguments));
    return new CommandLine(new ReplicateCommand())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(all.toArray(String[]::new));
  }

  private JsonNode json(String... arguments) throws IOException {
    out.getBuffer().setLength(0);
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--json", "-"));
    assertEquals(0, run(all.toArray(String[]::new)), err::toString);
    return new ObjectMapper().readTree(out.toString());
  }

  @Tag("full")
  @Test
  void theGapClosesAndTheAdaptiveGammaNeedsNoTuningInAGeneratedPopulation() throws IOException {
    Path plot = directory.resolve("curves.svg");
    JsonNode report =
        json("--table", "3", "--trials", Integer.toString(TRIALS), "--plot", plot.toString());
    assertEquals(4, report.get("checks").size(), report::toString);
    assertEquals(6, report.get("rows").size());
    Set<String> gammas = new HashSet<>();
    for (JsonNode row : report.get("rows")) {
      assertTrue(row.get("table").isInt() && row.get("table").asInt() == 3, row::toString);
      gammas.add(row.get("gamma").asText());
      for (String metric : List.of("gap", "loss")) {
        assertTrue(row.get(metric + "_mean").isNumber(), row::toString);
        assertTrue(row.get(metric + "_se").isNumber(), row::toString);
        assertEquals(TRIALS, row.get(metric + "_n").asInt());
      }
    }
    assertEquals(Set.of("0.0", "1.0", "2.0", "3.0", "4.0", "adaptive"), gammas);
    assertTrue(Files.size(plot) > 1000);
  }

  /** The reference trials need the real files, at the path of a system property. */
  @Test
  void referenceTrialsAreReplayedToFourDecimalsOnTheRealFiles() throws IOException {
    assumeTrue(!DATA.isEmpty(), "-Dequipoise.fair-linucb-data=DIRECTORY was not given");
    AdultFile file = AdultFile.read(Path.of(DATA));
    Fixture fixture = new Fixture();
    assertEquals(fixture.featureNames(), file.featureNames());
    Population population =
        new Population(file.students(), VideoFile.read(Path.of(DATA, "youtubedata.txt")));
    assertEquals(32_561, population.students().size());
    assertEquals(4066, population.videos().size());
    FeatureMask none = FeatureMask.dropping(Classroom.FEATURES, List.of());
    int last = IS_FULL ? fixture.trials() : 1;
    for (int trial = 0; trial < last; trial++) {
      Classroom classroom = fixture.classroom(population, trial);
      for (int gamma = 0; gamma <= 4; gamma++) {
        RunMeasures measures = ClassroomRun.run(classroom, FairLinUcbSetting.fair(gamma), none);
        double difference = fixture.difference(trial, gamma, measures);
        assertTrue(difference <= 0.5e-4 + 1e-9, "trial " + trial + ", gamma " + gamma);
      }
    }
  }

  @Test
  void gammaZeroIsLinUcb() {
    Classroom classroom = Classroom.draw(GeneratedPopulation.of(1), 5);
    FeatureMask none = FeatureMask.dropping(Classroom.FEATURES, List.of());
    RunMeasures linUcb = ClassroomRun.run(classroom, FairLinUcbSetting.linUcb(), none);
    RunMeasures fair = ClassroomRun.run(classroom, FairLinUcbSetting.fair(0), none);
    assertEquals(linUcb.loss(), fair.loss());
    assertEquals(linUcb.gap(), fair.gap());
    assertArrayEquals(linUcb.maleCurve(), fair.maleCurve());
  }

  @Test
  void aTrialHasAsManyMenAsWomenInEachPhaseAndEachHalfWhereOrdered() {
    Classroom classroom = Classroom.draw(GeneratedPopulation.of(2), 3);
    assertEquals(Classroom.ROUNDS, classroom.students().size());
    assertEquals(Classroom.ARMS, classroom.videos().size());
    assertEquals(1500, men(classroom.students().subList(0, Classroom.TRAIN)));
    assertEquals(1000, men(classroom.students().subList(Classroom.TRAIN, Classroom.ROUNDS)));
    List<Student> females = classroom.inOrder(FairLinUcbSetting.Order.FEMALES_FIRST);
    assertEquals(0, men(females.subList(0, 1500)));
    assertEquals(1500, men(females.subList(1500, 3000)));
    List<Student> males = classroom.inOrder(FairLinUcbSetting.Order.MALES_FIRST);
    assertEquals(1500, men(males.subList(0, 1500)));
    assertEquals(
        classroom.students().subList(3000, 5000), males.subList(3000, 5000), "test is as it was");
  }

  private static long men(List<Student> students) {
    return students.stream().filter(Student::isMale).count();
  }

  @Test
  void videosAreBinnedByQuantilesAndTheRestIsLeftOut() throws IOException {
    StringBuilder text = new StringBuilder("id\tup\tage\tcat\tlen\tviews\trate\tratings\tcomments");
    for (int i = 1; i <= 8; i++) {
      text.append("\nv").append(i).append("\tu\t").append(i).append("\tc\t").append(9 - i);
      text.append("\t5\t").append(i == 1 ? "0" : i == 2 ? "3.1" : "5").append("\t1\t1\trelated");
    }
    text.append("\nbad\tu\t \tc\t3\t5\t5\t1\t1").append("\nshort\tu\t3");
    Path file = Files.writeString(directory.resolve("videos.txt"), text.toString());
    List<Video> videos = VideoFile.read(file);
    assertEquals(8, videos.size());
    for (int i = 0; i < 8; i++) {
      double[] features = videos.get(i).features();
      assertEquals(1, features[i / 2], "age of video " + i);
      assertEquals(1, features[4 + (7 - i) / 2], "length of video " + i);
    }
    assertEquals(0, videos.get(0).rating());
    assertEquals(.5, videos.get(1).rating(), "3.1 of 5 is level 2.48 of 4");
    assertEquals(1, videos.get(2).rating());
  }

  @Test
  void educationCountsInFiveLevels() {
    double[] expected = {0, 0, 0, .25, .25, .25, .5, .5, .5, .75, .75, .75, 1, 1, 1, 1};
    for (int number = 1; number <= 16; number++) {
      assertEquals(expected[number - 1], Student.education(number));
    }
  }

  @Test
  void filesAndOptionsThatCannotBeAreRefused() throws IOException {
    assertEquals(2, run("--table", "5"));
    assertEquals(2, run("--trials", "0"));
    assertEquals(2, run("--plot", "x.gif"));
    assertEquals(2, run("--adult", directory.toString()));
    assertTrue(err.toString().contains("--adult and --videos go together"), err.toString());
    Path adult = Files.writeString(directory.resolve("adult.data"), "17, Private\n");
    Path videos = Files.writeString(directory.resolve("v.txt"), "id\n", StandardCharsets.UTF_8);
    assertEquals(2, run("--adult", adult.toString(), "--videos", videos.toString()));
    assertTrue(err.toString().contains("line 1: 2 fields"), err.toString());
    Files.writeString(adult, "39, a, 1, b, 13, c, d, e, f, Male, 0, 0, 40, g, <=50K\n");
    assertEquals(2, run("--adult", adult.toString(), "--videos", videos.toString()));
    assertTrue(err.toString().contains("it must be UCI's adult.data, whole"), err.toString());
    assertThrows(IllegalArgumentException.class, () -> VideoFile.read(videos));
  }
}
