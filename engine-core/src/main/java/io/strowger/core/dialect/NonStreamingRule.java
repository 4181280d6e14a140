package io.strowger.core.dialect;

import io.strowger.core.decode.DecodingContext;
import io.strowger.core.decode.Rule;
import io.strowger.core.decode.Rules;
import io.strowger.spi.json.Json;
import org.jspecify.annotations.Nullable;

/** {@code stream} of a request whose answer has no other form than a whole document. */
public final class NonStreamingRule {
  /** May be absent or false. */
  public static final Rule<Json.Bool> RULE = NonStreamingRule::read;

  private NonStreamingRule() {}

  private static Json.@Nullable Bool read(Json given, DecodingContext context) {
    Json.Bool asked = Rules.bool().read(given, context);
    if (asked != null && asked.value()) {
      context.reject("must be false: the answer comes whole", given);
      return null;
    }
    return asked;
  }
}
