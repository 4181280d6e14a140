package io.strowger.core.dialect;

import static io.strowger.core.decode.Rules.array;
import static io.strowger.core.decode.Rules.map;
import static io.strowger.core.decode.Rules.number;
import static io.strowger.core.decode.Rules.string;

import io.strowger.core.decode.ByJsonType;
import io.strowger.core.decode.Rule;
import io.strowger.spi.json.Json;

/**
 * {@code image_config}: names and values vary by model. Contract: "Chat request body"; responses
 * fact sheet.
 */
public final class ImageConfig {
  public static final Rule<Json.Obj> RULE =
      map(
          ByJsonType.<Object>of("must be a string, number or array")
              .string(string())
              .number(number())
              .array(array()));

  private ImageConfig() {}
}
