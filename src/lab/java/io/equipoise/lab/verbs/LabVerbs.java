package io.equipoise.lab.verbs;

import io.equipoise.cli.VerbProvider;
import io.equipoise.lab.bench.Bench;
import io.equipoise.lab.campaign.CampaignCommand;
import io.equipoise.lab.chaos.ChaosCommand;
import java.util.List;

/** Adds the verbs of developers and scientists. */
public final class LabVerbs implements VerbProvider {
  @Override
  public List<Class<?>> verbs() {
    return List.of(ReplicateCommand.class, CampaignCommand.class, Bench.class, ChaosCommand.class);
  }
}
