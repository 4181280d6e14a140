package io.strowger.providers.translate;

import io.strowger.spi.json.Json;
import org.jspecify.annotations.Nullable;

/** The caller's {@code metadata} as it is sent upstream. Translation fact sheet, section 8. */
public final class Metadata {
  private static final String USER = "user_id";

  private Metadata() {}

  /**
   * Returns the members to send: the end user's id is replaced by a hash, or removed.
   *
   * @param endUser the hash of the end user; null when there is none
   */
  public static Json of(Json metadata, @Nullable String endUser) {
    if (!(metadata instanceof Json.Obj pairs) || !pairs.has(USER)) {
      return metadata;
    }
    return endUser == null ? pairs.without(USER) : pairs.with(USER, Json.of(endUser));
  }
}
