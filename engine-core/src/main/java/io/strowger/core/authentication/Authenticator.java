package io.strowger.core.authentication;

import io.strowger.core.access.ClientNetwork;
import io.strowger.core.access.FailedCredentials;
import io.strowger.core.digest.Sha256;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.observe.FailedCredentialCounts;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.store.KeyId;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Authenticates callers. Turns the {@code Authorization} header into a caller, or fails with 401 or
 * 403. Knows keys by their SHA-256 only. Safe on any thread. Contract: "Authentication".
 */
public final class Authenticator {
  private static final String SCHEME = "Bearer ";
  private static final String INVALID = "Invalid credentials";

  /** The longest header that is accepted, since a longer one would cost time to digest. */
  private static final int MAX_CHARS = 4096;

  private final Directory keys;
  private final Supplier<Instant> clock;
  private final @Nullable FailedCredentials failures;
  private final KeyDigests digests = new KeyDigests();

  /** Finds keys. */
  @FunctionalInterface
  public interface Directory {
    /** Returns the key with this hash; null when there is none. */
    @Nullable LiveKey find(KeyId key);

    /**
     * Returns whether the key was found before; it may have been disabled or have expired since.
     * Does not ask a store.
     */
    default boolean knows(KeyId key) {
      return false;
    }
  }

  /**
   * The current state of a key.
   *
   * @param hash the SHA-256 of the plaintext it was found by
   * @param caller the caller that the key authenticates
   * @param disabled whether the key is refused until it is enabled again
   * @param expiresAt when the key expires; null for never
   */
  public record LiveKey(KeyId hash, Caller caller, boolean disabled, @Nullable Instant expiresAt) {
    /** Creates the state of a key that was never rotated. */
    public LiveKey(Caller caller, boolean disabled, @Nullable Instant expiresAt) {
      this(caller.key(), caller, disabled, expiresAt);
    }
  }

  /**
   * @param keys finds the keys
   * @param clock returns the current time
   */
  public Authenticator(Directory keys, Supplier<Instant> clock) {
    this(keys, clock, null);
  }

  /**
   * @param keys finds the keys
   * @param clock returns the current time
   * @param failures slows clients whose credentials are wrong; null to slow none
   */
  public Authenticator(
      Directory keys, Supplier<Instant> clock, @Nullable FailedCredentials failures) {
    this.keys = Objects.requireNonNull(keys, "keys");
    this.clock = Objects.requireNonNull(clock, "clock");
    this.failures = failures;
  }

  /** Returns how many credentials were wrong; all zero when failures are not counted. */
  public FailedCredentialCounts failedCredentials() {
    return failures == null ? FailedCredentialCounts.ZERO : failures.snapshot();
  }

  /** Returns the id of a key, the SHA-256 of its plaintext. */
  public static KeyId id(Credential plaintext) {
    byte[] bytes = plaintext.reveal().getBytes(StandardCharsets.UTF_8);
    return KeyId.of(Sha256.of(bytes));
  }

  /**
   * Returns the caller of a request, whose key must be of the required kind.
   *
   * @param authorization the header's value; null when there is none
   * @throws GatewayException 401 without a credential that is known, enabled and not expired, 403
   *     for the wrong kind of key
   */
  public Caller admit(@Nullable String authorization, KeyRequirement keyRequirement) {
    Caller caller = caller(authorization);
    check(caller, keyRequirement);
    return caller;
  }

  /**
   * Returns the caller of a request, with a key of any kind.
   *
   * @param authorization the header's value; null when there is none
   * @throws GatewayException 401 without a credential that is known, enabled and not expired
   */
  public Caller caller(@Nullable String authorization) {
    return caller(authorization, null, new Cancellation());
  }

  /**
   * Returns the caller of a request. The refusal of a client that sent too many wrong credentials
   * is delayed; a valid credential is never delayed.
   *
   * @param authorization the header's value; null when there is none
   * @param client the address of the client; null when it is not known; then failures are not
   *     counted
   * @param cancellation the request's cancellation; once it is cancelled no refusal is delayed
   * @throws GatewayException 401 without a credential that is known, enabled and not expired; 429
   *     when the client sent far too many wrong ones
   */
  public Caller caller(
      @Nullable String authorization, @Nullable InetAddress client, Cancellation cancellation) {
    KeyId key = parseKeyId(authorization);
    FailedCredentials failedCredentials = client == null ? null : failures;
    if (failedCredentials == null || client == null) {
      return requireCaller(key, null);
    }
    ClientNetwork network = ClientNetwork.of(client);
    if (!keys.knows(key)) {
      failedCredentials.check(network);
    }
    return requireCaller(
        key, refusal -> failedCredentials.recordFailure(network, refusal, cancellation));
  }

  /**
   * Checks that the key of a caller is of the required kind.
   *
   * @throws GatewayException 403 when it is of another kind
   */
  public static void check(Caller caller, KeyRequirement keyRequirement) {
    switch (keyRequirement) {
      case INFERENCE -> {
        if (caller.isManagement()) {
          throw GatewayError.of(
                  ErrorCode.PERMISSION_DENIED, "Management keys cannot perform this operation")
              .toException();
        }
      }
      case MANAGEMENT -> {
        if (!caller.isManagement()) {
          throw GatewayError.of(ErrorCode.PERMISSION_DENIED).toException();
        }
      }
      case ANY -> {
        // both kinds are accepted
      }
    }
  }

  /** Returns the id of the key in a header. Copies an ASCII header only once, to its bytes. */
  private KeyId parseKeyId(@Nullable String authorization) {
    if (authorization == null
        || authorization.length() > MAX_CHARS
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
    byte[] headerBytes = authorization.getBytes(StandardCharsets.UTF_8);
    if (headerBytes.length == authorization.length()) {
      return digests.of(headerBytes, from, to - from); // each character is one byte
    }
    byte[] token = authorization.substring(from, to).getBytes(StandardCharsets.UTF_8);
    return digests.of(token, 0, token.length);
  }

  /**
   * @param failureRecorder counts a refusal and returns the exception to throw; null to throw the
   *     refusal itself
   */
  private Caller requireCaller(
      KeyId key, @Nullable UnaryOperator<GatewayException> failureRecorder) {
    LiveKey liveKey = keys.find(key);
    String flaw = flaw(liveKey, key);
    if (liveKey != null && flaw == null) {
      return liveKey.caller();
    }
    GatewayException refusal =
        GatewayError.of(ErrorCode.AUTHENTICATION, flaw == null ? INVALID : flaw).toException();
    throw failureRecorder == null ? refusal : failureRecorder.apply(refusal);
  }

  /** Returns what is wrong with a key; null when nothing is. */
  private @Nullable String flaw(@Nullable LiveKey liveKey, KeyId key) {
    if (liveKey == null || !equalsInConstantTime(liveKey.hash(), key)) {
      return INVALID;
    }
    if (liveKey.disabled()) {
      return "The API key is disabled";
    }
    Instant expires = liveKey.expiresAt();
    return expires != null && !clock.get().isBefore(expires) ? "The API key has expired" : null;
  }

  private static boolean equalsInConstantTime(KeyId left, KeyId right) {
    long difference =
        (left.a() ^ right.a())
            | (left.b() ^ right.b())
            | (left.c() ^ right.c())
            | (left.d() ^ right.d());
    return difference == 0;
  }
}
