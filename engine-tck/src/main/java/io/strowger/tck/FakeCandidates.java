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
 * FakeCandidates.of(catalog).without("acme/large").withoutEndpoints("acme/small@beta").sticky("acme/small")
 * }</pre>
 *
 * <p>Prices are the catalog's prices, whatever the time of day and the size of the prompt.
 */
public final class FakeCandidates implements Candidates {
  /**
   * The distance between the seeds of consecutive numbers; large, so that tests with neighbouring
   * seeds do not share numbers.
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
    BitSet left = copy(usable);
    for (String id : models) {
      known(id).endpoints().forEach(endpoint -> left.clear(endpoint.ordinal()));
    }
    return usable(left);
  }

  /**
   * Returns these candidates without some endpoints.
   *
   * @param ids endpoint ids, such as {@code acme/small@beta}
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

  /** Returns these candidates with the endpoints of some models only. */
  public FakeCandidates only(String... models) {
    var places = new BitSet();
    for (String id : models) {
      places.set(known(id).ordinal());
    }
    return only(places);
  }

  /** Returns these candidates with the endpoints of the models of these ordinals only. */
  public FakeCandidates only(BitSet models) {
    return onlyEndpoints(endpoint -> models.get(endpoint.modelOrdinal()));
  }

  /** Returns these candidates with only the endpoints that match a predicate. */
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

  /**
   * Returns these candidates, with the cheapest endpoint of the model as the one that served the
   * conversation before.
   */
  public FakeCandidates sticky(String model) {
    BitSet more = copy(sticky);
    known(model).endpoints().stream().limit(1).forEach(cheapest -> more.set(cheapest.ordinal()));
    return new FakeCandidates(catalog, usable, more, health, facts, seed);
  }

  /** Returns these candidates, with this measured throughput for all endpoints of a model. */
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

  /** Returns these candidates, with these measurements of an endpoint. */
  public FakeCandidates health(String endpoint, Health lately) {
    var more = new HashMap<>(health);
    more.put(endpoint, lately);
    return new FakeCandidates(catalog, usable, sticky, Map.copyOf(more), facts, seed);
  }

  /** Returns these candidates with these facts of the request; an empty object unless set. */
  public FakeCandidates facts(Json read) {
    return new FakeCandidates(catalog, usable, sticky, health, read, seed);
  }

  /** Returns these candidates with this seed of the decision's random numbers; 0 unless set. */
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

  /** Returns whether this endpoint may be used. */
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

  /**
   * Returns the health that was set for the endpoint, or else the values that the catalog assumes.
   */
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

  /** Matches greedily from the left: on a mismatch, the last star matches one more character. */
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
