package io.strowger.plugins.web;

import io.strowger.plugins.webclient.WebClient;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.json.Json;
import java.math.BigDecimal;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The protocols of the public search services the contract names, as their vendors document them.
 * None has been tested against the real service. Plugins fact sheet, section 5.
 */
enum SearchService {
  EXA("https://api.exa.ai") {
    @Override
    SearchEngine engine(Account account) {
      return new Exa(account);
    }
  },
  PARALLEL("https://api.parallel.ai") {
    @Override
    SearchEngine engine(Account account) {
      return new Parallel(account);
    }
  },
  PERPLEXITY("https://api.perplexity.ai") {
    @Override
    SearchEngine engine(Account account) {
      return new Perplexity(account);
    }
  },
  FIRECRAWL("https://api.firecrawl.dev") {
    @Override
    SearchEngine engine(Account account) {
      return new Firecrawl(account);
    }
  };

  /** Separates excerpts from different parts of a page. */
  static final String GAP = " [...] ";

  private final URI base;

  SearchService(String base) {
    this.base = URI.create(base);
  }

  /** Returns the service's name in requests and settings. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the address of the service. */
  URI base() {
    return base;
  }

  /** Returns whether the service charges in credits, whose price the operator must configure. */
  boolean chargesCredits() {
    return this == FIRECRAWL;
  }

  abstract SearchEngine engine(Account account);

  /**
   * An account with a service.
   *
   * @param base the address of the service, without a slash at the end
   * @param creditPrice the price of one credit if the service charges in credits, else zero
   */
  record Account(URI base, String key, Usd creditPrice) {
    private WebClient.Question post(String path, Map<String, String> headers, Json.Obj body) {
      return new WebClient.Question(URI.create(base + path), headers, body);
    }

    private WebClient.Question postAsBearer(String path, Json.Obj body) {
      return post(path, Map.of("Authorization", "Bearer " + key), body);
    }

    /** Returns a text without the key, which is a secret. */
    @Override
    public String toString() {
      return "account at " + base.getHost();
    }
  }

  private static void putText(Json.Obj.Builder body, String name, @Nullable String value) {
    if (value != null) {
      body.put(name, value);
    }
  }

  private static void putList(Json.Obj.Builder body, String name, List<String> values) {
    if (!values.isEmpty()) {
      body.put(name, Json.array(values.stream().map(Json::of).toList()));
    }
  }

  /**
   * Returns domains for a service that supports neither wildcards nor paths. They may match more
   * pages, since the results are checked against the request's own list.
   *
   * @param wanted true for domains to include; false for domains to exclude, of which entries with
   *     a path or wildcard are left out
   */
  private static List<String> plain(List<String> domains, boolean wanted) {
    var plain = new LinkedHashSet<String>();
    for (String domain : domains) {
      String text = domain.strip().toLowerCase(Locale.ROOT);
      int scheme = text.indexOf("://");
      text = scheme < 0 ? text : text.substring(scheme + 3);
      int slash = text.indexOf('/');
      boolean below = text.startsWith("*.");
      if (wanted || slash < 0 && !below) {
        plain.add(text.substring(below ? 2 : 0, slash < 0 ? text.length() : slash));
      }
    }
    plain.remove("");
    return List.copyOf(plain);
  }

  private static Json.@Nullable Arr list(Json answer, String name) {
    return answer instanceof Json.Obj object ? object.list(name) : null;
  }

  private static String said(Json.Obj one, String name) {
    return Objects.requireNonNullElse(one.text(name), "");
  }

  private static @Nullable List<SearchEngine.Page> read(
      Json.@Nullable Arr results, Function<Json.Obj, String> text) {
    if (results == null) {
      return null;
    }
    var pages = new ArrayList<SearchEngine.Page>();
    for (int i = 0; i < results.size() && pages.size() < WebSearch.MAX_RESULTS; i++) {
      if (results.get(i) instanceof Json.Obj one) {
        pages.add(new SearchEngine.Page(said(one, "url"), said(one, "title"), text.apply(one)));
      }
    }
    return pages;
  }

  /** Returns the fee: ten results are included, each further result costs a tenth of a cent. */
  private static Usd withFurther(@Nullable String dollars, int pages) {
    Usd further = new Usd(Math.multiplyExact(1_000_000L, Math.max(0, pages - 10)));
    return Usd.ofDollars(new BigDecimal(Objects.requireNonNull(dollars))).plus(further);
  }

  private record Exa(Account account) implements SearchEngine {
    private static final Map<String, String> FEES =
        Map.of(
            "instant", "0.007",
            "fast", "0.007",
            "auto", "0.007",
            "deep-lite", "0.012",
            "deep", "0.012",
            "deep-reasoning", "0.015");

    private static String mode(Query query) {
      return query.mode() != null && FEES.containsKey(query.mode()) ? query.mode() : "auto";
    }

    @Override
    public WebClient.Question question(Query query) {
      var body =
          Json.object()
              .put("query", query.text())
              .put("type", mode(query))
              .put("numResults", query.maxResults());
      putList(body, "includeDomains", query.include());
      putList(body, "excludeDomains", query.exclude());
      putText(body, "userLocation", query.country());
      body.put("contents", text("maxCharacters", query.charactersOr(WebSearch.USUAL_CHARACTERS)));
      return account.post("/search", Map.of("x-api-key", account.key()), body.build());
    }

    private static Json.Obj text(String name, int most) {
      return Json.object().put("text", Json.object().put(name, most).build()).build();
    }

    @Override
    public @Nullable List<Page> pages(Json answer) {
      return read(
          list(answer, "results"),
          one -> {
            String parts = String.join(GAP, one.texts("highlights"));
            return parts.isEmpty() ? said(one, "text") : parts;
          });
    }

    @Override
    public Usd fee(Query query, int pages) {
      return withFurther(FEES.get(mode(query)), pages);
    }
  }

  private record Parallel(Account account) implements SearchEngine {
    private static final Map<String, String> FEES =
        Map.of("turbo", "0.001", "fast", "0.001", "basic", "0.005", "advanced", "0.005");
    private static final int USUAL_CHARACTERS = 1_500;

    private static String mode(Query query) {
      return query.mode() != null && FEES.containsKey(query.mode()) ? query.mode() : "basic";
    }

    @Override
    public WebClient.Question question(Query query) {
      var policy = Json.object();
      if (!query.include().isEmpty()) {
        putList(policy, "include_domains", plain(query.include(), true));
      } else {
        putList(policy, "exclude_domains", plain(query.exclude(), false));
      }
      var body =
          Json.object()
              .put("objective", query.text())
              .put("search_queries", Json.array(Json.of(query.text())))
              .put("mode", mode(query))
              .put("max_results", query.maxResults())
              .put(
                  "excerpts",
                  Json.object()
                      .put("max_chars_per_result", query.charactersOr(USUAL_CHARACTERS))
                      .build());
      Json.Obj domains = policy.build();
      if (domains.size() > 0) {
        body.put("source_policy", domains);
      }
      return account.post(
          "/v1beta/search",
          Map.of("x-api-key", account.key(), "parallel-beta", "search-extract-2025-10-10"),
          body.build());
    }

    @Override
    public @Nullable List<Page> pages(Json answer) {
      return read(list(answer, "results"), one -> String.join(GAP, one.texts("excerpts")));
    }

    @Override
    public Usd fee(Query query, int pages) {
      return withFurther(FEES.get(mode(query)), pages);
    }
  }

  private record Perplexity(Account account) implements SearchEngine {
    private static final int MAX_RESULTS = 20;
    private static final Usd FEE = Usd.ofDollars(new BigDecimal("0.005"));

    @Override
    public WebClient.Question question(Query query) {
      var body =
          Json.object()
              .put("query", query.text())
              .put("max_results", Math.min(query.maxResults(), MAX_RESULTS));
      List<String> filter =
          query.include().isEmpty()
              ? plain(query.exclude(), false).stream().map(domain -> "-" + domain).toList()
              : plain(query.include(), true);
      putList(body, "search_domain_filter", filter);
      putText(body, "country", query.country());
      return account.postAsBearer("/search", body.build());
    }

    @Override
    public @Nullable List<Page> pages(Json answer) {
      return read(list(answer, "results"), one -> said(one, "snippet"));
    }

    @Override
    public Usd fee(Query query, int pages) {
      return FEE;
    }
  }

  /** Charges in credits, whose price depends on the customer's plan. */
  private record Firecrawl(Account account) implements SearchEngine {
    private static final int SEARCH_CREDITS = 2; // per ten results or part thereof
    private static final int PAGE_CREDITS = 5;

    @Override
    public WebClient.Question question(Query query) {
      var body = Json.object().put("query", query.text()).put("limit", query.maxResults());
      if (!query.include().isEmpty()) {
        putList(body, "includeDomains", plain(query.include(), true));
      } else {
        putList(body, "excludeDomains", plain(query.exclude(), false));
      }
      putText(body, "country", query.country());
      body.put(
          "scrapeOptions", Json.object().put("formats", Json.array(Json.of("markdown"))).build());
      return account.postAsBearer("/v2/search", body.build());
    }

    @Override
    public @Nullable List<Page> pages(Json answer) {
      Json.Obj data = answer instanceof Json.Obj object ? object.object("data") : null;
      return read(
          data == null ? null : data.list("web"),
          one -> {
            String page = said(one, "markdown");
            return page.isEmpty() ? said(one, "description") : page;
          });
    }

    @Override
    public Usd fee(Query query, int pages) {
      int tens = Math.max(1, (pages + 9) / 10);
      long credits = (long) SEARCH_CREDITS * tens + (long) PAGE_CREDITS * pages;
      return new Usd(Math.multiplyExact(account.creditPrice().nanos(), credits));
    }
  }
}
