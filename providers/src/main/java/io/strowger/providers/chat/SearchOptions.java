package io.strowger.providers.chat;

import io.strowger.providers.translate.Losses;
import io.strowger.providers.translate.UpstreamSearch;
import io.strowger.spi.json.Json;

/**
 * Writes the options of the upstream's own search, which is a member of the body in this dialect,
 * not a tool.
 */
final class SearchOptions {
  static final String MEMBER = "web_search_options";

  private SearchOptions() {}

  static Json.Obj of(UpstreamSearch search, Losses losses) {
    Json.Obj.Builder options = Json.object();
    Json size = search.contextSize();
    if (size != null) {
      options.put("search_context_size", size);
    }
    Json.Obj location = search.untypedLocation();
    if (location != null) {
      options.put(
          "user_location",
          Json.object().put("type", "approximate").put("approximate", location).build());
    }
    if (!search.allowedDomains().isEmpty() || !search.excludedDomains().isEmpty()) {
      losses.dropped("domains of the search", "have no form in this dialect");
    }
    return options.build();
  }
}
