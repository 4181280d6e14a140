package io.strowger.core.flow;

import io.strowger.spi.store.KeyId;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * What stands for a caller's end user upstream: a keyed hash, the same for the same user of the
 * same key, so that an upstream can tell users apart for abuse without learning who they are.
 * Contract: {@code user} is never forwarded raw.
 */
final class EndUser {
  private static final String HMAC = "HmacSHA256";
  private static final int SHOWN_BYTES = 16;

  private EndUser() {}

  static @Nullable String hash(@Nullable String user, KeyId key) {
    if (user == null || user.isEmpty()) {
      return null;
    }
    try {
      Mac mac = Mac.getInstance(HMAC);
      mac.init(new SecretKeySpec(key.hex().getBytes(StandardCharsets.US_ASCII), HMAC));
      byte[] hash = mac.doFinal(user.getBytes(StandardCharsets.UTF_8));
      return "user-" + HexFormat.of().formatHex(hash, 0, SHOWN_BYTES);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has " + HMAC, e);
    }
  }
}
