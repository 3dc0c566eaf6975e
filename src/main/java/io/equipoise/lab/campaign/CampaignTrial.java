package io.equipoise.lab.campaign;

/** A world and how it is served. */
record CampaignTrial(CampaignWorld world, CampaignSetting setting) {}
