package io.strowger.core.account;

import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.store.KeyId;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The keys there are. Turns what came in the {@code Authorization} header into a caller, or into
 * 401 or 403. Knows keys by their SHA-256 only. Immutable, safe on any thread. Contract:
 * "Authentication".
 */
public final class Accounts {
  private static final String SCHEME = "Bearer ";

  private final Map<KeyId, Caller> callers;
  private final MessageDigest fresh = sha256(); // never fed: cloning it is cheaper than asking anew

  private Accounts(Map<KeyId, Caller> callers) {
    this.callers = callers;
  }

  /**
   * The accounts of these callers.
   *
   * @throws IllegalArgumentException when two of them have the same key
   */
  public static Accounts of(Collection<Caller> callers) {
    var byKey = new HashMap<KeyId, Caller>();
    for (Caller caller : callers) {
      Caller other = byKey.put(caller.key(), caller);
      if (other != null) {
        throw new IllegalArgumentException(
            "the keys " + other.name() + " and " + caller.name() + " are the same");
      }
    }
    return new Accounts(byKey);
  }

  /** What stands for a key from now on; the plaintext can be forgotten. */
  public static KeyId id(Credential plaintext) {
    return KeyId.of(sha256().digest(plaintext.reveal().getBytes(StandardCharsets.UTF_8)));
  }

  /**
   * Says who calls.
   *
   * @param authorization the header's value; null when there is none
   * @throws io.strowger.spi.error.GatewayException 401 without a known credential, 403 for the
   *     wrong kind of key
   */
  public Caller admit(@Nullable String authorization, Access access) {
    Caller caller = admitKey(bearer(authorization));
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
    return caller;
  }

  private static String bearer(@Nullable String authorization) {
    String token =
        authorization != null && authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
            ? authorization.substring(SCHEME.length()).strip()
            : "";
    if (token.isEmpty()) {
      throw GatewayError.of(ErrorCode.AUTHENTICATION).toException();
    }
    return token;
  }

  private Caller admitKey(String plaintext) {
    KeyId key = KeyId.of(digest().digest(plaintext.getBytes(StandardCharsets.UTF_8)));
    Caller caller = callers.get(key);
    if (caller == null || !sameInConstantTime(caller.key(), key)) {
      throw GatewayError.of(ErrorCode.AUTHENTICATION, "Invalid credentials").toException();
    }
    return caller;
  }

  private static boolean sameInConstantTime(KeyId one, KeyId other) {
    long difference =
        (one.a() ^ other.a())
            | (one.b() ^ other.b())
            | (one.c() ^ other.c())
            | (one.d() ^ other.d());
    return difference == 0;
  }

  private MessageDigest digest() {
    try {
      return (MessageDigest) fresh.clone();
    } catch (CloneNotSupportedException otherProvider) {
      return sha256();
    }
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every JDK has SHA-256", impossible);
    }
  }
}
