package io.equipoise.audit.report;

import io.equipoise.audit.log.LogTopic;
import io.equipoise.audit.verify.Tamper;
import io.equipoise.event.AttemptMarker;
import io.equipoise.event.AuditKind;
import io.equipoise.event.Decision;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.Outcome;
import io.equipoise.event.Wire;
import io.equipoise.join.OfferRun;
import io.equipoise.join.OfferTraffic;
import java.util.List;

/**
 * The log of an experiment whose job was killed: the first attempt closed two phases, the second
 * went on from a checkpoint between them and decided for some people more before it closed the
 * second phase, at another seq.
 */
public final class TwoAttempts {
  /** How many more decisions the second attempt makes before it does what the first one did. */
  private static final int MORE = 3;

  private static final OfferRun RUN =
      new OfferRun(OfferTraffic.spec().replace("pulls: 3000", "pulls: 100"), 1);

  private final long restored;
  private final long killed;

  /** Takes a record of the log. */
  public interface Sink {
    /** Appends a record; a marker has no segment. */
    void append(LogTopic topic, boolean isMarker, byte[] value);
  }

  public TwoAttempts() {
    List<FairnessAudit> phases =
        RUN.log.audits.stream().filter(audit -> audit.kind() == AuditKind.PHASE).toList();
    killed = phases.get(1).seq();
    restored = (phases.get(0).seq() + killed) / 2;
  }

  /** Returns the records of the same experiment in which nothing was killed. */
  public static List<FairnessAudit> undisturbed() {
    return RUN.log.audits;
  }

  public String segment() {
    return undisturbed().get(0).segment();
  }

  /** Writes what the first attempt did up to the second phase. */
  public void first(Sink to) {
    mark(1, to);
    write(1, 0, killed, 0, to);
  }

  /** Writes what the second attempt did before it closed a phase. */
  public void second(Sink to) {
    mark(2, to);
    Decision any = RUN.log.decisions.get(0);
    for (int i = 1; i <= MORE; i++) {
      Decision more = numbered(any, 2, restored + i);
      to.append(
          LogTopic.DECISIONS,
          false,
          Wire.DECISION.encode(Tamper.with(more, "decisionId", "more-" + i)));
    }
    write(2, restored, killed - 1, MORE, to);
  }

  /** Writes what the second attempt did from then on, to the end. */
  public void rest(Sink to) {
    write(2, killed - 1, Long.MAX_VALUE, MORE, to);
  }

  private static void mark(int attempt, Sink to) {
    AttemptMarker marker = new AttemptMarker(attempt, 0, 127);
    to.append(LogTopic.DECISIONS, true, Wire.ATTEMPT.encode(marker));
  }

  /** Writes what comes behind a seq, up to another one. */
  private static void write(int attempt, long after, long upTo, long shift, Sink to) {
    for (Decision decision : RUN.log.decisions) {
      if (decision.seq() > after && decision.seq() <= upTo) {
        Decision one = numbered(decision, attempt, decision.seq() + shift);
        to.append(LogTopic.DECISIONS, false, Wire.DECISION.encode(one));
      }
    }
    for (Outcome outcome : RUN.log.outcomes) {
      if (outcome.seq() > after && outcome.seq() <= upTo) {
        Outcome one = Tamper.with(outcome, "attempt", attempt);
        one = Tamper.with(one, "seq", outcome.seq() + shift);
        to.append(LogTopic.OUTCOMES, false, Wire.OUTCOME.encode(one));
      }
    }
    for (FairnessAudit audit : RUN.log.audits) {
      if (audit.seq() > after && audit.seq() <= upTo) {
        FairnessAudit one = Tamper.with(audit, "attempt", attempt);
        one = Tamper.with(one, "seq", audit.seq() + shift);
        to.append(LogTopic.AUDIT, false, Wire.AUDIT.encode(one));
      }
    }
  }

  private static Decision numbered(Decision decision, int attempt, long seq) {
    Decision one = Tamper.with(decision, "attempt", attempt);
    one = Tamper.with(one, "keyGroup", 5);
    return Tamper.with(one, "seq", seq);
  }
}
