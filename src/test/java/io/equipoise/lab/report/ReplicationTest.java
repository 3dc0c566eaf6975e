package io.equipoise.lab.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;

class ReplicationTest {
  @TempDir private Path directory = Path.of("");

  @Command(name = "verb")
  private static final class Verb extends Replication {
    @Override
    public Integer call() throws IOException {
      return publish(
          new Row(),
          List.of(),
          new Checks(),
          () -> {
            throw new IllegalStateException("no curve");
          });
    }
  }

  private static Verb parse(Path json, Path plot) {
    Verb verb = new Verb();
    new CommandLine(verb)
        .setOut(new PrintWriter(new StringWriter(), true))
        .parseArgs("--first-seed", "7", "--json", json.toString(), "--plot", plot.toString());
    return verb;
  }

  private String refusal(Path json, Path plot) {
    return assertThrows(ParameterException.class, () -> parse(json, plot)).getMessage();
  }

  @Test
  void whatCannotBeWrittenIsRefusedBeforeTheWorkWithOptionValueAndRemedy() throws IOException {
    Path json = directory.resolve("report.json");
    Path plot = directory.resolve("curves.svg");
    Path nowhere = directory.resolve("no").resolve("x.svg");
    Path file = Files.writeString(directory.resolve("file"), "");
    for (String refusal : List.of(refusal(nowhere, plot), refusal(json, nowhere))) {
      assertTrue(refusal.contains(nowhere + "' cannot be written"), refusal);
      assertTrue(refusal.contains(nowhere.getParent() + " is not a directory; create it"), refusal);
    }
    assertTrue(refusal(nowhere, plot).contains("'--json'"));
    assertTrue(refusal(json, nowhere).contains("'--plot'"));
    assertTrue(refusal(directory, plot).contains("is a directory; name a file in it"));
    assertTrue(refusal(file.resolve("x"), plot).contains(file + " is not a directory"));
    parse(Path.of("-"), plot);
    parse(json, Path.of("curves.svg"));
    assertFalse(Files.exists(json), "to be able to is not to do");
  }

  @Test
  void aPlotThatFailsLosesNoResult() throws IOException {
    Path json = directory.resolve("report.json");
    Verb verb = parse(json, directory.resolve("curves.svg"));
    assertThrows(IllegalStateException.class, verb::call);
    assertEquals(7, new ObjectMapper().readTree(json.toFile()).get("seed").asInt());
  }
}
