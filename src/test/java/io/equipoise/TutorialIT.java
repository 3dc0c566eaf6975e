package io.equipoise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs every command of the tutorial, on the package. Needs bash, curl and Python 3.9, and the
 * ports 8080 and 29092.
 */
@Tag("foreign")
class TutorialIT {
  private static final Path PAGE = Path.of("docs/tutorial.md");
  private static final Pattern BLOCK =
      Pattern.compile("(?:`(\\w+\\.yaml)`[^`]*)?```(sh|yaml)\\n(.*?)```", Pattern.DOTALL);
  private static final String DOWN = "equipoise cluster down --dir cluster\n";
  private static final long MINUTES_AT_MOST = 15;

  @Test
  void everyCommandWorks(@TempDir Path directory) throws Exception {
    play(directory, Path.of("").toAbsolutePath(), System.getenv("PATH"));
  }

  /** Runs the page in a directory, with the files of a checkout or of an unpacked archive. */
  static void play(Path directory, Path files, String path) throws Exception {
    Path script = Files.writeString(directory.resolve("tutorial.sh"), script());
    String text = run(directory, files, path, script.toString());
    for (String shown :
        new String[] {
          "the first arm after about 1100 decisions",
          "708 (708 to 1352)",
          "\"reason\":\"UNCERTIFIED\"",
          "arms:    offer=",
          "EXPLOIT",
          "All requested checks passed.",
          "loans version 1 -> loans version 2: model kept"
        }) {
      assertTrue(text.contains(shown), () -> shown + " is not in " + text);
    }
    assertTrue(Files.size(directory.resolve("lender/report.html")) > 10_000, text);
  }

  /** Returns the files and commands of the page, in their order; the cluster always goes down. */
  private static String script() throws IOException {
    StringBuilder script = new StringBuilder("set -euo pipefail\n");
    boolean isUp = false;
    for (Matcher block = BLOCK.matcher(Files.readString(PAGE)); block.find(); ) {
      String body = block.group(3);
      if (block.group(2).equals("yaml")) {
        script.append("cat > ").append(block.group(1)).append(" <<'END'\n");
        script.append(body).append("END\n");
        continue;
      }
      if (!isUp && body.contains("cluster up")) {
        isUp = true;
        script.append("trap '").append(DOWN.strip()).append(" || true' ERR\n");
      }
      script.append(body);
    }
    return script.toString();
  }

  /** Returns the output of a script, which must end well. */
  static String run(Path directory, Path files, String path, String script) throws Exception {
    Path output = directory.resolve("output.txt");
    ProcessBuilder builder =
        new ProcessBuilder("bash", "-x", script)
            .directory(directory.toFile())
            .redirectOutput(output.toFile())
            .redirectErrorStream(true);
    builder.environment().put("EQUIPOISE_CHECKOUT", files.toString());
    builder.environment().put("PATH", path);
    Process process = builder.start();
    boolean isOver = process.waitFor(MINUTES_AT_MOST, TimeUnit.MINUTES);
    process.destroyForcibly();
    String text = Files.readString(output);
    assertTrue(isOver, () -> "not over after " + MINUTES_AT_MOST + " minutes: " + text);
    assertEquals(0, process.exitValue(), text);
    return text;
  }
}
