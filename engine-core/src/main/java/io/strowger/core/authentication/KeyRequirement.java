package io.strowger.core.authentication;

/** The kind of key that an operation requires. Contract: "Authentication". */
public enum KeyRequirement {
  /** The operation asks a model for something, which management keys cannot do. */
  INFERENCE,
  /** The operation acts on the account, which only management keys can do. */
  MANAGEMENT,
  /** Either kind. */
  ANY
}
