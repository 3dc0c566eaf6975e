package io.equipoise.job.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Runs the verb {@code check} on shipped specs and on copies that say something else. */
abstract class CheckedSpecs {
  static final Path SHIPPED = Path.of("flink-conf", "specs");

  final StringWriter out = new StringWriter();
  final StringWriter err = new StringWriter();

  @TempDir Path directory;

  Path linear(String policy) throws IOException {
    Path sound = copy("sound.yaml", "name: email-f-ucb", "name: email-linear");
    String text =
        Files.readString(sound)
            .replaceFirst("(?s)policy:.*?\n\n", "policy: {name: %s}\n\n".formatted(policy));
    return Files.writeString(directory.resolve("linear.yaml"), text);
  }

  static String file(String policy) {
    return SHIPPED.resolve("email-" + policy + ".yaml").toString();
  }

  Path copy(String name, String old, String replacement) throws IOException {
    String text = Files.readString(SHIPPED.resolve("email-f-ucb.yaml"));
    assertTrue(text.contains(old), old);
    Path bif = directory.resolve("email-campaign.bif");
    if (!Files.exists(bif)) {
      Files.copy(SHIPPED.resolve("email-campaign.bif"), bif);
    }
    return Files.writeString(directory.resolve(name), text.replace(old, replacement));
  }

  JsonNode json(String... arguments) throws IOException {
    String[] all = new String[arguments.length + 2];
    System.arraycopy(arguments, 0, all, 0, arguments.length);
    all[arguments.length] = "--json";
    all[arguments.length + 1] = "-";
    out.getBuffer().setLength(0);
    assertEquals(0, run(all), err.toString());
    return new ObjectMapper().readTree(out.toString());
  }

  int run(String... arguments) {
    return new CommandLine(new CheckCommand())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }
}
