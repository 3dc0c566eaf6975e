package io.equipoise.segment.replay;

import io.equipoise.event.AuditRefuted;
import io.equipoise.event.Decision;
import io.equipoise.event.IdHash;
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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Replays a segment's log through another spec, which learns from it: before each decision the spec
 * returns how it would have chosen; then it learns the logged arm and, at the segment's own event,
 * the logged reward. There is no clock and no join: each event has the effect that it had in the
 * log ({@link ReplayStep}). So reward and join of both specs must be equal.
 *
 * <p>The state is the segment's state and the pending decisions of this spec; both, and the
 * choices, are functions of the log. Single-threaded.
 */
public final class ShadowReplay {
  private static final int UNKNOWN = -1;

  private final CompiledSpec spec;
  private final String segment;
  private final SpecRegistry texts;
  private final SpecRegistry own;
  private final BoundsValidator noBounds = new BoundsValidator(BoundsRegistry.NONE);
  private final MemorySegmentState state = new MemorySegmentState();
  private final Map<IdHash, Entry.PendingDecision> awaiting = new HashMap<>();

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
          transitions.decide(decision.decisionId(), request, decision.withSureArm());
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

  /**
   * Returns a decision's person in the terms of the spec, by the names of variables and levels;
   * null if the log lacks a variable, or a number that the policy reads, or the spec a level.
   */
  private @Nullable Profile person(Decision decision) {
    CompiledSpec from = decision.specHash() == null ? null : texts.byHash(decision.specHash());
    List<Double> features = decision.features();
    if (from == null || features == null) {
      return null;
    }
    Profile logged = Profile.ofLogged(features, from.features().size());
    int[] levels = new int[spec.features().size()];
    List<Double> numbers = new ArrayList<>();
    for (int place = 0; place < levels.length; place++) {
      SpecVariable variable = spec.features().get(place);
      int at = from.placeOf(variable.name());
      levels[place] =
          at < 0 ? UNKNOWN : level(logged.levels()[at], from.features().get(at), variable);
      if (levels[place] < 0) {
        return null;
      }
      if (variable.isNumeric() && spec.policy().takesCandidates()) {
        long number =
            from.features().subList(0, at).stream().filter(SpecVariable::isNumeric).count();
        if (!from.features().get(at).isNumeric() || number >= logged.numbers().length) {
          return null;
        }
        numbers.add(logged.numbers()[(int) number]);
      }
    }
    return new Profile(levels, numbers.stream().mapToDouble(it -> it).toArray());
  }

  private static int level(int logged, SpecVariable source, SpecVariable target) {
    return logged == source.undisclosed()
        ? target.undisclosed()
        : logged < source.levels().size() ? target.indexOf(source.levels().get(logged)) : UNKNOWN;
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

  /** Teaches the spec the reward of a decision that it took over, or the end of its window. */
  public void onSegmentEvent(SegmentEvent segmentEvent) {
    String hash = segmentEvent.hashOfDecision();
    if (hash == null) {
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
}
