package io.equipoise.client;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.equipoise.event.AuditEffectKind;
import io.equipoise.event.AuditVerdict;
import io.equipoise.event.CandidateArm;
import io.equipoise.event.EffectUnit;
import io.equipoise.event.WireReward;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Asks a gateway for decisions and sends it rewards, over HTTP.
 *
 * <pre>{@code
 * GatewayClient gateway = new GatewayClient(URI.create("http://127.0.0.1:8080"));
 * Map<String, Object> person = Map.of("gender", "f", "income", "low");
 * GatewayClient.Served decision = gateway.decide("offers", person, "offer=standard");
 * show(decision.arm());
 * gateway.reward(decision, 1.0);
 * }</pre>
 *
 * <p>The client creates the decision id and the event time before the first try, so a retry asks
 * for the same decision. It retries connection failures and the statuses 429, 500, 502, 503 and 504
 * within the timeout. A response that the gateway does not document, or of more than 128 MiB,
 * counts as a connection failure. Every reward names the arm that was shown. For many threads.
 */
public final class GatewayClient {
  /**
   * Share of the timeout in which the gateway waits; the rest is for the transfer of its response.
   */
  private static final double ANSWER_SHARE = 0.9;

  /** The default of {@code gateway.max-deadline}. */
  private static final long LONGEST_DEADLINE_MILLIS = 30_000;

  private static final int OK = 200;
  private static final int ACCEPTED = 202;

  private static final ObjectMapper MAPPER =
      new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

  private final GatewayCalls calls;
  private final Duration timeout;
  private final InstantSource clock;

  /** Uses a gateway without a token, with a timeout of 2 s and 3 retries. */
  public GatewayClient(URI gateway) {
    this(gateway, null, Duration.ofSeconds(2), 3, Clock.systemUTC());
  }

  /**
   * Uses a gateway.
   *
   * @param gateway its address; a path is a prefix of all paths
   * @param token API token, of visible ASCII characters without blanks; null for none
   * @param timeout time that a call may take with all its retries
   * @param retries further tries after the first
   * @param clock gives the event times of requests that have none
   * @throws IllegalArgumentException if the timeout is not positive, {@code retries} is negative or
   *     the token has another character; the message has no part of the token
   */
  public GatewayClient(
      URI gateway, @Nullable String token, Duration timeout, int retries, InstantSource clock) {
    this.calls = new GatewayCalls(gateway, token, timeout, retries);
    this.timeout = timeout;
    this.clock = clock;
  }

  /**
   * Describes a context to decide on.
   *
   * @param attributes String, Number, Boolean or null by the names of the spec; copied
   * @param candidates null for all arms of the spec
   * @param fallback arm to show if no decision arrives in time; null for the one of the spec
   * @param decisionId null for a new random id
   * @param eventTime epoch ms; null for the client's clock
   * @param fairness whether to wait for the comparisons of the decision's audit; the gateway needs
   *     {@code gateway.fairness: true}
   */
  public record Asked(
      String segment,
      Map<String, ?> attributes,
      @Nullable List<CandidateArm> candidates,
      @Nullable String fallback,
      @Nullable String decisionId,
      @Nullable Long eventTime,
      boolean fairness) {
    public Asked {
      attributes = new LinkedHashMap<>(attributes);
      candidates = candidates == null ? null : List.copyOf(candidates);
    }

    /** Creates a context that does not ask for comparisons. */
    public Asked(
        String segment,
        Map<String, ?> attributes,
        @Nullable List<CandidateArm> candidates,
        @Nullable String fallback,
        @Nullable String decisionId,
        @Nullable Long eventTime) {
      this(segment, attributes, candidates, fallback, decisionId, eventTime, false);
    }
  }

  /**
   * Reports how the expected reward would change with another level of a sensitive attribute.
   * Levels and numbers are null if the job redacts them.
   *
   * @param kind the causal paths that the effect takes
   * @param threshold largest admissible absolute effect of this kind
   * @param unit of effect and threshold
   */
  public record Effect(
      String attribute,
      AuditEffectKind kind,
      @Nullable String factual,
      @Nullable String counterfactual,
      @Nullable Double estimate,
      @Nullable Double lower,
      @Nullable Double upper,
      double threshold,
      EffectUnit unit,
      AuditVerdict verdict) {}

  /**
   * Names the arm to show. A reward needs segment, id and arm, also in another process.
   *
   * @param arm null if the segment has no spec and the caller named no fallback
   * @param reason {@code DEADLINE_EXCEEDED} or {@code UNAVAILABLE} if no decision arrived in time
   * @param propensities by arm
   * @param isFallback whether no decision arrived in time, so that {@code arm} is a fallback arm
   * @param fairness the comparisons of its audit; null if the context does not ask for them, or
   *     they did not arrive in time
   */
  public record Served(
      String segment,
      String decisionId,
      @Nullable String arm,
      String reason,
      Map<String, Double> propensities,
      boolean isFallback,
      @Nullable List<Effect> fairness) {}

  /** Holds one result of a batch: a decision or a problem. */
  public record Result(@Nullable Served decision, @Nullable GatewayException problem) {
    /**
     * Returns the decision.
     *
     * @throws GatewayException if the gateway rejected the context
     */
    public Served get() {
      if (decision == null) {
        throw problem == null ? new IllegalStateException("an empty result") : problem;
      }
      return decision;
    }
  }

  /**
   * Returns the decision, or the fallback arm if no decision arrives within the timeout.
   *
   * @param fallback arm to show then; null for the arm that the spec names
   * @throws GatewayException if the gateway rejects the context, or gives no answer and there is no
   *     fallback
   */
  public Served decide(String segment, Map<String, ?> attributes, @Nullable String fallback)
      throws InterruptedException {
    return decide(new Asked(segment, attributes, null, fallback, null, null));
  }

  /** Returns the decision, as {@link #decide(String, Map, String)}. */
  public Served decide(Asked asked) throws InterruptedException {
    Asked filled = filled(asked);
    try {
      return calls.post("/v1/decisions", json(filled), OK, answer -> served(filled, answer));
    } catch (GatewayException e) {
      if (e.isUnavailable() && filled.fallback != null) {
        return fallback(filled);
      }
      throw e;
    }
  }

  /**
   * Returns a decision, a fallback or a problem for each context, in their order.
   *
   * @throws GatewayException if no answer arrives in time and a context has no fallback
   */
  public List<Result> decide(List<Asked> asked) throws InterruptedException {
    if (asked.isEmpty()) {
      return List.of();
    }
    List<Asked> filled = asked.stream().map(this::filled).toList();
    ObjectNode body = MAPPER.createObjectNode();
    ArrayNode decisions = body.putArray("decisions");
    filled.forEach(each -> decisions.add(json(each)));
    try {
      return calls.post("/v1/decisions:batch", body, OK, answer -> results(filled, answer));
    } catch (GatewayException e) {
      if (e.isUnavailable() && filled.stream().allMatch(each -> each.fallback != null)) {
        return filled.stream().map(each -> new Result(fallback(each), null)).toList();
      }
      throw e;
    }
  }

  /**
   * Sends the reward of a decision, with the arm that was shown.
   *
   * @param value in the units of the spec's {@code reward.range}
   * @throws GatewayException if the gateway rejects it, or does not accept it in time
   */
  public void reward(Served decision, double value) throws InterruptedException {
    reward(
        new WireReward(
            decision.decisionId,
            null,
            decision.segment,
            clock.millis(),
            value,
            Map.of(),
            decision.arm));
  }

  /**
   * Sends a reward. The same record is the same reward, also in a later call.
   *
   * @throws GatewayException if the gateway rejects it, or does not accept it in time
   */
  public void reward(WireReward reward) throws InterruptedException {
    ObjectNode body = MAPPER.createObjectNode();
    body.put("segment", reward.segment());
    body.put("decisionId", reward.decisionId());
    body.put("value", finite("value", reward.reward()).doubleValue());
    body.put("eventTime", reward.eventTime());
    if (reward.shownArm() != null) {
      body.put("shownArm", reward.shownArm());
    }
    if (!reward.mediators().isEmpty()) {
      body.set("mediators", attributes(reward.mediators()));
    }
    if (reward.rewardId() != null) {
      body.put("rewardId", reward.rewardId());
    }
    calls.post("/v1/rewards", body, ACCEPTED, answer -> decisionId(answer, reward.decisionId()));
  }

  /**
   * Confirms that the arm of a decision was shown, so that silence counts as the spec's default
   * reward. Only needed with {@code gateway.confirm-answers: false}, or if another arm was shown
   * than that of the answer. A repeated call counts once.
   *
   * @throws GatewayException if the gateway rejects it, or does not accept it in time
   */
  public void shown(Served decision) throws InterruptedException {
    ObjectNode body = MAPPER.createObjectNode();
    body.put("segment", decision.segment);
    body.put("eventTime", clock.millis());
    if (decision.arm != null) {
      body.put("shownArm", decision.arm);
    }
    GatewayCalls.checkUtf8(decision.decisionId);
    String id = URLEncoder.encode(decision.decisionId, StandardCharsets.UTF_8).replace("+", "%20");
    calls.post(
        "/v1/decisions/" + id + "/shown",
        body,
        ACCEPTED,
        answer -> documented(answer.isObject(), "it is not an object"));
  }

  /** Adds an id and a time, which every try repeats. */
  private Asked filled(Asked asked) {
    String id = asked.decisionId;
    Long time = asked.eventTime;
    return new Asked(
        asked.segment,
        asked.attributes,
        asked.candidates,
        asked.fallback,
        id == null ? UUID.randomUUID().toString() : id,
        time == null ? clock.millis() : time,
        asked.fairness);
  }

  private ObjectNode json(Asked asked) {
    ObjectNode json = MAPPER.createObjectNode();
    json.put("segment", asked.segment);
    json.put("decisionId", asked.decisionId);
    json.put("eventTime", asked.eventTime);
    json.set("attributes", attributes(asked.attributes));
    if (asked.candidates != null) {
      ArrayNode candidates = json.putArray("candidates");
      for (CandidateArm arm : asked.candidates) {
        ObjectNode each = candidates.addObject();
        each.put("name", arm.id()).set("attributes", attributes(arm.attributes()));
      }
    }
    if (asked.fairness) {
      json.put("fairness", true);
    }
    long wait = Math.max(1, (long) (timeout.toMillis() * ANSWER_SHARE));
    json.put("deadlineMs", Math.min(wait, LONGEST_DEADLINE_MILLIS));
    return json;
  }

  private static JsonNode attributes(Map<String, ?> attributes) {
    attributes.forEach(
        (name, value) -> {
          if (value instanceof Number number) {
            finite(name, number);
          }
        });
    return MAPPER.valueToTree(attributes);
  }

  private static Number finite(String name, Number number) {
    if (!Double.isFinite(number.doubleValue())) {
      throw new IllegalArgumentException(name + " is " + number + "; send finite numbers only");
    }
    return number;
  }

  private static Served fallback(Asked asked) {
    return new Served(
        asked.segment,
        String.valueOf(asked.decisionId),
        asked.fallback,
        GatewayCalls.UNAVAILABLE,
        Map.of(),
        true,
        null);
  }

  private static boolean documented(boolean is, String fault) {
    if (!is) {
      throw new IllegalArgumentException(fault);
    }
    return true;
  }

  private static String decisionId(JsonNode answer, @Nullable String asked) {
    String id = answer.path("decisionId").textValue();
    documented(id != null && id.equals(asked), "decisionId is " + id + ", not " + asked);
    return String.valueOf(id);
  }

  private static Served served(Asked asked, JsonNode answer) {
    String id = decisionId(answer, asked.decisionId);
    JsonNode arm = answer.path("arm");
    documented(arm.isTextual() || arm.isNull(), "arm is neither a text nor null");
    documented(answer.path("reason").isTextual(), "reason is no text");
    String reason = answer.path("reason").textValue();
    boolean isLate = reason.equals("DEADLINE_EXCEEDED");
    return new Served(
        asked.segment,
        id,
        isLate && asked.fallback != null ? asked.fallback : arm.textValue(),
        reason,
        propensities(answer.path("candidates")),
        isLate,
        fairness(answer.path("fairness")));
  }

  private static Map<String, Double> propensities(JsonNode candidates) {
    documented(candidates.isMissingNode() || candidates.isArray(), "candidates is no list");
    Map<String, Double> propensities = new LinkedHashMap<>();
    for (JsonNode it : candidates) {
      documented(
          it.path("arm").isTextual() && it.path("propensity").isNumber(),
          "a candidate has no arm or no propensity");
      propensities.put(it.path("arm").textValue(), it.path("propensity").doubleValue());
    }
    return propensities;
  }

  private static @Nullable List<Effect> fairness(JsonNode effects) {
    if (effects.isMissingNode()) {
      return null;
    }
    documented(effects.isArray(), "fairness is no list");
    effects.forEach(effect -> documented(effect.isObject(), "a comparison is no object"));
    return MAPPER.convertValue(effects, new TypeReference<List<Effect>>() {});
  }

  private static List<Result> results(List<Asked> asked, JsonNode answer) {
    JsonNode answers = answer.path("decisions");
    documented(
        answers.isArray() && answers.size() == asked.size(),
        "decisions does not have the %d results of the batch".formatted(asked.size()));
    List<Result> results = new ArrayList<>();
    for (int at = 0; at < asked.size(); at++) {
      results.add(result(asked.get(at), answers.path(at)));
    }
    return results;
  }

  private static Result result(Asked asked, JsonNode answer) {
    JsonNode problem = answer.path("problem");
    if (problem.isMissingNode()) {
      return new Result(served(asked, answer), null);
    }
    documented(problem.path("status").isInt(), "a problem has no status");
    int status = problem.path("status").intValue();
    return GatewayCalls.RETRIED.contains(status) && asked.fallback != null
        ? new Result(fallback(asked), null)
        : new Result(null, GatewayCalls.problem(status, problem));
  }
}
