package io.equipoise.bandit.linear;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is learnt is a contract to the bit: across kernels, processes and releases. */
class LinearStateBitsTest {
  private static final String GOLDEN =
      "fcf8eae172e7f32fc157b242123182ffca1d711a3cfd67399c64f659becd981c";

  @Test
  void stateAndChoicesAreWhatTheyWere() {
    assertEquals(GOLDEN, LinearStateDigest.digest());
  }

  @Test
  void aProcessWithoutTheVectorModuleLearnsTheSame() throws Exception {
    assertEquals(GOLDEN, printed(List.of()));
  }

  @Test
  void aProcessWithTheVectorModuleLearnsTheSame() throws Exception {
    assertEquals(GOLDEN, printed(List.of("--add-modules", "jdk.incubator.vector")));
  }

  private static String printed(List<String> options) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(List.of("-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path")));
    command.add(LinearStateDigest.class.getName());
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), String.join(" ", command));
    return out.strip();
  }
}
