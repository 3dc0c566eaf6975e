package io.equipoise.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.equipoise.cli.Failures;
import io.equipoise.event.TextFile;
import io.equipoise.event.Utf8Text;
import io.javalin.http.Context;
import java.util.Iterator;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Reads and writes JSON bodies. A request is one object: no key twice, nothing after it, nested at
 * most {@value #MAX_DEPTH} deep, numbers of at most {@value #MAX_DIGITS} characters.
 */
public final class JsonBody {
  /** Attribute of a request that was answered with a problem: its code. */
  public static final String PROBLEM = "problem";

  /** What a parser's message says of its own settings and classes, to its end. */
  private static final Pattern SETTINGS_OF_PARSER =
      Pattern.compile(
          "(?s)( \\((start marker|bound as|not recognized)|: (enable|not allowed as|maybe a)).*");

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
                  .build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  private JsonBody() {}

  /**
   * Returns the object of a request's body.
   *
   * @throws ProblemException if the content type is not JSON, or the body is not one JSON object
   */
  public static ObjectNode read(Context request) {
    String type = String.valueOf(request.contentType()).toLowerCase(Locale.ROOT);
    String essence = type.split(";", 2)[0].strip();
    if (!essence.equals(MEDIA_TYPE)) {
      throw new ProblemException(HttpCode.UNSUPPORTED_MEDIA_TYPE, "Content-Type: " + type);
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
   * Returns the object of a body.
   *
   * @throws ProblemException if it is not one JSON object
   */
  public static ObjectNode read(byte[] body) {
    String text = TextFile.decoded(body, 0, body.length);
    if (text == null) {
      throw new ProblemException(HttpCode.MALFORMED_JSON, "bytes that are no UTF-8");
    }
    try {
      JsonNode json = MAPPER.readTree(text.startsWith("\uFEFF") ? text.substring(1) : text);
      if (json instanceof ObjectNode object) {
        checkTexts(object);
        return object;
      }
      throw new ProblemException(
          HttpCode.MALFORMED_JSON,
          "the body is %s; an object is required"
              .formatted(json.getNodeType().toString().toLowerCase(Locale.ROOT)));
    } catch (JsonProcessingException e) {
      var place = e.getLocation();
      String message = SETTINGS_OF_PARSER.matcher(Failures.words(e)).replaceFirst("");
      throw new ProblemException(
          HttpCode.MALFORMED_JSON,
          place == null
              ? message
              : "line %d, column %d: %s"
                  .formatted(place.getLineNr(), place.getColumnNr(), message));
    }
  }

  /** Refuses names and values without a UTF-8 form: on the topics several of them would be one. */
  private static void checkTexts(JsonNode node) {
    boolean isFault = node.isTextual() && Utf8Text.unpairedSurrogate(node.textValue()) >= 0;
    for (Iterator<String> names = node.fieldNames(); names.hasNext(); ) {
      isFault |= Utf8Text.unpairedSurrogate(names.next()) >= 0;
    }
    if (isFault) {
      throw new ProblemException(
          HttpCode.MALFORMED_JSON, "a text has an unpaired surrogate, and so no UTF-8 form");
    }
    node.forEach(JsonBody::checkTexts);
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
