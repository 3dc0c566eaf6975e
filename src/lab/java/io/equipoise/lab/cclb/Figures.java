package io.equipoise.lab.cclb;

import io.equipoise.lab.cclb.CclbSetting.Estimator;
import io.equipoise.policy.logistic.LogisticPolicyName;
import java.util.ArrayList;
import java.util.List;

/**
 * Lists the settings of Figures 2, 4 and 5 of Chen, Tian and Quinn 2025, of our production policies
 * beside them, and of the coverage instances.
 *
 * @param horizon T of the paper's schedule; the runs are its first rounds
 * @param exactRounds rounds of the exact model, 0 for none
 */
record Figures(int horizon, int rounds, int exactRounds) {
  static final String FIGURE_2 = "2";
  static final String FIGURE_4 = "4";
  static final String FIGURE_5 = "5";
  static final String COVERAGE = "coverage";
  static final List<String> ALL = List.of(FIGURE_2, FIGURE_4, FIGURE_5, COVERAGE);

  /** Length of the long runs of the two-context instances, relative to the others. */
  static final int LONGER = 5;

  /** The paper's policies; the last two have effects. */
  private static final List<LogisticPolicyName> PAPER =
      List.of(
          LogisticPolicyName.GLM_UCB,
          LogisticPolicyName.OFULOG,
          LogisticPolicyName.CCLB,
          LogisticPolicyName.EPS_CCLB);

  private static final double TAU = 0.2;
  private static final List<Double> EPS = List.of(0.0, .02, .05, .08, .11, .14, .17);
  private static final List<Double> EXACT_EPS = List.of(.02, .05, .1, .17);
  private static final List<Double> TAUS = List.of(.1, .15, .2, .25, .3, .4);
  private static final List<Double> EXACT_TAUS = List.of(.1, .15, .3, .4);
  private static final double DUAL_UPPER_EPS_OVER_TAUS = 0.05;

  List<CclbSetting> of(String figure) {
    List<CclbSetting> settings =
        switch (figure) {
          case FIGURE_2 -> figure2();
          case FIGURE_4 -> figure4();
          case FIGURE_5 -> figure5();
          default -> coverage();
        };
    return settings.stream().filter(setting -> setting.rounds() > 0).toList();
  }

  private CclbSetting setting(
      String figure, LogisticPolicyName policy, Estimator estimator, double tau) {
    int most = estimator == Estimator.EXACT ? Math.min(rounds, exactRounds) : rounds;
    return CclbSetting.of(figure, policy, estimator, tau, horizon).cutTo(most);
  }

  private CclbSetting streaming(String figure, LogisticPolicyName policy) {
    return setting(figure, policy, Estimator.STREAMING, TAU);
  }

  private List<CclbSetting> figure2() {
    List<CclbSetting> settings = new ArrayList<>();
    for (Estimator estimator : Estimator.values()) {
      for (LogisticPolicyName policy : PAPER) {
        settings.add(setting(FIGURE_2, policy, estimator, TAU));
      }
      for (LogisticPolicyName policy : PAPER.subList(2, 4)) {
        settings.add(setting(FIGURE_2, policy, estimator, TAU).withEffectAtTilde());
      }
    }
    CclbSetting dualUpper = streaming(FIGURE_2, LogisticPolicyName.DUAL_UPPER);
    CclbSetting forced = streaming(FIGURE_2, LogisticPolicyName.FORCED_EXPLORATION);
    settings.addAll(List.of(dualUpper, dualUpper.withEps(.11)));
    settings.add(streaming(FIGURE_2, LogisticPolicyName.SCREEN));
    settings.addAll(List.of(forced, forced.withEps(.05), forced.withEps(.08)));
    return settings;
  }

  private List<CclbSetting> figure4() {
    List<CclbSetting> settings = new ArrayList<>();
    CclbSetting exact = setting(FIGURE_4, LogisticPolicyName.EPS_CCLB, Estimator.EXACT, TAU);
    EXACT_EPS.forEach(eps -> settings.add(exact.withEps(eps)));
    for (LogisticPolicyName policy :
        List.of(LogisticPolicyName.EPS_CCLB, LogisticPolicyName.DUAL_UPPER)) {
      EPS.forEach(eps -> settings.add(streaming(FIGURE_4, policy).withEps(eps)));
    }
    return settings;
  }

  private List<CclbSetting> figure5() {
    List<CclbSetting> settings = new ArrayList<>();
    for (double tau : EXACT_TAUS) {
      settings.add(setting(FIGURE_5, LogisticPolicyName.CCLB, Estimator.EXACT, tau));
    }
    for (double tau : TAUS) {
      settings.add(setting(FIGURE_5, LogisticPolicyName.CCLB, Estimator.STREAMING, tau));
    }
    for (double tau : TAUS) {
      settings.add(
          setting(FIGURE_5, LogisticPolicyName.DUAL_UPPER, Estimator.STREAMING, tau)
              .withEps(DUAL_UPPER_EPS_OVER_TAUS));
    }
    return settings;
  }

  private List<CclbSetting> coverage() {
    List<CclbSetting> constrained = new ArrayList<>();
    for (LogisticPolicyName policy : LogisticPolicyName.values()) {
      if (policy.isConstrained()) {
        constrained.add(streaming(COVERAGE, policy));
      }
    }
    List<CclbSetting> unforced = List.copyOf(constrained);
    constrained.add(streaming(COVERAGE, LogisticPolicyName.FORCED_EXPLORATION).withEps(.05));
    List<CclbSetting> settings = new ArrayList<>();
    for (String environment : List.of("-P", "-Q")) {
      String nonCovered = Scm.NON_COVERED + environment;
      constrained.forEach(setting -> settings.add(setting.auditedOn(nonCovered)));
      unforced.forEach(setting -> settings.add(setting.auditedOn(nonCovered).longer(LONGER)));
      unforced.forEach(setting -> settings.add(setting.auditedOn(Scm.NO_PROBE + environment)));
    }
    for (String traffic : List.of(Scm.HOMOGENEOUS, Scm.RARE_GROUP)) {
      settings.add(streaming(COVERAGE, LogisticPolicyName.OFULOG).auditedOn(traffic));
      constrained.forEach(setting -> settings.add(setting.auditedOn(traffic)));
    }
    return settings;
  }
}
