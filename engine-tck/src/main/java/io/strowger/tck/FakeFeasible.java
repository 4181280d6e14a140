package io.strowger.tck;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.catalog.Price;
import io.strowger.spi.plugin.RouterPlugin;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * What a router may choose from, as a test says. Every model with endpoints is usable until the
 * test takes it away, prices are those of the catalog, speeds what the catalog assumes. Immutable:
 * every method gives a new one.
 */
public final class FakeFeasible implements RouterPlugin.Feasible {
  /** Far from every seed of a test, so that no two numbers of two tests are alike. */
  private static final long STRIDE = 0x632BE59BD9B4E019L;

  private final Catalog catalog;
  private final BitSet usable;
  private final BitSet sticky;
  private final Map<Integer, Double> throughput;
  private final long seed;

  private FakeFeasible(
      Catalog catalog, BitSet usable, BitSet sticky, Map<Integer, Double> throughput, long seed) {
    this.catalog = catalog;
    this.usable = usable;
    this.sticky = sticky;
    this.throughput = throughput;
    this.seed = seed;
  }

  /** Everything in the catalog may be used. */
  public static FakeFeasible of(Catalog catalog) {
    var usable = new BitSet();
    for (ModelInfo model : catalog.models()) {
      usable.set(model.ordinal(), !model.endpoints().isEmpty());
    }
    return new FakeFeasible(catalog, usable, new BitSet(), Map.of(), 0);
  }

  /** Some rule dropped every endpoint of these models. */
  public FakeFeasible without(String... models) {
    BitSet left = copy(usable);
    for (String model : models) {
      left.clear(place(model));
    }
    return new FakeFeasible(catalog, left, sticky, throughput, seed);
  }

  /** No other models may be used than these. */
  public FakeFeasible only(String... models) {
    var left = new BitSet();
    for (String model : models) {
      left.set(place(model));
    }
    left.and(usable);
    return new FakeFeasible(catalog, left, sticky, throughput, seed);
  }

  /** Of the models that may be used, those at these places. */
  public FakeFeasible only(BitSet places) {
    BitSet left = copy(usable);
    left.and(places);
    return new FakeFeasible(catalog, left, sticky, throughput, seed);
  }

  /** The model served the conversation before. */
  public FakeFeasible sticky(String model) {
    BitSet more = copy(sticky);
    more.set(place(model));
    return new FakeFeasible(catalog, usable, more, throughput, seed);
  }

  /** The model was measured at so many tokens per second. */
  public FakeFeasible throughput(String model, double tokensPerSecond) {
    var more = new HashMap<>(throughput);
    more.put(place(model), tokensPerSecond);
    return new FakeFeasible(catalog, usable, sticky, more, seed);
  }

  /** The chance of the decision; 0 when nothing is said. */
  public FakeFeasible seed(long other) {
    return new FakeFeasible(catalog, usable, sticky, throughput, other);
  }

  private static BitSet copy(BitSet of) {
    var copy = new BitSet();
    copy.or(of);
    return copy;
  }

  private int place(String id) {
    ModelInfo model = catalog.model(id);
    if (model == null) {
      throw new IllegalArgumentException("no model " + id + " in the " + catalog);
    }
    return model.ordinal();
  }

  @Override
  public Catalog catalog() {
    return catalog;
  }

  @Override
  public int models() {
    return catalog.models().size();
  }

  @Override
  public ModelInfo model(int index) {
    return catalog.models().get(index);
  }

  @Override
  public boolean feasible(int index) {
    return usable.get(index);
  }

  @Override
  public long price(int index) {
    return feasible(index) ? model(index).endpoints().getFirst().blendedPrice() : Long.MAX_VALUE;
  }

  @Override
  public long promptPicos(int index) {
    long least = Long.MAX_VALUE;
    if (feasible(index)) {
      for (Endpoint endpoint : model(index).endpoints()) {
        least = Math.min(least, endpoint.pricing().picos(Price.PROMPT));
      }
    }
    return least;
  }

  @Override
  public double throughput(int index) {
    double most = 0;
    if (feasible(index)) {
      for (Endpoint endpoint : model(index).endpoints()) {
        most = Math.max(most, endpoint.assumedThroughput());
      }
    }
    return feasible(index) ? throughput.getOrDefault(index, most) : 0;
  }

  @Override
  public boolean sticky(int index) {
    return feasible(index) && sticky.get(index);
  }

  @Override
  public long chance(int n) {
    return new SplittableRandom(seed + n * STRIDE).nextLong();
  }

  @Override
  public RouterPlugin.ModelSet matching(List<String> patterns) {
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

  private record Places(BitSet places) implements RouterPlugin.ModelSet {
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
            .filter(model -> usable.get(model.ordinal()))
            .map(ModelInfo::id)
            .toList();
  }
}
