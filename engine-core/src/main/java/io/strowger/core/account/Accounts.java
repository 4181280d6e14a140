package io.strowger.core.account;

import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.store.KeyId;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Who may call. Turns what came in the {@code Authorization} header into a caller, or into 401 or
 * 403. Knows keys by their SHA-256 only. Safe on any thread. Contract: "Authentication".
 */
public final class Accounts {
  private static final String SCHEME = "Bearer ";

  private final Directory keys;
  private final Supplier<Instant> now;
  private final KeyDigests digests = new KeyDigests();

  /** Finds keys. */
  @FunctionalInterface
  public interface Directory {
    /**
     * @return null when there is no such key
     */
    @Nullable Live find(KeyId key);
  }

  /**
   * A key as it stands now.
   *
   * @param caller whom it stands for
   * @param disabled good for nothing until it is enabled again
   * @param expiresAt from when on it is good for nothing; null: never
   */
  public record Live(Caller caller, boolean disabled, @Nullable Instant expiresAt) {}

  /**
   * @param keys the keys there are
   * @param now the time
   */
  public Accounts(Directory keys, Supplier<Instant> now) {
    this.keys = Objects.requireNonNull(keys, "keys");
    this.now = Objects.requireNonNull(now, "now");
  }

  /** What stands for a key from now on; the plaintext can be forgotten. */
  public static KeyId id(Credential plaintext) {
    byte[] bytes = plaintext.reveal().getBytes(StandardCharsets.UTF_8);
    return new KeyDigests().of(bytes, 0, bytes.length);
  }

  /**
   * Says who calls.
   *
   * @param authorization the header's value; null when there is none
   * @throws GatewayException 401 without a credential that is known, enabled and not expired, 403
   *     for the wrong kind of key
   */
  public Caller admit(@Nullable String authorization, Access access) {
    Caller caller = caller(authorization);
    check(caller, access);
    return caller;
  }

  /**
   * Says who calls, whatever for.
   *
   * @param authorization the header's value; null when there is none
   * @throws GatewayException 401 without a credential that is known, enabled and not expired
   */
  public Caller caller(@Nullable String authorization) {
    return callerOf(bearer(authorization));
  }

  /**
   * @throws GatewayException 403 when a caller has the wrong kind of key
   */
  public static void check(Caller caller, Access access) {
    switch (access) {
      case INFERENCE -> {
        if (caller.management()) {
          throw GatewayError.of(
                  ErrorCode.PERMISSION_DENIED, "Management keys cannot perform this operation")
              .toException();
        }
      }
      case MANAGEMENT -> {
        if (!caller.management()) {
          throw GatewayError.of(ErrorCode.PERMISSION_DENIED).toException();
        }
      }
      case ANY -> {
        // both kinds are welcome
      }
    }
  }

  /** What stands for the key in a header, of which no copy is made but its bytes. */
  private KeyId bearer(@Nullable String authorization) {
    if (authorization == null
        || !authorization.startsWith(SCHEME)
            && !authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
      throw GatewayError.of(ErrorCode.AUTHENTICATION).toException();
    }
    int from = SCHEME.length();
    int to = authorization.length();
    while (from < to && Character.isWhitespace(authorization.charAt(from))) {
      from++;
    }
    while (to > from && Character.isWhitespace(authorization.charAt(to - 1))) {
      to--;
    }
    if (from == to) {
      throw GatewayError.of(ErrorCode.AUTHENTICATION).toException();
    }
    byte[] all = authorization.getBytes(StandardCharsets.UTF_8);
    if (all.length == authorization.length()) {
      return digests.of(all, from, to - from); // each character is one byte
    }
    byte[] token = authorization.substring(from, to).getBytes(StandardCharsets.UTF_8);
    return digests.of(token, 0, token.length);
  }

  private Caller callerOf(KeyId key) {
    Live live = keys.find(key);
    if (live == null || !sameInConstantTime(live.caller().key(), key)) {
      throw refused("Invalid credentials");
    }
    if (live.disabled()) {
      throw refused("The API key is disabled");
    }
    Instant expires = live.expiresAt();
    if (expires != null && !now.get().isBefore(expires)) {
      throw refused("The API key has expired");
    }
    return live.caller();
  }

  private static GatewayException refused(String message) {
    return GatewayError.of(ErrorCode.AUTHENTICATION, message).toException();
  }

  private static boolean sameInConstantTime(KeyId one, KeyId other) {
    long difference =
        (one.a() ^ other.a())
            | (one.b() ^ other.b())
            | (one.c() ^ other.c())
            | (one.d() ^ other.d());
    return difference == 0;
  }
}
