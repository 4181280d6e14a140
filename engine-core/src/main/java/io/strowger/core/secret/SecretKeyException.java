package io.strowger.core.secret;

import org.jspecify.annotations.Nullable;

/** A secret cannot be kept or read. The message says what to do about it; it holds no secret. */
public final class SecretKeyException extends Exception {
  private static final long serialVersionUID = 1;

  SecretKeyException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
