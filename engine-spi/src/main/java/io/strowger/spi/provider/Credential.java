package io.strowger.spi.provider;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A secret that authenticates requests to an upstream. {@link #toString} does not reveal it. */
public final class Credential {
  public static final Credential NONE = new Credential("");

  private final String secret;

  public Credential(String secret) {
    this.secret = Objects.requireNonNull(secret, "secret");
  }

  /**
   * Returns the secret, to be sent to the upstream and used for nothing else; empty when the
   * upstream needs none.
   */
  public String reveal() {
    return secret;
  }

  public boolean isEmpty() {
    return secret.isEmpty();
  }

  /**
   * Returns whether the secrets are equal. Not in constant time: do not use this to verify callers'
   * secrets.
   */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Credential that && secret.equals(that.secret);
  }

  @Override
  public int hashCode() {
    return secret.hashCode();
  }

  @Override
  public String toString() {
    return secret.isEmpty() ? "no credential" : "credential ***";
  }
}
