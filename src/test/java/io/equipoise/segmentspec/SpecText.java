package io.equipoise.segmentspec;

/** A small sound spec, and ways to spoil it. Its lines are counted in the tests. */
final class SpecText {
  static final String SOUND =
      """
      name: small
      version: 3
      segments: {exact: [small, tiny]}
      seed: -7
      variables:
        S: {role: sensitive, levels: [f, m]}
        X: {role: context, range: [0, 100], cuts: [18, 65.5]}
        A: {role: action, levels: [a, b]}
        B: {role: action, levels: [on, off, 2]}
        M: {role: mediator, levels: ["no", "yes"]}
        R: {role: reward}
      graph: |
        dag { U [latent]  U -> X
              {S A} -> M  {M X B} -> R }
      arms: all
      distributions:
        cpts:
          S: {rows: [[0.5, 0.5]]}
          M:
            given: [S, A]
            rows:
              - [f, a, 0.25, 0.75]
              - [f, b, 0.5, 0.5]
              - [m, a, 1, 0]
              - [m, b, 0.125, 0.875]
      reward: {range: [-1, 3], default: {value: 0, mediators: {M: no}}}
      policy:
        name: f-ucb
        safe: [{A: b, B: [on, 2]}]
      fairness: {tau: 0.3}
      join: {reward-window: 30m, early-reward-timeout: 250s, fallback: "A=a,B=off"}
      """;

  private SpecText() {}

  /** Returns the sound text with one piece of it replaced. */
  static String with(String piece, String other) {
    if (SOUND.indexOf(piece) < 0 || SOUND.indexOf(piece) != SOUND.lastIndexOf(piece)) {
      throw new IllegalArgumentException("not exactly once in the text: " + piece);
    }
    return SOUND.replace(piece, other);
  }

  static SegmentSpec parsedWith(String piece, String other) {
    return SpecParser.parse(with(piece, other));
  }
}
