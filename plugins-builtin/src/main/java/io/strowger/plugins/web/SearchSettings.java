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
  private static final Set<String> COMMON_MEMBERS = Set.of("name", "kind");

  private static final Set<String> JSON_MEMBERS =
      Set.of("url", "headers", "body", "results", "fields", "price_per_request");
  private static final Set<String> SERVICE_MEMBERS = Set.of("api_key", "url");
  private static final Pattern PRICE = Pattern.compile("[0-9]{1,4}(\\.[0-9]{1,20})?");
  private static final JsonSearch.ResultPointers NO_POINTERS =
      new JsonSearch.ResultPointers("", "", "", "");
  private static final Set<String> RESULT_MEMBERS = Set.of("url", "title", "text");

  private static final Map<String, SearchService> SERVICES =
      Stream.of(SearchService.values())
          .collect(Collectors.toUnmodifiableMap(SearchService::wireName, service -> service));
  private static final List<String> KINDS =
      Stream.concat(Stream.of(JSON), SERVICES.keySet().stream().sorted()).toList();

  /** The name of the engine for requests that name none. */
  static final Field<String> DEFAULT =
      Fields.text(
          "default",
          null,
          "The name of the engine for requests that name none. If absent, the upstream's "
              + "own search where it has one, otherwise the first engine.");

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
    Stream.of(COMMON_MEMBERS, JSON_MEMBERS, SERVICE_MEMBERS, Set.of(CREDIT_PRICE))
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
    Map<String, SearchEngine> byName = settings.get(ENGINES);
    if (!settings.isSet(DEFAULT)) {
      return byName;
    }
    String defaultName = settings.get(DEFAULT);
    SearchEngine engine = byName.get(defaultName);
    if (engine == null) {
      throw new IllegalArgumentException(
          "must have an engine with the name given in default; "
              + (byName.isEmpty()
                  ? "there is no engine"
                  : "the engines are " + String.join(", ", byName.keySet())));
    }
    var ordered = new LinkedHashMap<String, SearchEngine>();
    ordered.put(defaultName, engine);
    ordered.putAll(byName);
    return Collections.unmodifiableMap(ordered);
  }

  private static Map<String, SearchEngine> engines(Json member, Field.Reporter problems) {
    var engines = new LinkedHashMap<String, SearchEngine>();
    if (!(member instanceof Json.Arr items) || items.size() > MAX_ENGINES) {
      problems.report("", "must be an array of at most " + MAX_ENGINES + " engines", member);
      return engines;
    }
    for (int i = 0; i < items.size(); i++) {
      Field.Reporter below = nested("/" + i, problems);
      if (!(items.get(i) instanceof Json.Obj item)) {
        below.report("", "must be an object", items.get(i));
        continue;
      }
      Json.Obj members = withoutNulls(item);
      String name = name(members, below);
      if (engines.containsKey(name)) {
        below.report("/name", "must be unique", Json.of(name));
      }
      engines.put(name, engine(members, below));
    }
    return Collections.unmodifiableMap(engines);
  }

  private static Field.Reporter nested(String prefix, Field.Reporter problems) {
    return (below, allowed, given) -> problems.report(prefix + below, allowed, given);
  }

  /** Returns the object without members that are null, which mean the same as absent ones. */
  private static Json.Obj withoutNulls(Json.Obj object) {
    var result = Json.object();
    for (int i = 0; i < object.size(); i++) {
      if (!(object.value(i) instanceof Json.Null)) {
        result.put(object.name(i), object.value(i));
      }
    }
    return result.build();
  }

  private static String name(Json.Obj engine, Field.Reporter problems) {
    String name = required(engine, "name", problems);
    if (!name.isEmpty() && (!NAME.matcher(name).matches() || name.equals(NativeSearch.ENGINE))) {
      problems.report(
          "/name",
          "must have 1 to 64 letters, digits, _, . and -, and must not be " + NativeSearch.ENGINE,
          Json.of(name));
    }
    return name;
  }

  private static SearchEngine engine(Json.Obj engine, Field.Reporter problems) {
    String kind = required(engine, "kind", problems);
    SearchService service = SERVICES.get(kind);
    if (service != null) {
      return service.engine(account(service, engine, problems));
    }
    if (!kind.isEmpty() && !kind.equals(JSON)) {
      problems.report("/kind", "must be one of " + String.join(", ", KINDS), Json.of(kind));
      return new JsonSearch("", Map.of(), null, NO_POINTERS, Usd.ZERO);
    }
    return jsonSearch(engine, problems);
  }

  private static SearchService.Account account(
      SearchService service, Json.Obj engine, Field.Reporter problems) {
    requireKnown(engine, members(service), problems);
    String key = required(engine, "api_key", problems);
    requireHeader("/api_key", key, problems);
    Usd creditPrice = price(engine, CREDIT_PRICE, problems);
    String base = engine.text("url");
    if (base == null) {
      if (engine.has("url")) {
        problems.report("/url", "must be an address of http or https", engine);
      }
      return new SearchService.Account(service.base(), key, creditPrice);
    }
    String baseWithoutSlash = base.endsWith("/") ? base.substring(0, base.length() - 1) : base;
    return new SearchService.Account(address("/url", baseWithoutSlash, problems), key, creditPrice);
  }

  private static Set<String> members(SearchService service) {
    var members = new TreeSet<>(COMMON_MEMBERS);
    members.addAll(SERVICE_MEMBERS);
    if (service.chargesCredits()) {
      members.add(CREDIT_PRICE);
    }
    return members;
  }

  private static JsonSearch jsonSearch(Json.Obj engine, Field.Reporter problems) {
    var members = new TreeSet<>(COMMON_MEMBERS);
    members.addAll(JSON_MEMBERS);
    requireKnown(engine, members, problems);
    String url = required(engine, "url", problems);
    String host = url.split("[/?#]", 4).length > 2 ? url.split("[/?#]", 4)[2] : "";
    if (host.contains("{")) {
      problems.report("/url", "may have {query} and {max_results} only after its host", engine);
    }
    address(
        "/url", url.replace(JsonSearch.QUERY, "q").replace(JsonSearch.MAX_RESULTS, "1"), problems);
    Json body = engine.get("body");
    if (body != null && !(body instanceof Json.Obj)) {
      problems.report("/body", "must be an object", body);
    }
    return new JsonSearch(
        url,
        headers(engine, problems),
        body instanceof Json.Obj template ? template.detached() : null,
        resultPointers(engine, problems),
        price(engine, "price_per_request", problems));
  }

  private static JsonSearch.ResultPointers resultPointers(
      Json.Obj engine, Field.Reporter problems) {
    Json value = engine.get("fields");
    if (value != null && !(value instanceof Json.Obj)) {
      problems.report("/fields", "must be an object", value);
    }
    Json.Obj fields = value instanceof Json.Obj members ? withoutNulls(members) : Json.Obj.EMPTY;
    Field.Reporter below = nested("/fields", problems);
    requireKnown(fields, RESULT_MEMBERS, below);
    return new JsonSearch.ResultPointers(
        pointer(engine, "results", null, problems),
        pointer(fields, "url", "/url", below),
        pointer(fields, "title", "/title", below),
        pointer(fields, "text", "/text", below));
  }

  private static void requireKnown(Json.Obj object, Set<String> known, Field.Reporter problems) {
    for (int i = 0; i < object.size(); i++) {
      if (!known.contains(object.name(i))) {
        String escapedName = object.name(i).replace("~", "~0").replace("/", "~1");
        problems.report(
            "/" + escapedName,
            "is not a member here; allowed: " + String.join(", ", new TreeSet<>(known)),
            object.value(i));
      }
    }
  }

  private static String required(Json.Obj object, String name, Field.Reporter problems) {
    Json value = object.get(name);
    if (value == null) {
      problems.reportMissing("/" + name);
      return "";
    }
    if (!(value instanceof Json.Str text) || text.text().isBlank()) {
      problems.report("/" + name, "must be a string that is not blank", value);
      return "";
    }
    return text.text();
  }

  private static URI address(String pointer, String url, Field.Reporter problems) {
    try {
      URI uri = new URI(url);
      boolean isHttp = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
      if (isHttp && uri.getHost() != null && uri.getRawUserInfo() == null) {
        return uri;
      }
    } catch (URISyntaxException e) {
      // reported below
    }
    problems.report(
        pointer, "must be an address of http or https, without a user name", Json.of(url));
    return URI.create("http://invalid");
  }

  private static String pointer(
      Json.Obj object, String name, @Nullable String fallback, Field.Reporter problems) {
    Json value = object.get(name);
    if (value == null) {
      if (fallback == null) {
        problems.reportMissing("/" + name);
      }
      return Objects.requireNonNullElse(fallback, "");
    }
    String text = value instanceof Json.Str str ? str.text() : null;
    if (text == null || !text.isEmpty() && text.charAt(0) != '/') {
      problems.report("/" + name, "must be a JSON pointer", value);
      return "";
    }
    return text;
  }

  private static Map<String, String> headers(Json.Obj engine, Field.Reporter problems) {
    Json headersMember = engine.get("headers");
    var headers = new LinkedHashMap<String, String>();
    if (headersMember != null && !(headersMember instanceof Json.Obj)) {
      problems.report("/headers", "must be an object", headersMember);
    }
    if (headersMember instanceof Json.Obj object) {
      for (int i = 0; i < object.size(); i++) {
        String name = object.name(i);
        if (!name.matches("[A-Za-z0-9-]+") || !(object.value(i) instanceof Json.Str value)) {
          problems.report(
              "/headers",
              "must have names of letters, digits and hyphens, and strings as values",
              object.value(i));
        } else {
          requireHeader("/headers/" + name, value.text(), problems);
          headers.put(name, value.text());
        }
      }
    }
    return Map.copyOf(headers);
  }

  private static void requireHeader(String pointer, String value, Field.Reporter problems) {
    if (!value.chars().allMatch(c -> c >= ' ' && c < 0x7F)) {
      problems.report(pointer, "must be printable ASCII", Json.of(value));
    }
  }

  private static Usd price(Json.Obj object, String name, Field.Reporter problems) {
    Json value = object.get(name);
    if (value == null) {
      return Usd.ZERO;
    }
    String spelling =
        switch (value) {
          case Json.Str text -> text.text();
          case Json.Num number -> number.spelling();
          case Json other -> "";
        };
    BigDecimal dollars = PRICE.matcher(spelling).matches() ? new BigDecimal(spelling) : null;
    if (dollars == null
        || dollars.compareTo(BigDecimal.valueOf(1_000)) > 0
        || dollars.stripTrailingZeros().scale() > 9) {
      problems.report(
          "/" + name,
          "must be a decimal string of dollars, 0 to 1000, with at most nine decimals",
          value);
      return Usd.ZERO;
    }
    return Usd.ofDollars(dollars);
  }
}
