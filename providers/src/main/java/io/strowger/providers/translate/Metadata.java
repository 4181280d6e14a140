package io.strowger.providers.translate;

import io.strowger.spi.json.Json;
import org.jspecify.annotations.Nullable;

/** The caller's {@code metadata} on its way out. Translation fact sheet, section 8. */
public final class Metadata {
  private static final String USER = "user_id";

  private Metadata() {}

  /**
   * The pairs as they may leave: whom they name leaves as a hash or not at all.
   *
   * @param endUser the hash; null when there is none
   */
  public static Json of(Json given, @Nullable String endUser) {
    if (!(given instanceof Json.Obj pairs) || !pairs.has(USER)) {
      return given;
    }
    return endUser == null ? pairs.without(USER) : pairs.with(USER, Json.of(endUser));
  }
}
