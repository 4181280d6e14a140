package io.strowger.core.pipeline;

import io.strowger.core.authentication.Caller;
import io.strowger.core.digest.Sha256;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Computes the hash that identifies a caller's end user to upstreams. It is salted by the key and
 * always the same for one user of that key, so that an upstream can detect abuse by single users
 * without learning who they are. Contract: {@code user} is never forwarded raw.
 */
final class EndUser {
  private static final int HASH_BYTES = 16;

  private EndUser() {}

  /** Returns the hash of the end user that any member of the request names; null for none. */
  static @Nullable String hash(InferenceRequest request, Caller caller) {
    String user = request.user();
    Json.Obj metadata = request.members().object("metadata");
    if (user == null && metadata != null) {
      user = metadata.text("user_id");
    }
    return hash(user == null ? request.members().text("safety_identifier") : user, caller);
  }

  private static @Nullable String hash(@Nullable String user, Caller caller) {
    if (user == null || user.isEmpty()) {
      return null;
    }
    byte[] hash = Sha256.of(caller.owner() + user);
    return "user-" + HexFormat.of().formatHex(hash, 0, HASH_BYTES);
  }
}
