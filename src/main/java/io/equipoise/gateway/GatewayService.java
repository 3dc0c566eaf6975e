package io.equipoise.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import io.equipoise.cli.VitalThread;
import io.equipoise.event.CandidateArm;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.DecisionReason;
import io.equipoise.event.Decoded;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.Input;
import io.equipoise.event.InputDecoder;
import io.equipoise.event.InputFault;
import io.equipoise.event.LogTopic;
import io.equipoise.event.Origin;
import io.equipoise.event.Wire;
import io.equipoise.event.WireContext;
import io.equipoise.event.WireReward;
import io.equipoise.http.HttpCode;
import io.equipoise.http.JsonBody;
import io.equipoise.http.Problem;
import io.equipoise.http.ProblemException;
import io.equipoise.job.options.JobConfig;
import io.equipoise.segment.ReadingFaults;
import io.equipoise.segment.UnknownAttributes;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.ShownRule;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers requests for decisions and takes rewards. A request is checked as the job will check its
 * record, so an error is answered at once, with the code that a dead letter would have. Nothing
 * waits in a thread.
 *
 * <p>State: {@link OpenDecisions} keeps the open requests and the last answers, {@link
 * FairnessFollower} the audits. The service counts the rewards that wait for the brokers. Threads
 * of the server, the followers, the producer and the deadlines call it.
 */
final class GatewayService implements AutoCloseable {
  private static final Set<String> DECISION_FIELDS =
      Set.of(
          "segment",
          "decisionId",
          "eventTime",
          "attributes",
          "candidates",
          "deadlineMs",
          "fairness");

  private static final Set<String> CANDIDATE_FIELDS = Set.of("name", "attributes");

  private static final Set<String> REWARD_FIELDS =
      Set.of("segment", "decisionId", "value", "eventTime", "rewardId", "shownArm", "mediators");

  private static final Set<String> SHOWN_FIELDS = Set.of("segment", "shownArm", "eventTime");

  private static final Logger LOG = LoggerFactory.getLogger(GatewayService.class);

  /** Memory of a waiting request besides its fields, of its fields by encoded byte, of an audit. */
  private static final long BYTES_OF_REQUEST = 2_000;

  private static final long BYTES_OF_BYTE = 8;

  /** Memory of a byte of a body with its tree, its record, and what checks both. */
  private static final long BYTES_OF_READ_BYTE = 24;

  private static final long BYTES_OF_AUDIT = 500;

  private static final int WARM_UP_ROUNDS = 500;
  private static final long MAX_WARM_UP_MILLIS = 1000;

  private final JobConfig config;
  private final GatewayConfig settings;
  private final InstantSource clock;
  private final SpecFollower specs;
  private final RunningSpecs running;
  private final OpenDecisions open;
  private final @Nullable FairnessFollower fairness;
  private final InputSender sender;
  private final GatewayMetrics metrics;
  private final InputDecoder decoder;
  private final UnknownAttributes unknownAttributes;
  private final AtomicInteger openRewards = new AtomicInteger();
  private final ScheduledThreadPoolExecutor deadlines =
      new ScheduledThreadPoolExecutor(1, task -> VitalThread.of(task, "gateway-deadlines"));

  GatewayService(
      GatewayConfig settings,
      InstantSource clock,
      SpecFollower specs,
      RunningSpecs running,
      OpenDecisions open,
      @Nullable FairnessFollower fairness,
      InputSender sender,
      GatewayMetrics metrics) {
    this.config = settings.job();
    this.settings = settings;
    this.clock = clock;
    this.specs = specs;
    this.running = running;
    this.open = open;
    this.fairness = fairness;
    this.sender = sender;
    this.metrics = metrics;
    this.decoder = new InputDecoder(config.maxRecordBytes());
    this.unknownAttributes = new UnknownAttributes(metrics::hasUnknownAttribute, LOG::warn);
    deadlines.setRemoveOnCancelPolicy(true); // an answered request must not wait in memory
  }

  /** Handles a body. */
  interface Reading {
    void run() throws Exception;
  }

  /**
   * Handles a body in the memory of those that are read at the same time.
   *
   * @param length of the body in bytes
   * @throws ProblemException with 429 if too many are read
   */
  void reading(int length, Reading reading) throws Exception {
    long bytes = BYTES_OF_REQUEST + BYTES_OF_READ_BYTE * length;
    open.read(bytes);
    try {
      reading.run();
    } finally {
      open.read(-bytes);
    }
  }

  /**
   * Asks for a decision. The future always ends: with the decision, at the deadline with the
   * fallback arm, or with a {@link ProblemException}. Comparisons that the request asks for are in
   * the answer if they arrive before the deadline.
   *
   * @param age since the request arrived, which is when its deadline begins
   * @param traceParent header of the context; null without one
   * @throws ProblemException if the request is refused
   */
  CompletableFuture<Answer> decide(JsonNode request, Duration age, @Nullable String traceParent) {
    RequestFields fields = new RequestFields(request, "", DECISION_FIELDS);
    long now = clock.millis();
    long deadline =
        fields.whole(
            "deadlineMs", settings.deadline().toMillis(), 1, settings.maxDeadline().toMillis());
    long wait = Math.max(1, deadline - age.toMillis());
    WireContext context = context(fields, now, wait);
    byte[] value = Wire.CONTEXT.encode(context);
    CompiledSpec spec = checked(LogTopic.CONTEXTS, context.segment(), value, now);
    unknownAttributes.look(context.attributes(), context.candidates(), spec);
    FairnessFollower audits = audits(fields);
    int compared = audits == null ? 0 : spec.comparisons(context.attributes());
    long bytes = bytes(value) + compared * BYTES_OF_AUDIT;
    return open.waiting(bytes, () -> ask(context, value, spec, audits, wait, traceParent));
  }

  private static long bytes(byte[] value) {
    return BYTES_OF_REQUEST + BYTES_OF_BYTE * value.length;
  }

  private CompletableFuture<Answer> ask(
      WireContext context,
      byte[] value,
      CompiledSpec spec,
      @Nullable FairnessFollower audits,
      long wait,
      @Nullable String traceParent) {
    OpenDecisions.DecisionKey key =
        new OpenDecisions.DecisionKey(context.segment(), context.decisionId());
    OpenDecisions.Ticket ticket = open.ask(key);
    CompletableFuture<Answer> whole = ticket.answer();
    if (audits != null) {
      whole =
          ticket.isNew()
              ? audits.collect(key, ticket.answer(), answer -> comparisons(answer, context))
              : audits.collected(key).orElse(ticket.answer());
    }
    if (ticket.isNew()) {
      var timer =
          deadlines.schedule(
              () -> {
                if (!ticket.answer().isDone()) {
                  open.answer(Answer.late(context, spec));
                }
                if (audits != null) {
                  audits.giveUp(key);
                }
              },
              wait,
              TimeUnit.MILLISECONDS);
      var unused = whole.whenComplete((answer, failure) -> timer.cancel(false));
      var unusedToo =
          sender
              .context(context.segment(), value, traceParent)
              .whenComplete(
                  (appended, failure) -> {
                    if (failure instanceof ProblemException problem) {
                      open.fail(key, problem.problem());
                    }
                  });
    }
    return whole.thenApply(
        answer -> {
          metrics.decided(answer.reason());
          return answer;
        });
  }

  /**
   * Runs a decision without the brokers for each spec that is served, at most {@value
   * #MAX_WARM_UP_MILLIS} ms, so that the first callers do not wait for class loading and
   * compilation.
   */
  void warmUp() {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(MAX_WARM_UP_MILLIS);
    List<byte[]> requests =
        CurlExample.served(specs.specs().inForce()).stream()
            .map(spec -> CurlExample.request(spec).getBytes(StandardCharsets.UTF_8))
            .toList();
    for (int round = 0; round < WARM_UP_ROUNDS; round++) {
      for (byte[] request : requests) {
        RequestFields fields = new RequestFields(JsonBody.read(request), "", DECISION_FIELDS);
        long now = clock.millis();
        WireContext context = context(fields, now, 0);
        CompiledSpec spec =
            checked(LogTopic.CONTEXTS, context.segment(), Wire.CONTEXT.encode(context), now);
        JsonBody.bytes(Answer.late(context, spec).json());
        if (System.nanoTime() > end) {
          return;
        }
      }
    }
  }

  private static WireContext context(RequestFields fields, long now, long wait) {
    String given = fields.optionalText("decisionId");
    return new WireContext(
        given == null ? UUID.randomUUID().toString() : given,
        fields.text("segment"),
        fields.time("eventTime", now),
        fields.attributes("attributes"),
        candidates(fields),
        now + wait);
  }

  /**
   * Returns the collector of a decision's comparisons; null if the request does not ask for them.
   */
  private @Nullable FairnessFollower audits(RequestFields fields) {
    if (!fields.flag("fairness")) {
      return null;
    }
    if (fairness == null) {
      throw RequestFields.refused(
          "fairness",
          "this gateway does not read audits; set its option %s to true, or leave the field out"
              .formatted(GatewayConfig.FAIRNESS.key()));
    }
    if (fairness.size() >= settings.maxPending()) {
      throw OpenDecisions.tooMany(fairness.size() + " decisions wait for their audits");
    }
    return fairness;
  }

  /** Returns how many audits the job writes of a decision, if that is known. */
  private int comparisons(Answer answer, WireContext context) {
    Answer.Change change = answer.change();
    CompiledSpec spec = change == null ? null : specs.specs().byHash(change.specHash());
    return spec == null ? FairnessFollower.UNKNOWN : spec.comparisons(context.attributes());
  }

  /**
   * Sends a reward. The future ends when the brokers have it.
   *
   * @throws ProblemException if the reward is refused
   */
  CompletableFuture<Void> reward(JsonNode request) {
    RequestFields fields = new RequestFields(request, "", REWARD_FIELDS);
    long now = clock.millis();
    String segment = fields.text("segment");
    String decisionId = fields.text("decisionId");
    WireReward reward =
        new WireReward(
            decisionId,
            fields.optionalText("rewardId"),
            segment,
            fields.time("eventTime", now),
            fields.number("value"),
            fields.attributes("mediators"),
            shownArm(fields, segment, decisionId));
    return send(reward, now);
  }

  /**
   * Sends the reward of a decision whose arm was shown: the caller cannot name another.
   *
   * @param value in the units of the spec
   * @throws ProblemException if the reward is refused, this gateway does not remember its answer,
   *     or that was a fallback at the deadline instead of a decision
   */
  CompletableFuture<Void> rewardDecided(String segment, String decisionId, double value) {
    Answer answer = decided(segment, decisionId);
    long now = clock.millis();
    String arm =
        open.confirmed(key(segment, decisionId)).map(OpenDecisions.Shown::arm).orElse(answer.arm());
    return send(new WireReward(decisionId, null, segment, now, value, Map.of(), arm), now);
  }

  private Answer decided(String segment, String decisionId) {
    spec(segment);
    return open.given(key(segment, decisionId))
        .filter(it -> it.reason() != DecisionReason.DEADLINE_EXCEEDED)
        .orElseThrow(
            () ->
                new ProblemException(
                    HttpCode.SHOWN_ARM_REQUIRED,
                    "event: this gateway remembers no decision that it gave for it; send the"
                        + " reward to /v1/rewards, or what was shown to /v1/decisions/%s/shown"
                            .formatted(decisionId)));
  }

  /**
   * Confirms what a caller sees, when the answer has been written to the socket. Under a spec
   * without a default reward, silence teaches nothing, so nothing is sent. An answer at the
   * deadline differs from the job's decision, so it is confirmed under every spec.
   *
   * @param arm null if the caller got none
   */
  void written(Answer answer, @Nullable String arm) {
    boolean isLate = answer.reason() == DecisionReason.DEADLINE_EXCEEDED;
    try {
      boolean isNeeded =
          spec(answer.segment()).spec().join().shown() == ShownRule.ASSUMED
              ? isLate
              : arm != null && settings.confirmsAnswers();
      boolean isConfirmed = open.confirmed(key(answer.segment(), answer.decisionId())).isPresent();
      if (isNeeded && !isConfirmed && (isLate || answer.change() != null)) {
        var unused =
            confirm(answer.segment(), answer.decisionId(), answer.eventTime(), arm)
                .whenComplete((sent, failure) -> warnOf(answer, failure));
      }
    } catch (ProblemException e) {
      warnOf(answer, e);
    }
  }

  private static void warnOf(Answer answer, @Nullable Throwable failure) {
    if (failure != null) {
      LOG.warn(
          "It was not confirmed what a caller of segment {} saw, so a decision without a reward"
              + " teaches nothing, or the arm decided if join.shown is assumed: {}",
          answer.segment(),
          failure.getMessage());
    }
  }

  /**
   * Confirms the arm that a caller has shown. The future ends when the brokers have the record.
   *
   * @throws ProblemException if the request is refused, or names no arm and this gateway does not
   *     remember the answer
   */
  CompletableFuture<Void> shown(String decisionId, JsonNode request) {
    RequestFields fields = new RequestFields(request, "", SHOWN_FIELDS);
    String segment = fields.text("segment");
    String arm = shownArm(fields, segment, decisionId);
    return confirm(segment, decisionId, fields.time("eventTime", clock.millis()), arm);
  }

  /**
   * Confirms that the arm of a decision was shown: the caller cannot name another.
   *
   * @throws ProblemException as {@link #rewardDecided}
   */
  CompletableFuture<Void> shownDecided(String segment, String decisionId) {
    Answer answer = decided(segment, decisionId);
    return confirm(segment, decisionId, clock.millis(), answer.arm());
  }

  private CompletableFuture<Void> confirm(
      String segment, String decisionId, long eventTime, @Nullable String arm) {
    OpenDecisions.DecisionKey key = key(segment, decisionId);
    boolean isUnlearned =
        open.recent(key)
            .map(Answer::reason)
            .filter(it -> it.isChoice() && !it.isLearned()) // the job would refuse it
            .isPresent();
    if (spec(segment).byDefault() == null || isUnlearned) {
      return CompletableFuture.completedFuture(null);
    }
    return open.confirm(
        key,
        arm,
        () -> send(WireReward.shown(decisionId, segment, eventTime, arm), clock.millis()));
  }

  private static OpenDecisions.DecisionKey key(String segment, String decisionId) {
    return new OpenDecisions.DecisionKey(segment, decisionId);
  }

  /**
   * Returns the spec of a segment's last decision, or else the one in force that covers it.
   *
   * @throws ProblemException if none does
   */
  CompiledSpec spec(String segment) {
    return specs(segment).get(0);
  }

  private List<CompiledSpec> specs(String segment) {
    List<CompiledSpec> specs = running.of(segment);
    if (specs.isEmpty()) {
      throw new ProblemException(
          Problem.of(ErrorCode.UNKNOWN_SEGMENT, "segment: no spec covers " + segment));
    }
    return specs;
  }

  private CompletableFuture<Void> send(WireReward reward, long now) {
    byte[] value = Wire.REWARD.encode(reward);
    CompiledSpec unused = checked(LogTopic.REWARDS, reward.segment(), value, now);
    if (openRewards.incrementAndGet() > settings.maxPending()) {
      openRewards.decrementAndGet();
      throw OpenDecisions.tooMany(settings.maxPending() + " rewards wait");
    }
    return sender
        .reward(reward.segment(), value)
        .whenComplete((appended, failure) -> openRewards.decrementAndGet());
  }

  /** Returns the answer of a decision id if this gateway remembers it. */
  Optional<Answer> recent(String segment, String decisionId) {
    return open.recent(key(segment, decisionId));
  }

  /**
   * Returns the arm that the caller saw. If the caller does not name it, it is the arm that was
   * confirmed as shown, or else the arm of the answer that this gateway gave. Another gateway may
   * have given another one, at a deadline, so without that memory the reward is refused: it could
   * train an arm that nobody saw.
   *
   * @throws ProblemException if there is none, {@link ShownArmCheck} refuses it, or another was
   *     confirmed
   */
  private String shownArm(RequestFields fields, String segment, String decisionId) {
    String named = fields.optionalText("shownArm");
    OpenDecisions.DecisionKey key = key(segment, decisionId);
    if (named != null) {
      ShownArmCheck.refuseUnknown(
          named, segment, open.recent(key).orElse(null), running.of(segment), specs.specs());
      open.refuseOther(key, named);
      return named;
    }
    return open.confirmed(key)
        .map(OpenDecisions.Shown::arm)
        .or(() -> open.given(key).map(Answer::arm))
        .orElseThrow(
            () ->
                new ProblemException(
                    HttpCode.SHOWN_ARM_REQUIRED,
                    "decisionId: this gateway does not know it; shownArm: missing"));
  }

  private static @Nullable List<CandidateArm> candidates(RequestFields fields) {
    List<JsonNode> given = fields.list("candidates");
    if (given == null) {
      return null;
    }
    List<CandidateArm> candidates = new ArrayList<>();
    for (int place = 0; place < given.size(); place++) {
      RequestFields candidate =
          new RequestFields(given.get(place), "candidates[" + place + "]", CANDIDATE_FIELDS);
      candidates.add(new CandidateArm(candidate.text("name"), candidate.attributes("attributes")));
    }
    return candidates;
  }

  /**
   * Checks a record as the job does, and returns the spec of its segment that accepts it.
   *
   * @throws ProblemException with the code of the dead letter
   */
  private CompiledSpec checked(LogTopic kind, String segment, byte[] value, long now) {
    Decoded decoded =
        decoder.decode(
            kind,
            segment.getBytes(StandardCharsets.UTF_8),
            value,
            new Origin("", 0, 0, now),
            now - config.maxLag().toMillis(),
            now + config.maxClockSkew().toMillis());
    if (decoded instanceof Decoded.Bad bad) {
      DeadLetter deadLetter = bad.letter();
      throw new ProblemException(
          Problem.of(ErrorCode.valueOf(deadLetter.code()), deadLetter.fact()));
    }
    Input input = ((Decoded.Good) decoded).input();
    @Nullable InputFault first = null;
    for (CompiledSpec spec : specs(segment)) {
      InputFault fault = ReadingFaults.of(input, spec);
      if (fault == null) {
        return spec;
      }
      first = first == null ? fault : first;
    }
    throw new ProblemException(Problem.of(first.code(), first.message()));
  }

  @Override
  public void close() {
    deadlines.shutdownNow();
  }
}
