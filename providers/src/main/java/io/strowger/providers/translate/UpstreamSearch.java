package io.strowger.providers.translate;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Tool;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The search of the web that an upstream is asked to make by means of its own, as adapters of all
 * dialects read it. Plugins fact sheet, sections 5 and 12.
 *
 * @param parameters of {@code router:web_search}
 */
public record UpstreamSearch(Json.Obj parameters) {

  /** Returns the search among these tools; null when there is none. */
  public static @Nullable UpstreamSearch among(List<Tool> tools) {
    Json.Obj parameters = Tool.upstreamSearch(tools);
    return parameters == null ? null : new UpstreamSearch(parameters);
  }

  /** Most searches; null when nobody said. */
  public @Nullable Json maxUses() {
    return given("max_uses");
  }

  /** How much of what is found the model reads: low, medium or high; null when nobody said. */
  public @Nullable Json contextSize() {
    return given("search_context_size");
  }

  /** Only pages of these; empty when there is no such list. */
  public List<Json> allowedDomains() {
    return domains("allowed_domains");
  }

  /** No pages of these; empty when there is no such list. */
  public List<Json> excludedDomains() {
    return domains("excluded_domains");
  }

  /**
   * Domains without a scheme and without {@code *.}: to the vendors a domain stands for its
   * subdomains.
   */
  private List<Json> domains(String name) {
    return parameters.texts(name).stream().<Json>map(given -> Json.of(domain(given))).toList();
  }

  private static String domain(String given) {
    String domain = given.strip().toLowerCase(Locale.ROOT);
    int scheme = domain.indexOf("://");
    domain = scheme < 0 ? domain : domain.substring(scheme + 3);
    return domain.startsWith("*.") ? domain.substring(2) : domain;
  }

  /** Where the person is: city, region, country and timezone as far as they are known. */
  public Json.@Nullable Obj place() {
    Json.Obj location = parameters.object("user_location");
    if (location == null) {
      return null;
    }
    Json.Obj.Builder place = Json.object();
    for (String part : List.of("city", "region", "country", "timezone")) {
      if (location.get(part) instanceof Json.Str known) {
        place.put(part, known);
      }
    }
    return place.build();
  }

  /** The same as one flat object with its type; null when nobody said. */
  public Json.@Nullable Obj location() {
    Json.Obj place = place();
    return place == null ? null : Json.object().put("type", "approximate").putAll(place).build();
  }

  private @Nullable Json given(String name) {
    Json value = parameters.get(name);
    return value instanceof Json.Null ? null : value;
  }
}
