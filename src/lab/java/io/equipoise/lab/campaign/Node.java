package io.equipoise.lab.campaign;

import org.jspecify.annotations.Nullable;

/**
 * Defines one variable of a world other than the reward. Parents are places of earlier nodes.
 *
 * @param table a row of probabilities by the joint level of the parents, the last parent fastest;
 *     empty for the action
 * @param disclosed the chance that a person of each level discloses it
 * @param missing the spec's rule if people may leave it undisclosed, else null
 * @param numbers the numbers of the levels, or null
 */
@SuppressWarnings("ArrayRecordComponent") // a table, never compared
record Node(
    String name,
    Kind kind,
    int levels,
    int[] parents,
    double[][] table,
    double[] disclosed,
    @Nullable String missing,
    double @Nullable [] numbers) {

  /** Names the role of a variable in the spec. */
  enum Kind {
    /** An unobserved cause; the spec joins its children. */
    HIDDEN,
    CONTEXT,
    SENSITIVE,
    ACTION,
    MEDIATOR
  }

  boolean isFeature() {
    return kind == Kind.CONTEXT || kind == Kind.SENSITIVE;
  }

  /** Returns the name of a level in the spec. */
  String level(int level) {
    return Character.toLowerCase(name.charAt(0)) + Integer.toString(level);
  }

  /** Returns the probabilities of its levels, given those of all nodes. */
  double[] row(int[] levels, CampaignWorld world) {
    int row = 0;
    for (int parent : parents) {
      row = row * world.node(parent).levels() + levels[parent];
    }
    return table[row];
  }

  /** Returns whether people may leave it undisclosed. */
  boolean mayBeUndisclosed() {
    return missing != null;
  }

  /** Returns the same with probabilities of disclosure by level. */
  Node undisclosed(double[] chances, String rule) {
    return new Node(name, kind, levels, parents, table, chances, rule, numbers);
  }

  /** Returns the same with numbers for its levels. */
  Node numbered(double[] values) {
    return new Node(name, kind, levels, parents, table, disclosed, missing, values);
  }
}
