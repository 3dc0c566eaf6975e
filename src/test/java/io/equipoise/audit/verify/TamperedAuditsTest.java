package io.equipoise.audit.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.verify.ChangeAudits.PlacedExplanation;
import io.equipoise.audit.verify.Finding.Verdict;
import io.equipoise.event.AuditGuarantee;
import io.equipoise.event.AuditVerdict;
import io.equipoise.event.Decision;
import io.equipoise.event.ExcludedCandidate;
import io.equipoise.event.ExperimentRecord;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.LogTopic;
import io.equipoise.event.Wire;
import io.equipoise.privacy.KeyRing;
import io.equipoise.privacy.ReferenceRedactor;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Breaks the topics audit and experiments alone; no other record of the log tells of it. */
@Tag("slow")
class TamperedAuditsTest extends TamperedLog {
  private static final Set<String> IDENTITY = Set.of("effect.attribute", "effect.counterfactual");

  private final LogRecord at = first(audit -> isOfSegment(audit) && audit.seq() > 20);
  private final FairnessAudit audit = audit(at);
  private final String name = name(audit);

  private static FairnessAudit audit(LogRecord at) {
    return (FairnessAudit) decode(at);
  }

  private static boolean isOfSegment(FairnessAudit audit) {
    return audit.segment().equals(SEGMENT);
  }

  private static String name(FairnessAudit audit) {
    return key(audit.seq())
        + ", attribute "
        + audit.effect().attribute()
        + ", counterfactual "
        + audit.effect().counterfactual();
  }

  private LogRecord first(Predicate<FairnessAudit> what) {
    return log.first(LogTopic.AUDIT, it -> what.test(audit(it)));
  }

  private LogRecord experiment(Predicate<ExperimentRecord> what) {
    return log.first(LogTopic.EXPERIMENTS, it -> what.test(experiment(it)));
  }

  private static ExperimentRecord experiment(LogRecord at) {
    return (ExperimentRecord) decode(at);
  }

  private List<LogRecord> all() {
    List<LogRecord> all = new ArrayList<>();
    for (int partition = 0; partition < MemoryLog.PARTITIONS; partition++) {
      all.addAll(log.records(LogTopic.AUDIT, partition));
    }
    return all;
  }

  /** Asserts what is found of the topic, once, and that nothing else of the log is found bad. */
  private Finding assertFound(String offender, String... why) {
    List<Finding> findings = check();
    assertNames(findings, Invariant.I3, offender, why);
    for (Finding finding : findings.subList(0, 7)) {
      boolean isIt = finding.invariant() == Invariant.I3;
      assertEquals(isIt ? Verdict.VIOLATED : Verdict.OK, finding.verdict(), finding.toString());
    }
    return of(findings, Invariant.I3);
  }

  @Test
  void aDroppedRecordIsNamed() {
    log.remove(at);
    assertEquals(1, assertFound(name, "is not on its topic").violations());
  }

  @Test
  void allRecordsDroppedAreCounted() {
    List<LogRecord> all = all();
    all.forEach(log::remove);
    assertTrue(all.size() > 100, "there are " + all.size());
    assertEquals(all.size(), assertFound("segment ", "is not on").violations());
  }

  @Test
  void aDoubledRecordIsNamed() {
    log.doubled(at);
    assertEquals(1, assertFound(name, "or has it twice; at test.audit/").violations());
  }

  @Test
  void allRecordsDoubledAreCounted() {
    List<LogRecord> all = all();
    all.forEach(log::doubled);
    assertEquals(all.size(), assertFound("segment ", "or has it twice").violations());
  }

  @Test
  void aDecisionThatIsCalledFairForCertainIsNamedWithBothVerdicts() {
    LogRecord open = first(it -> isOfSegment(it) && it.verdict() != AuditVerdict.CERTIFIED_FAIR);
    FairnessAudit wrong = Tamper.with(audit(open), "verdict", AuditVerdict.CERTIFIED_FAIR);
    log.replace(open, Wire.AUDIT.encode(wrong));
    Finding finding =
        assertFound(
            name(wrong),
            "verdict: the log has CERTIFIED_FAIR, the replay %s; at %s"
                .formatted(audit(open).verdict(), open.place()));
    assertEquals(1, finding.violations());
  }

  @Test
  void anotherIntervalOrAnotherArmExcludedIsNamed() {
    Map<String, Object> others =
        Map.of(
            "effect.lower",
            -0.125,
            "excluded",
            new ExcludedCandidate("A=else", 0.125, null, null, null, null));
    for (Map.Entry<String, Object> wrong : others.entrySet()) {
      FairnessAudit altered = Tamper.with(audit, wrong.getKey(), wrong.getValue());
      log.replace(first(audit::equals), Wire.AUDIT.encode(altered));
      assertFound(name, "record, " + wrong.getKey() + ": the log has " + wrong.getValue() + ",");
      log.replace(first(altered::equals), Payloads.value(at));
    }
  }

  @Test
  void everyFieldOfARecordIsCompared() {
    Change change = Change.of(at(decision(it -> isOf(it, audit))));
    ReferenceRedactor plain = new ReferenceRedactor(KeyRing.none(), hash -> null);
    for (String field : fields("", audit)) {
      Object other = other(field);
      if (other != null) {
        FairnessAudit wrong = Tamper.with(audit, field, other);
        byte[] bytes = Wire.AUDIT.encode(wrong);
        LogRecord found = new LogRecord(at.slice(), at.offset(), at.timestamp(), at.key(), bytes);
        ChangeAudits audits = new ChangeAudits(change, List.of(audit), plain);
        assertFalse(audits.take(new PlacedExplanation(found, wrong)), field);
        String difference = audits.takeAltered(new PlacedExplanation(found, wrong));
        assertEquals(
            IDENTITY.contains(field),
            !String.valueOf(difference).startsWith(field + ": the log has "),
            field);
      }
    }
  }

  /** Returns the names of a record's fields, of records in it with their own before them. */
  private static List<String> fields(String prefix, Record record) {
    List<String> fields = new ArrayList<>();
    for (RecordComponent field : record.getClass().getRecordComponents()) {
      String name = prefix + field.getName();
      if (component(record, field.getName()) instanceof Record inner) {
        fields.addAll(fields(name + ".", inner));
      } else {
        fields.add(name);
      }
    }
    return fields;
  }

  private static boolean isOf(Decision decision, FairnessAudit audit) {
    return decision.segment().equals(audit.segment()) && decision.seq() == audit.seq();
  }

  /** Returns another value of a field, numbers by their last bit; null where the type has none. */
  private @Nullable Object other(String field) {
    Record record = audit;
    String last = field;
    for (int dot = last.indexOf('.'); dot > 0; dot = last.indexOf('.')) {
      record = (Record) component(record, last.substring(0, dot));
      last = last.substring(dot + 1);
    }
    Object value = component(record, last);
    Class<?> type = null;
    for (RecordComponent component : record.getClass().getRecordComponents()) {
      type = component.getName().equals(last) ? component.getType() : type;
    }
    assertNotNull(type);
    if (type == Double.class || type == double.class) {
      return value == null ? (Double) 0.5 : (Double) Math.nextUp((Double) value);
    } else if (type == boolean.class) {
      return Boolean.FALSE.equals(value);
    } else if (type == String.class) {
      return Tamper.otherText(last, value);
    } else if (type == int.class || type == Integer.class) {
      return value == null ? 1 : (Integer) value + 1;
    } else if (type == long.class || type == Long.class) {
      return value == null ? 1L : (Long) value + 1;
    } else if (type.isEnum()) {
      Object[] all = type.getEnumConstants();
      return all[0].equals(value) ? all[1] : all[0];
    }
    return null;
  }

  @Test
  void aChangedPhaseIsNamedByTheFieldInIt() {
    LogRecord closed = experiment(it -> it.phase() != null);
    ExperimentRecord told = experiment(closed);
    double epsilon = Objects.requireNonNull(told.phase()).epsilon();
    ExperimentRecord wrong = Tamper.with(told, "phase.epsilon", Math.nextUp(epsilon));
    log.replace(closed, Wire.EXPERIMENT.encode(wrong));
    assertFound("segment s5, seq " + told.seq() + ", PHASE", "experiment record, phase.epsilon");
    log.replace(experiment(wrong::equals), Wire.EXPERIMENT.encode(told));
    log.remove(experiment(told::equals));
    assertFound("segment s5, seq " + told.seq() + ", PHASE", "experiment record is not on its");
  }

  @Test
  void anExperimentRecordThatIsDoubledOrOfNoChangeIsNamed() {
    LogRecord end = experiment(it -> it.terminal() != null);
    ExperimentRecord told = experiment(end);
    log.doubled(end);
    assertFound("segment s5, seq " + told.seq() + ", TERMINAL", "or has it twice");
    log.remove(experiment(told::equals));
    log.append(
        LogTopic.EXPERIMENTS,
        end.slice().partition(),
        end.timestamp(),
        end.key(),
        Wire.EXPERIMENT.encode(Tamper.with(told, "seq", 1_000_000L)));
    assertFound("segment s5, seq 1000000, TERMINAL", "belongs to no change on the log");
  }

  @Test
  void theEndOfAnExperimentThatIsAnotherIsNamed() {
    LogRecord end = experiment(it -> it.terminal() != null);
    ExperimentRecord forged = Tamper.with(experiment(end), "terminal.arm", "A=else");
    log.replace(end, Wire.EXPERIMENT.encode(forged));
    assertFound("segment s5, seq " + forged.seq() + ", TERMINAL", "arm: the log has A=else");
  }

  @Test
  void theEndOfAnExperimentWithAnotherGuaranteeIsNamed() {
    LogRecord end = experiment(it -> it.terminal() != null);
    ExperimentRecord forged =
        Tamper.with(experiment(end), "terminal.guarantee", AuditGuarantee.ANYTIME);
    log.replace(end, Wire.EXPERIMENT.encode(forged));
    assertFound("segment s5, seq " + forged.seq() + ", TERMINAL", "guarantee: the log has ANYTIME");
  }

  @Test
  void aRecordOfASegmentEventIsOneTooMany() {
    append(Tamper.with(audit, "seq", applied(10).seq()));
    assertFound(key(applied(10).seq()) + ", attribute S", "has no such fairness record");
  }

  @Test
  void recordsOfNoChangeAreNamed() {
    append(Tamper.with(audit, "seq", 1_000_000L));
    assertFound(key(1_000_000), "belongs to no change on the log");
    log.remove(first(it -> it.seq() == 1_000_000));
    append(Tamper.with(audit, "segment", "nowhere"));
    assertFound("segment nowhere, seq " + audit.seq(), "belongs to no change on the log");
    log.remove(first(it -> it.segment().equals("nowhere")));
  }

  private void append(FairnessAudit added) {
    log.append(
        LogTopic.AUDIT,
        at.slice().partition(),
        at.timestamp(),
        MemoryLog.bytes(added.segment()),
        Wire.AUDIT.encode(added));
  }

  @Test
  void aRecordUnderAnotherKeyAndBytesThatAreNoneAreNamed() {
    log.append(
        LogTopic.AUDIT,
        at.slice().partition(),
        at.timestamp(),
        MemoryLog.bytes("s2"),
        Payloads.value(at));
    assertFound(name, "is not its segment");
    List<LogRecord> in = log.records(LogTopic.AUDIT, at.slice().partition());
    LogRecord wrong = in.get(in.size() - 1);
    log.replace(wrong, MemoryLog.bytes("no Avro"));
    assertFound(wrong.place(), "cannot be read");
  }

  /** What comes after the replay has parted from the log says nothing. */
  @Test
  void aReplayThatPartsHoldsNoLaterRecordAgainstTheTopic() {
    Decision decision = decided(20);
    String other = decision.arm().equals("A=left") ? "A=right" : "A=left";
    log.replace(at(decision), Wire.DECISION.encode(Tamper.with(decision, "arm", other)));
    Finding finding = of(check(), Invariant.I3);
    assertEquals(key(decision.seq()), finding.offender());
    assertEquals(1, finding.violations());
  }

  @Test
  void aSavepointIsLaterThanRecordsAndWhatFollowsItIsChecked() {
    StartState startState = new PlayedDeployment(7, STEPS / 2).saved();
    long start = startState.segments(SEGMENT::equals).get(SEGMENT).seq();
    LogRecord before = first(it -> isOfSegment(it) && it.seq() <= start);
    LogRecord after = first(it -> isOfSegment(it) && it.seq() > start);
    assertEquals(Verdict.OK, from(startState).verdict(), from(startState).toString());
    log.remove(before);
    assertEquals(Verdict.OK, from(startState).verdict(), from(startState).toString());
    log.remove(after);
    assertEquals(name(audit(after)), from(startState).offender());
  }

  private Finding from(StartState startState) {
    Auditor auditor =
        new Auditor(log, played.texts(), AuditorTest.PLAIN, startState, KeyRing.none());
    return of(auditor.check(), Invariant.I3);
  }

  @Test
  void anHonestTopicIsCounted() {
    Finding finding = of(check(), Invariant.I3);
    Finding alone = of(check(), Invariant.I5);
    assertFalse(all().isEmpty());
    assertEquals(Verdict.OK, finding.verdict());
    assertTrue(finding.checked() > all().size() && alone.checked() > 0, finding.toString());
  }
}
