package io.strowger.tck;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.catalog.Price;
import io.strowger.spi.catalog.Pricing;
import io.strowger.spi.json.Json;
import io.strowger.spi.plugin.Candidates;
import io.strowger.spi.plugin.ModelSet;
import io.strowger.spi.plugin.UsableEndpoint;
import io.strowger.spi.plugin.UsableEndpoint.Health;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Predicate;

/**
 * Candidates for tests of routers: a catalog, and which of its endpoints may be used. Immutable;
 * every method gives another view.
 *
 * <pre>{@code
 * FakeCandidates.of(catalog).without("acme/large").withoutEndpoints("acme/small@beta").sticky("acme/small")
 * }</pre>
 *
 * <p>Prices are those of the catalog, whatever the hour and the size of the prompt.
 */
public final class FakeCandidates implements Candidates {
  /** Far from every seed of a test, so that no two numbers of two tests are alike. */
  private static final long STRIDE = 0x632BE59BD9B4E019L;

  private final Catalog catalog;
  private final BitSet usable; // by Endpoint.ordinal()
  private final BitSet sticky; // by Endpoint.ordinal()
  private final Map<String, Health> health; // by endpoint id
  private final Json facts;
  private final long seed;

  private FakeCandidates(
      Catalog catalog,
      BitSet usable,
      BitSet sticky,
      Map<String, Health> health,
      Json facts,
      long seed) {
    this.catalog = catalog;
    this.usable = usable;
    this.sticky = sticky;
    this.health = health;
    this.facts = facts;
    this.seed = seed;
  }

  /** Returns candidates of which every endpoint in the catalog may be used. */
  public static FakeCandidates of(Catalog catalog) {
    var usable = new BitSet();
    usable.set(0, catalog.endpoints().size());
    return new FakeCandidates(catalog, usable, new BitSet(), Map.of(), Json.Obj.EMPTY, 0);
  }

  /** Drops every endpoint of these models. */
  public FakeCandidates without(String... models) {
    BitSet left = copy(usable);
    for (String id : models) {
      known(id).endpoints().forEach(endpoint -> left.clear(endpoint.ordinal()));
    }
    return usable(left);
  }

  /**
   * Drops single endpoints.
   *
   * @param ids such as {@code acme/small@beta}
   */
  public FakeCandidates withoutEndpoints(String... ids) {
    List<String> dropped = List.of(ids);
    List<String> all = catalog.endpoints().stream().map(Endpoint::id).toList();
    for (String id : dropped) {
      if (!all.contains(id)) {
        throw new IllegalArgumentException("no endpoint " + id + " in the " + catalog);
      }
    }
    return onlyEndpoints(endpoint -> !dropped.contains(endpoint.id()));
  }

  /** Drops all other models. */
  public FakeCandidates only(String... models) {
    var places = new BitSet();
    for (String id : models) {
      places.set(known(id).ordinal());
    }
    return only(places);
  }

  /** Drops all models but those at these places in the catalog. */
  public FakeCandidates only(BitSet models) {
    return onlyEndpoints(endpoint -> models.get(endpoint.modelOrdinal()));
  }

  /** Drops the endpoints that do not pass a test. */
  public FakeCandidates onlyEndpoints(Predicate<Endpoint> kept) {
    BitSet left = copy(usable);
    for (Endpoint endpoint : catalog.endpoints()) {
      if (!kept.test(endpoint)) {
        left.clear(endpoint.ordinal());
      }
    }
    return usable(left);
  }

  private FakeCandidates usable(BitSet left) {
    return new FakeCandidates(catalog, left, sticky, health, facts, seed);
  }

  /** The model served the conversation before, by its cheapest endpoint. */
  public FakeCandidates sticky(String model) {
    BitSet more = copy(sticky);
    known(model).endpoints().stream().limit(1).forEach(cheapest -> more.set(cheapest.ordinal()));
    return new FakeCandidates(catalog, usable, more, health, facts, seed);
  }

  /** All endpoints of the model were measured at so many tokens per second. */
  public FakeCandidates throughput(String model, double tokensPerSecond) {
    FakeCandidates measured = this;
    for (Endpoint endpoint : known(model).endpoints()) {
      Health before = health(endpoint);
      measured =
          measured.health(
              endpoint.id(),
              new Health(
                  before.latencyMillis(),
                  tokensPerSecond,
                  before.uptimePercent(),
                  before.status()));
    }
    return measured;
  }

  /** The endpoint fared like this lately. */
  public FakeCandidates health(String endpoint, Health lately) {
    var more = new HashMap<>(health);
    more.put(endpoint, lately);
    return new FakeCandidates(catalog, usable, sticky, Map.copyOf(more), facts, seed);
  }

  /** The router read this from the request; an empty object when nothing is said. */
  public FakeCandidates facts(Json read) {
    return new FakeCandidates(catalog, usable, sticky, health, read, seed);
  }

  /** The randomness of the decision; 0 when nothing is said. */
  public FakeCandidates seed(long other) {
    return new FakeCandidates(catalog, usable, sticky, health, facts, other);
  }

  private static BitSet copy(BitSet of) {
    var copy = new BitSet();
    copy.or(of);
    return copy;
  }

  private ModelInfo known(String id) {
    ModelInfo model = catalog.model(id);
    if (model == null) {
      throw new IllegalArgumentException("no model " + id + " in the " + catalog);
    }
    return model;
  }

  @Override
  public Catalog catalog() {
    return catalog;
  }

  @Override
  public Json facts() {
    return facts;
  }

  @Override
  public boolean isUsable(int model) {
    for (Endpoint endpoint : model(model).endpoints()) {
      if (isUsable(endpoint)) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether this very endpoint may be used. */
  public boolean isUsable(Endpoint endpoint) {
    return usable.get(endpoint.ordinal());
  }

  private List<Endpoint> usableOf(int model) {
    var found = new ArrayList<Endpoint>();
    for (Endpoint endpoint : model(model).endpoints()) {
      if (isUsable(endpoint)) {
        found.add(endpoint);
      }
    }
    return found;
  }

  @Override
  public List<UsableEndpoint> endpoints(int model) {
    var found = new ArrayList<UsableEndpoint>();
    for (Endpoint endpoint : usableOf(model)) {
      Pricing prices = endpoint.pricing();
      found.add(
          new UsableEndpoint(
              endpoint,
              prices.price(Price.PROMPT),
              prices.price(Price.COMPLETION),
              health(endpoint)));
    }
    return found;
  }

  /** As given, else what the catalog assumes. */
  private Health health(Endpoint endpoint) {
    Health given = health.get(endpoint.id());
    return given != null
        ? given
        : new Health(
            endpoint.assumedLatencyMs() > 0 ? endpoint.assumedLatencyMs() : -1,
            endpoint.assumedThroughput() > 0 ? endpoint.assumedThroughput() : -1,
            -1,
            UsableEndpoint.Status.NORMAL);
  }

  @Override
  public long blendedPrice(int model) {
    List<Endpoint> left = usableOf(model);
    return left.isEmpty() ? Long.MAX_VALUE : left.getFirst().blendedPrice();
  }

  @Override
  public long promptPicos(int model) {
    long least = Long.MAX_VALUE;
    for (Endpoint endpoint : usableOf(model)) {
      least = Math.min(least, endpoint.pricing().picos(Price.PROMPT));
    }
    return least;
  }

  @Override
  public double throughput(int model) {
    double most = -1;
    for (Endpoint endpoint : usableOf(model)) {
      most = Math.max(most, health(endpoint).throughput());
    }
    return most;
  }

  @Override
  public boolean isSticky(int model) {
    return usableOf(model).stream().anyMatch(endpoint -> sticky.get(endpoint.ordinal()));
  }

  @Override
  public long random(int n) {
    return new SplittableRandom(seed + n * STRIDE).nextLong();
  }

  @Override
  public ModelSet matching(List<String> patterns) {
    var found = new BitSet();
    for (ModelInfo model : catalog.models()) {
      String id = model.id().toLowerCase(Locale.ROOT);
      String plain = id.split(":", 2)[0];
      for (String pattern : patterns) {
        String lower = pattern.toLowerCase(Locale.ROOT);
        if (fits(lower, id) || fits(lower, plain)) {
          found.set(model.ordinal());
        }
      }
    }
    return new Places(found);
  }

  private record Places(BitSet places) implements ModelSet {
    @Override
    public boolean contains(int index) {
      return places.get(index);
    }

    @Override
    public int size() {
      return places.cardinality();
    }
  }

  /** Greedy from the left: what the last star swallowed grows until the rest fits. */
  private static boolean fits(String pattern, String text) {
    int p = 0;
    int t = 0;
    int star = -1;
    int swallowed = 0;
    while (t < text.length()) {
      if (p < pattern.length() && pattern.charAt(p) == '*') {
        star = p++;
        swallowed = t;
      } else if (p < pattern.length() && pattern.charAt(p) == text.charAt(t)) {
        p++;
        t++;
      } else if (star >= 0) {
        p = star + 1;
        t = ++swallowed;
      } else {
        return false;
      }
    }
    while (p < pattern.length() && pattern.charAt(p) == '*') {
      p++;
    }
    return p == pattern.length();
  }

  /** The ids of the models that may be used. */
  @Override
  public String toString() {
    return "usable "
        + catalog.models().stream()
            .filter(model -> isUsable(model.ordinal()))
            .map(ModelInfo::id)
            .toList();
  }
}
