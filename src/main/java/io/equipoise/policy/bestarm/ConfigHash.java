package io.equipoise.policy.bestarm;

import io.equipoise.event.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;

/**
 * Hashes everything that an experiment's answer depends on but the samples: algorithm, mode, T, E,
 * costs, budget, the model's tables, and how it is run.
 */
final class ConfigHash {
  private final MessageDigest digest = Sha256.begin();

  private ConfigHash() {}

  static String of(Design design, RunSettings runSettings) {
    ConfigHash hash = new ConfigHash();
    Design.Settings settings = design.settings();
    hash.add(settings.algorithm().wire()).add(settings.mode().wire());
    hash.add(settings.fairness().wire()).add(settings.samples()).add(settings.bound());
    hash.add(settings.delta());
    hash.add(design.costs().budget());
    CsrModel model = design.model();
    hash.add(model.arms()).add(model.cells()).add(model.levels());
    for (int arm = 0; arm < model.arms(); arm++) {
      hash.add(design.costs().of(arm));
    }
    for (int z = 0; z < model.cells(); z++) {
      hash.add(model.forward()[z]);
      for (int group = 0; group < 2; group++) {
        hash.add(model.share(group) * model.law(group, z));
      }
      for (int arm = 0; arm < model.arms(); arm++) {
        for (int v = 0; v < model.levels(); v++) {
          hash.add(model.probability(arm, z, v));
        }
      }
    }
    hash.add(runSettings.key()).add(runSettings.version()).add(Long.toString(runSettings.seed()));
    hash.add(runSettings.control()).add(Long.toString(runSettings.windowMillis()));
    hash.add(runSettings.defaultReward().orElse(-1)).add(runSettings.minClosedFraction());
    return HexFormat.of().formatHex(hash.digest.digest());
  }

  /** Returns the hash of a state's sums. */
  static String of(SampleSums sums) {
    ByteBuffer bytes = ByteBuffer.allocate(sums.byteLength());
    sums.appendTo(bytes);
    return Sha256.hex(bytes.array());
  }

  private ConfigHash add(double number) {
    digest.update(ByteBuffer.allocate(Double.BYTES).putDouble(0, number));
    return this;
  }

  private ConfigHash add(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    add(bytes.length);
    digest.update(bytes);
    return this;
  }
}
