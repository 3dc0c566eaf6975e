package io.equipoise.policy.bestarm;

import io.equipoise.policy.CheckFindings;
import io.equipoise.policy.Policy;
import io.equipoise.policy.PolicyFamily;
import io.equipoise.policy.StateBlock;
import io.equipoise.segmentspec.PolicyName;
import io.equipoise.segmentspec.PolicySection;
import io.equipoise.segmentspec.PolicySpec;
import io.equipoise.segmentspec.SegmentSpec;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Searches with a fixed budget that end; their statistics are those of their phases. */
public final class BestArmFamily implements PolicyFamily {
  private static final Map<Integer, Supplier<StateBlock>> FORMATS =
      IntStream.rangeClosed(ExperimentBlock.FIRST_FORMAT, ExperimentBlock.LAST_FORMAT)
          .boxed()
          .collect(Collectors.toMap(code -> code, code -> ExperimentBlock::new));

  @Override
  public String name() {
    return "best-arm";
  }

  @Override
  public int version() {
    return 0;
  }

  @Override
  public List<? extends PolicyName> policies() {
    return List.of(Algorithm.values());
  }

  @Override
  public @Nullable PolicySpec read(PolicyName name, PolicySection section) {
    return ExperimentReader.read((Algorithm) name, section);
  }

  @Override
  public Policy compile(SegmentSpec spec) {
    return CsrPolicy.compile(spec);
  }

  @Override
  public Map<Integer, Supplier<StateBlock>> formats() {
    return FORMATS;
  }

  @Override
  public void check(Policy policy, CheckFindings findings) {
    CsrPolicy search = (CsrPolicy) policy;
    search.warnings().forEach(findings::warn);
    new ExperimentFindings(search, findings).report();
  }
}
