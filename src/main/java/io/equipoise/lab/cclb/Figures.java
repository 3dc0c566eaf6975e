package io.equipoise.lab.cclb;

import io.equipoise.lab.cclb.CclbSetting.Estimator;
import io.equipoise.policy.logistic.LogisticPolicyName;
import java.util.ArrayList;
import java.util.List;

/**
 * The settings of Figures 2, 4 and 5 of Chen, Tian and Quinn 2025, of our production policies
 * beside them, and of the coverage instances.
 */
final class Figures {
  static final String FIGURE_2 = "2";
  static final String FIGURE_4 = "4";
  static final String FIGURE_5 = "5";
  static final String COVERAGE = "coverage";
  static final List<String> ALL = List.of(FIGURE_2, FIGURE_4, FIGURE_5, COVERAGE);

  /** So much longer are the long runs of the two-context instances. */
  static final int LONGER = 5;

  private static final double TAU = 0.2;
  private static final List<Double> EPS = List.of(0.0, .02, .05, .08, .11, .14, .17);
  private static final List<Double> EXACT_EPS = List.of(.02, .05, .1, .17);
  private static final List<Double> TAUS = List.of(.1, .15, .2, .25, .3, .4);
  private static final List<Double> EXACT_TAUS = List.of(.1, .15, .3, .4);
  private static final double DUAL_UPPER_EPS_OVER_TAUS = 0.05;

  private final int horizon;
  private final int rounds;
  private final int exactRounds;

  /**
   * Describes runs.
   *
   * @param horizon T of the paper's schedule; the runs are its first rounds
   * @param exactRounds rounds of the exact model, 0 for none
   */
  Figures(int horizon, int rounds, int exactRounds) {
    this.horizon = horizon;
    this.rounds = rounds;
    this.exactRounds = exactRounds;
  }

  List<CclbSetting> of(String figure) {
    List<CclbSetting> settings =
        switch (figure) {
          case FIGURE_2 -> figure2();
          case FIGURE_4 -> figure4();
          case FIGURE_5 -> figure5();
          default -> coverage();
        };
    return settings.stream().filter(cclbSetting -> cclbSetting.rounds() > 0).toList();
  }

  private CclbSetting setting(
      String figure, LogisticPolicyName policy, Estimator estimator, double tau) {
    int most = estimator == Estimator.EXACT ? Math.min(rounds, exactRounds) : rounds;
    return CclbSetting.of(figure, policy, estimator, tau, horizon).cutTo(most);
  }

  private List<CclbSetting> figure2() {
    List<CclbSetting> settings = new ArrayList<>();
    for (Estimator estimator : Estimator.values()) {
      settings.add(setting(FIGURE_2, LogisticPolicyName.GLM_UCB, estimator, TAU));
      settings.add(setting(FIGURE_2, LogisticPolicyName.OFULOG, estimator, TAU));
      settings.add(setting(FIGURE_2, LogisticPolicyName.CCLB, estimator, TAU));
      settings.add(setting(FIGURE_2, LogisticPolicyName.EPS_CCLB, estimator, TAU));
      CclbSetting cclb = setting(FIGURE_2, LogisticPolicyName.CCLB, estimator, TAU);
      settings.add(cclb.withEffectAtTilde());
      CclbSetting epsCclb = setting(FIGURE_2, LogisticPolicyName.EPS_CCLB, estimator, TAU);
      settings.add(epsCclb.withEffectAtTilde());
    }
    CclbSetting dualUpper =
        setting(FIGURE_2, LogisticPolicyName.DUAL_UPPER, Estimator.STREAMING, TAU);
    CclbSetting forcedExploration =
        setting(FIGURE_2, LogisticPolicyName.FORCED_EXPLORATION, Estimator.STREAMING, TAU);
    settings.add(dualUpper);
    settings.add(dualUpper.withEps(.11));
    settings.add(setting(FIGURE_2, LogisticPolicyName.SCREEN, Estimator.STREAMING, TAU));
    settings.add(forcedExploration);
    settings.add(forcedExploration.withEps(.05));
    settings.add(forcedExploration.withEps(.08));
    return settings;
  }

  private List<CclbSetting> figure4() {
    List<CclbSetting> settings = new ArrayList<>();
    CclbSetting exact = setting(FIGURE_4, LogisticPolicyName.EPS_CCLB, Estimator.EXACT, TAU);
    EXACT_EPS.forEach(eps -> settings.add(exact.withEps(eps)));
    for (LogisticPolicyName policy :
        List.of(LogisticPolicyName.EPS_CCLB, LogisticPolicyName.DUAL_UPPER)) {
      CclbSetting streaming = setting(FIGURE_4, policy, Estimator.STREAMING, TAU);
      EPS.forEach(eps -> settings.add(streaming.withEps(eps)));
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
      CclbSetting dualUpper =
          setting(FIGURE_5, LogisticPolicyName.DUAL_UPPER, Estimator.STREAMING, tau);
      settings.add(dualUpper.withEps(DUAL_UPPER_EPS_OVER_TAUS));
    }
    return settings;
  }

  private List<CclbSetting> coverage() {
    List<CclbSetting> settings = new ArrayList<>();
    for (String environment : List.of("-P", "-Q")) {
      for (CclbSetting cclbSetting : constrained()) {
        settings.add(cclbSetting.auditedOn(Scm.NON_COVERED + environment));
      }
      for (CclbSetting cclbSetting : constrained()) {
        if (cclbSetting.policy() != LogisticPolicyName.FORCED_EXPLORATION
            || cclbSetting.eps() == 0) {
          settings.add(cclbSetting.auditedOn(Scm.NON_COVERED + environment).longer(LONGER));
        }
      }
      for (CclbSetting cclbSetting : constrained()) {
        if (cclbSetting.policy() != LogisticPolicyName.FORCED_EXPLORATION
            || cclbSetting.eps() == 0) {
          settings.add(cclbSetting.auditedOn(Scm.NO_PROBE + environment));
        }
      }
    }
    for (String traffic : List.of(Scm.HOMOGENEOUS, Scm.RARE_GROUP)) {
      CclbSetting ofulog = setting(COVERAGE, LogisticPolicyName.OFULOG, Estimator.STREAMING, TAU);
      settings.add(ofulog.auditedOn(traffic));
      constrained().forEach(cclbSetting -> settings.add(cclbSetting.auditedOn(traffic)));
    }
    return settings;
  }

  private List<CclbSetting> constrained() {
    List<CclbSetting> settings = new ArrayList<>();
    for (LogisticPolicyName policy :
        List.of(
            LogisticPolicyName.CCLB,
            LogisticPolicyName.EPS_CCLB,
            LogisticPolicyName.DUAL_UPPER,
            LogisticPolicyName.SCREEN,
            LogisticPolicyName.FORCED_EXPLORATION)) {
      settings.add(setting(COVERAGE, policy, Estimator.STREAMING, TAU));
    }
    CclbSetting forcedExploration =
        setting(COVERAGE, LogisticPolicyName.FORCED_EXPLORATION, Estimator.STREAMING, TAU);
    settings.add(forcedExploration.withEps(.05));
    return settings;
  }
}
