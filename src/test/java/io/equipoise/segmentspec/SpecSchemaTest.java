package io.equipoise.segmentspec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SpecVersion.VersionFlag;
import com.networknt.schema.ValidationMessage;
import io.equipoise.Docs;
import io.equipoise.segmentspec.PolicySections.FamilyKeys;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The reference pages and the JSON Schema are what the tables of keys say. */
class SpecSchemaTest {
  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
  private static final JsonNode SCHEMA =
      MAPPER.valueToTree(SpecSchema.of(PolicyReader.installed().families()));
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```yaml\n(.*?)^```$");

  /** Run with {@code -Dequipoise.write-docs=true} to write the page instead of comparing it. */
  @Test
  void theReferenceHasTheKeys() throws Exception {
    Docs.assertGenerated("docs/reference/spec.md", SpecSchemaTest.class, it -> SpecPages.spec());
    Docs.assertGenerated(
        "docs/reference/spec-policy.md",
        SpecSchemaTest.class,
        it -> SpecPages.policy(PolicyReader.installed().families()));
  }

  /** Run with {@code -Dequipoise.write-docs=true} to write the schema instead of comparing it. */
  @Test
  void theSchemaForEditorsHasTheKeys() throws Exception {
    String schema = MAPPER.writeValueAsString(SCHEMA) + "\n";
    Docs.assertGenerated(
        "docs/reference/segment-spec.schema.json", SpecSchemaTest.class, it -> schema);
  }

  @Test
  void theSchemaIsASchema() {
    JsonSchema draft =
        JsonSchemaFactory.getInstance(VersionFlag.V202012)
            .getSchema(SchemaLocation.of("https://json-schema.org/draft/2020-12/schema"));
    assertEquals(List.of(), List.copyOf(draft.validate(SCHEMA)));
  }

  @Test
  void everySpecThatIsShippedIsValid() throws IOException {
    List<Path> specs = new ArrayList<>();
    for (String directory : List.of("flink-conf", "src/main/resources", "src/test/resources")) {
      try (Stream<Path> files = Files.walk(Path.of(directory))) {
        files.filter(SpecSchemaTest::isSpec).forEach(specs::add);
      }
    }
    assertTrue(specs.size() >= 8, specs.toString());
    for (Path spec : specs) {
      assertEquals(List.of(), faults(SCHEMA, Files.readString(spec)), spec.toString());
    }
    assertEquals(List.of(), faults(SCHEMA, SpecText.SOUND));
  }

  private static boolean isSpec(Path file) {
    try {
      return file.toString().endsWith(".yaml")
          && Files.readString(file).lines().anyMatch(line -> line.startsWith("variables:"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Pages show parts of specs, so nothing is required of them at the top. */
  @Test
  void everyPartOfASpecOnAPageIsValid() throws IOException {
    JsonNode parts = SCHEMA.deepCopy();
    ObjectNode spec = (ObjectNode) parts.path("$defs").path("spec");
    spec.remove("required");
    int found = 0;
    List<Path> pages = new ArrayList<>(List.of(Path.of("README.md")));
    try (Stream<Path> files = Files.walk(Path.of("docs"))) {
      files.filter(file -> file.toString().endsWith(".md")).forEach(pages::add);
    }
    for (Path page : pages) {
      for (Matcher block = BLOCK.matcher(Files.readString(page)); block.find(); ) {
        String key = block.group(1).lines().findFirst().orElse("").replaceFirst(":.*", "");
        if (spec.path("properties").has(key) && !block.group(1).contains("name: softmax")) {
          found++;
          assertEquals(List.of(), faults(parts, block.group(1)), page + ": " + block.group(1));
        }
      }
    }
    assertTrue(found >= 10, "parts of specs on pages: " + found);
  }

  /** Each of these the reader refuses too, see {@code spec-faults.txt}. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "name: small | nam: small",
        "name: small | name: '-x'",
        "version: 3 | version: 0",
        "version: 3 | version: three",
        "seed: -7 | seed: 1.5",
        "segments: {exact: [small, tiny]} | segments: some",
        "segments: {exact: [small, tiny]} | segments: {exact: []}",
        "segments: {exact: [small, tiny]} | segments: {exact: [a], pattern: b}",
        "role: sensitive | role: sensitiv",
        "range: [0, 100] | range: [0]",
        "arms: all | arms: some",
        "arms: all | arms: []",
        "reward-window: 30m | reward-window: 30",
        "reward-window: 30m, | ''",
        "tau: 0.3 | tau: 0",
        "tau: 0.3 | 'tau: 0.3, delta: 1'",
        "tau: 0.3 | 'tau: 0.3, intersections: maybe'",
        "name: f-ucb | name: fucb",
        "name: f-ucb | name: ucb-pcb",
        "name: f-ucb | name: linucb",
        "name: f-ucb | 'name: f-ucb\n  ties: random'",
        "name: f-ucb | 'name: f-ucb\n  causal-bounds: {on-refutation: keep}'",
        "name: f-ucb | 'name: f-ucb\n  explore: {share: 1.5}'",
        "policy: {name: linucb} | 'policy: {name: linucb, groups: {attribute: S}}'",
        "policy: {name: linucb} | policy: {name: fair-linucb}",
        "policy: {name: linucb} | 'policy: {name: linucb, forget: {}}'",
        "policy: {name: linucb} | 'policy: {name: linucb, ridge: 0}'",
        "policy: {name: linucb} | 'policy: {name: linucb, features: [slope]}'",
        "policy: {name: linucb} | 'policy: {name: linucb, alpha: -1}'",
        "policy: {name: screen} | 'policy: {name: screen, constraint: hard}'",
        "policy: {name: screen} | 'policy: {name: screen, theta-norm: 1e4}'",
        "policy: {name: screen} | 'policy: {name: ofulog, epsilon: 0.1}'",
        "policy: {name: screen} | 'policy: {name: oam}'",
        "policy: {name: screen} | 'policy: {name: csr-v2, samples: 9}'",
      })
  void whatATableForbidsTheSchemaForbids(String sound, String bad) {
    String policy = "policy:\n  name: f-ucb\n  safe: [{A: b, B: [on, 2]}]";
    String text = sound.startsWith("policy") ? SpecText.with(policy, sound) : SpecText.SOUND;
    assertEquals(List.of(), faults(SCHEMA, text));
    assertTrue(text.contains(sound), sound);
    assertFalse(faults(SCHEMA, text.replace(sound, bad)).isEmpty(), bad);
  }

  @Test
  void aForeignFamilyAddsItsKeys() {
    SpecKeys keys =
        SpecKeys.parse(
            """
            # policy | A sample.
            name | text | required | The policy.
            heat | number (0, 1e6] | required cold | How hot it is. | cold warm
            """);
    List<String> policies = List.of("cold", "warm", "dry");
    JsonNode schema = MAPPER.valueToTree(SpecSchema.of(List.of(family(policies, keys))));
    String text = SpecText.with("name: f-ucb\n  safe: [{A: b, B: [on, 2]}]", "POLICY");
    for (String sound : List.of("{name: cold, heat: 1}", "{name: warm}", "{name: dry}")) {
      assertEquals(List.of(), faults(schema, text.replace("POLICY", sound)), sound);
    }
    for (String bad : List.of("{name: cold}", "{name: dry, heat: 1}", "{name: warm, heat: 0}")) {
      assertFalse(faults(schema, text.replace("POLICY", bad)).isEmpty(), bad);
    }
  }

  private static FamilyKeys family(List<String> policies, SpecKeys keys) {
    return new FamilyKeys("sample", policies, keys);
  }

  @Test
  void defaultsAndReferencesOfTheTablesAreSound() throws IOException {
    List<FamilyKeys> all = new ArrayList<>(PolicyReader.installed().families());
    all.add(family(List.of(), SpecKeys.core()));
    String readers = sources("segmentspec") + sources("policy");
    for (FamilyKeys family : all) {
      for (SpecKeys.Keys keys : family.keys().sections()) {
        for (SpecKey row : keys.rows().values()) {
          String place = keys.section() + "." + row.name();
          assertTrue(family.policies().containsAll(row.only()), place);
          boolean isExempt = row.isPlaceholder() || row.isRejected();
          assertTrue(
              isExempt || readers.contains("\"" + row.name() + "\""), place + " has no reader");
          JsonNode definitions = SCHEMA.path("$defs");
          String prefix = family.policies().isEmpty() ? "" : family.family() + ".";
          JsonNode property =
              definitions
                  .path(prefix + keys.section().replaceAll("[^A-Za-z0-9.-]", ""))
                  .path("properties")
                  .path(row.name());
          if (property.has("default")) {
            ObjectNode own = property.deepCopy();
            own.set("$defs", definitions);
            assertEquals(List.of(), faults(own, property.path("default").asText()), place);
          }
        }
      }
    }
    for (JsonNode reference : SCHEMA.findValues("$ref")) {
      String pointer = reference.asText().substring(1);
      assertFalse(SCHEMA.at(pointer).isMissingNode(), pointer);
    }
  }

  private static String sources(String directory) throws IOException {
    StringBuilder text = new StringBuilder();
    try (Stream<Path> files = Files.walk(Path.of("src/main/java/io/equipoise", directory))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        text.append(Files.readString(file));
      }
    }
    return text.toString();
  }

  private static List<String> faults(JsonNode schema, String yaml) {
    Object spec = new Load(LoadSettings.builder().build()).loadFromString(yaml);
    return JsonSchemaFactory.getInstance(VersionFlag.V202012)
        .getSchema(schema)
        .validate(MAPPER.valueToTree(spec))
        .stream()
        .map(ValidationMessage::getMessage)
        .toList();
  }
}
