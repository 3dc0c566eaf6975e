package io.equipoise.segmentspec;

/** The policies, by their names in specs and on every wire. */
public enum PolicyName {
  /** One cell for each context and arm. */
  UCB("ucb", Family.TABULAR),
  /** One cell for each value of the reward's parents. */
  C_UCB("c-ucb", Family.TABULAR),
  /** One cell for each value of a d-separating set. */
  D_UCB("d-ucb", Family.TABULAR),
  /** {@link #D_UCB} among the arms that are certified fair. */
  F_UCB("f-ucb", Family.TABULAR),
  /** {@link #UCB} with its index clipped into causal bounds. */
  UCB_PCB("ucb-pcb", Family.TABULAR),
  /** Upper confidence bounds of a ridge regression (Li et al. 2010). */
  LINUCB("linucb", Family.LINEAR),
  /** {@link #LINUCB} that does not see the sensitive attribute and what stands for it. */
  LINUCB_UNAWARE("linucb-unaware", Family.LINEAR),
  /** {@link #LINUCB} with a push towards the group that is behind (Huang et al. 2022). */
  FAIR_LINUCB("fair-linucb", Family.LINEAR),
  /** Thompson sampling of a ridge regression (Agrawal and Goyal 2013). */
  LIN_TS("lin-ts", Family.LINEAR),
  /** The best mean of a ridge regression, but for a share of uniform draws. */
  EPSILON_GREEDY("epsilon-greedy", Family.LINEAR),
  /** {@link #LINUCB} with its index clipped into causal bounds (Huang and Wu 2023). */
  LINUCB_PCB("linucb-pcb", Family.LINEAR),
  /** {@link #LINUCB} that takes the log's mean of each arm for rewards (Huang and Wu 2023). */
  LINUCB_BIASED("linucb-biased", Family.LINEAR),
  /** {@link #LINUCB} that takes the log's mean of each arm and context for rewards. */
  LINUCB_CP("linucb-cp", Family.LINEAR),
  /** Optimal allocation matching over a table of contexts and arms (Hao et al. 2020). */
  OAM("oam", Family.ALLOCATION),
  /** {@link #OAM} with causal bounds (Huang and Wu 2023, Algorithm 5). */
  OAM_PCB("oam-pcb", Family.ALLOCATION),
  /** A logistic regression with an additive bonus (Filippi et al. 2010). */
  GLM_UCB("glm-ucb", Family.LOGISTIC),
  /** The optimistic parameter of a logistic confidence set (Lee, Yun and Jun 2024). */
  OFULOG("ofulog", Family.LOGISTIC),
  /** {@link #OFULOG} with a dual penalty on effects (Chen, Tian and Quinn 2025, Algorithm 1). */
  CCLB("cclb", Family.LOGISTIC),
  /** {@link #CCLB} with a tightness (Chen, Tian and Quinn 2025, Algorithm 2). */
  EPS_CCLB("eps-cclb", Family.LOGISTIC),
  /** A screen of effects whose slack shrinks: the one for production. */
  SCREEN("screen", Family.LOGISTIC),
  /** A dual penalty on the upper ends of effects. */
  DUAL_UPPER("dual-upper", Family.LOGISTIC),
  /** {@link #SCREEN} with exploration forced where overlap is missing. */
  FORCED_EXPLORATION("forced-exploration", Family.LOGISTIC),
  /** The best fair arm from each phase's samples (Gao and Feng 2021, Algorithm 1). */
  CSR_V1("csr-v1", Family.EXPERIMENT),
  /** The best fair arm from all samples so far (Algorithm 2): the one for production. */
  CSR_V2("csr-v2", Family.EXPERIMENT),
  /** Fairness first, then reward, from each phase's samples (Algorithm 4). */
  TS_V1("ts-v1", Family.EXPERIMENT),
  /** Fairness first, then reward, from all samples so far (Algorithm 5). */
  TS_V2("ts-v2", Family.EXPERIMENT);

  /** What a policy's statistics are. */
  public enum Family {
    /** Counts and moments of cells. */
    TABULAR,
    /** Ridge regressions over features. */
    LINEAR,
    /** Pulls of every context and arm, and a least-squares regression. */
    ALLOCATION,
    /** One logistic regression over features; rewards are 0 and 1. */
    LOGISTIC,
    /** A search with a fixed budget that ends; its statistics are those of its phases. */
    EXPERIMENT
  }

  private final String wire;
  private final Family family;

  PolicyName(String wire, Family family) {
    this.wire = wire;
    this.family = family;
  }

  /** Returns what the policy's statistics are. */
  public Family family() {
    return family;
  }

  /** Says whether each context and arm have a cell of their own; the untried is tried first. */
  public boolean isOneCell() {
    return this == UCB || this == UCB_PCB;
  }

  /** Says whether effects restrict or price the choice by the policy's own definition. */
  public boolean isConstrained() {
    return switch (this) {
      case F_UCB,
              CCLB,
              EPS_CCLB,
              SCREEN,
              DUAL_UPPER,
              FORCED_EXPLORATION,
              CSR_V1,
              CSR_V2,
              TS_V1,
              TS_V2 ->
          true;
      default -> false;
    };
  }

  /** Says whether there must be causal bounds to clip into. */
  public boolean needsCausalBounds() {
    return this == UCB_PCB || this == LINUCB_PCB || this == OAM_PCB;
  }

  /** Says whether it takes offline evidence for rewards. */
  public boolean hasWarmStart() {
    return this == LINUCB_BIASED || this == LINUCB_CP;
  }

  /** Returns the name in specs, JSON and on Kafka. */
  public String wire() {
    return wire;
  }
}
