package io.strowger.core.authentication;

/** Which kind of key an operation takes. Contract: "Authentication". */
public enum KeyRequirement {
  /** Asks a model for something: management keys cannot. */
  INFERENCE,
  /** Acts on the account: only management keys can. */
  MANAGEMENT,
  /** Either kind. */
  ANY
}
