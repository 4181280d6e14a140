package io.strowger.plugins.web;

import io.strowger.plugins.web.SearchEngine.Page;
import io.strowger.plugins.web.SearchEngine.Query;
import io.strowger.plugins.webclient.DomainRules;
import io.strowger.plugins.webclient.WebClient;
import io.strowger.plugins.webclient.WebException;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.ShortText;
import io.strowger.spi.json.Json;
import io.strowger.spi.plugin.Interceptor.Chain;
import io.strowger.spi.store.Hold;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Searches with the configured engines: holds the fee, sends the request, bills exactly what the
 * service charges, and returns only pages that the request's domain rules allow and that can be
 * cited. Safe on any thread.
 *
 * @param client the client; null when this gateway was given no transport for searches
 * @param engines the engines by name; the first is the default
 * @param hasDefault whether the operator named the first as the default
 */
record WebSearch(
    @Nullable WebClient client, Map<String, SearchEngine> engines, boolean hasDefault) {
  /** Upper limit of the results of one search. */
  static final int MAX_RESULTS = 25;

  /** The most characters of one result if neither the request nor the engine sets a limit. */
  static final int DEFAULT_CHARACTERS = 5_000;

  /** Upper limit of the characters of one result. */
  static final int MAX_CHARACTERS = 100_000;

  private static final int OK = 200;
  private static final int MAX_QUERY = 2_000; // characters
  private static final int MAX_TITLE = 300;
  private static final int MAX_ADDRESS = 2_048;
  private static final int MAX_CITED_CHARACTERS = 1_000; // characters of a page in a citation
  private static final int MAX_BYTES = 8 << 20;
  private static final WebClient.Limits LIMITS =
      new WebClient.Limits(Duration.ofSeconds(20), MAX_BYTES, 0);

  /**
   * The outcome of a search.
   *
   * @param engine the engine's name in the settings
   * @param pages the pages, best first
   * @param fee the fee that was billed
   */
  record Result(String engine, List<Page> pages, Usd fee) {}

  /**
   * Returns whether a search is left to an upstream that can search. This is the case if neither
   * the request nor the operator names an engine. With domain rules, an engine is preferred to the
   * upstream: the results of an engine are checked here, and not all upstreams support such rules.
   *
   * @param engine the engine that the request names; null when it names none
   * @param hasDomainRules whether the request has rules for domains
   */
  boolean isLeftToUpstream(@Nullable String engine, boolean hasDomainRules) {
    return engine == null && !hasDefault && (!hasDomainRules || unusableReason(null) != null);
  }

  /**
   * Returns why a search cannot be made, as the rest of a sentence; null when it can.
   *
   * @param engine the engine that the request names; null when it names none
   */
  @Nullable String unusableReason(@Nullable String engine) {
    if (client == null) {
      return "cannot be run: this gateway was given no transport for web searches";
    }
    return missingEngineReason(engine);
  }

  /** Returns the same as {@link #unusableReason}, but checks only the settings. */
  @Nullable String missingEngineReason(@Nullable String engine) {
    if (engine != null && !engine.equals(NativeSearch.ENGINE) && !engines.containsKey(engine)) {
      return "cannot be run: search.engines of the configuration has no engine with the name "
          + engine;
    }
    return engines.isEmpty()
        ? "cannot be run: search.engines of the configuration has no engine"
        : null;
  }

  /**
   * Searches once.
   *
   * @param engine an engine for which {@link #unusableReason} returns null; null for the default
   *     one
   * @throws WebException when the service returned no list of results. If its response had a
   *     success status, the fee of a search without results is billed; otherwise nothing is billed
   */
  Result search(@Nullable String engine, Query requested, Chain chain) throws WebException {
    String engineName = engine == null ? engines.keySet().iterator().next() : engine;
    SearchEngine service = Objects.requireNonNull(engines.get(engineName), engineName);
    Query query = withinLimits(requested);
    Usd maxFee = service.fee(query, query.maxResults());
    Hold hold = maxFee.equals(Usd.ZERO) ? null : chain.hold(maxFee, "search by " + engineName);
    Usd charge = null;
    try {
      var answer =
          Objects.requireNonNull(client, "client")
              .requestJson(service.request(query), LIMITS, chain);
      // the service has charged for the search, even if its answer cannot be used
      charge = service.fee(query, 0);
      List<Page> pages = service.pages(answer);
      if (pages == null) {
        throw new WebException("answered without a list of results", OK);
      }
      List<Page> delivered = pages.subList(0, Math.min(pages.size(), query.maxResults()));
      charge = service.fee(query, delivered.size());
      chain.countSearch();
      return new Result(engineName, allowedPages(delivered, query), charge);
    } catch (WebException e) {
      charge = e.hasSuccessStatus() ? service.fee(query, 0) : null;
      throw e;
    } finally {
      if (hold != null && charge == null) {
        hold.release();
      } else if (hold != null) {
        hold.settle(Objects.requireNonNull(charge));
      }
    }
  }

  private static Query withinLimits(Query requested) {
    return new Query(
        ShortText.beginning(requested.text().strip(), MAX_QUERY),
        requested.mode(),
        Math.clamp(requested.maxResults(), 1, MAX_RESULTS),
        Math.min(requested.maxCharacters(), MAX_CHARACTERS),
        requested.includedDomains(),
        requested.excludedDomains(),
        requested.country());
  }

  private static List<Page> allowedPages(List<Page> delivered, Query query) {
    DomainRules rules = DomainRules.of(query.includedDomains(), query.excludedDomains());
    var result = new ArrayList<Page>();
    for (Page page : delivered) {
      URI uri = browsableUri(page.url());
      if (uri != null && rules.allows(uri)) {
        String title = ShortText.beginning(singleLine(page.title()), MAX_TITLE);
        String text =
            ShortText.beginning(page.text().strip(), query.maxCharactersOr(DEFAULT_CHARACTERS));
        result.add(new Page(uri.toString(), title.isEmpty() ? uri.getHost() : title, text));
      }
    }
    return List.copyOf(result);
  }

  /**
   * Returns the URI if it is an http or https address with a host and without user info; null
   * otherwise.
   */
  private static @Nullable URI browsableUri(String url) {
    if (url.length() > MAX_ADDRESS) {
      return null;
    }
    try {
      URI uri = new URI(url.strip());
      boolean isHttp =
          "http".equalsIgnoreCase(uri.getScheme()) || "https".equalsIgnoreCase(uri.getScheme());
      return isHttp && uri.getHost() != null && uri.getRawUserInfo() == null ? uri : null;
    } catch (URISyntaxException e) {
      return null;
    }
  }

  private static String singleLine(String text) {
    var line = new StringBuilder();
    text.codePoints()
        .limit(2L * MAX_TITLE)
        .forEach(c -> line.appendCodePoint(Character.isISOControl(c) ? ' ' : c));
    return line.toString().strip();
  }

  /** Adds a citation of the page to the answer; its position in the text is not known. */
  static void cite(Page page, Chain chain) {
    chain.cite(
        Json.object()
            .put("type", "url_citation")
            .put(
                "url_citation",
                Json.object()
                    .put("url", page.url())
                    .put("title", page.title())
                    .put("content", ShortText.beginning(page.text(), MAX_CITED_CHARACTERS))
                    .put("start_index", 0)
                    .put("end_index", 0)
                    .build())
            .build());
  }
}
