package io.strowger.core.dialect;

import io.strowger.core.decode.Rule;
import io.strowger.core.decode.Rules;
import io.strowger.core.resource.PresetSlug;
import io.strowger.spi.json.Json;

/** The name of a preset, in a body. Open questions, 69. */
public final class Slug {
  public static final Rule<String> RULE =
      (given, context) -> {
        if (given instanceof Json.Str str && Rules.isName(str) && PresetSlug.isOne(str.text())) {
          return str.text();
        }
        context.reject(PresetSlug.ALLOWED, given);
        return null;
      };

  private Slug() {}
}
