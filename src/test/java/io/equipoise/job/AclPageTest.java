package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.job.options.Topics;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The commands of docs/security/README.md grant the topics of the job; MinimalAclsTest needs all.
 */
class AclPageTest {
  private static final Topics TOPICS = new Topics("shop");

  @Test
  void thePageGrantsReadOnInputsAndWriteOnOutputs() throws Exception {
    List<String> read = new ArrayList<>(TOPICS.inputs());
    read.addAll(TOPICS.controls());
    assertEquals(new TreeSet<>(read), granted("Read"));
    List<String> write = new ArrayList<>(TOPICS.outputs());
    write.add(TOPICS.specs());
    assertEquals(new TreeSet<>(write), granted("Write"));
  }

  private static Set<String> granted(String operation) throws Exception {
    String page = Files.readString(Path.of("docs", "security", "README.md"));
    Matcher loop =
        Pattern.compile("for topic in ([a-z -]+); do acl --operation " + operation).matcher(page);
    assertTrue(loop.find(), operation);
    Set<String> topics = new TreeSet<>();
    for (String topic : loop.group(1).split(" ", -1)) {
      topics.add("shop." + topic);
    }
    return topics;
  }
}
