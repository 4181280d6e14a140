package io.strowger.plugins.web;

import io.strowger.spi.catalog.Usd;
import io.strowger.spi.json.Json;
import io.strowger.spi.plugin.ConfigSchema;
import io.strowger.spi.plugin.Field;
import io.strowger.spi.plugin.Fields;
import io.strowger.spi.plugin.PluginConfig;
import java.math.BigDecimal;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What an operator says of search engines, under {@code plugins.settings.web}. */
final class SearchSettings {
  private static final String JSON = "json";
  private static final String CREDIT_PRICE = "credit_price";
  private static final Set<String> JSON_MEMBERS =
      Set.of("url", "headers", "body", "results", "page_url", "title", "text", "price");

  private static final Map<SearchService, Field<SearchService.Account>> SERVICES = services();

  private static final Field<JsonSearch> OWN =
      new Field<>(
          JSON,
          SearchSettings::own,
          null,
          "Any service that answers with JSON: url with {query} and {max_results}, headers, body,"
              + " JSON pointers results, page_url, title and text, and price in dollars.",
          schema(List.of("url", "results"), JSON_MEMBERS),
          true);

  /** The engine for requests that name none. */
  static final Field<String> DEFAULT =
      Fields.oneOf(
          "engine",
          List.of("exa", "parallel", "perplexity", "firecrawl", JSON),
          null,
          "The engine for requests that name none; absent: the upstream's own search where it has"
              + " one, else the first that is set up.");

  /** All that may be set. */
  static final ConfigSchema SCHEMA = new ConfigSchema(fields(), false);

  private SearchSettings() {}

  private static Map<SearchService, Field<SearchService.Account>> services() {
    var fields = new EnumMap<SearchService, Field<SearchService.Account>>(SearchService.class);
    for (SearchService service : SearchService.values()) {
      fields.put(
          service,
          new Field<>(
              service.word(),
              (member, problems) -> account(service, member, problems),
              null,
              "An account with "
                  + service.word()
                  + ": api_key, and base_url where it is elsewhere"
                  + (service.chargesCredits() ? "; credit_price in dollars." : "."),
              schema(required(service), members(service)),
              true));
    }
    return fields;
  }

  private static Set<String> members(SearchService service) {
    return service.chargesCredits()
        ? Set.of("api_key", "base_url", CREDIT_PRICE)
        : Set.of("api_key", "base_url");
  }

  private static List<String> required(SearchService service) {
    return service.chargesCredits() ? List.of("api_key", CREDIT_PRICE) : List.of("api_key");
  }

  private static List<Field<?>> fields() {
    var fields = new ArrayList<Field<?>>(SERVICES.values());
    fields.add(OWN);
    fields.add(DEFAULT);
    return fields;
  }

  private static Json.Obj schema(List<String> required, Set<String> members) {
    var properties = Json.object();
    members.stream().sorted().forEach(name -> properties.put(name, Json.Obj.EMPTY));
    return Json.object()
        .put("type", "object")
        .put("properties", properties.build())
        .put("required", Json.array(required.stream().map(Json::of).toList()))
        .build();
  }

  /**
   * The engines that are set up, by their words, the one for requests that name none first.
   *
   * @throws IllegalArgumentException when that one is not set up
   */
  static Map<String, SearchEngine> engines(PluginConfig settings) {
    var all = new LinkedHashMap<String, SearchEngine>();
    SERVICES.forEach(
        (service, field) -> {
          if (settings.isSet(field)) {
            all.put(service.word(), service.engine(settings.get(field)));
          }
        });
    if (settings.isSet(OWN)) {
      all.put(JSON, settings.get(OWN));
    }
    if (!settings.isSet(DEFAULT)) {
      return all;
    }
    String first = settings.get(DEFAULT);
    SearchEngine engine = all.get(first);
    if (engine == null) {
      throw new IllegalArgumentException(
          "must have " + first + ", which is the engine for requests that name none");
    }
    var ordered = new LinkedHashMap<String, SearchEngine>();
    ordered.put(first, engine);
    ordered.putAll(all);
    return ordered;
  }

  private static SearchService.Account account(
      SearchService service, Json member, Field.Reporter problems) {
    Json.Obj said = object(member, members(service), problems);
    String key = required(said, "api_key", problems);
    requireHeader("/api_key", key, problems);
    if (service.chargesCredits() && !said.has(CREDIT_PRICE)) {
      problems.missing("/" + CREDIT_PRICE);
    }
    Usd creditPrice = price(said, CREDIT_PRICE, problems);
    String base = said.text("base_url");
    if (base == null) {
      if (said.has("base_url")) {
        problems.problem("/base_url", "must be an address of http or https", said);
      }
      return new SearchService.Account(service.base(), key, creditPrice);
    }
    String cut = base.endsWith("/") ? base.substring(0, base.length() - 1) : base;
    return new SearchService.Account(address("/base_url", cut, problems), key, creditPrice);
  }

  private static JsonSearch own(Json member, Field.Reporter problems) {
    Json.Obj said = object(member, JSON_MEMBERS, problems);
    String url = required(said, "url", problems);
    String host = url.split("[/?#]", 4).length > 2 ? url.split("[/?#]", 4)[2] : "";
    if (host.contains("{")) {
      problems.problem("/url", "must have {query} and {max_results} behind its host only", said);
    }
    address(
        "/url", url.replace(JsonSearch.QUERY, "q").replace(JsonSearch.MAX_RESULTS, "1"), problems);
    var places =
        new JsonSearch.Places(
            pointer(said, "results", null, problems),
            pointer(said, "page_url", "/url", problems),
            pointer(said, "title", "/title", problems),
            pointer(said, "text", "/text", problems));
    Json body = said.get("body");
    if (body != null && !(body instanceof Json.Obj)) {
      problems.problem("/body", "must be an object", body);
    }
    return new JsonSearch(
        url,
        headers(said, problems),
        body instanceof Json.Obj template ? template.detached() : null,
        places,
        price(said, "price", problems));
  }

  private static Json.Obj object(Json member, Set<String> known, Field.Reporter problems) {
    if (!(member instanceof Json.Obj object)) {
      problems.problem("", "must be an object", member);
      return Json.Obj.EMPTY;
    }
    for (int i = 0; i < object.size(); i++) {
      if (!known.contains(object.name(i))) {
        String place = object.name(i).replace("~", "~0").replace("/", "~1");
        problems.problem("/" + place, "is unknown", object.value(i));
      }
    }
    return object;
  }

  private static String required(Json.Obj said, String name, Field.Reporter problems) {
    Json given = said.get(name);
    if (given == null) {
      problems.missing("/" + name);
      return "";
    }
    if (!(given instanceof Json.Str text) || text.text().isBlank()) {
      problems.problem("/" + name, "must be a string that is not blank", given);
      return "";
    }
    return text.text();
  }

  private static URI address(String place, String url, Field.Reporter problems) {
    try {
      URI uri = new URI(url);
      boolean web = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
      if (web && uri.getHost() != null && uri.getRawUserInfo() == null) {
        return uri;
      }
    } catch (URISyntaxException malformed) {
      // told below
    }
    problems.problem(
        place, "must be an address of http or https, without a user name", Json.of(url));
    return URI.create("http://invalid");
  }

  private static String pointer(
      Json.Obj said, String name, @Nullable String otherwise, Field.Reporter problems) {
    Json given = said.get(name);
    if (given == null) {
      if (otherwise == null) {
        problems.missing("/" + name);
      }
      return Objects.requireNonNullElse(otherwise, "");
    }
    String text = given instanceof Json.Str str ? str.text() : null;
    if (text == null || !text.isEmpty() && text.charAt(0) != '/') {
      problems.problem("/" + name, "must be a JSON pointer", given);
      return "";
    }
    return text;
  }

  private static Map<String, String> headers(Json.Obj said, Field.Reporter problems) {
    Json given = said.get("headers");
    var headers = new LinkedHashMap<String, String>();
    if (given != null && !(given instanceof Json.Obj)) {
      problems.problem("/headers", "must be an object", given);
    }
    if (given instanceof Json.Obj all) {
      for (int i = 0; i < all.size(); i++) {
        String name = all.name(i);
        if (!name.matches("[A-Za-z0-9-]+") || !(all.value(i) instanceof Json.Str value)) {
          problems.problem("/headers", "must have names of letters and strings", all.value(i));
        } else {
          requireHeader("/headers/" + name, value.text(), problems);
          headers.put(name, value.text());
        }
      }
    }
    return Map.copyOf(headers);
  }

  private static void requireHeader(String place, String value, Field.Reporter problems) {
    if (!value.chars().allMatch(c -> c >= ' ' && c < 0x7F)) {
      problems.problem(place, "must be printable ASCII", Json.of(value));
    }
  }

  private static Usd price(Json.Obj said, String name, Field.Reporter problems) {
    Json given = said.get(name);
    if (given == null) {
      return Usd.ZERO;
    }
    BigDecimal dollars =
        given instanceof Json.Num number && number.spelling().matches("[0-9.]{1,20}")
            ? number.decimal()
            : null;
    if (dollars == null
        || dollars.compareTo(BigDecimal.valueOf(1_000)) > 0
        || dollars.scale() > 9) {
      problems.problem("/" + name, "must be dollars, 0 to 1000, with at most nine decimals", given);
      return Usd.ZERO;
    }
    return Usd.ofDollars(dollars);
  }
}
