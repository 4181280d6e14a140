package io.strowger.core.secret;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when a secret cannot be stored or read. The message is the reason, in which "it" is the
 * secret; it contains no secret.
 */
public final class SecretKeyException extends Exception {
  private static final long serialVersionUID = 1;

  SecretKeyException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
