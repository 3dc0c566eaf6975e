package io.equipoise.policy.bestarm;

import io.equipoise.event.AuditGuarantee;
import io.equipoise.policy.CheckFindings;
import io.equipoise.segmentspec.Arm;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecVariable;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Reports the findings about a best-arm experiment before its first sample. */
final class ExperimentFindings {
  private static final List<String> TYPES = List.of("", "group s: ", "group s': ");

  private final SegmentSpec spec;
  private final ExperimentSpec experiment;
  private final Design design;
  private final CheckFindings findings;

  ExperimentFindings(CsrPolicy policy, CheckFindings findings) {
    this.spec = policy.spec();
    this.experiment = ExperimentSpec.of(spec);
    this.design = policy.design();
    this.findings = findings;
  }

  /** Reports the search from its subject to what it can certify. */
  void report() {
    subject();
    budget();
    phases();
    allocation();
    certificate();
  }

  private void subject() {
    List<SpecVariable> features = spec.variables().features();
    SpecVariable sensitive = features.get(spec.variables().sensitive().get(0));
    line(
        "best-arm experiment on %d arms, control %s: mode %s, effects %s",
        spec.arms().size(), control(), experiment.mode().wire(), experiment.estimate().wire());
    line(
        "groups s = %s and s' = %s of %s; %d cells",
        sensitive.levels().get(0),
        sensitive.levels().get(1),
        sensitive.name(),
        design.model().cells());
    findings.put("arms", spec.arms().size());
    findings.put("control", control());
    findings.put("mode", experiment.mode().wire());
    findings.put("cells", design.model().cells());
  }

  private String control() {
    return spec.arms().get(experiment.control()).id();
  }

  private void budget() {
    double whole = design.costs().budget() * experiment.samples();
    line(
        "budget: T = %d samples that cost at most %.4g each, %.6g together",
        experiment.samples(), design.costs().budget(), whole);
    findings.put("samples", experiment.samples());
    findings.put("budget", design.costs().budget());
    findings.put("costs", experiment.costs());
    if (experiment.minClosedFraction() < 1) {
      line("phases: each ends when %.4g of its windows have", experiment.minClosedFraction());
    }
    findings.put("minClosedFraction", experiment.minClosedFraction());
  }

  private void phases() {
    List<Map<String, Object>> phases = new ArrayList<>();
    Map<SearchStage, StringBuilder> texts = new LinkedHashMap<>();
    for (Phase phase : design.plan()) {
      texts
          .computeIfAbsent(phase.stage(), searchStage -> new StringBuilder())
          .append(' ')
          .append(phase.pulls());
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("stage", word(phase.stage()));
      one.put("number", phase.l());
      one.put("samples", phase.pulls());
      one.put("effectBand", phase.effectBand());
      one.put("rewardBand", phase.rewardBand());
      phases.add(one);
    }
    texts.forEach(
        (searchStage, pulls) -> line("samples by phase (%s):%s", word(searchStage), pulls));
    findings.put("phases", phases);
  }

  private static String word(SearchStage searchStage) {
    return searchStage.name().toLowerCase(Locale.ROOT);
  }

  /** Reports the allocation of each stage's first phase; later phases know more. */
  private void allocation() {
    BitSet all = new BitSet();
    all.set(0, spec.arms().size());
    Map<String, Object> allocations = new LinkedHashMap<>();
    for (Phase phase : design.plan()) {
      if (phase.l() == 1) {
        Allocation allocation = BatchSearch.allocation(design, phase, all);
        Map<String, Object> shares = shares(allocation);
        line(
            "first allocation (%s), v* = %.6g: %s",
            word(phase.stage()), allocation.level(), text(shares));
        allocations.put(word(phase.stage()), shares);
        findings.put("level." + word(phase.stage()), allocation.level());
      }
    }
    findings.put("allocation", allocations);
  }

  private Map<String, Object> shares(Allocation allocation) {
    Map<String, Object> shares = new LinkedHashMap<>();
    double[][] nu = allocation.shares();
    boolean isNatural = design.settings().mode() == Mode.NATURAL;
    for (int type = 0; type < nu.length; type++) {
      for (int arm = 0; arm < nu[type].length; arm++) {
        if (nu[type][arm] > 0) {
          Arm named = spec.arms().get(arm);
          String kind = isNatural || type > 0 ? TYPES.get(type) : "reward: ";
          shares.put(kind + named.id(), nu[type][arm]);
        }
      }
    }
    return shares;
  }

  private static String text(Map<String, Object> shares) {
    List<String> parts = new ArrayList<>();
    shares.forEach(
        (name, share) ->
            parts.add(String.format(Locale.ROOT, "%s %.1f %%", name, 100 * (double) share)));
    return String.join(", ", parts);
  }

  /** Reports when an arm can be found, and what its interval will certify. */
  private void certificate() {
    double tau = spec.fairness().tau();
    double delta = spec.fairness().delta();
    findings.put("delta", delta);
    if (design.settings().algorithm().isTwoStage()) {
      findings.put("guarantee", AuditGuarantee.NONE);
      line("certificates: none; a two-stage experiment certifies no arm");
      return;
    }
    Phase first =
        design.plan().stream()
            .filter(phase -> phase.effectBand() < tau)
            .findFirst()
            .orElseThrow(() -> new IllegalStateException("no phase can find an arm"));
    int samples = design.plan().stream().limit(first.place() + 1L).mapToInt(Phase::pulls).sum();
    line(
        "an arm can be found from phase %d on, after %d samples; its band 3/2^l is not a"
            + " confidence width, guarantee NONE",
        first.l(), samples);
    findings.put("firstFindingPhase", first.l());
    Map<String, Object> reach = new LinkedHashMap<>();
    for (Arm arm : spec.arms().list()) {
      reach.put(arm.id(), design.expectedReach(reach.size()));
    }
    double least = reach.values().stream().mapToDouble(each -> (double) each).min().orElseThrow();
    double greatest =
        reach.values().stream().mapToDouble(each -> (double) each).max().orElseThrow();
    line(
        "certificates: by the interval of an arm's effect, guarantee ANYTIME at delta %s if the"
            + " distributions hold for the people sampled; for an arm without effect this T can be"
            + " expected to certify a tau above %.4g to %.4g, by arm",
        delta, least, greatest);
    findings.put("guarantee", AuditGuarantee.ANYTIME);
    findings.put("expectedReach", reach);
    findings.put("smallestTau", least);
    if (tau <= least) {
      findings.warn(
          String.format(
              Locale.ROOT,
              "T = %d is unlikely to certify any arm for tau %s at delta %s: expect the guarantee"
                  + " NONE; use a larger policy.samples or budget, a larger tau, or another"
                  + " policy.estimate",
              experiment.samples(),
              tau,
              delta));
    }
  }

  private void line(String format, Object... values) {
    findings.line("  " + format, values);
  }
}
