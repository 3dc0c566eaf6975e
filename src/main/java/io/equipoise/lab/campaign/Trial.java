package io.equipoise.lab.campaign;

/** A world and how it is served. */
record Trial(World world, Setting setting) {}
