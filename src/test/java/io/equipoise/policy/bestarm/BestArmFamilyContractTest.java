package io.equipoise.policy.bestarm;

import io.equipoise.policy.OwnFamilies;
import io.equipoise.policy.PolicyContract;
import io.equipoise.policy.PolicyFamily;
import java.util.List;
import java.util.Map;

class BestArmFamilyContractTest extends PolicyContract {
  @Override
  protected PolicyFamily family() {
    return new BestArmFamily();
  }

  @Override
  protected Map<String, String> specs() {
    return OwnFamilies.experiments("csr-v1", "csr-v2", "ts-v1", "ts-v2");
  }

  @Override
  protected List<Change> changesOfMeaning() {
    return List.of(
        new Change("csr-v2", "samples: 60", "samples: 61"),
        new Change("csr-v2", "A=left", "A=right"),
        new Change("csr-v2", "tau: 0.2", "tau: 0.3"),
        new Change("csr-v2", "low, 0.9, 0.1", "low, 0.8, 0.2"),
        new Change("csr-v2", "samples: 60", "samples: 60, estimate: direct"),
        new Change("csr-v2", "samples: 60", "samples: 60, mode: pooled"),
        new Change("csr-v2", "seed: 11", "seed: 12"));
  }

  @Override
  protected List<Change> changesOfRule() {
    return List.of(new Change("csr-v2", "samples: 60", "samples: 60, abort: enough"));
  }
}
