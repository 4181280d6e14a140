package io.strowger.core.resource;

import static io.strowger.core.decode.Rules.integer;
import static io.strowger.core.decode.Rules.list;
import static io.strowger.core.decode.Rules.matching;
import static io.strowger.core.decode.Rules.string;
import static io.strowger.core.decode.Rules.text;
import static io.strowger.core.resource.ResourceRules.JSON_FLAG;
import static io.strowger.core.resource.ResourceRules.json;
import static io.strowger.core.resource.ResourceRules.jsonList;

import io.strowger.core.decode.Rule;
import io.strowger.spi.json.Json;
import java.util.regex.Pattern;

/**
 * The members of a BYOK key: {@code /byok}. Routing fact sheet, section 8; resources fact sheet,
 * section 4. The key is never included in a problem.
 */
public final class ByokKeyTable {
  private static final int MAX_RESTRICTIONS = 100;

  private static final Rule<Json> KEY =
      json(
          matching(
              Pattern.compile("[!-~]{1,8192}"),
              "must be printable ASCII without blanks, 1 to 8192 characters"));

  private static final Rule<Json> NAMES = jsonList(list(text(1, 256), 1, MAX_RESTRICTIONS));

  private static final Rule<Json> HASHES = jsonList(list(ResourceRules.HASH, 1, MAX_RESTRICTIONS));

  public static final ResourceType TYPE =
      ResourceType.table()
          .fixed("provider", json(text(1, 200)))
          .secret("key", KEY)
          .clearable("name", json(text(1, 200)))
          .generated("label", Json.of("***")) // the key masked
          .workspace(string().orNull()) // null: of all workspaces
          .hidden("disabled", JSON_FLAG, JSON_FLAG)
          // tried after the gateway's own credential instead of before it
          .optional("is_fallback", JSON_FLAG, Json.FALSE)
          .optional("sort_order", integer(0, 1_000_000).<Json>to(Json::of), Json.of(0))
          .optional("always_use", JSON_FLAG, Json.FALSE) // the gateway's own key is not used
          .clearable("allowed_models", NAMES)
          .clearable("allowed_api_key_hashes", HASHES)
          .clearable("allowed_user_ids", NAMES)
          .storedFirst("provider", "label", ResourceType.SEALED)
          .build();

  private ByokKeyTable() {}
}
