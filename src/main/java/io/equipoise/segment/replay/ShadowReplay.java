package io.equipoise.segment.replay;

import io.equipoise.event.AuditRefuted;
import io.equipoise.event.Decision;
import io.equipoise.event.IdHash;
import io.equipoise.event.Propensities;
import io.equipoise.event.PropensityKind;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.fairness.AuditFinding;
import io.equipoise.policy.AuditedChoice;
import io.equipoise.policy.ClippedIndex;
import io.equipoise.policy.Request;
import io.equipoise.policy.ScratchModelState;
import io.equipoise.policy.UnusableRequestException;
import io.equipoise.policy.features.Profile;
import io.equipoise.segment.SegmentSession;
import io.equipoise.segment.StateTransitions;
import io.equipoise.segment.log.WriterEpoch;
import io.equipoise.segment.state.BoundsRegistry;
import io.equipoise.segment.state.BoundsValidator;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segment.state.Entry;
import io.equipoise.segment.state.MemorySegmentState;
import io.equipoise.segment.state.SegmentContext;
import io.equipoise.segment.state.SpecRegistry;
import io.equipoise.segment.upgrade.SpecCompatibility;
import io.equipoise.segmentspec.SpecVariable;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Replays a segment's log through another spec, which learns from it: before each decision the spec
 * returns how it would have chosen; then it learns the logged arm and, at the segment's own event,
 * the logged reward. There is no clock and no join: each event has the effect that it had in the
 * log ({@link ReplayStep}). So reward and join of both specs must be equal.
 *
 * <p>The state is the segment's state and the pending decisions of this spec; both, and the
 * choices, are functions of the log. The translations are a cache by spec hash that stays valid.
 * Single-threaded.
 */
public final class ShadowReplay {
  private static final Set<SegmentEventType> OF_REWARDS =
      EnumSet.of(
          SegmentEventType.REWARD_APPLIED,
          SegmentEventType.REWARD_BUFFERED,
          SegmentEventType.REWARD_TIMEOUT,
          SegmentEventType.WINDOW_CLOSED,
          SegmentEventType.DECISION_EVICTED);

  private final CompiledSpec spec;
  private final String segment;
  private final SpecRegistry texts;
  private final SpecRegistry own;
  private final BoundsValidator noBounds = new BoundsValidator(BoundsRegistry.NONE);
  private final MemorySegmentState state = new MemorySegmentState();
  private final Map<IdHash, Entry.PendingDecision> awaiting = new HashMap<>();
  private final Map<String, Optional<ProfileTranslation>> translations = new HashMap<>();

  /**
   * Describes how the spec would have chosen.
   *
   * @param propensities of the arms of the spec, in its order; all 0 if it rejects the person
   * @param isCertified whether its own audit certifies the arm that it draws
   * @param excess of the greatest upper end of an effect of that draw over tau; negative within it
   * @param isEstimated whether the propensities are shares of draws
   */
  @SuppressWarnings("ArrayRecordComponent") // compared by nobody
  public record Shadow(
      double[] propensities, boolean isCertified, double excess, boolean isEstimated) {}

  /**
   * Adopts the spec with an empty model.
   *
   * @param texts the specs that the log names by hash; decisions under others teach nothing
   */
  public ShadowReplay(CompiledSpec spec, String segment, SpecRegistry texts) {
    this.spec = spec;
    this.segment = segment;
    this.texts = texts;
    this.own = SpecRegistry.of(spec);
    SegmentContext segmentContext = segmentContext();
    session(segmentContext).upgrade.adopt(spec, SpecCompatibility.of(segmentContext, spec), 0);
    segmentContext.close();
  }

  private SegmentContext segmentContext() {
    return new SegmentContext(segment, state, own, noBounds);
  }

  private static SegmentSession session(SegmentContext segmentContext) {
    return new SegmentSession(segmentContext, dropped -> {}, WriterEpoch.numbered(0));
  }

  public CompiledSpec spec() {
    return spec;
  }

  /**
   * Asks the spec about a decision's person, then takes over the logged arm.
   *
   * @return null unless a policy made the decision among the spec's arms and learns from it
   */
  public @Nullable Shadow onDecision(Decision decision) {
    if (!decision.reason().isLearned() || !decision.candidates().isEmpty()) {
      remember(decision.arm());
      return null;
    }
    Profile person = person(decision);
    SegmentContext segmentContext = segmentContext();
    StateTransitions transitions = new StateTransitions(segmentContext);
    if (person == null) {
      return rejected();
    }
    Request request = transitions.request(person, null);
    Shadow shadow;
    try {
      shadow = ask(segmentContext, request, decision.decisionId());
    } catch (UnusableRequestException e) {
      return rejected();
    }
    if (spec.armIds().contains(decision.arm())) {
      StateTransitions.Made made =
          transitions.decide(decision.decisionId(), request, published(decision));
      segmentContext.head.seq++;
      IdHash id = IdHash.of(decision.decisionId());
      awaiting.put(id, transitions.decided(id, decision.eventTime(), 0, request, made));
    }
    segmentContext.close();
    return shadow;
  }

  /** Gives an arm that no policy chose its position, as the segment did when it was first shown. */
  private void remember(@Nullable String arm) {
    if (arm != null && spec.armIds().contains(arm)) {
      SegmentContext segmentContext = segmentContext();
      segmentContext.head.positionOf(arm);
      segmentContext.close();
    }
  }

  private Shadow rejected() {
    return new Shadow(new double[spec.armIds().size()], false, 0, false);
  }

  private @Nullable Profile person(Decision decision) {
    String hash = decision.specHash();
    List<Double> features = decision.features();
    if (hash == null || features == null) {
      return null;
    }
    return translations
        .computeIfAbsent(
            hash,
            key ->
                Optional.ofNullable(texts.byHash(key))
                    .map(from -> ProfileTranslation.of(from, spec)))
        .map(translation -> translation.translate(features))
        .orElse(null);
  }

  private Shadow ask(SegmentContext segmentContext, Request request, String decisionId) {
    AuditedChoice audited =
        spec.policy()
            .decide(
                ScratchModelState.forDecision(state.blocks()),
                request,
                segmentContext.head.rounds + 1,
                segmentContext.draw(decisionId),
                ClippedIndex.NONE);
    boolean isWithheld =
        segmentContext.refutation() == AuditRefuted.WITHHELD && !audited.findings().isEmpty();
    return new Shadow(
        audited.choice().propensities().clone(),
        audited.choice().certified() && !isWithheld,
        AuditFinding.upperExcess(audited.findings()),
        audited.choice().propensityKind() == PropensityKind.ESTIMATED);
  }

  /** Returns the logged decision as one that this spec published before its state was lost. */
  private Decision published(Decision decision) {
    return new Decision(
        decision.decisionId(),
        decision.place(),
        decision.source(),
        decision.eventTime(),
        decision.versions(),
        decision.policy(),
        decision.arm(),
        decision.reason(),
        null,
        decision.certified(),
        decision.fairSetSize(),
        List.of(),
        Propensities.SURE,
        null,
        null,
        null,
        null,
        Decision.NO_KEY_GROUP,
        false,
        null);
  }

  /** Teaches the spec the reward of a decision that it took over, or the end of its window. */
  public void onSegmentEvent(SegmentEvent segmentEvent) {
    String hash = segmentEvent.hashOfDecision();
    if (hash == null || !OF_REWARDS.contains(segmentEvent.type())) {
      return;
    }
    IdHash id = IdHash.ofHex(hash);
    Entry.PendingDecision decision = awaiting.get(id);
    if (decision == null) {
      return;
    }
    SegmentContext segmentContext = segmentContext();
    SegmentSession session = session(segmentContext);
    if (segmentEvent.type() == SegmentEventType.REWARD_APPLIED && !canLearn(segmentEvent)) {
      awaiting.remove(id);
      session.expiry.evicted(id, decision);
    } else {
      new ReplayStep(segmentContext, session, awaiting, own).of(segmentEvent);
    }
    while (segmentContext.hasRefuted) {
      segmentContext.hasRefuted = session.refutations.writeNext(segmentEvent.eventTime());
    }
    segmentContext.close();
  }

  /**
   * Returns whether the policy can learn a reward: it may need mediators that the champion's
   * ignores.
   */
  private boolean canLearn(SegmentEvent segmentEvent) {
    Double reward = segmentEvent.observedReward();
    return reward == null
        || spec.policy()
            .canLearn(spec.encoder().encodeMediators(segmentEvent.mediators()).levels());
  }

  /** Translates the features of decisions under one spec to another, by the names of levels. */
  private static final class ProfileTranslation {
    private static final int UNKNOWN = -1;

    private final int sourceLevels;
    private final boolean needsNumbers;
    private final int[] places;
    private final int[][] levels;

    /** The place of the number of each numeric variable of the other spec. */
    private final int[] numbers;

    private ProfileTranslation(CompiledSpec from, CompiledSpec to) {
      List<SpecVariable> target = to.features();
      sourceLevels = from.features().size();
      needsNumbers = to.policy().takesCandidates();
      places = new int[target.size()];
      levels = new int[target.size()][];
      numbers = new int[(int) target.stream().filter(SpecVariable::isNumeric).count()];
      int number = 0;
      for (int place = 0; place < places.length; place++) {
        places[place] = placeOf(target.get(place), from.features());
        SpecVariable source = from.features().get(places[place]);
        levels[place] = levels(source, target.get(place));
        if (target.get(place).isNumeric()) {
          numbers[number++] =
              source.isNumeric()
                  ? (int)
                      from.features().subList(0, places[place]).stream()
                          .filter(SpecVariable::isNumeric)
                          .count()
                  : UNKNOWN;
        }
      }
    }

    /** Returns the translation, or null if the other spec has a variable that this one lacks. */
    static @Nullable ProfileTranslation of(CompiledSpec from, CompiledSpec to) {
      return to.features().stream().allMatch(it -> placeOf(it, from.features()) >= 0)
          ? new ProfileTranslation(from, to)
          : null;
    }

    private static int placeOf(SpecVariable variable, List<SpecVariable> among) {
      for (int place = 0; place < among.size(); place++) {
        if (among.get(place).name().equals(variable.name())) {
          return place;
        }
      }
      return UNKNOWN;
    }

    private static int[] levels(SpecVariable source, SpecVariable target) {
      int[] map = new int[Math.max(source.levels().size(), source.undisclosed() + 1)];
      for (int level = 0; level < map.length; level++) {
        map[level] =
            level == source.undisclosed()
                ? target.undisclosed()
                : target.indexOf(source.levels().get(level));
      }
      return map;
    }

    /**
     * Returns the person in the terms of the other spec; null if it lacks a level, or the log lacks
     * a number that its policy reads.
     *
     * @param features of the decision: levels, then numbers
     */
    @Nullable Profile translate(List<Double> features) {
      int[] translated = new int[places.length];
      for (int place = 0; place < places.length; place++) {
        int level = features.get(places[place]).intValue();
        translated[place] = level < levels[place].length ? levels[place][level] : UNKNOWN;
        if (translated[place] < 0) {
          return null;
        }
      }
      double[] values = new double[needsNumbers ? numbers.length : 0];
      for (int i = 0; i < values.length; i++) {
        int at = sourceLevels + numbers[i];
        if (numbers[i] < 0 || at >= features.size()) {
          return null;
        }
        values[i] = features.get(at);
      }
      return new Profile(translated, values);
    }
  }
}
