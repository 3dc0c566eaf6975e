package io.equipoise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class EquipoiseTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void theVersionIsTheBuilds() {
    assertEquals(0, run("--version"));
    assertTrue(
        out.toString().matches("equipoise \\d+\\.\\d+\\.\\d+(-SNAPSHOT)?\\R"), out.toString());
  }

  @Test
  void helpNamesTheCommand() {
    assertEquals(0, run("--help"));
    assertTrue(out.toString().startsWith("Usage: equipoise"), out.toString());
  }

  @Test
  void aVerbThatIsNotKnownIsOneLineAndExitCodeTwo() {
    assertEquals(2, run("dance"));
    assertEquals(
        "equipoise: Unmatched argument at index 0: 'dance' (see equipoise --help)",
        err.toString().strip());
  }

  @Test
  void noVerbIsOneLineAndExitCodeTwo() {
    assertEquals(2, run());
    assertEquals("equipoise: name a command (see equipoise --help)", err.toString().strip());
  }

  private int run(String... arguments) {
    return Equipoise.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }
}
