package io.strowger.spi.plugin;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The models that a router may choose from: those with at least one endpoint the request may use.
 * All hard rules have been applied: endpoints that the caller, the account or the engine exclude
 * are not usable here.
 *
 * <p>A view, not a copy: each method computes its result when called, and nothing is cached. It is
 * valid during one {@link RouterPlugin#select} only, on the thread of that call. Models are
 * addressed by {@link ModelInfo#ordinal()}, from 0 to {@link #size()} - 1.
 */
public interface Candidates {
  Catalog catalog();

  /**
   * Returns the result of {@link RouterPlugin#facts} for the request; in a replay, the recorded
   * result.
   */
  Json facts();

  /** Returns how many models the catalog has, usable or not. */
  default int size() {
    return catalog().models().size();
  }

  default ModelInfo model(int model) {
    return catalog().models().get(model);
  }

  /** Returns whether at least one endpoint of the model may be used. */
  boolean isUsable(int model);

  /**
   * Returns the endpoints of the model that may be used, with their prices for this request and
   * their health. They are in the catalog's order, lowest list price first; at some hours and for
   * long prompts this can differ from their prices for this request. Empty when none may be used.
   */
  List<UsableEndpoint> endpoints(int model);

  /**
   * Returns the lowest {@link io.strowger.spi.catalog.Endpoint#blendedPrice()} among the usable
   * endpoints of the model; {@link Long#MAX_VALUE} when there are none.
   */
  long blendedPrice(int model);

  /**
   * Returns the lowest price of a prompt token among the usable endpoints, for the prompt size and
   * time of the request, in picodollars; {@link Long#MAX_VALUE} when there are none.
   */
  long promptPicos(int model);

  /**
   * Returns the tokens per second of the fastest usable endpoint: the measured median, else the
   * value the catalog assumes; -1 when not known, as in {@link UsableEndpoint.Health}.
   */
  double throughput(int model);

  /** Returns whether a usable endpoint of the model served this conversation before. */
  boolean isSticky(int model);

  /**
   * Returns the {@code n}-th random number of the decision, from 0; every {@code long} is equally
   * likely. When the decision is explained or replayed, the numbers are the same.
   */
  long random(int n);

  /**
   * Returns the models whose id matches one of these patterns, usable or not. {@code *} matches any
   * run of characters, also none, anywhere in a pattern; a pattern without it matches one id. Case
   * does not matter. A model with a variant, such as {@code acme/large:free}, also matches by its
   * id without the variant.
   */
  ModelSet matching(List<String> patterns);

  /**
   * Selects the first model of a ranking that is usable and accepted.
   *
   * @param ranking ordinals of models, best first, as {@link Catalog#rankBy} returns them
   * @param condition the router's own condition; tested on usable models only
   * @param reason a phrase for a person that describes the chosen model, such as {@code the best
   *     coder at the price}; it also ends the refusal "No model the request may use is ..."
   */
  default Selection first(int[] ranking, Predicate<Candidate> condition, String reason) {
    return first(1, ranking, condition, reason);
  }

  /**
   * Selects the first models of a ranking that are usable and accepted: the best one and its
   * fallbacks.
   *
   * @param limit the maximum number of models to select, at least 1
   * @param ranking ordinals of models, best first
   * @param condition the router's own condition for a usable model
   * @param reason a phrase for a person that describes the chosen models
   */
  default Selection first(int limit, int[] ranking, Predicate<Candidate> condition, String reason) {
    var candidate = new Candidate(this);
    var ids = new ArrayList<String>(Math.min(limit, ranking.length));
    for (int i = 0; i < ranking.length && ids.size() < limit; i++) {
      if (isUsable(ranking[i]) && condition.test(candidate.at(ranking[i]))) {
        ids.add(model(ranking[i]).id());
      }
    }
    return ids.isEmpty()
        ? Selection.refusal("No model the request may use is " + reason)
        : new Selection.Models(ids, reason);
  }
}
