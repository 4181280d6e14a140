package io.strowger.core.decode;

import static io.strowger.core.decode.Rules.string;
import static io.strowger.core.decode.Rules.word;

import io.strowger.spi.json.Json;

/**
 * {@code user_location} of a search: where the person roughly is. Plugins fact sheet, section 5.
 */
public final class UserLocation {
  public static final Rule<Json.Obj> RULE =
      Members.kept(
          Members.<Json.Obj>table()
              .required("type", word("approximate"))
              .optional("city", string().orNull())
              .optional("region", string().orNull())
              .optional("country", string().orNull())
              .optional("timezone", string().orNull())
              .build());

  private UserLocation() {}
}
