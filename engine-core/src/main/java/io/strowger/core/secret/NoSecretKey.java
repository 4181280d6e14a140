package io.strowger.core.secret;

import org.jspecify.annotations.Nullable;

/** A secret cannot be kept or read. The message says what to do about it; it holds no secret. */
public final class NoSecretKey extends Exception {
  private static final long serialVersionUID = 1;

  NoSecretKey(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
