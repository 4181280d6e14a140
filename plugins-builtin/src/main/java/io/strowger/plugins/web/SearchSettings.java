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
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The search engines an operator configures in the section {@code search}. */
final class SearchSettings {
  private static final String JSON = "json";
  private static final String CREDIT_PRICE = "credit_price";
  private static final int MAX_ENGINES = 100;
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,63}");

  /** Members that every engine has. */
  private static final Set<String> ALL = Set.of("name", "kind");

  private static final Set<String> JSON_MEMBERS =
      Set.of("url", "headers", "body", "results", "fields", "price_per_request");
  private static final Set<String> SERVICE_MEMBERS = Set.of("api_key", "url");
  private static final Pattern PRICE = Pattern.compile("[0-9]{1,4}(\\.[0-9]{1,20})?");
  private static final JsonSearch.Places NO_PLACES = new JsonSearch.Places("", "", "", "");
  private static final Set<String> PLACES = Set.of("url", "title", "text");

  private static final Map<String, SearchService> SERVICES =
      Stream.of(SearchService.values())
          .collect(Collectors.toUnmodifiableMap(SearchService::word, service -> service));
  private static final List<String> KINDS =
      Stream.concat(Stream.of(JSON), SERVICES.keySet().stream().sorted()).toList();

  /** The name of the engine for requests that name none. */
  static final Field<String> DEFAULT =
      Fields.text(
          "default",
          null,
          "The name of the engine for requests that name none; absent: the upstream's own search"
              + " where it has one, else the first engine.");

  /** The engines by name, in the order of the configuration. */
  private static final Field<Map<String, SearchEngine>> ENGINES =
      new Field<>(
          "engines",
          SearchSettings::engines,
          Map.of(),
          "Search engines, each with a name and a kind: json for any service that answers with"
              + " JSON, or the protocol of a public service.",
          schema(),
          true);

  /** The schema of the section. */
  static final ConfigSchema SCHEMA = new ConfigSchema(List.of(DEFAULT, ENGINES), false);

  private SearchSettings() {}

  private static Json.Obj schema() {
    var properties = Json.object();
    Stream.of(ALL, JSON_MEMBERS, SERVICE_MEMBERS, Set.of(CREDIT_PRICE))
        .flatMap(Set::stream)
        .distinct()
        .sorted()
        .forEach(name -> properties.put(name, Json.Obj.EMPTY));
    var kind = Json.object().put("enum", Json.array(KINDS.stream().map(Json::of).toList()));
    var engine =
        Json.object()
            .put("type", "object")
            .put("properties", properties.put("kind", kind.build()).build())
            .put("required", Json.array(Json.of("name"), Json.of("kind")));
    return Json.object().put("type", "array").put("items", engine.build()).build();
  }

  /**
   * Returns the engines by name, the default engine first.
   *
   * @throws IllegalArgumentException when the default engine is not among them
   */
  static Map<String, SearchEngine> engines(PluginConfig settings) {
    Map<String, SearchEngine> all = settings.get(ENGINES);
    if (!settings.isSet(DEFAULT)) {
      return all;
    }
    String first = settings.get(DEFAULT);
    SearchEngine engine = all.get(first);
    if (engine == null) {
      throw new IllegalArgumentException(
          "must have an engine with the name that default has; there are "
              + (all.isEmpty() ? "none" : String.join(", ", all.keySet())));
    }
    var ordered = new LinkedHashMap<String, SearchEngine>();
    ordered.put(first, engine);
    ordered.putAll(all);
    return Collections.unmodifiableMap(ordered);
  }

  private static Map<String, SearchEngine> engines(Json member, Field.Reporter problems) {
    var engines = new LinkedHashMap<String, SearchEngine>();
    if (!(member instanceof Json.Arr items) || items.size() > MAX_ENGINES) {
      problems.problem("", "must be an array of at most " + MAX_ENGINES + " engines", member);
      return engines;
    }
    for (int i = 0; i < items.size(); i++) {
      Field.Reporter below = below("/" + i, problems);
      if (!(items.get(i) instanceof Json.Obj said)) {
        below.problem("", "must be an object", items.get(i));
        continue;
      }
      Json.Obj given = withoutNulls(said);
      String name = name(given, below);
      if (engines.containsKey(name)) {
        below.problem("/name", "must be unique", Json.of(name));
      }
      engines.put(name, engine(given, below));
    }
    return Collections.unmodifiableMap(engines);
  }

  private static Field.Reporter below(String place, Field.Reporter problems) {
    return (below, allowed, given) -> problems.problem(place + below, allowed, given);
  }

  /** Returns the object without members that are null, which mean the same as absent ones. */
  private static Json.Obj withoutNulls(Json.Obj object) {
    var kept = Json.object();
    for (int i = 0; i < object.size(); i++) {
      if (!(object.value(i) instanceof Json.Null)) {
        kept.put(object.name(i), object.value(i));
      }
    }
    return kept.build();
  }

  private static String name(Json.Obj said, Field.Reporter problems) {
    String name = required(said, "name", problems);
    if (!name.isEmpty() && (!NAME.matcher(name).matches() || name.equals(NativeSearch.ENGINE))) {
      problems.problem(
          "/name",
          "must have 1 to 64 letters, digits, _, . and -, and must not be " + NativeSearch.ENGINE,
          Json.of(name));
    }
    return name;
  }

  private static SearchEngine engine(Json.Obj said, Field.Reporter problems) {
    String kind = required(said, "kind", problems);
    SearchService service = SERVICES.get(kind);
    if (service != null) {
      return service.engine(account(service, said, problems));
    }
    if (!kind.isEmpty() && !kind.equals(JSON)) {
      problems.problem("/kind", "must be one of " + String.join(", ", KINDS), Json.of(kind));
      return new JsonSearch("", Map.of(), null, NO_PLACES, Usd.ZERO);
    }
    return own(said, problems);
  }

  private static SearchService.Account account(
      SearchService service, Json.Obj said, Field.Reporter problems) {
    requireKnown(said, members(service), problems);
    String key = required(said, "api_key", problems);
    requireHeader("/api_key", key, problems);
    Usd creditPrice = price(said, CREDIT_PRICE, problems);
    String base = said.text("url");
    if (base == null) {
      if (said.has("url")) {
        problems.problem("/url", "must be an address of http or https", said);
      }
      return new SearchService.Account(service.base(), key, creditPrice);
    }
    String cut = base.endsWith("/") ? base.substring(0, base.length() - 1) : base;
    return new SearchService.Account(address("/url", cut, problems), key, creditPrice);
  }

  private static Set<String> members(SearchService service) {
    var members = new TreeSet<>(ALL);
    members.addAll(SERVICE_MEMBERS);
    if (service.chargesCredits()) {
      members.add(CREDIT_PRICE);
    }
    return members;
  }

  private static JsonSearch own(Json.Obj said, Field.Reporter problems) {
    var members = new TreeSet<>(ALL);
    members.addAll(JSON_MEMBERS);
    requireKnown(said, members, problems);
    String url = required(said, "url", problems);
    String host = url.split("[/?#]", 4).length > 2 ? url.split("[/?#]", 4)[2] : "";
    if (host.contains("{")) {
      problems.problem("/url", "must have {query} and {max_results} behind its host only", said);
    }
    address(
        "/url", url.replace(JsonSearch.QUERY, "q").replace(JsonSearch.MAX_RESULTS, "1"), problems);
    Json body = said.get("body");
    if (body != null && !(body instanceof Json.Obj)) {
      problems.problem("/body", "must be an object", body);
    }
    return new JsonSearch(
        url,
        headers(said, problems),
        body instanceof Json.Obj template ? template.detached() : null,
        places(said, problems),
        price(said, "price_per_request", problems));
  }

  private static JsonSearch.Places places(Json.Obj said, Field.Reporter problems) {
    Json given = said.get("fields");
    if (given != null && !(given instanceof Json.Obj)) {
      problems.problem("/fields", "must be an object", given);
    }
    Json.Obj fields = given instanceof Json.Obj members ? withoutNulls(members) : Json.Obj.EMPTY;
    Field.Reporter below = below("/fields", problems);
    requireKnown(fields, PLACES, below);
    return new JsonSearch.Places(
        pointer(said, "results", null, problems),
        pointer(fields, "url", "/url", below),
        pointer(fields, "title", "/title", below),
        pointer(fields, "text", "/text", below));
  }

  private static void requireKnown(Json.Obj said, Set<String> known, Field.Reporter problems) {
    for (int i = 0; i < said.size(); i++) {
      if (!known.contains(said.name(i))) {
        String place = said.name(i).replace("~", "~0").replace("/", "~1");
        problems.problem(
            "/" + place,
            "is not a member here; those are " + String.join(", ", new TreeSet<>(known)),
            said.value(i));
      }
    }
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
      // reported below
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
    String spelling =
        switch (given) {
          case Json.Str text -> text.text();
          case Json.Num number -> number.spelling();
          case Json other -> "";
        };
    BigDecimal dollars = PRICE.matcher(spelling).matches() ? new BigDecimal(spelling) : null;
    if (dollars == null
        || dollars.compareTo(BigDecimal.valueOf(1_000)) > 0
        || dollars.stripTrailingZeros().scale() > 9) {
      problems.problem(
          "/" + name,
          "must be a decimal string of dollars, 0 to 1000, with at most nine decimals",
          given);
      return Usd.ZERO;
    }
    return Usd.ofDollars(dollars);
  }
}
