package io.strowger.core.plan;

import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.json.Json;
import io.strowger.spi.routing.ModelRef;
import java.util.List;
import java.util.Locale;

/**
 * The {@code error.availability} object: what a program needs to know about a model it cannot have.
 * Fact sheet: chat, section 9.
 */
public final class Availability {
  private static final String DOCS = "docs/errors.md#";

  private Availability() {}

  /**
   * The members every such object has: {@code code}, {@code retryable}, {@code requested_models}
   * and {@code docs_url}, which is relative to the project's documentation.
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
        .put("docs_url", DOCS + wireCode)
        .build();
  }
}
