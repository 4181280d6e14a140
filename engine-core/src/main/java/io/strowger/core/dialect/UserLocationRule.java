package io.strowger.core.dialect;

import static io.strowger.core.decode.Rules.string;
import static io.strowger.core.decode.Rules.wordAmong;

import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.Rule;
import io.strowger.spi.json.Json;

/**
 * {@code user_location} of a search: where the person roughly is. Plugins fact sheet, section 5;
 * messages fact sheet, section 2.
 */
public final class UserLocationRule {
  /** Of the gateway's own search, where the one type there is need not be said. */
  static final Rule<Json.Obj> OF_GATEWAY =
      MemberTable.kept(places().optional("type", wordAmong("approximate")).build());

  /** Of a vendor's search, which asks for the type. */
  public static final Rule<Json.Obj> OF_VENDOR =
      MemberTable.kept(places().required("type", wordAmong("approximate")).build());

  private UserLocationRule() {}

  private static MemberTable.Builder<Json.Obj> places() {
    return MemberTable.<Json.Obj>table()
        .optional("city", string().orNull())
        .optional("region", string().orNull())
        .optional("country", string().orNull())
        .optional("timezone", string().orNull());
  }
}
