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
 * No protocol has been tested against the real service. Plugins fact sheet, section 5.
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
  String wireName() {
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
    private WebClient.ServiceRequest post(String path, Map<String, String> headers, Json.Obj body) {
      return new WebClient.ServiceRequest(URI.create(base + path), headers, body);
    }

    private WebClient.ServiceRequest postAsBearer(String path, Json.Obj body) {
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
   * Returns domains for a service that supports neither wildcards nor paths. The returned domains
   * may match more pages than the request asks for: the results are checked against the request's
   * own list anyway.
   *
   * @param isInclusion true for domains to include; false for domains to exclude. An excluded
   *     domain with a path or wildcard is left out, since its host alone would exclude too much
   */
  private static List<String> hostsOnly(List<String> domains, boolean isInclusion) {
    var hosts = new LinkedHashSet<String>();
    for (String domain : domains) {
      String text = domain.strip().toLowerCase(Locale.ROOT);
      int scheme = text.indexOf("://");
      text = scheme < 0 ? text : text.substring(scheme + 3);
      int slash = text.indexOf('/');
      boolean isWildcard = text.startsWith("*.");
      if (isInclusion || slash < 0 && !isWildcard) {
        hosts.add(text.substring(isWildcard ? 2 : 0, slash < 0 ? text.length() : slash));
      }
    }
    hosts.remove("");
    return List.copyOf(hosts);
  }

  private static Json.@Nullable Arr list(Json answer, String name) {
    return answer instanceof Json.Obj object ? object.list(name) : null;
  }

  private static String textOrEmpty(Json.Obj result, String name) {
    return Objects.requireNonNullElse(result.text(name), "");
  }

  private static @Nullable List<SearchEngine.Page> read(
      Json.@Nullable Arr results, Function<Json.Obj, String> text) {
    if (results == null) {
      return null;
    }
    var pages = new ArrayList<SearchEngine.Page>();
    for (int i = 0; i < results.size() && pages.size() < WebSearch.MAX_RESULTS; i++) {
      if (results.get(i) instanceof Json.Obj result) {
        pages.add(
            new SearchEngine.Page(
                textOrEmpty(result, "url"), textOrEmpty(result, "title"), text.apply(result)));
      }
    }
    return pages;
  }

  /** Returns the fee: ten results are included, each further result costs a tenth of a cent. */
  private static Usd feeWithExtraPages(@Nullable String dollars, int pages) {
    Usd extraFee = new Usd(Math.multiplyExact(1_000_000L, Math.max(0, pages - 10)));
    return Usd.ofDollars(new BigDecimal(Objects.requireNonNull(dollars))).plus(extraFee);
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
    public WebClient.ServiceRequest request(Query query) {
      var body =
          Json.object()
              .put("query", query.text())
              .put("type", mode(query))
              .put("numResults", query.maxResults());
      putList(body, "includeDomains", query.includedDomains());
      putList(body, "excludeDomains", query.excludedDomains());
      putText(body, "userLocation", query.country());
      body.put(
          "contents", text("maxCharacters", query.maxCharactersOr(WebSearch.DEFAULT_CHARACTERS)));
      return account.post("/search", Map.of("x-api-key", account.key()), body.build());
    }

    private static Json.Obj text(String name, int max) {
      return Json.object().put("text", Json.object().put(name, max).build()).build();
    }

    @Override
    public @Nullable List<Page> pages(Json answer) {
      return read(
          list(answer, "results"),
          result -> {
            String parts = String.join(GAP, result.texts("highlights"));
            return parts.isEmpty() ? textOrEmpty(result, "text") : parts;
          });
    }

    @Override
    public Usd fee(Query query, int pages) {
      return feeWithExtraPages(FEES.get(mode(query)), pages);
    }
  }

  private record Parallel(Account account) implements SearchEngine {
    private static final Map<String, String> FEES =
        Map.of("turbo", "0.001", "fast", "0.001", "basic", "0.005", "advanced", "0.005");
    private static final int DEFAULT_CHARACTERS = 1_500;

    private static String mode(Query query) {
      return query.mode() != null && FEES.containsKey(query.mode()) ? query.mode() : "basic";
    }

    @Override
    public WebClient.ServiceRequest request(Query query) {
      var policy = Json.object();
      if (!query.includedDomains().isEmpty()) {
        putList(policy, "include_domains", hostsOnly(query.includedDomains(), true));
      } else {
        putList(policy, "exclude_domains", hostsOnly(query.excludedDomains(), false));
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
                      .put("max_chars_per_result", query.maxCharactersOr(DEFAULT_CHARACTERS))
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
      return read(list(answer, "results"), result -> String.join(GAP, result.texts("excerpts")));
    }

    @Override
    public Usd fee(Query query, int pages) {
      return feeWithExtraPages(FEES.get(mode(query)), pages);
    }
  }

  private record Perplexity(Account account) implements SearchEngine {
    private static final int MAX_RESULTS = 20;
    private static final Usd FEE = Usd.ofDollars(new BigDecimal("0.005"));

    @Override
    public WebClient.ServiceRequest request(Query query) {
      var body =
          Json.object()
              .put("query", query.text())
              .put("max_results", Math.min(query.maxResults(), MAX_RESULTS));
      List<String> filter =
          query.includedDomains().isEmpty()
              ? hostsOnly(query.excludedDomains(), false).stream()
                  .map(domain -> "-" + domain)
                  .toList()
              : hostsOnly(query.includedDomains(), true);
      putList(body, "search_domain_filter", filter);
      putText(body, "country", query.country());
      return account.postAsBearer("/search", body.build());
    }

    @Override
    public @Nullable List<Page> pages(Json answer) {
      return read(list(answer, "results"), result -> textOrEmpty(result, "snippet"));
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
    public WebClient.ServiceRequest request(Query query) {
      var body = Json.object().put("query", query.text()).put("limit", query.maxResults());
      if (!query.includedDomains().isEmpty()) {
        putList(body, "includeDomains", hostsOnly(query.includedDomains(), true));
      } else {
        putList(body, "excludeDomains", hostsOnly(query.excludedDomains(), false));
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
          result -> {
            String page = textOrEmpty(result, "markdown");
            return page.isEmpty() ? textOrEmpty(result, "description") : page;
          });
    }

    @Override
    public Usd fee(Query query, int pages) {
      int tensOfResults = Math.max(1, (pages + 9) / 10);
      long credits = (long) SEARCH_CREDITS * tensOfResults + (long) PAGE_CREDITS * pages;
      return new Usd(Math.multiplyExact(account.creditPrice().nanos(), credits));
    }
  }
}
