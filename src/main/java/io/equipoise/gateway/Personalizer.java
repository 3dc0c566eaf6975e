package io.equipoise.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.equipoise.client.PersonalizerRank;
import io.equipoise.event.CandidateArm;
import io.equipoise.event.DecisionReason;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.WireContext;
import io.equipoise.http.HttpCode;
import io.equipoise.http.HttpServer;
import io.equipoise.http.JsonBody;
import io.equipoise.http.Problem;
import io.equipoise.http.ProblemException;
import io.equipoise.http.TokenScope;
import io.equipoise.segment.state.CompiledSpec;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Answers the Rank and Reward calls of Azure Personalizer, version 1.0. A Personalizer loop is a
 * segment, named by the header {@value #SEGMENT_HEADER} or in the path before {@code
 * /personalizer}. {@link PersonalizerRank} maps the features.
 *
 * <p>A reward of this shape cannot name the arm that was shown, so a rank never answers with
 * another arm than the topic: without a decision at the deadline it is a problem.
 */
final class Personalizer {
  static final String SEGMENT_HEADER = "Equipoise-Segment";

  private static final String IN_SEGMENT = "/segments/{segment}";
  private static final String ROOT = "/personalizer/v1.0";
  private static final Set<String> REWARD_FIELDS = Set.of("value");
  private static final int RETRY_SECONDS = 1;
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final GatewayService service;
  private final GatewayMetrics metrics;

  Personalizer(GatewayService service, GatewayMetrics metrics) {
    this.service = service;
    this.metrics = metrics;
  }

  void addTo(RoutesConfig routes) {
    for (String prefix : List.of("", IN_SEGMENT)) {
      post(routes, prefix + ROOT + "/rank", this::rank);
      post(routes, prefix + ROOT + "/events/{eventId}/reward", this::reward);
      post(routes, prefix + ROOT + "/events/{eventId}/activate", this::activate);
      post(
          routes,
          prefix + "/personalizer/{version}/multislot/<call>",
          request -> {
            throw new ProblemException(
                HttpCode.NOT_IMPLEMENTED, "multi-slot calls; rank each slot by a call of its own");
          });
    }
  }

  private void post(RoutesConfig routes, String path, Handler handler) {
    Handler bounded =
        request -> service.reading(request.bodyAsBytes().length, () -> handler.handle(request));
    routes.post(path, metrics.counted(path, bounded), TokenScope.WRITE);
  }

  private void rank(Context request) {
    String segment = segment(request);
    PersonalizerRank rank = read(JsonBody.read(request));
    CompiledSpec spec = service.spec(segment);
    WireContext context =
        rank.context(
            segment,
            rank.eventId() == null ? "" : rank.eventId(),
            Set.copyOf(spec.armIds()),
            0,
            null);
    AtomicReference<@Nullable Answer> ranked = new AtomicReference<>();
    GatewayRoutes.afterWriting(
        request,
        () -> {
          Answer answer = ranked.get();
          if (answer != null) {
            service.written(answer, answer.arm());
          }
        });
    HttpServer.later(
        request,
        () ->
            service.decide(
                asked(context, rank.eventId()),
                HttpServer.age(request),
                GatewayRoutes.trace(request)),
        answer -> {
          if (answer.reason() == DecisionReason.DEADLINE_EXCEEDED) {
            service.written(answer, null); // the caller gets a problem and no arm
          }
          ObjectNode ranking = ranking(rank, answer);
          ranked.set(rank.isDeferred() ? null : answer);
          JsonBody.answer(request, 201, ranking);
        });
  }

  private static PersonalizerRank read(JsonNode body) {
    try {
      return PersonalizerRank.of(body);
    } catch (IllegalArgumentException e) {
      throw new ProblemException(HttpCode.INVALID_REQUEST, e.getMessage());
    }
  }

  /** Returns the request of the gateway's own shape. */
  private static ObjectNode asked(WireContext context, @Nullable String eventId) {
    ObjectNode asked = JsonNodeFactory.instance.objectNode();
    asked.put("segment", context.segment());
    asked.put("decisionId", eventId);
    asked.set("attributes", MAPPER.valueToTree(context.attributes()));
    List<CandidateArm> candidates = context.candidates();
    if (candidates != null) {
      ArrayNode all = asked.putArray("candidates");
      for (CandidateArm arm : candidates) {
        JsonNode attributes = MAPPER.valueToTree(arm.attributes());
        all.addObject().put("name", arm.id()).set("attributes", attributes);
      }
    }
    return asked;
  }

  /**
   * Returns the chosen action, then the others by falling probability, the excluded ones last. If
   * no policy chose, the chosen one has probability 1; if the spec of the choice is not on the
   * topic any more, none has a probability.
   */
  private static ObjectNode ranking(PersonalizerRank rank, Answer answer) {
    if (answer.reason() == DecisionReason.DEADLINE_EXCEEDED) {
      throw new ProblemException(
          new Problem(
              HttpCode.NOT_READY.status(),
              ErrorCode.DEADLINE_EXCEEDED.name(),
              "No decision arrived before the deadline.",
              null,
              "Rank again with another event id; send no reward for this one.",
              RETRY_SECONDS));
    }
    String chosen = answer.arm();
    if (rank.ranked().stream().noneMatch(arm -> arm.id().equals(chosen))) {
      throw new ProblemException(
          HttpCode.INVALID_REQUEST,
          "actions: the decision is the fallback arm %s; add it to the actions".formatted(chosen));
    }
    boolean isKnown = !answer.candidates().isEmpty() || answer.change() == null;
    Map<String, Double> probabilities = new HashMap<>();
    if (answer.change() == null) {
      probabilities.put(chosen, 1.0);
    }
    for (int place = 0; place < answer.candidates().size(); place++) {
      probabilities.put(answer.candidates().get(place), answer.propensities().get(place));
    }
    List<CandidateArm> actions = new ArrayList<>(rank.actions());
    actions.sort(
        Comparator.comparing((CandidateArm arm) -> !arm.id().equals(chosen))
            .thenComparing(arm -> rank.excluded().contains(arm.id()))
            .thenComparing(arm -> -probabilities.getOrDefault(arm.id(), 0.0)));
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    ArrayNode ranking = json.putArray("ranking");
    for (CandidateArm arm : actions) {
      ObjectNode ranked = ranking.addObject().put("id", arm.id());
      if (isKnown) {
        ranked.put("probability", probabilities.getOrDefault(arm.id(), 0.0));
      }
    }
    json.put("eventId", answer.decisionId());
    json.put("rewardActionId", chosen);
    return json;
  }

  private void reward(Context request) {
    String segment = segment(request);
    String eventId = request.pathParam("eventId");
    double value = new RequestFields(JsonBody.read(request), "", REWARD_FIELDS).number("value");
    HttpServer.later(
        request, () -> service.rewardDecided(segment, eventId, value), sent -> request.status(204));
  }

  private void activate(Context request) {
    String segment = segment(request);
    String eventId = request.pathParam("eventId");
    if (service.spec(segment).byDefault() == null) {
      request.status(204); // silence teaches nothing, so there is nothing to confirm
      return;
    }
    HttpServer.later(
        request, () -> service.shownDecided(segment, eventId), sent -> request.status(204));
  }

  private static String segment(Context request) {
    String segment = request.pathParamMap().get("segment");
    String header = request.header(SEGMENT_HEADER);
    if (segment == null) {
      segment = header;
    } else if (header != null && !header.equals(segment)) {
      throw RequestFields.refused(
          SEGMENT_HEADER, "the path names another segment; leave it out, or make them equal");
    }
    if (segment == null || segment.isEmpty()) {
      throw new ProblemException(
          HttpCode.INVALID_REQUEST,
          "no segment; name it in the header %s, or use the endpoint %s"
              .formatted(SEGMENT_HEADER, IN_SEGMENT));
    }
    return segment;
  }
}
