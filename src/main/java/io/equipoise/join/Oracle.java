package io.equipoise.join;

import io.equipoise.bandit.AuditedChoice;
import io.equipoise.bandit.Bandit;
import io.equipoise.bandit.Choice;
import io.equipoise.bandit.Request;
import io.equipoise.bandit.Request.Offer;
import io.equipoise.bandit.csr.ExperimentBlock;
import io.equipoise.bandit.features.Profile;
import io.equipoise.event.Decision;
import io.equipoise.event.IdHash;
import io.equipoise.event.Outcome;
import io.equipoise.event.OutcomeKind;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.join.Ledgers.Account;
import io.equipoise.spec.IdleSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Replays a committed log, one record at a time in {@code seq} order, through the plain library and
 * compares: the same arms, and at every metrics snapshot the same digests, bit for bit.
 *
 * <p>Single-threaded, without a clock or a watermark: what was late, early or expired is taken from
 * the log, what was chosen and learnt is computed anew.
 */
public final class Oracle {
  private final SpecBook book;
  private final PriorJudge judge;
  private final Map<String, Replayed> segments = new TreeMap<>();

  /** Creates an oracle for logs without prior bounds. */
  public Oracle(SpecBook book) {
    this(book, PriorBook.NONE);
  }

  /**
   * Creates an oracle.
   *
   * @param book the spec texts that the log names by hash; {@link SpecBook#select} is not asked
   * @param priors the sets of prior bounds that the log names by hash
   */
  public Oracle(SpecBook book, PriorBook priors) {
    this.book = book;
    this.judge = new PriorJudge(priors);
  }

  /** Begins a segment with a state that its log goes on from. */
  public void begin(String segment, SavedSegment saved) {
    Replayed replayed = new Replayed(segment, book, judge, saved.toState());
    saved
        .awaiting()
        .forEach((id, decision) -> replayed.awaiting.put(id.hex(), new Pending(id, decision)));
    segments.put(segment, replayed);
  }

  /**
   * Repeats a decision. One that was recovered is taken for shown: what it was computed from is
   * lost, and what of it was written before is for whoever has the whole log to compare.
   *
   * @throws OracleMismatchException if a seq is missing or the arm is another
   */
  public void onDecision(Decision decision) {
    Replayed replayed = replayed(decision.segment());
    Turn turn = replayed.turn();
    checkSeq(turn, decision.segment(), decision.seq());
    check(decision.segment(), decision.seq(), "return", null, revived(turn));
    turn.head.seq = decision.seq();
    check(
        decision.segment(),
        decision.seq(),
        "prior bounds",
        decision.priorHash(),
        turn.head.priorHash);
    List<Double> features = decision.features();
    if (features != null) {
      Changes changes = new Changes(turn);
      Request request = request(turn.requireSpec(), changes, decision, features);
      AuditedChoice audited =
          decision.recovered()
              ? changes.recall(decision, request)
              : changes.decide(decision.decisionId(), request);
      Choice choice = audited.choice();
      String arm = request.offers().get(choice.arm()).id();
      check(decision.segment(), decision.seq(), "arm", decision.arm(), arm);
      checkRest(decision, choice);
      IdHash id = IdHash.of(decision.decisionId());
      if (choice.why().isLearnt()) {
        replayed.awaiting.put(
            id.hex(),
            new Pending(id, changes.decided(id, decision.eventTime(), 0, request, audited)));
      } else {
        changes.decidedUnlearnt(request, audited);
      }
    }
    turn.close();
  }

  private static void checkRest(Decision decision, Choice choice) {
    String segment = decision.segment();
    long seq = decision.seq();
    check(segment, seq, "index", decision.index(), Journal.known(choice.index()));
    check(segment, seq, "mean", decision.mean(), Journal.known(choice.mean()));
    check(segment, seq, "width", decision.width(), Journal.known(choice.width()));
    check(segment, seq, "why", decision.why().name(), choice.why().name());
    check(segment, seq, "certified", decision.certified(), choice.certified());
    List<Double> propensities = Arrays.stream(choice.propensities()).boxed().toList();
    check(segment, seq, "propensities", decision.propensities(), propensities);
  }

  private static Request request(
      CompiledSpec spec, Changes changes, Decision decision, List<Double> features) {
    Profile person = profile(features, spec.features().size());
    List<List<Double>> own = decision.candidateFeatures();
    if (own == null) {
      return changes.request(person, null);
    }
    int actions = spec.spec().variables().actions().size();
    List<Offer> offers = new ArrayList<>();
    for (int place = 0; place < own.size(); place++) {
      offers.add(new Offer(decision.candidates().get(place), -1, profile(own.get(place), actions)));
    }
    return changes.request(person, offers);
  }

  /** Takes apart what a decision says of a person or an arm: levels, then numbers. */
  private static Profile profile(List<Double> features, int levels) {
    return new Profile(
        features.subList(0, levels).stream().mapToInt(Double::intValue).toArray(),
        features.subList(levels, features.size()).stream().mapToDouble(it -> it).toArray());
  }

  /**
   * Repeats a change other than a decision.
   *
   * @throws OracleMismatchException if a seq is missing or the record names what never was
   */
  public void onOutcome(Outcome outcome) {
    Replayed replayed = replayed(outcome.segment());
    Turn turn = replayed.turn();
    checkSeq(turn, outcome.segment(), outcome.seq());
    boolean isReturn = outcome.kind() == OutcomeKind.REVIVED;
    check(outcome.segment(), outcome.seq(), "return", revived(isReturn, outcome), revived(turn));
    turn.head.seq = outcome.seq();
    Changes changes = new Changes(turn);
    switch (outcome.kind()) {
      case SPEC_ADOPTED -> adopt(turn, changes, outcome);
      case APPLIED -> close(replayed, turn, changes, outcome, Account.DECISION_SETTLED);
      case EXPIRED, WINDOW_CLOSED ->
          close(replayed, turn, changes, outcome, Account.DECISION_EXPIRED);
      case EVICTED -> {
        if (outcome.decisionSeq() != null) {
          close(replayed, turn, changes, outcome, Account.DECISION_EVICTED);
        } else if (String.valueOf(outcome.detail()).startsWith(Rest.SEGMENT)) {
          rest(replayed, turn, changes, outcome);
        }
      }
      case PRIOR_ADOPTED -> adoptPriors(turn, changes, outcome);
      case COLLECTED -> collect(replayed, turn, changes, outcome);
      case PHASE_CLOSED -> closePhase(turn, changes, outcome);
      case REVIVED -> {} // whatever comes first ends a rest; that it is this is checked
    }
    turn.close();
  }

  /**
   * Compares the state reached with a snapshot of the same seq.
   *
   * @throws OracleMismatchException if a digest differs
   */
  public void onMetrics(SegmentMetrics metrics) {
    Replayed replayed = replayed(metrics.segment());
    SegmentHead head = Objects.requireNonNullElseGet(replayed.state.head(), SegmentHead::new);
    check(metrics.segment(), metrics.seq(), "seq", metrics.seq(), head.seq);
    if (!metrics.digest().equals(ModelDigest.ofFirstLayout(replayed.state, head))) {
      check(
          metrics.segment(),
          metrics.seq(),
          "digest",
          metrics.digest(),
          ModelDigest.of(replayed.state, head));
    }
    check(
        metrics.segment(),
        metrics.seq(),
        "pending digest",
        metrics.pendingDigest(),
        ModelDigest.pending(head));
  }

  /** Returns the seq reached in a segment, 0 where nothing was replayed. */
  public long seq(String segment) {
    SegmentHead head = replayed(segment).state.headAlsoAtRest();
    return head == null ? 0 : head.seq;
  }

  private void close(
      Replayed replayed, Turn turn, Changes changes, Outcome outcome, Account account) {
    Pending pending = replayed.awaiting.remove(String.valueOf(outcome.decisionHash()));
    if (pending == null) {
      throw unknownDecision(outcome);
    }
    checkDecisionSeq(outcome, pending);
    Double learned = outcome.learnedReward();
    if (learned != null) {
      changes.learn(
          pending.decision(), String.valueOf(outcome.arm()), mediators(turn, outcome), learned);
    }
    changes.close(pending.id(), pending.decision(), account, learned != null);
  }

  /** What a segment gives up must be what its rule says, and no decision may wait. */
  private static void rest(Replayed replayed, Turn turn, Changes changes, Outcome outcome) {
    Rest rest = new Rest(turn, changes);
    IdleSpec rule = rest.rule();
    if (rule == null || !replayed.awaiting.isEmpty() || changes.running() != null) {
      throw new OracleMismatchException(
          "seq %d of segment %s gives up its state without a rule, or while %d decisions or an"
                  .formatted(outcome.seq(), outcome.segment(), replayed.awaiting.size())
              + " experiment wait");
    }
    check(outcome.segment(), outcome.seq(), "eviction", outcome.detail(), Rest.detail(rule.keep()));
    rest.begin(rule.keep());
  }

  private static @Nullable String revived(boolean isReturn, Outcome outcome) {
    return isReturn ? outcome.detail() : null;
  }

  private static @Nullable String revived(Turn turn) {
    return turn.revived == null ? null : Rest.detail(turn.revived);
  }

  private static void closePhase(Turn turn, Changes changes, Outcome outcome) {
    String detail = outcome.detail();
    ExperimentBlock running = changes.running();
    boolean isAborted = detail != null && detail.startsWith(Phases.ABORTED);
    if (isAborted && running != null) {
      changes.abort(running);
    } else if (isAborted || turn.spec == null || changes.closePhase() == null) {
      throw new OracleMismatchException(
          "seq %d of segment %s closes a phase of no experiment, or one that is not done"
              .formatted(outcome.seq(), outcome.segment()));
    }
  }

  private static void collect(Replayed replayed, Turn turn, Changes changes, Outcome outcome) {
    String key = String.valueOf(outcome.decisionHash());
    Pending pending = replayed.awaiting.get(key);
    Double reward = outcome.reward();
    if (pending == null || reward == null) {
      throw unknownDecision(outcome);
    }
    checkDecisionSeq(outcome, pending);
    int shown = turn.head.positionOf(String.valueOf(outcome.arm()));
    Entry.Seen seen = new Entry.Seen(0, 0);
    replayed.awaiting.put(
        key,
        new Pending(
            pending.id(),
            changes.collected(
                pending.id(),
                pending.decision(),
                shown,
                seen,
                reward,
                outcome.eventTime(),
                mediators(turn, outcome))));
  }

  /** What the log says of the state decides: no text that it does not need is asked for. */
  private void adopt(Turn turn, Changes changes, Outcome outcome) {
    CompiledSpec spec = spec(outcome);
    List<String> reset = outcome.stateReset();
    boolean startedAnew = reset.contains("model");
    Succession how = Succession.logged(turn, spec, startedAnew);
    if (how instanceof Succession.Anew && !startedAnew) {
      throw new OracleMismatchException(
          "seq %d of segment %s goes on with a model of another meaning than spec %s"
              .formatted(outcome.seq(), outcome.segment(), outcome.specHash()));
    }
    CompiledSpec before = reset.contains(Bandit.POLICY_STATE) ? null : turn.spec;
    new Adoption(turn, changes).adopt(spec, how, before == null ? null : before.bandit());
    if (outcome.priorHash() == null) {
      changes.dropPriors();
    }
  }

  private void adoptPriors(Turn turn, Changes changes, Outcome outcome) {
    String hash = outcome.priorHash();
    if (hash == null) {
      changes.dropPriors();
      return;
    }
    JudgedPriors.Usable priors = judge.usable(hash, turn.requireSpec());
    if (priors == null) {
      throw new OracleMismatchException(
          "seq %d of segment %s adopts prior bounds %s, which are not at hand or not for its spec"
              .formatted(outcome.seq(), outcome.segment(), hash));
    }
    changes.adopt(priors);
  }

  private CompiledSpec spec(Outcome outcome) {
    @Nullable CompiledSpec spec = book.byHash(String.valueOf(outcome.specHash()));
    if (spec == null) {
      throw new OracleMismatchException(
          "seq %d of segment %s adopts spec %s, whose text is not at hand"
              .formatted(outcome.seq(), outcome.segment(), outcome.specHash()));
    }
    return spec;
  }

  private static int[] mediators(Turn turn, Outcome outcome) {
    return turn.requireSpec()
        .encoder()
        .encodeMediators(new TreeMap<>(outcome.mediators()))
        .levels();
  }

  private static OracleMismatchException unknownDecision(Outcome outcome) {
    return new OracleMismatchException(
        "seq %d of segment %s (%s) names decision %s, which awaits nothing"
            .formatted(outcome.seq(), outcome.segment(), outcome.kind(), outcome.decisionHash()));
  }

  private static void checkDecisionSeq(Outcome outcome, Pending pending) {
    check(
        outcome.segment(),
        outcome.seq(),
        "seq of its decision",
        outcome.decisionSeq(),
        pending.decision().decisionSeq());
  }

  private static void checkSeq(Turn turn, String segment, long seq) {
    if (seq != turn.head.seq + 1) {
      throw new OracleMismatchException(
          "seq went from %d to %d in segment %s".formatted(turn.head.seq, seq, segment));
    }
  }

  private static void check(
      String segment, long seq, String what, @Nullable Object logged, @Nullable Object replayed) {
    if (!Objects.equals(logged, replayed)) {
      throw new OracleMismatchException(
          "%s at seq %d of segment %s: the log says %s, the replay %s"
              .formatted(what, seq, segment, logged, replayed));
    }
  }

  private Replayed replayed(String segment) {
    return segments.computeIfAbsent(
        segment, name -> new Replayed(name, book, judge, new MemorySegmentState()));
  }

  private record Pending(IdHash id, Entry.Awaiting decision) {}

  /** One segment as the log has built it so far. */
  private static final class Replayed {
    private final String segment;
    private final SpecBook book;
    private final PriorJudge judge;
    private final MemorySegmentState state;
    private final Map<String, Pending> awaiting = new HashMap<>();

    Replayed(String segment, SpecBook book, PriorJudge judge, MemorySegmentState state) {
      this.state = state;
      this.segment = segment;
      this.book = book;
      this.judge = judge;
    }

    Turn turn() {
      return new Turn(segment, state, book, judge, Silence.LOG, Attempt.numbered(0));
    }
  }
}
