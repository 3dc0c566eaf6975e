package io.equipoise.lab.csr;

import io.equipoise.cli.InputFile;
import io.equipoise.lab.report.NamedValues;
import io.equipoise.lab.report.Replication;
import io.equipoise.lab.report.Row;
import io.equipoise.policy.bestarm.FairnessEstimate;
import io.equipoise.policy.bestarm.Mode;
import io.equipoise.simulation.Parallel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import me.tongfei.progressbar.ProgressBar;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Replicates Gao and Feng 2021, Figures 3, 5 and 6. */
@Command(
    name = "csr",
    description = {
      "CSR-V1, CSR-V2 and both two-stage searches for the best fair arm (Gao and Feng 2021).",
      "The default is the paper's 100 trials, under a minute a figure; it ran 300 on tight:",
      "--trials 300. HEPAR-II is not shipped: hepar2.bif is in the bnlearn repository, CC BY-SA."
    },
    mixinStandardHelpOptions = true)
public final class CsrCommand extends Replication {
  /** The modes with reference results. */
  static final List<Mode> MODES = List.of(Mode.SEPARATE, Mode.NATURAL);

  @Option(
      names = "--figure",
      defaultValue = "3",
      converter = ToFigure.class,
      description =
          "3: no, loose and tight constraint. 5: HEPAR-II, needs --bif. 6: high and low"
              + " divergences. nofair: no arm is fair (Theorem 2). Default: ${DEFAULT-VALUE}.")
  private CsrFigure figure = CsrFigure.FIGURE_3;

  @Option(
      names = "--bif",
      paramLabel = "FILE",
      converter = InputFile.class,
      description = "Your copy of the network HEPAR-II, hepar2.bif.")
  private @Nullable Path bif;

  @Option(
      names = "--trials",
      defaultValue = "100",
      description = "Independent trials of each setting. Default: ${DEFAULT-VALUE}.")
  private int trials;

  @Option(
      names = "--T",
      defaultValue = "2000,4000,6000,8000,10000",
      split = ",",
      description = "Samples of a search; may be repeated. Default: ${DEFAULT-VALUE}.")
  private List<Integer> samples = List.of();

  @Option(
      names = "--fairness",
      defaultValue = "counterfactual",
      converter = ToFairness.class,
      description =
          "How effects are estimated: counterfactual, as in the paper, or direct, by the"
              + " difference of groups. Default: ${DEFAULT-VALUE}.")
  private FairnessEstimate fairness = FairnessEstimate.COUNTERFACTUAL;

  /** A figure of the paper with its instances. */
  enum CsrFigure {
    /** No, loose and tight constraints on the synthetic model. */
    FIGURE_3("3", "none", "loose", "tight"),
    /** The HEPAR-II network. */
    FIGURE_5("5", "hepar2"),
    /** High and low divergences of reward and fairness. */
    FIGURE_6("6", "hh", "lh", "hl"),
    /** Theorem 2: no arm is fair, which is the right answer. */
    NO_FAIR("nofair", "nofair");

    private final String option;

    @SuppressWarnings("ImmutableEnumChecker") // List.of
    private final List<String> instances;

    CsrFigure(String option, String... instances) {
      this.option = option;
      this.instances = List.of(instances);
    }

    List<String> instances() {
      return instances;
    }

    @Override
    public String toString() {
      return option;
    }
  }

  private static final class ToFigure extends NamedValues<CsrFigure> {
    ToFigure() {
      super(CsrFigure.values(), CsrFigure::toString);
    }
  }

  private static final class ToFairness extends NamedValues<FairnessEstimate> {
    ToFairness() {
      super(FairnessEstimate.values(), FairnessEstimate::wire);
    }
  }

  @Override
  public Integer call() throws IOException {
    check();
    List<Integer> sorted = samples.stream().distinct().sorted().toList();
    ErrorRates rates = run(settings(sorted));
    Row settings =
        new Row()
            .with("figure", figure.toString())
            .with("trials", trials)
            .with("T", sorted)
            .with("fairness", fairness.wire());
    if (bif != null && figure == CsrFigure.FIGURE_5) {
      settings
          .with("bif", String.valueOf(bif.getFileName()))
          .with("pairing", "the first plot has csr-* in mode natural and ts-* in mode separate");
    }
    return publish(
        settings,
        rates.rows(),
        new CsrChecks(rates, figure, fairness, trials).checks(),
        () -> rates.figures(figure, sorted, fairness));
  }

  @Override
  protected void check() {
    range("--trials", trials, 1, 10_000);
    samples.forEach(each -> range("--T", each, 1, 1_000_000));
    refuse(
        figure == CsrFigure.FIGURE_5 && bif == null,
        "--figure 5 needs --bif, the path of hepar2.bif of the bnlearn repository");
    super.check();
  }

  private List<Trials> settings(List<Integer> sorted) throws IOException {
    List<Trials> settings = new ArrayList<>();
    for (String name : figure.instances()) {
      CsrInstance instance = instance(name);
      for (Mode mode : MODES) {
        sorted.forEach(each -> settings.add(new Trials(instance, each, mode, fairness)));
      }
    }
    return settings;
  }

  private CsrInstance instance(String name) throws IOException {
    if (bif == null || figure != CsrFigure.FIGURE_5) {
      return Instances.synthetic(name);
    }
    try {
      return Instances.hepar2(bif);
    } catch (IllegalArgumentException e) {
      throw refused(bif + ": " + e.getMessage());
    }
  }

  /** Runs settings, several at once; the report has them in the given order. */
  private ErrorRates run(List<Trials> settings) {
    ErrorRates rates = new ErrorRates();
    try (ProgressBar bar = progress(settings.size())) {
      Parallel.trials(settings.size(), each -> settings.get(each).run(trials, firstSeed), bar::step)
          .forEach(rates::add);
      return rates;
    } catch (IllegalStateException e) {
      if (e.getCause() instanceof IllegalArgumentException refused) {
        throw refused(refused.getMessage());
      }
      throw e;
    }
  }
}
