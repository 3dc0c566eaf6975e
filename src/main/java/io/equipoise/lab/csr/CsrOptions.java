package io.equipoise.lab.csr;

import io.equipoise.cli.InputFile;
import io.equipoise.lab.report.Publication;
import io.equipoise.policy.bestarm.FairnessEstimate;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options of {@link CsrCommand}. */
final class CsrOptions {
  private static final int MAX_SAMPLES = 1_000_000;

  @Option(
      names = "--figure",
      defaultValue = "3",
      converter = ToFigure.class,
      description =
          "3: no, loose and tight constraint. 5: HEPAR-II, needs --bif. 6: high and low"
              + " divergences. nofair: no arm is fair (Theorem 2). Default: ${DEFAULT-VALUE}.")
  CsrFigure figure = CsrFigure.FIGURE_3;

  @Option(
      names = "--bif",
      paramLabel = "FILE",
      converter = InputFile.class,
      description = "Your copy of the network HEPAR-II, hepar2.bif.")
  @Nullable Path bif;

  @Option(
      names = "--trials",
      defaultValue = "100",
      description = "Independent trials of each setting. Default: ${DEFAULT-VALUE}.")
  int trials;

  @Option(
      names = "--T",
      defaultValue = "2000,4000,6000,8000,10000",
      split = ",",
      description = "Samples of a search; may be repeated. Default: ${DEFAULT-VALUE}.")
  List<Integer> samples = List.of();

  @Option(
      names = "--fairness",
      defaultValue = "counterfactual",
      converter = ToFairness.class,
      description =
          "How effects are estimated: counterfactual, as in the paper, or direct, by the"
              + " difference of groups. Default: ${DEFAULT-VALUE}.")
  FairnessEstimate fairness = FairnessEstimate.COUNTERFACTUAL;

  @Option(
      names = "--first-seed",
      defaultValue = "1",
      description = "Seed of the first trial; each further one adds 1. Default: ${DEFAULT-VALUE}.")
  long firstSeed;

  @Mixin final Publication publication = new Publication();

  /** Returns the values of T, each once. */
  List<Integer> samples() {
    return samples.stream().distinct().sorted().toList();
  }

  /** Refuses values that no run can have. */
  void check() {
    refuse(trials < 1 || trials > 10_000, "--trials must be from 1 to 10000");
    for (int each : samples) {
      refuse(each < 1 || each > MAX_SAMPLES, "--T must be from 1 to " + MAX_SAMPLES);
    }
    refuse(
        figure == CsrFigure.FIGURE_5 && bif == null,
        "--figure 5 needs --bif, the path of hepar2.bif of the bnlearn repository");
    publication.check();
  }

  private void refuse(boolean isWrong, String message) {
    if (isWrong) {
      throw publication.refused(message);
    }
  }

  static final class ToFigure implements ITypeConverter<CsrFigure> {
    @Override
    public CsrFigure convert(String value) {
      for (CsrFigure figure : CsrFigure.values()) {
        if (figure.toString().equals(value)) {
          return figure;
        }
      }
      throw new TypeConversionException("there is 3, 5, 6 and nofair, not '" + value + "'");
    }
  }

  static final class ToFairness implements ITypeConverter<FairnessEstimate> {
    @Override
    public FairnessEstimate convert(String value) {
      for (FairnessEstimate estimate : FairnessEstimate.values()) {
        if (estimate.wire().equals(value)) {
          return estimate;
        }
      }
      throw new TypeConversionException("there is counterfactual and direct, not '" + value + "'");
    }
  }
}
