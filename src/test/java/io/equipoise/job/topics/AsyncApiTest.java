package io.equipoise.job.topics;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.equipoise.Docs;
import io.equipoise.event.TraceParent;
import io.equipoise.job.options.Topics;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Writes the topics of a deployment as an AsyncAPI document, from schemas, names and keys. */
class AsyncApiTest {
  private static final String DOCUMENT = "docs/reference/asyncapi.json";
  private static final Path VALIDATOR = Path.of("src", "test", "node", "asyncapi.mjs");
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
  private static final Set<String> TRACED = Set.of("contexts", "decisions", "audit");
  private static final Topics TOPICS = new Topics("deployment");

  /** Run with {@code -Dequipoise.write-docs=true} to write the document. */
  @Test
  void theDocumentHasTheTopicsSchemasAndKeysOfToday() throws Exception {
    Docs.assertGenerated(DOCUMENT, AsyncApiTest.class, any -> document() + "\n");
  }

  /** The reference parser does not look into Avro. */
  @Test
  void everyPayloadIsASchemaOfAvro() throws Exception {
    TreeSet<String> names = new TreeSet<>();
    JsonNode messages = JSON.readTree(Path.of(DOCUMENT).toFile()).at("/components/messages");
    for (JsonNode message : messages) {
      JsonNode schema = message.at("/payload/schema");
      if (!schema.isMissingNode()) {
        names.add(new Schema.Parser().parse(schema.toString()).getName());
      }
    }
    assertEquals(11, messages.size());
    assertEquals(10, names.size(), names::toString);
  }

  /** Needs Node and the reference parser, of which the program says how to install it. */
  @Test
  @Tag("foreign")
  void theReferenceParserFindsNoFault() throws Exception {
    Process node =
        new ProcessBuilder("node", VALIDATOR.toString(), DOCUMENT)
            .redirectErrorStream(true)
            .start();
    String said = new String(node.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(true, node.waitFor(2, TimeUnit.MINUTES));
    assertEquals(0, node.exitValue(), said);
  }

  private static String document() {
    ObjectNode document = JSON.createObjectNode();
    document.put("asyncapi", "3.0.0");
    document
        .putObject("info")
        .put("title", "Equipoise")
        .put("version", "0.1.0")
        .put(
            "description",
            "The topics of one deployment. Values are Avro in single-object encoding: C3 01, the"
                + " CRC-64-AVRO fingerprint of the schema (8 bytes, little-endian), the binary body."
                + " The application here is the job: it receives inputs and sends outputs.");
    document.put("defaultContentType", "application/vnd.apache.avro+binary");
    ObjectNode server = document.putObject("servers").putObject("kafka");
    server.put("host", "{broker}").put("protocol", "kafka");
    server.putObject("variables").putObject("broker").put("default", "127.0.0.1:9092");
    ObjectNode channels = document.putObject("channels");
    ObjectNode operations = document.putObject("operations");
    ObjectNode messages = document.putObject("components").putObject("messages");
    TopicTable.topics().forEach(topic -> add(topic, channels, operations, messages));
    try {
      return JSON.writeValueAsString(document);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void add(
      String topic, ObjectNode channels, ObjectNode operations, ObjectNode messages) {
    String id = topic.substring(topic.indexOf('.') + 1);
    ObjectNode channel = channels.putObject(id);
    channel.put("address", "{deployment}." + id);
    channel
        .putObject("parameters")
        .putObject("deployment")
        .put("default", "shop")
        .put("description", "equipoise.deployment");
    channel.putObject("messages").putObject("record").put("$ref", "#/components/messages/" + id);
    if (!topic.equals(TOPICS.watch())) { // the job neither reads nor writes it
      ObjectNode operation = operations.putObject(id);
      boolean isSent = TOPICS.outputs().contains(topic);
      operation.put("action", isSent ? "send" : "receive");
      operation.putObject("channel").put("$ref", "#/channels/" + id);
    }
    ObjectNode message = messages.putObject(id);
    Schema schema = TopicTable.schema(topic);
    message.put("name", schema == null ? "Spec" : schema.getName());
    if (schema == null) {
      message.put("contentType", "application/yaml");
      message.putObject("payload").put("type", "string").put("description", "A segment spec.");
    } else {
      ObjectNode payload = message.putObject("payload");
      payload.put("schemaFormat", "application/vnd.apache.avro+json;version=1.9.0");
      payload.set("schema", parsed(schema));
    }
    if (TRACED.contains(id)) {
      ObjectNode headers = message.putObject("headers").put("type", "object");
      headers
          .putObject("properties")
          .putObject(TraceParent.HEADER)
          .put("type", "string")
          .put("description", "W3C Trace Context of the request, if it had one.");
    }
    message
        .putObject("bindings")
        .putObject("kafka")
        .putObject("key")
        .put("type", "string")
        .put("description", key(id));
  }

  private static JsonNode parsed(Schema schema) {
    try {
      return JSON.readTree(schema.toString());
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String key(String id) {
    return switch (id) {
      case "specs" ->
          "NAME/HASH: the spec's name and the first 32 hexadecimal digits of the"
              + " SHA-256 of the value";
      case "causal-bounds" -> "NAME@HASH/ARM/CONTEXT";
      case "decisions" -> "the segment in UTF-8; none on markers of writer epochs";
      default -> "the segment in UTF-8";
    };
  }
}
