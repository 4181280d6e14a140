package io.strowger.core.plan;

import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.json.Json;
import io.strowger.spi.routing.ModelRef;
import java.util.List;
import java.util.Locale;

/**
 * Builds the {@code error.availability} object, which tells a program why a model is not available.
 * Fact sheet: chat, section 9.
 */
public final class Availability {
  private Availability() {}

  /**
   * Returns the members every such object has: {@code code}, {@code retryable} and {@code
   * requested_models}. There is no {@code docs_url}: this project has no address on the web that a
   * client could follow.
   */
  public static Json.Obj of(ErrorCode code, List<ModelRef> requested) {
    String wireCode = code.name().toLowerCase(Locale.ROOT);
    return Json.object()
        .put("code", wireCode)
        .put(
            "retryable",
            code == ErrorCode.CAPACITY_EXHAUSTED || code == ErrorCode.TEMPORARILY_UNAVAILABLE)
        .put(
            "requested_models",
            Json.array(requested.stream().map(ref -> Json.of(ref.toString())).toList()))
        .build();
  }
}
