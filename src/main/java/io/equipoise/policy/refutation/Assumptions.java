package io.equipoise.policy.refutation;

import io.equipoise.event.AssumptionKind;
import io.equipoise.event.Sha256;
import io.equipoise.policy.Experience;
import io.equipoise.policy.ModelState;
import io.equipoise.policy.StateBlock;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tests what a spec assumes. Immutable; what the tests have counted is in {@link ModelState}.
 *
 * <p>Evidence belongs to an assumption, not to a spec: it goes on under every later spec that
 * assumes the same (same variables and levels, table, cells, scale), and starts at nothing where
 * the assumption is another. A refuted assumption stays refuted as long as specs repeat it, and is
 * tested no more.
 */
public final class Assumptions {
  /** The key of the evidence among the blocks of a segment. */
  public static final long EVIDENCE = -3;

  /** The key of the refuted assumptions, which are all that a decision reads. */
  public static final long REFUTED = -4;

  /** The most numbers of all tests together, 64 kB: a reward reads and writes them. */
  static final int MOST_NUMBERS = 1 << 13;

  private final List<AssumptionTest> tests;
  private final long[] ids;
  private final List<Untested> untested;
  private final double logOneOverShare;

  /**
   * Names an assumption that cannot be tested.
   *
   * @param name what is assumed, for people
   */
  public record Untested(String name, String why) {}

  Assumptions(List<AssumptionTest> wanted, List<Untested> untested, double delta) {
    List<AssumptionTest> fitting = new ArrayList<>();
    List<Untested> others = new ArrayList<>(untested);
    double numbers = 0;
    for (AssumptionTest test : wanted) {
      if (numbers + test.numbers() <= MOST_NUMBERS) {
        numbers += test.numbers();
        fitting.add(test);
      } else {
        String why = "%.0f numbers to count, more than the %d of all tests";
        others.add(new Untested(test.name, why.formatted(test.numbers(), MOST_NUMBERS)));
      }
    }
    this.tests = List.copyOf(fitting);
    this.untested = List.copyOf(others);
    this.ids = tests.stream().mapToLong(Assumptions::idOf).toArray();
    long sharing = tests.stream().filter(AssumptionTest::sharesDelta).count();
    this.logOneOverShare = StrictMath.log(Math.max(1, sharing) / delta);
  }

  private static long idOf(AssumptionTest test) {
    StringBuilder text = new StringBuilder(test.kind + " " + test.name);
    for (Observed variable : test.testStrata.variables()) {
      text.append(' ').append(variable.name()).append(variable.names());
    }
    test.describe(text);
    return Sha256.longOf(text.toString());
  }

  /** Returns what is tested, in the order of the tests. */
  public List<String> tested() {
    return tests.stream().map(it -> it.name).toList();
  }

  /** Returns what cannot be tested. */
  public List<Untested> untested() {
    return untested;
  }

  /** Returns how many bytes the evidence takes at most. */
  public double bytes() {
    double numbers = tests.stream().mapToDouble(AssumptionTest::numbers).sum();
    return tests.isEmpty()
        ? 0
        : 2 * Long.BYTES
            + EvidenceBlock.bytes(tests.size(), numbers)
            + EvidenceBlock.bytes(tests.size(), 0);
  }

  /**
   * Counts a reward that the model has learned; says whether it refutes an assumption.
   *
   * @param seq of the segment's last record
   */
  public boolean observe(ModelState modelState, Experience experience, long seq) {
    if (tests.isEmpty()) {
      return false;
    }
    EvidenceBlock block = evidence(modelState);
    boolean isCrossed = false;
    for (int i = 0; i < ids.length; i++) {
      EProcess eProcess = block.tests.get(i);
      if (eProcess.state == EProcess.State.OPEN) {
        tests.get(i).observe(eProcess, modelState, experience, logOneOverShare);
        isCrossed |= eProcess.state == EProcess.State.CROSSED;
      }
    }
    block.seq = seq;
    modelState.put(EVIDENCE, block);
    return isCrossed;
  }

  /**
   * Takes down the next assumption that was refuted and not yet taken down; returns null if there
   * is none.
   */
  public @Nullable RefutedAssumption next(ModelState modelState) {
    EvidenceBlock block = (EvidenceBlock) modelState.get(EVIDENCE);
    for (int i = 0; block != null && i < ids.length; i++) {
      EProcess eProcess = block.find(ids[i]);
      if (eProcess != null && eProcess.state == EProcess.State.CROSSED) {
        RefutedAssumption refuted = tests.get(i).refutation(eProcess, logOneOverShare);
        eProcess.state = EProcess.State.REFUTED;
        modelState.put(EVIDENCE, block);
        modelState.put(REFUTED, with(modelState.get(REFUTED), eProcess.id));
        return refuted;
      }
    }
    return null;
  }

  private static EvidenceBlock with(@Nullable StateBlock before, long id) {
    List<EProcess> all =
        new ArrayList<>(before == null ? List.of() : ((EvidenceBlock) before).tests);
    EProcess refuted = new EProcess(id, 0);
    refuted.state = EProcess.State.REFUTED;
    all.add(refuted);
    return new EvidenceBlock(all, 0);
  }

  /** Returns whether something that this spec assumes is refuted. */
  public boolean isAnyRefuted(ModelState modelState) {
    if (modelState.get(REFUTED) instanceof EvidenceBlock refuted) {
      for (EProcess one : refuted.tests) {
        if (indexOf(one.id) >= 0) {
          return true;
        }
      }
    }
    return false;
  }

  /** Returns what this spec assumes and is refuted, in the order of the tests. */
  public List<String> refuted(ModelState modelState) {
    List<String> names = new ArrayList<>();
    if (modelState.get(REFUTED) instanceof EvidenceBlock refuted) {
      for (int i = 0; i < ids.length; i++) {
        if (refuted.find(ids[i]) != null) {
          names.add(tests.get(i).name);
        }
      }
    }
    return names;
  }

  /**
   * Returns what must be kept of refuted assumptions when the model starts with nothing, or null if
   * there is nothing to keep: a drift ends with the rewards that showed it, all else does not.
   */
  public @Nullable StateBlock lasting(ModelState modelState) {
    if (!(modelState.get(REFUTED) instanceof EvidenceBlock refuted)) {
      return null;
    }
    List<EProcess> lasting = new ArrayList<>();
    for (EProcess one : refuted.tests) {
      int index = indexOf(one.id);
      if (index >= 0 && !endsWithTheModel(tests.get(index).kind)) {
        lasting.add(one);
      }
    }
    return lasting.isEmpty() ? null : new EvidenceBlock(lasting, 0);
  }

  private static boolean endsWithTheModel(AssumptionKind kind) {
    return kind == AssumptionKind.STABILITY || kind == AssumptionKind.MODEL;
  }

  private int indexOf(long id) {
    for (int i = 0; i < ids.length; i++) {
      if (ids[i] == id) {
        return i;
      }
    }
    return -1;
  }

  /** Returns the evidence of these tests in their order; of another spec's what is of the same. */
  private EvidenceBlock evidence(ModelState modelState) {
    EvidenceBlock stored = (EvidenceBlock) modelState.get(EVIDENCE);
    if (stored != null && isOfThese(stored)) {
      return stored;
    }
    EvidenceBlock refuted = (EvidenceBlock) modelState.get(REFUTED);
    List<EProcess> all = new ArrayList<>();
    long seq = stored == null ? 0 : stored.seq;
    for (int i = 0; i < ids.length; i++) {
      EProcess known = stored == null ? null : stored.find(ids[i]);
      EProcess eProcess =
          known == null ? new EProcess(ids[i], (int) tests.get(i).numbers()) : known;
      if (known == null) {
        eProcess.since = seq;
      }
      if (refuted != null && refuted.find(ids[i]) != null) {
        eProcess.state = EProcess.State.REFUTED;
      }
      all.add(eProcess);
    }
    return new EvidenceBlock(all, seq);
  }

  private boolean isOfThese(EvidenceBlock block) {
    if (block.tests.size() != ids.length) {
      return false;
    }
    for (int i = 0; i < ids.length; i++) {
      if (block.tests.get(i).id != ids[i]) {
        return false;
      }
    }
    return true;
  }
}
