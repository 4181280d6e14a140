package io.strowger.core.batch;

import io.strowger.core.decode.DecodingContext;
import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.Rule;
import io.strowger.spi.json.Json;
import java.util.List;

/**
 * Rejects searches that the gateway would have to run, which a batch does not accept. A provider's
 * own searches are passed on with the request. When a request names no engine and its provider has
 * no search of its own, the request ends in an error. Resources fact sheet, 6; plugins fact sheet,
 * {@code engine}.
 *
 * <p>Nothing else is checked: other errors are left to the decoder of the path that the request is
 * for.
 */
final class BatchSearches {
  private static final List<String> GATEWAY_ENGINES =
      List.of("exa", "firecrawl", "parallel", "perplexity");

  private static final MemberTable<Json.Obj> ENGINE =
      MemberTable.<Json.Obj>table().optional("engine", BatchSearches::checkEngine).build();

  private static final MemberTable<Json.Obj> TOOL =
      MemberTable.<Json.Obj>table().optional("parameters", objectRule(ENGINE)).build();

  /** Checks {@code tools} for the tool {@code router:web_search}. */
  static final Rule<Json> TOOLS = enabledItems("type", "router:web_search", TOOL);

  /** Checks {@code plugins} for the plugin {@code web}, unless it is disabled. */
  static final Rule<Json> PLUGINS = enabledItems("id", "web", ENGINE);

  private BatchSearches() {}

  private static Json checkEngine(Json json, DecodingContext context) {
    if (json instanceof Json.Str engine && GATEWAY_ENGINES.stream().anyMatch(engine::is)) {
      context.reject("must be native or absent: the gateway runs no search in a batch", json);
    }
    return json;
  }

  private static Rule<Json> objectRule(MemberTable<Json.Obj> members) {
    return (json, context) -> {
      if (json instanceof Json.Obj object) {
        members.read(object, context, object);
      }
      return json;
    };
  }

  /**
   * Returns a rule that reads those items of an array that are enabled and whose member has this
   * value.
   */
  private static Rule<Json> enabledItems(
      String member, String value, MemberTable<Json.Obj> members) {
    Rule<Json> search = objectRule(members);
    return (json, context) -> {
      List<Json> items = json instanceof Json.Arr array ? array : List.of();
      for (int i = 0; i < items.size(); i++) {
        if (items.get(i) instanceof Json.Obj item
            && value.equals(item.text(member))
            && !Json.FALSE.equals(item.get("enabled"))) {
          context.enter(i);
          search.read(item, context);
          context.leave();
        }
      }
      return json;
    };
  }
}
