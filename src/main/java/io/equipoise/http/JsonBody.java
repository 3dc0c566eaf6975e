package io.equipoise.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.equipoise.cli.JsonFault;
import io.equipoise.event.Utf8Text;
import io.javalin.http.Context;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads and writes JSON bodies. A request is one object: no key twice, no byte order mark before
 * it, nothing after it, nested at most {@value #MAX_DEPTH} deep, numbers of at most {@value
 * #MAX_DIGITS} characters.
 */
public final class JsonBody {
  /** Attribute of a request that was answered with a problem: its code. */
  public static final String PROBLEM = "problem";

  private static final Pattern CHARSET = Pattern.compile("charset\\s*=\\s*\"?([^\";\\s]*)");

  private static final int MAX_DEPTH = 16;
  private static final int MAX_DIGITS = 64;
  private static final String MEDIA_TYPE = "application/json";

  private static final ObjectMapper MAPPER =
      new ObjectMapper(
          JsonFactory.builder()
              .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
              .streamReadConstraints(
                  StreamReadConstraints.builder()
                      .maxNestingDepth(MAX_DEPTH)
                      .maxNumberLength(MAX_DIGITS)
                      .build())
              .build());

  private JsonBody() {}

  /**
   * Returns the object of a request's body.
   *
   * @throws ProblemException if the content type is not JSON, the body is not one JSON object, or a
   *     text of it has no UTF-8 form
   */
  public static ObjectNode read(Context request) {
    ObjectNode body = readUnchecked(request);
    checkTexts(body, "");
    return body;
  }

  /** As {@link #read(Context)}, but leaves {@link #checkTexts} to the caller. */
  public static ObjectNode readUnchecked(Context request) {
    String type = String.valueOf(request.header("Content-Type")).toLowerCase(Locale.ROOT);
    String essence = type.split(";", 2)[0].strip();
    Matcher charset = CHARSET.matcher(type);
    boolean isUtf8 = !charset.find() || charset.group(1).matches("utf-?8");
    if (!essence.equals(MEDIA_TYPE) || !isUtf8) {
      throw new ProblemException(
          HttpCode.UNSUPPORTED_MEDIA_TYPE,
          "Content-Type: " + type + (isUtf8 ? "" : "; the charset must be utf-8"));
    }
    String encoding = request.header("Content-Encoding");
    if (encoding != null && !encoding.strip().equalsIgnoreCase("identity")) {
      throw new ProblemException(
          HttpCode.UNSUPPORTED_MEDIA_TYPE,
          "Content-Encoding: " + encoding + "; send the body unencoded");
    }
    return read(request.bodyAsBytes());
  }

  /**
   * Returns the object of a body. Its texts are not checked yet, see {@link #checkTexts}.
   *
   * @throws ProblemException if it is not one JSON object
   */
  public static ObjectNode read(byte[] body) {
    int fault = Utf8Text.firstFault(body, 0, body.length);
    if (fault >= 0) {
      String before = new String(body, 0, fault, StandardCharsets.UTF_8);
      int line = 1 + (int) before.chars().filter(it -> it == '\n').count();
      throw malformed(line, fault - before.lastIndexOf('\n'), "bytes that are no UTF-8");
    }
    String text = new String(body, StandardCharsets.UTF_8);
    if (text.startsWith("\uFEFF")) {
      throw malformed(1, 1, "a byte order mark; send the text without it");
    }
    try (JsonParser parser = MAPPER.createParser(text)) {
      return object(parser);
    } catch (IOException e) {
      throw new IllegalStateException("a text in memory cannot be read", e);
    }
  }

  private static ObjectNode object(JsonParser parser) throws IOException {
    try {
      JsonNode json = MAPPER.readTree(parser);
      JsonLocation place = parser.currentLocation();
      boolean isAlone = parser.nextToken() == null;
      if (json instanceof ObjectNode object && isAlone) {
        return object;
      }
      String given =
          json == null ? "missing" : json.getNodeType().toString().toLowerCase(Locale.ROOT);
      throw json instanceof ObjectNode
          ? malformed(place.getLineNr(), place.getColumnNr(), "text behind the object")
          : new ProblemException(
              HttpCode.MALFORMED_JSON, "the body is %s; an object is required".formatted(given));
    } catch (JsonProcessingException e) {
      throw new ProblemException(
          HttpCode.MALFORMED_JSON, JsonFault.words(e, parser.currentLocation()));
    }
  }

  private static ProblemException malformed(int line, int column, String message) {
    return new ProblemException(
        HttpCode.MALFORMED_JSON, "line %d, column %d: %s".formatted(line, column, message));
  }

  /**
   * Refuses names and values without a UTF-8 form: on the topics several of them would be one.
   *
   * @param place of the node in the body, empty for the body itself
   * @throws ProblemException with the place of the first
   */
  public static void checkTexts(JsonNode node, String place) {
    for (Map.Entry<String, JsonNode> field : node.properties()) {
      checkText(field.getKey(), place.isEmpty() ? "a name" : place + ", a name");
      checkTexts(field.getValue(), place.isEmpty() ? field.getKey() : place + "." + field.getKey());
    }
    for (int item = 0; node.isArray() && item < node.size(); item++) {
      checkTexts(node.get(item), place + "[" + item + "]");
    }
    if (node.isTextual()) {
      checkText(node.textValue(), place);
    }
  }

  private static void checkText(String text, String place) {
    if (Utf8Text.unpairedSurrogate(text) >= 0) {
      throw new ProblemException(
          HttpCode.MALFORMED_JSON,
          place + ": an unpaired surrogate, which has no UTF-8 form; send whole characters");
    }
  }

  /** Answers with a JSON document. */
  public static void answer(Context request, int status, JsonNode json) {
    request.status(status).contentType(MEDIA_TYPE).result(bytes(json));
  }

  /** Answers with a problem document. */
  public static void answer(Context request, Problem problem) {
    if (problem.retryAfterSeconds() > 0) {
      request.header("Retry-After", Integer.toString(problem.retryAfterSeconds()));
    }
    if (problem.status() == HttpCode.UNAUTHORIZED.status()) {
      request.header("WWW-Authenticate", "Bearer");
    }
    request.attribute(PROBLEM, problem.code());
    request.status(problem.status()).contentType(Problem.MEDIA_TYPE).result(bytes(problem.json()));
  }

  /** Returns the document of a JSON tree. */
  public static byte[] bytes(JsonNode json) {
    try {
      return MAPPER.writeValueAsBytes(json);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a JSON tree that cannot be written", e);
    }
  }
}
