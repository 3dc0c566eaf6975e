/** Attributes by the names that the spec gives them; finite numbers only. */
export type Attributes = Record<string, string | number | boolean | null>;

/** An arm that a decision may choose, with the attributes that the policy compares. */
export interface Candidate {
  arm: string;
  attributes?: Attributes;
}

export interface DecideOptions {
  /** Undefined for all arms of the spec. */
  candidates?: readonly Candidate[];
  /** Arm to show if no decision arrives in time; undefined for the arm that the spec names. */
  fallback?: string;
  /** 1 to 128 bytes of UTF-8; undefined for a new random id. */
  decisionId?: string;
  /** Milliseconds since 1970; undefined for the client's clock. */
  eventTime?: number;
  /** Whether to wait for the comparisons of the decision's audit; the gateway needs `gateway.fairness: true`. */
  fairness?: boolean;
}

/** One context of `decideBatch`. */
export interface Request extends DecideOptions {
  segment: string;
  attributes: Attributes;
}

/** What a reward needs of its decision, also in another process. */
export interface Shown {
  segment: string;
  decisionId: string;
  /** The arm that was shown; null if none. */
  arm: string | null;
}

/** How the expected reward would move with another level of a sensitive attribute. Levels and numbers are null where the job redacts them. */
export interface Effect {
  attribute: string;
  /** Which causal paths it takes: TOTAL, DIRECT, INDIRECT or SPURIOUS. */
  kind: string;
  factual: string | null;
  counterfactual: string | null;
  estimate: number | null;
  lower: number | null;
  upper: number | null;
  /** Largest admissible absolute effect. */
  threshold: number;
  /** Of effect and threshold: REWARD, or LOG_ODDS under fairness.odds-ratio. */
  unit: string;
  /** CERTIFIED_FAIR, UNFAIR, NO_OVERLAP, FAIR, UNCERTAIN or NOT_IDENTIFIED. */
  verdict: string;
}

/** The arm to show. */
export interface Decision extends Shown {
  /** EXPLOIT, EXPLORE, ...; DEADLINE_EXCEEDED or UNAVAILABLE if no decision arrived in time. */
  reason: string;
  /** Probability of each candidate, by arm. */
  propensities: Record<string, number>;
  specVersion: number | null;
  /** Comparisons of its audit; null if the request does not ask for them or they did not arrive in time. */
  fairness: readonly Effect[] | null;
  /** Whether no decision arrived in time, so that `arm` is a fallback arm. */
  isFallback: boolean;
}

export interface RewardOptions {
  /** Variables observed between decision and reward. */
  mediators?: Attributes;
  /** Identity among several rewards of a decision; undefined if the spec takes one reward. */
  rewardId?: string;
  /** Milliseconds since 1970; undefined for the client's clock. */
  eventTime?: number;
}

/** One reward of `rewardBatch`. */
export interface Reward extends RewardOptions {
  decision: Shown;
  /** In the units of the spec's `reward.range`. */
  value: number;
}

export interface ClientOptions {
  /** API token, of visible ASCII characters without blanks; undefined for none. */
  token?: string;
  /** Time that a call may take with all its retries, ms; default 2000. */
  timeoutMs?: number;
  /** Further tries after a connection failure or one of the statuses 429, 500, 502, 503 and 504; default 3. */
  retries?: number;
}

/** A spec in force. */
export interface Segment {
  spec: string;
  version: number;
  selector: string;
  arms: string[];
  fallback: string | null;
}

/** The gateway rejected a request. */
export class EquipoiseError extends Error {
  constructor(status: number, code: string, detail: string, remedy?: string);
  /** HTTP status; 0 without a documented answer. */
  readonly status: number;
  /** Error code, such as UNKNOWN_LEVEL; see docs/reference/error-codes.md. */
  readonly code: string;
  readonly detail: string;
  readonly remedy: string;
}

/** The gateway gave no answer, or none that it documents, within the timeout. */
export class Unavailable extends EquipoiseError {}

/** Asks a gateway for decisions and sends it rewards. Every reward names the arm that was shown. */
export class Client {
  /**
   * Throws TypeError or RangeError if the url or an option has another value than its documented ones; the message has no part of the token.
   *
   * @param url of the gateway, default http://127.0.0.1:8080; a path is a prefix of all paths
   */
  constructor(url?: string, options?: ClientOptions);

  /**
   * Returns the decision, or the fallback arm if no decision arrives within the timeout.
   * Throws Unavailable if no answer arrives and there is no fallback. Throws EquipoiseError if the gateway rejects the request.
   */
  decide(segment: string, attributes: Attributes, options?: DecideOptions): Promise<Decision>;

  /** Returns a decision, a fallback or an error for each request, in their order. */
  decideBatch(requests: readonly Request[]): Promise<Array<Decision | EquipoiseError>>;

  /** Returns a recent decision; throws EquipoiseError with the code NOT_FOUND if the gateway does not know it. */
  recent(segment: string, decisionId: string): Promise<Decision>;

  /** Sends the reward of a decision. A repeated call with the same `eventTime` is the same reward. */
  reward(decision: Shown, value: number, options?: RewardOptions): Promise<void>;

  /** Sends rewards in one request. Returns null for each accepted one and the error of each other, in their order. */
  rewardBatch(rewards: readonly Reward[]): Promise<Array<EquipoiseError | null>>;

  /**
   * Confirms that the arm of a decision was shown, so that no reward counts as the spec's default reward. Only needed with
   * `gateway.confirm-answers: false`, or if another arm was shown than that of the answer. A repeated call counts once.
   */
  shown(decision: Shown, options?: { eventTime?: number }): Promise<void>;

  /** Returns the specs in force, with their arms. */
  segments(): Promise<Segment[]>;
}
