package io.strowger.spi.plugin;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The models that a router may choose from: those with at least one endpoint the request may use.
 * Every hard rule has been applied: what the caller, the account and the engine exclude is not
 * usable here.
 *
 * <p>A view, not a copy: nothing is computed before it is asked for, and nothing is remembered. It
 * is valid during one {@link RouterPlugin#select} only, on the thread of that call. Models are
 * addressed by {@link ModelInfo#ordinal()}, from 0 to {@link #size()} - 1.
 */
public interface Candidates {
  Catalog catalog();

  /**
   * Returns what {@link RouterPlugin#facts} read from the request; in a replay, what was recorded
   * then.
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
   * long prompts that is not the order of their prices for this request. Empty when none may be
   * used.
   */
  List<UsableEndpoint> endpoints(int model);

  /**
   * Returns the lowest {@link io.strowger.spi.catalog.Endpoint#blendedPrice()} among the usable
   * endpoints; {@link Long#MAX_VALUE} when there are none.
   */
  long blendedPrice(int model);

  /**
   * Returns the lowest price of a prompt token among the usable endpoints, at the size and hour of
   * the request, in picodollars; {@link Long#MAX_VALUE} when there are none.
   */
  long promptPicos(int model);

  /**
   * Returns the tokens per second of the fastest usable endpoint: the median of what was measured,
   * else what the catalog assumes; -1 when not known, as in {@link UsableEndpoint.Health}.
   */
  double throughput(int model);

  /** Returns whether a usable endpoint of the model served this conversation before. */
  boolean isSticky(int model);

  /**
   * Returns a random number; every {@code long} is as likely, and each {@code n} from 0 has its
   * own. The numbers belong to the decision: when it is explained or replayed they are the same.
   */
  long random(int n);

  /**
   * Returns the models whose id fits one of these patterns, usable or not. {@code *} stands for any
   * run of characters, anywhere; without it a pattern fits one id. Case does not matter. A model
   * with a variant, such as {@code acme/large:free}, also fits by its id without the variant.
   */
  ModelSet matching(List<String> patterns);

  /**
   * Selects the first model of a ranking that is usable and accepted.
   *
   * @param ranked models, best first, such as {@link Catalog#rankBy} gives them
   * @param accepted the router's own condition; sees usable models only
   * @param reason a phrase for a person that describes the chosen model, such as {@code the best
   *     coder at the price}; when no model is accepted, the refusal says that none is that
   */
  default Selection first(int[] ranked, Predicate<Candidate> accepted, String reason) {
    return first(1, ranked, accepted, reason);
  }

  /**
   * Selects the first models of a ranking that are usable and accepted: the best and those to fall
   * back on.
   *
   * @param most how many to select at most, at least 1
   * @param ranked as above
   * @param accepted as above
   * @param reason as above
   */
  default Selection first(int most, int[] ranked, Predicate<Candidate> accepted, String reason) {
    var candidate = new Candidate(this);
    var chosen = new ArrayList<String>(Math.min(most, ranked.length));
    for (int i = 0; i < ranked.length && chosen.size() < most; i++) {
      if (isUsable(ranked[i]) && accepted.test(candidate.at(ranked[i]))) {
        chosen.add(model(ranked[i]).id());
      }
    }
    return chosen.isEmpty()
        ? Selection.none("No model the request may use is " + reason)
        : new Selection.Models(chosen, reason);
  }
}
