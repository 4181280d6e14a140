package io.strowger.core.plan;

import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.plugin.RouterPlugin;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Lists of patterns compiled to sets of a catalog's models. Lists recur - an account has its own,
 * callers repeat theirs - so some are kept: how many and how long is bounded, and forgetting one
 * costs compiling it again. Safe on any thread.
 */
final class ModelSets {
  /** Most lists kept. */
  private static final int KEPT = 256;

  /** Most characters of a list that is kept. */
  private static final int LONGEST = 4096;

  private final List<ModelInfo> models;

  /** Never changed, only replaced; two threads at once may forget what one of them found. */
  private volatile Map<List<String>, ModelSet> kept = new HashMap<>();

  /** Models by their place in the catalog. */
  record ModelSet(BitSet places) implements RouterPlugin.ModelSet {
    @Override
    public boolean contains(int index) {
      return places.get(index);
    }

    @Override
    public int size() {
      return places.cardinality();
    }
  }

  ModelSets(List<ModelInfo> models) {
    this.models = models;
  }

  /** The models whose ids fit one of these patterns. */
  ModelSet matching(List<String> patterns) {
    ModelSet known = kept.get(patterns);
    if (known != null) {
      return known;
    }
    ModelSet set = compile(patterns);
    if (isShort(patterns)) {
      Map<List<String>, ModelSet> before = kept;
      Map<List<String>, ModelSet> more =
          before.size() >= KEPT ? new HashMap<>() : new HashMap<>(before);
      more.put(List.copyOf(patterns), set);
      kept = more;
    }
    return set;
  }

  private ModelSet compile(List<String> patterns) {
    var compiled = new ModelPatterns(patterns);
    var places = new BitSet(models.size());
    for (ModelInfo model : models) {
      if (compiled.fits(model.id())) {
        places.set(model.ordinal());
      }
    }
    return new ModelSet(places);
  }

  private static boolean isShort(List<String> patterns) {
    long characters = 0;
    for (String pattern : patterns) {
      characters += pattern.length() + 1;
    }
    return characters <= LONGEST;
  }
}
