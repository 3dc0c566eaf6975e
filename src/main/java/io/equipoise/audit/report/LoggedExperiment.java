package io.equipoise.audit.report;

import io.equipoise.bandit.csr.Algorithm;
import io.equipoise.bandit.csr.Allocation;
import io.equipoise.bandit.csr.ArmFinding;
import io.equipoise.bandit.csr.Conclusion.By;
import io.equipoise.bandit.csr.Elimination;
import io.equipoise.bandit.csr.ExperimentReport;
import io.equipoise.bandit.csr.FairnessEstimate;
import io.equipoise.bandit.csr.Mode;
import io.equipoise.bandit.csr.Phase;
import io.equipoise.bandit.csr.PhaseRecord;
import io.equipoise.bandit.csr.PhaseRecord.Counters;
import io.equipoise.bandit.csr.Stage;
import io.equipoise.bandit.csr.TerminalRecord;
import io.equipoise.bandit.csr.Verdict;
import io.equipoise.event.ArmAudit;
import io.equipoise.event.AuditGuarantee;
import io.equipoise.event.EliminationAudit;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.PhaseAudit;
import io.equipoise.event.ShareAudit;
import io.equipoise.event.TerminalAudit;
import io.equipoise.event.TerminalKind;
import io.equipoise.fairness.Guarantee;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One experiment as the audit topic tells it.
 *
 * @param phases records of kind PHASE, in order; none if it was aborted in its first
 * @param end the record of kind TERMINAL, null while it runs
 */
public record LoggedExperiment(List<FairnessAudit> phases, @Nullable FairnessAudit end) {
  /** Copies the list; one of the two must be there. */
  public LoggedExperiment {
    phases = List.copyOf(phases);
    if (phases.isEmpty() && end == null) {
      throw new IllegalArgumentException("an experiment without a record");
    }
  }

  private FairnessAudit any() {
    return phases.isEmpty() ? Objects.requireNonNull(end) : phases.get(0);
  }

  /** Returns the report for people. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    FairnessAudit any = any();
    lines.add(
        "Segment " + any.segment() + ", spec " + any.specNumber() + " (" + any.specHash() + ")");
    if (!phases.isEmpty()) {
      PhaseAudit first = phase(0);
      lines.add(
          String.format(
              Locale.ROOT,
              "Groups s = %s and s' = %s of %s; who is no sample gets %s; at most %s a pull.",
              first.groups().get(0),
              first.groups().get(1),
              any.attribute(),
              first.incumbent(),
              first.budget()));
    }
    List<String> names = phases.isEmpty() ? List.of() : phase(0).catalogue();
    lines.addAll(new ExperimentReport(arm -> names.get(arm)).lines(records(), terminal()));
    return lines;
  }

  /** Returns the same for machines: the records as they are on the topic. */
  public Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    FairnessAudit any = any();
    json.put("segment", any.segment());
    json.put("policy", any.policy());
    json.put("specHash", any.specHash());
    json.put("specNumber", any.specNumber());
    json.put("attribute", any.attribute());
    json.put("isOver", end != null);
    json.put("terminal", end == null ? null : end.terminal());
    json.put("phases", phases.stream().map(FairnessAudit::phase).toList());
    return json;
  }

  private PhaseAudit phase(int place) {
    return Objects.requireNonNull(phases.get(place).phase(), "a PHASE record without its phase");
  }

  private List<PhaseRecord> records() {
    List<PhaseRecord> records = new ArrayList<>();
    for (int place = 0; place < phases.size(); place++) {
      records.add(record(place));
    }
    return records;
  }

  private PhaseRecord record(int place) {
    FairnessAudit audit = phases.get(place);
    PhaseAudit phase = phase(place);
    int types = phase.arrived().size();
    double[][] shares = new double[types][phase.catalogue().size()];
    int[][] counts = new int[types][phase.catalogue().size()];
    for (ShareAudit share : phase.allocation()) {
      shares[share.type()][arm(share.arm())] = share.share();
      counts[share.type()][arm(share.arm())] = share.pulls();
    }
    PhaseAudit before = place == 0 ? null : phase(place - 1);
    Counters counters =
        new Counters(
            phase.late(),
            phase.missing(),
            phase.rewardsLate() - (before == null ? 0 : before.rewardsLate()),
            phase.rewardsDuplicate() - (before == null ? 0 : before.rewardsDuplicate()),
            phase.holds());
    return new PhaseRecord(
        audit.segment(),
        version(audit),
        word(Algorithm.values(), Algorithm::wire, audit.policy()),
        word(Mode.values(), Mode::wire, phase.mode()),
        word(FairnessEstimate.values(), FairnessEstimate::wire, phase.estimate()),
        verdict(phase),
        phase.phases(),
        Math.toIntExact(phase.samples()),
        phase.tau(),
        new Allocation(phase.level(), shares),
        counts,
        phase.arrived().stream().mapToLong(count -> count).toArray(),
        counters,
        phase.costSpent(),
        phase.arms().stream().map(this::finding).toList(),
        String.valueOf(audit.specHash()),
        phase.statsHash());
  }

  private static int version(FairnessAudit audit) {
    Long number = audit.specNumber();
    return number == null ? 0 : number.intValue();
  }

  private Verdict verdict(PhaseAudit phase) {
    String leader = phase.leader();
    return new Verdict(
        place(phase),
        arms(phase.arms().stream().map(ArmAudit::arm).toList()),
        arms(phase.fair()),
        leader == null ? -1 : arm(leader),
        phase.eliminated().stream().map(this::elimination).toList(),
        arms(phase.after()),
        phase.gateClosed(),
        null);
  }

  private static Phase place(PhaseAudit phase) {
    Stage stage = Stage.valueOf(phase.stage().toUpperCase(Locale.ROOT));
    return new Phase(phase.place(), stage, phase.number(), phase.pulls());
  }

  private Elimination elimination(EliminationAudit one) {
    return new Elimination(
        arm(one.arm()), Elimination.Reason.valueOf(one.reason().name()), one.value(), one.bound());
  }

  private ArmFinding finding(ArmAudit arm) {
    return new ArmFinding(
        arm(arm.arm()),
        orNaN(arm.reward()),
        orNaN(arm.forward()),
        orNaN(arm.backward()),
        arm.rewardMass(),
        arm.forwardMass(),
        arm.backwardMass(),
        arm.rewardClip(),
        arm.forwardClip(),
        arm.backwardClip(),
        arm.clipped(),
        orNaN(arm.effectLower()),
        orNaN(arm.effectUpper()));
  }

  private @Nullable TerminalRecord terminal() {
    if (end == null) {
      return null;
    }
    TerminalAudit told =
        Objects.requireNonNull(end.terminal(), "a TERMINAL record without its end");
    String key = end.segment();
    int version = version(end);
    if (told.kind() == TerminalKind.ABORTED || phases.isEmpty()) {
      return new TerminalRecord.Aborted(
          key, version, String.valueOf(told.reason()), told.pulls(), told.costSpent());
    }
    Phase last = place(phase(phases.size() - 1));
    List<ArmFinding> arms = told.arms().stream().map(this::finding).toList();
    if (told.kind() == TerminalKind.NO_FAIR_ARM) {
      return new TerminalRecord.NoFairArm(
          key,
          version,
          Boolean.TRUE.equals(told.proved()),
          orNaN(told.delta()),
          guarantee(),
          last,
          arms,
          told.pulls(),
          told.costSpent());
    }
    String by = String.valueOf(told.by()).toUpperCase(Locale.ROOT).replace('-', '_');
    String runnerUp = told.runnerUp();
    return new TerminalRecord.BestFairArm(
        key,
        version,
        arms.get(0),
        last,
        By.valueOf(by),
        orNaN(told.margin()),
        orNaN(told.delta()),
        guarantee(),
        runnerUp == null ? -1 : arm(runnerUp),
        orNaN(told.runnerUpReward()),
        told.pulls(),
        told.costSpent());
  }

  private Guarantee guarantee() {
    FairnessAudit record = Objects.requireNonNull(end);
    return record.guarantee() == AuditGuarantee.ANYTIME ? Guarantee.ANYTIME : Guarantee.NONE;
  }

  private static double orNaN(@Nullable Double value) {
    return value == null ? Double.NaN : value;
  }

  private int arm(String id) {
    int arm = phase(0).catalogue().indexOf(id);
    if (arm < 0) {
      throw new IllegalArgumentException("the experiment has no arm " + id);
    }
    return arm;
  }

  private BitSet arms(List<String> ids) {
    BitSet arms = new BitSet();
    ids.forEach(id -> arms.set(arm(id)));
    return arms;
  }

  private interface Word<E> {
    String of(E constant);
  }

  private static <E> E word(E[] constants, Word<E> word, String given) {
    for (E constant : constants) {
      if (word.of(constant).equals(given)) {
        return constant;
      }
    }
    throw new IllegalArgumentException("no experiment has " + given);
  }
}
