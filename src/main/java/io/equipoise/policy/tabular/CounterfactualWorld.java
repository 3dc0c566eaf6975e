package io.equipoise.policy.tabular;

/** A context as the reward model sees it at one time: its cells' limits, and p(z|x,a) by row. */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody
record CounterfactualWorld(CellLimits limits, MediatorTable weights) {}
