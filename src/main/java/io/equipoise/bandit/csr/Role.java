package io.equipoise.bandit.csr;

/** What a decision is to an experiment. */
public enum Role {
  /** A counted sample. */
  SAMPLE(0),
  /** The experiment runs but has no quota for this context: the incumbent, not counted. */
  NOT_SAMPLED(1),
  /** The experiment is over: the arm it recommends, or the incumbent. */
  RECOMMENDED(2);

  private final byte code;

  Role(int code) {
    this.code = (byte) code;
  }

  /** Returns its code in states; it never changes. */
  byte code() {
    return code;
  }

  static Role of(int code) {
    for (Role role : values()) {
      if (role.code == code) {
        return role;
      }
    }
    throw new IllegalArgumentException("no role has the code " + code);
  }
}
