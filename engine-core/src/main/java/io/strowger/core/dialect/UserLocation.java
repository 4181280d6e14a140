package io.strowger.core.dialect;

import static io.strowger.core.decode.Rules.string;
import static io.strowger.core.decode.Rules.word;

import io.strowger.core.decode.Members;
import io.strowger.core.decode.Rule;
import io.strowger.spi.json.Json;

/**
 * {@code user_location} of a search: where the person roughly is. Plugins fact sheet, section 5;
 * messages fact sheet, section 2.
 */
public final class UserLocation {
  /** Of the gateway's own search, where the one type there is need not be said. */
  static final Rule<Json.Obj> OF_GATEWAY =
      Members.kept(places().optional("type", word("approximate")).build());

  /** Of a vendor's search, which asks for the type. */
  public static final Rule<Json.Obj> OF_VENDOR =
      Members.kept(places().required("type", word("approximate")).build());

  private UserLocation() {}

  private static Members.Builder<Json.Obj> places() {
    return Members.<Json.Obj>table()
        .optional("city", string().orNull())
        .optional("region", string().orNull())
        .optional("country", string().orNull())
        .optional("timezone", string().orNull());
  }
}
