package io.strowger.providers.translate;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Tool;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of the web search that an upstream is asked to make with its own tool, as adapters
 * of all dialects read them. Plugins fact sheet, sections 5 and 12.
 *
 * @param parameters the parameters of {@code router:web_search}
 */
public record UpstreamSearch(Json.Obj parameters) {

  /** Returns the search among these tools; null when there is none. */
  public static @Nullable UpstreamSearch findIn(List<Tool> tools) {
    Json.Obj parameters = Tool.upstreamSearchParameters(tools);
    return parameters == null ? null : new UpstreamSearch(parameters);
  }

  /** Returns the maximum number of searches; null when it is not set. */
  public @Nullable Json maxUses() {
    return valueOrNull("max_uses");
  }

  /** Returns how much of the results the model reads: low, medium or high; null if not set. */
  public @Nullable Json contextSize() {
    return valueOrNull("search_context_size");
  }

  /** Returns the only domains to search; empty when there is no such list. */
  public List<Json> allowedDomains() {
    return domains("allowed_domains");
  }

  /** Returns the domains to leave out; empty when there is no such list. */
  public List<Json> excludedDomains() {
    return domains("excluded_domains");
  }

  /**
   * Returns domains without a scheme and {@code *.}, since for vendors a domain includes its
   * subdomains.
   */
  private List<Json> domains(String name) {
    return parameters.texts(name).stream().<Json>map(text -> Json.of(domain(text))).toList();
  }

  private static String domain(String text) {
    String domain = text.strip().toLowerCase(Locale.ROOT);
    int scheme = domain.indexOf("://");
    domain = scheme < 0 ? domain : domain.substring(scheme + 3);
    return domain.startsWith("*.") ? domain.substring(2) : domain;
  }

  /** Returns the user's city, region, country and timezone, as far as known; null if not set. */
  public Json.@Nullable Obj untypedLocation() {
    Json.Obj location = parameters.object("user_location");
    if (location == null) {
      return null;
    }
    Json.Obj.Builder known = Json.object();
    for (String part : List.of("city", "region", "country", "timezone")) {
      if (location.get(part) instanceof Json.Str text) {
        known.put(part, text);
      }
    }
    return known.build();
  }

  /** Returns the user's location with its type, in one flat object; null if not set. */
  public Json.@Nullable Obj location() {
    Json.Obj members = untypedLocation();
    return members == null
        ? null
        : Json.object().put("type", "approximate").putAll(members).build();
  }

  private @Nullable Json valueOrNull(String name) {
    Json value = parameters.get(name);
    return value instanceof Json.Null ? null : value;
  }
}
