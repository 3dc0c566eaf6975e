package io.equipoise.bandit;

/** A context as the reward model sees it at one time: its cells' limits, and p(z|x,a) by row. */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody
record World(CellLimits limits, MediatorTable weights) {}
