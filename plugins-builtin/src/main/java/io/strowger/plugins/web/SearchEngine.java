package io.strowger.plugins.web;

import io.strowger.plugins.webclient.WebClient;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.Transport;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The protocol of a search service: its requests, the reading of its answers, and its fees. A host
 * passes engines of its own to {@link WebProvider#WebProvider(Transport, Map)}. An engine does no
 * I/O: the plugin holds the fee, sends the request and then bills the fee. Safe on any thread.
 */
public interface SearchEngine {
  /** Returns the HTTP request for a query. It may contain a secret. */
  WebClient.ServiceRequest request(Query query);

  /**
   * Returns the pages of an answer, best first. The pages are not checked: any text may be empty,
   * of any length, or hostile.
   *
   * @return the pages; null when the answer has no list of results
   */
  @Nullable List<Page> pages(Json answer);

  /**
   * Returns the fee of a search by the number of pages found. More pages must not cost less, since
   * the fee for {@link Query#maxResults} pages is held before the search.
   *
   * @param pages the number of pages found, 0 to {@link Query#maxResults}
   */
  Usd fee(Query query, int pages);

  /**
   * A search query.
   *
   * @param text the words to search for
   * @param mode how thoroughly to search; null, or unknown to the engine, for its default
   * @param maxResults the most results, at least 1
   * @param maxCharacters the most characters of one result; 0 for the engine's default
   * @param includedDomains the only domains to return; empty for all
   * @param excludedDomains the domains not to return
   * @param country the user's country, usually two letters; null when it is not known
   */
  record Query(
      String text,
      @Nullable String mode,
      int maxResults,
      int maxCharacters,
      List<String> includedDomains,
      List<String> excludedDomains,
      @Nullable String country) {
    public Query {
      includedDomains = List.copyOf(includedDomains);
      excludedDomains = List.copyOf(excludedDomains);
    }

    /** Returns whether the query includes or excludes domains. */
    boolean hasDomainRules() {
      return !includedDomains.isEmpty() || !excludedDomains.isEmpty();
    }

    /** Returns the most characters of one result; a default when the query has no limit. */
    int maxCharactersOr(int defaultMax) {
      return maxCharacters > 0 ? maxCharacters : defaultMax;
    }
  }

  /**
   * A page that was found.
   *
   * @param text an excerpt; passages from different parts of the page are joined by {@code [...]}
   */
  record Page(String url, String title, String text) {}
}
