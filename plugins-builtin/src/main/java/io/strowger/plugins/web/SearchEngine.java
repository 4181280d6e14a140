package io.strowger.plugins.web;

import io.strowger.plugins.webclient.WebClient;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.Transport;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The protocol of a search service: what it is asked, how its answer is read, and what that costs.
 * A host gives engines of its own to {@link WebProvider#WebProvider(Transport, Map)}. Pure: the
 * plugin asks, holds the fee before and bills it after. Safe on any thread.
 */
public interface SearchEngine {
  /** Returns how a request is put to the service. It may hold a secret. */
  WebClient.Question question(Query query);

  /**
   * Returns what the service found, best first and not yet judged: any text may be empty, of any
   * length, and hostile.
   *
   * @return null when the answer has no list of results
   */
  @Nullable List<Page> pages(Json answer);

  /**
   * Returns what a search costs that found so many pages: not less for more of them, since the fee
   * for all that are asked for is held before.
   *
   * @param pages 0 to {@link Query#maxResults}
   */
  Usd fee(Query query, int pages);

  /**
   * What is looked for.
   *
   * @param text in words
   * @param mode how thoroughly; one the engine does not know counts as none; null: the usual
   * @param maxResults at least 1
   * @param maxCharacters of one result; 0: what is usual for the engine
   * @param include only these domains; empty: all
   * @param exclude none of these domains
   * @param country of the person, usually two letters; null when it is not known
   */
  record Query(
      String text,
      @Nullable String mode,
      int maxResults,
      int maxCharacters,
      List<String> include,
      List<String> exclude,
      @Nullable String country) {
    public Query {
      include = List.copyOf(include);
      exclude = List.copyOf(exclude);
    }

    /** Whether some domains are not wanted. */
    boolean restricts() {
      return !include.isEmpty() || !exclude.isEmpty();
    }

    /** The most characters of one result. */
    int charactersOr(int usual) {
      return maxCharacters > 0 ? maxCharacters : usual;
    }
  }

  /**
   * A page that was found.
   *
   * @param text an excerpt; pieces from different places are joined by {@code [...]}
   */
  record Page(String url, String title, String text) {}
}
