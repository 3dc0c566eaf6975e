package io.equipoise.console;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Prints numbers as the pages of the console do. Needs Node 18. */
@Tag("foreign")
class PageNumbersTest {
  private static final Path FORMAT = Path.of("src/main/resources/console/js/format.js");

  @Test
  void aNumberIsPrintedAs0OnlyIfItIs() throws Exception {
    assertEquals(
        "3.0e−4 −3.0e−4 0.001 −0.250 0.000 0.000 4.0e−3",
        printed(
            "number(3e-4), number(-3e-4), number(5e-4), number(-.25), number(0), number(1e-12), number(.004, 2)"));
    assertEquals(
        "+3.0e−4 −4.0e−5 +0.001 −0.020 0.000 0.000",
        printed(
            "signed(3e-4), signed(-4e-5), signed(5e-4), signed(-.02), signed(0), signed(1e-12)"));
  }

  private static String printed(String numbers) throws Exception {
    Process node =
        new ProcessBuilder("node", "--input-type=module", "-").redirectErrorStream(true).start();
    try (var input = node.outputWriter(StandardCharsets.UTF_8)) {
      input.write(Files.readString(FORMAT) + "\nconsole.log(" + numbers + ");");
    }
    String said = new String(node.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(true, node.waitFor(1, TimeUnit.MINUTES));
    return said.strip();
  }
}
