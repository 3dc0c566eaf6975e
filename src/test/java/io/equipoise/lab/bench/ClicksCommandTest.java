package io.equipoise.lab.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.equipoise.tools.simulate.SimulateCommand;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ClicksCommandTest {
  private static final String POLICY = "name: linucb, model: shared";

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    return new CommandLine(new ClicksCommand())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }

  @Test
  void everySeedOfEveryWorldIsReportedForEachPlayer() throws Exception {
    String worlds = "r15-a8,r30-a16";
    assertEquals(
        0,
        run(
            "--worlds",
            worlds,
            "--seeds",
            "2",
            "--decisions",
            "300",
            "--policy",
            POLICY,
            "--json",
            "-"));
    JsonNode players = new ObjectMapper().readTree(out.toString()).get("players");
    assertEquals(2, players.size());
    for (String player : new String[] {"uniform", POLICY}) {
      JsonNode byWorld = players.get(player);
      assertEquals(2, byWorld.size());
      byWorld.forEach(
          runs -> {
            assertEquals(2, runs.size());
            runs.forEach(it -> assertTrue(it.get("regret").doubleValue() > 0, it.toString()));
          });
    }
  }

  @Test
  void aLogIsReplayedInsteadOfWorlds() {
    assertEquals(
        0,
        run("--open-bandit", "src/test/resources/open-bandit/men.csv", "--policy", POLICY),
        err.toString());
    assertTrue(out.toString().contains("60"), out.toString());
  }

  @Test
  void writtenWorldsArePlayedBySimulate(@TempDir Path directory) {
    assertEquals(0, run("--worlds", "shop", "--dir", directory.toString()), err.toString());
    int code =
        new CommandLine(new SimulateCommand())
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(
                directory.resolve("shop.yaml").toString(),
                "--world",
                directory.resolve("shop-world.yaml").toString(),
                "--decisions",
                "200",
                "--seeds",
                "1");
    assertEquals(0, code, err.toString());
  }

  @Test
  void invalidOptionsAreRejectedBeforeAnythingIsPlayed() {
    assertEquals(2, run("--worlds", "nowhere"));
    assertTrue(err.toString().contains("no world has a name that starts with [nowhere]"));
    assertEquals(2, run("--worlds", "shop", "--policy", "name: linucb, alhpa: 1"));
    assertTrue(err.toString().contains("alhpa"), err.toString());
    assertEquals(2, run("--worlds", "shop", "--vw", "absent.jar"));
    assertTrue(err.toString().contains("absent.jar"), err.toString());
  }
}
