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
 * Candidates for tests of routers: a catalog with a set of usable endpoints. Immutable: each method
 * that changes something returns a new object.
 *
 * <pre>{@code
 * FakeCandidates.of(catalog)
 *     .without("acme/large")
 *     .withoutEndpoints("acme/small@beta")
 *     .sticky("acme/small")
 * }</pre>
 *
 * <p>Prices are the catalog's prices, whatever the time of day and the size of the prompt.
 */
public final class FakeCandidates implements Candidates {
  /**
   * The distance between the seeds from which {@link #random} makes consecutive numbers; large, so
   * that tests with neighbouring seeds do not share numbers.
   */
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

  /** Returns candidates with all endpoints of the catalog usable. */
  public static FakeCandidates of(Catalog catalog) {
    var usable = new BitSet();
    usable.set(0, catalog.endpoints().size());
    return new FakeCandidates(catalog, usable, new BitSet(), Map.of(), Json.Obj.EMPTY, 0);
  }

  /** Returns these candidates without the endpoints of some models. */
  public FakeCandidates without(String... models) {
    var remaining = (BitSet) usable.clone();
    for (String id : models) {
      requireModel(id).endpoints().forEach(endpoint -> remaining.clear(endpoint.ordinal()));
    }
    return withUsable(remaining);
  }

  /**
   * Returns these candidates without some endpoints.
   *
   * @param ids endpoint ids, such as {@code acme/small@beta}
   */
  public FakeCandidates withoutEndpoints(String... ids) {
    List<String> excluded = List.of(ids);
    List<String> known = catalog.endpoints().stream().map(Endpoint::id).toList();
    for (String id : excluded) {
      if (!known.contains(id)) {
        throw new IllegalArgumentException("no endpoint " + id + " in the " + catalog);
      }
    }
    return onlyEndpoints(endpoint -> !excluded.contains(endpoint.id()));
  }

  /** Returns these candidates with the endpoints of some models only. */
  public FakeCandidates only(String... models) {
    var ordinals = new BitSet();
    for (String id : models) {
      ordinals.set(requireModel(id).ordinal());
    }
    return only(ordinals);
  }

  /** Returns these candidates with the endpoints of the models of these ordinals only. */
  public FakeCandidates only(BitSet models) {
    return onlyEndpoints(endpoint -> models.get(endpoint.modelOrdinal()));
  }

  /** Returns these candidates with only the endpoints that match a predicate. */
  public FakeCandidates onlyEndpoints(Predicate<Endpoint> condition) {
    var remaining = (BitSet) usable.clone();
    for (Endpoint endpoint : catalog.endpoints()) {
      if (!condition.test(endpoint)) {
        remaining.clear(endpoint.ordinal());
      }
    }
    return withUsable(remaining);
  }

  private FakeCandidates withUsable(BitSet endpoints) {
    return new FakeCandidates(catalog, endpoints, sticky, health, facts, seed);
  }

  /**
   * Returns these candidates, with the cheapest endpoint of the model as the one that served the
   * conversation before.
   */
  public FakeCandidates sticky(String model) {
    var updated = (BitSet) sticky.clone();
    requireModel(model).endpoints().stream()
        .limit(1)
        .forEach(cheapest -> updated.set(cheapest.ordinal()));
    return new FakeCandidates(catalog, usable, updated, health, facts, seed);
  }

  /** Returns these candidates, with this measured throughput for all endpoints of a model. */
  public FakeCandidates throughput(String model, double tokensPerSecond) {
    FakeCandidates measured = this;
    for (Endpoint endpoint : requireModel(model).endpoints()) {
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

  /** Returns these candidates, with these measurements of an endpoint. */
  public FakeCandidates health(String endpoint, Health newHealth) {
    var updated = new HashMap<>(health);
    updated.put(endpoint, newHealth);
    return new FakeCandidates(catalog, usable, sticky, Map.copyOf(updated), facts, seed);
  }

  /** Returns these candidates with these facts of the request; an empty object unless set. */
  public FakeCandidates facts(Json newFacts) {
    return new FakeCandidates(catalog, usable, sticky, health, newFacts, seed);
  }

  /** Returns these candidates with this seed of the decision's random numbers; 0 unless set. */
  public FakeCandidates seed(long newSeed) {
    return new FakeCandidates(catalog, usable, sticky, health, facts, newSeed);
  }

  private ModelInfo requireModel(String id) {
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

  /** Returns whether this endpoint may be used. */
  public boolean isUsable(Endpoint endpoint) {
    return usable.get(endpoint.ordinal());
  }

  private List<Endpoint> usableEndpoints(int model) {
    var endpoints = new ArrayList<Endpoint>();
    for (Endpoint endpoint : model(model).endpoints()) {
      if (isUsable(endpoint)) {
        endpoints.add(endpoint);
      }
    }
    return endpoints;
  }

  @Override
  public List<UsableEndpoint> endpoints(int model) {
    var result = new ArrayList<UsableEndpoint>();
    for (Endpoint endpoint : usableEndpoints(model)) {
      Pricing prices = endpoint.pricing();
      result.add(
          new UsableEndpoint(
              endpoint,
              prices.price(Price.PROMPT),
              prices.price(Price.COMPLETION),
              health(endpoint)));
    }
    return result;
  }

  /**
   * Returns the health that was set for the endpoint, or else the values that the catalog assumes.
   */
  private Health health(Endpoint endpoint) {
    Health override = health.get(endpoint.id());
    return override != null
        ? override
        : new Health(
            endpoint.assumedLatencyMs() > 0 ? endpoint.assumedLatencyMs() : -1,
            endpoint.assumedThroughput() > 0 ? endpoint.assumedThroughput() : -1,
            -1,
            UsableEndpoint.Status.NORMAL);
  }

  @Override
  public long blendedPrice(int model) {
    List<Endpoint> endpoints = usableEndpoints(model);
    return endpoints.isEmpty() ? Long.MAX_VALUE : endpoints.getFirst().blendedPrice();
  }

  @Override
  public long promptPicos(int model) {
    long lowest = Long.MAX_VALUE;
    for (Endpoint endpoint : usableEndpoints(model)) {
      lowest = Math.min(lowest, endpoint.pricing().picos(Price.PROMPT));
    }
    return lowest;
  }

  @Override
  public double throughput(int model) {
    double highest = -1;
    for (Endpoint endpoint : usableEndpoints(model)) {
      highest = Math.max(highest, health(endpoint).throughput());
    }
    return highest;
  }

  @Override
  public boolean isSticky(int model) {
    return usableEndpoints(model).stream().anyMatch(endpoint -> sticky.get(endpoint.ordinal()));
  }

  @Override
  public long random(int n) {
    return new SplittableRandom(seed + n * STRIDE).nextLong();
  }

  @Override
  public ModelSet matching(List<String> patterns) {
    var ordinals = new BitSet();
    for (ModelInfo model : catalog.models()) {
      String id = model.id().toLowerCase(Locale.ROOT);
      String withoutVariant = id.split(":", 2)[0];
      for (String pattern : patterns) {
        String lower = pattern.toLowerCase(Locale.ROOT);
        if (matches(lower, id) || matches(lower, withoutVariant)) {
          ordinals.set(model.ordinal());
        }
      }
    }
    return new OrdinalSet(ordinals);
  }

  private record OrdinalSet(BitSet ordinals) implements ModelSet {
    @Override
    public boolean contains(int index) {
      return ordinals.get(index);
    }

    @Override
    public int size() {
      return ordinals.cardinality();
    }
  }

  /**
   * Lets each star match as little as possible: on a mismatch, the last star matches one more
   * character.
   */
  private static boolean matches(String pattern, String text) {
    int p = 0;
    int t = 0;
    int star = -1;
    int starEnd = 0;
    while (t < text.length()) {
      if (p < pattern.length() && pattern.charAt(p) == '*') {
        star = p++;
        starEnd = t;
      } else if (p < pattern.length() && pattern.charAt(p) == text.charAt(t)) {
        p++;
        t++;
      } else if (star >= 0) {
        p = star + 1;
        t = ++starEnd;
      } else {
        return false;
      }
    }
    while (p < pattern.length() && pattern.charAt(p) == '*') {
      p++;
    }
    return p == pattern.length();
  }

  /** Returns the ids of the usable models. */
  @Override
  public String toString() {
    return "usable "
        + catalog.models().stream()
            .filter(model -> isUsable(model.ordinal()))
            .map(ModelInfo::id)
            .toList();
  }
}
