package io.strowger.spring;

import java.util.Objects;

/**
 * Thrown at the start of an application that has a library too old for the gateway, before anything
 * of the gateway is made. Boot prints its message in place of a stack trace.
 */
public final class UnsupportedLibraryException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String action;

  /**
   * Creates the exception.
   *
   * @param sentence says which library it is, which version is there and which is needed
   * @param action says what to do
   */
  UnsupportedLibraryException(String sentence, String action) {
    super(Objects.requireNonNull(sentence, "sentence"));
    this.action = Objects.requireNonNull(action, "action");
  }

  /** Returns what the user can do about it. */
  public String action() {
    return action;
  }
}
