package io.equipoise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.start.Launch;
import io.equipoise.segmentspec.SpecFiles;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * Checks {@code deploy/kubernetes} without a cluster: the kinds of Kubernetes by typed classes that
 * refuse unknown fields, the FlinkDeployment by the fields that it may have.
 */
class KubernetesTest {
  private static final Path DIRECTORY = Path.of("deploy", "kubernetes");
  private static final Map<String, Class<?>> KINDS =
      Map.of(
          "ConfigMap", ConfigMap.class,
          "Deployment", Deployment.class,
          "NetworkPolicy", NetworkPolicy.class,
          "PodDisruptionBudget", PodDisruptionBudget.class,
          "Secret", Secret.class,
          "Service", Service.class);

  /** Fields of a FlinkDeployment's spec, those of Flink's configuration and of pods left out. */
  private static final List<String> FLINK_FIELDS =
      List.of(
          "/flinkConfiguration",
          "/flinkVersion",
          "/image",
          "/job/args",
          "/job/entryClass",
          "/job/jarURI",
          "/job/parallelism",
          "/job/state",
          "/job/upgradeMode",
          "/jobManager/replicas",
          "/jobManager/resource/cpu",
          "/jobManager/resource/memory",
          "/mode",
          "/podTemplate",
          "/serviceAccount",
          "/taskManager/resource/cpu",
          "/taskManager/resource/memory");

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final ObjectMapper STRICT =
      new ObjectMapper()
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .setAnnotationIntrospector(
              new JacksonAnnotationIntrospector() {
                private static final long serialVersionUID = 1;

                @Override
                public Boolean hasAnySetter(Annotated any) {
                  return false; // where the classes would put unknown fields
                }
              });

  @Test
  void everyObjectOfTheBaseHasKnownFieldsOnly() throws Exception {
    List<JsonNode> objects = new ArrayList<>();
    try (Stream<Path> files = Files.list(DIRECTORY.resolve("base"))) {
      for (Path file : files.filter(it -> it.toString().endsWith(".yaml")).sorted().toList()) {
        documents(Files.readString(file)).stream()
            .filter(it -> it.has("kind"))
            .forEach(objects::add);
      }
    }
    objects.removeIf(it -> it.path("kind").asText().equals("Kustomization"));
    assertEquals(9, objects.size());
    check(objects);
  }

  @Test
  void optionsAreUnderstoodAndTheSpecIsTheShippedOne() throws Exception {
    Path base = DIRECTORY.resolve("base");
    String[] arguments = {"--config", base.resolve("equipoise.yaml").toString()};
    Configuration options = Launch.configuration(arguments);
    assertEquals("/etc/equipoise/specs", options.toMap().get("equipoise.specs"), "the mount");
    options.setString("equipoise.specs", base.resolve("email-f-ucb.yaml").toString());
    assertEquals("shop", JobConfig.from(options).topics().deployment());
    assertEquals(
        Files.readString(Path.of("flink-conf", "specs", "email-f-ucb.yaml")),
        Files.readString(base.resolve("email-f-ucb.yaml")));
    assertEquals(1, SpecFiles.load(base.resolve("email-f-ucb.yaml")).size(), "with its tables");
    String generated = Files.readString(base.resolve("kustomization.yaml"));
    assertTrue(generated.contains("files: [email-f-ucb.yaml, email-campaign.bif]"), generated);
  }

  @Test
  void flinkReportsMetricsAsInTheComposeFileOnThePortThatPrometheusScrapes() throws Exception {
    JsonNode job = documents(Files.readString(DIRECTORY.resolve("base/job.yaml"))).get(0);
    Map<String, String> reporter = new TreeMap<>();
    job.at("/spec/flinkConfiguration")
        .fields()
        .forEachRemaining(option -> reporter.put(option.getKey(), option.getValue().asText()));
    reporter.keySet().removeIf(name -> !name.startsWith("metrics."));
    Map<String, String> expected = ComposeFile.read().flinkOptions("jobmanager");
    expected.keySet().removeIf(name -> !name.startsWith("metrics."));
    assertEquals(expected, reporter);
    JsonNode port = job.at("/spec/podTemplate/spec/containers/0/ports/0");
    assertEquals("{\"name\":\"metrics\",\"containerPort\":9249}", port.toString());
    assertEquals("9249", reporter.get("metrics.reporter.prom.port"));
    String network = Files.readString(DIRECTORY.resolve("base/network.yaml"));
    assertTrue(network.contains("- {port: 9249, protocol: TCP}"), network);
    String scrape = Files.readString(Path.of("deploy/monitoring/prometheus-kubernetes.yml"));
    assertTrue(scrape.contains("port_name], regex: metrics, action: keep"), scrape);
  }

  @Tag("foreign")
  @ParameterizedTest
  @ValueSource(strings = {"small", "production"})
  void kustomizeBuildsTheOverlays(String overlay) throws Exception {
    List<JsonNode> objects = built(overlay);
    assertEquals(12, objects.size());
    check(objects);
    for (JsonNode object : objects) {
      if (object.path("kind").asText().equals("FlinkDeployment")) {
        String text = object.toString();
        assertTrue(text.contains("\"secretName\":\"options-"), text);
        assertTrue(text.contains("\"name\":\"specs-"), text);
        assertTrue(text.contains("\"image\":\"registry.example/equipoise:"), text);
      }
    }
  }

  /** {@code -Dequipoise.flinkdeployment=FILE} names the operator's definition. */
  @Tag("foreign")
  @Test
  void theOperatorsDefinitionHasEveryField() throws Exception {
    String definition = System.getProperty("equipoise.flinkdeployment", "");
    assumeTrue(!definition.isEmpty(), "-Dequipoise.flinkdeployment=FILE is not given");
    JsonNode schema =
        documents(Files.readString(Path.of(definition)))
            .get(0)
            .at("/spec/versions/0/schema/openAPIV3Schema");
    for (String overlay : List.of("small", "production")) {
      for (JsonNode object : built(overlay)) {
        if (object.path("kind").asText().equals("FlinkDeployment")) {
          assertEquals(
              List.of(),
              List.copyOf(
                  JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V4)
                      .getSchema(schema)
                      .validate(object)));
          assertKnown(object.path("spec"), schema.at("/properties/spec"), "spec");
        }
      }
    }
  }

  private static void assertKnown(JsonNode value, JsonNode schema, String place) {
    if (value.isArray()) {
      value.forEach(it -> assertKnown(it, schema.path("items"), place + "[]"));
    } else if (value.isObject() && !schema.has("x-kubernetes-preserve-unknown-fields")) {
      value
          .fields()
          .forEachRemaining(
              field -> {
                JsonNode known =
                    schema.has("properties")
                        ? schema.path("properties").path(field.getKey())
                        : schema.path("additionalProperties");
                String at = place + "." + field.getKey();
                assertTrue(!known.isMissingNode(), at + " is unknown");
                assertKnown(field.getValue(), known, at);
              });
    }
  }

  private static void check(List<JsonNode> objects) throws Exception {
    for (JsonNode object : objects) {
      String kind = object.path("kind").asText();
      if (kind.equals("FlinkDeployment")) {
        Set<String> fields = new TreeSet<>();
        collect(object.path("spec"), "", fields);
        assertEquals(FLINK_FIELDS, List.copyOf(fields));
        STRICT.treeToValue(object.at("/spec/podTemplate"), PodTemplateSpec.class);
      } else {
        assertTrue(KINDS.containsKey(kind), kind);
        STRICT.treeToValue(object, KINDS.get(kind));
      }
    }
  }

  private static void collect(JsonNode value, String place, Set<String> into) {
    boolean isLeaf = place.equals("/flinkConfiguration") || place.equals("/podTemplate");
    if (isLeaf || !value.isObject()) {
      into.add(place);
    } else {
      value
          .fields()
          .forEachRemaining(it -> collect(it.getValue(), place + "/" + it.getKey(), into));
    }
  }

  private static List<JsonNode> built(String overlay) throws Exception {
    Path directory = DIRECTORY.resolve("overlays").resolve(overlay);
    Process kubectl =
        new ProcessBuilder("kubectl", "kustomize", directory.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String out = new String(kubectl.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(kubectl.waitFor(1, TimeUnit.MINUTES) && kubectl.exitValue() == 0, out);
    return documents(out);
  }

  private static List<JsonNode> documents(String yaml) {
    List<JsonNode> documents = new ArrayList<>();
    new Load(LoadSettings.builder().build())
        .loadAllFromString(yaml)
        .forEach(document -> documents.add(JSON.valueToTree(document)));
    return documents;
  }
}
