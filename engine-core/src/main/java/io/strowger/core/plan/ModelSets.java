package io.strowger.core.plan;

import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.plugin.ModelSet;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lists of patterns compiled to sets of a catalog's models. Lists recur - an account has its own,
 * callers repeat theirs - so some are kept: how many and how long is bounded, and forgetting one
 * costs compiling it again. Safe on any thread.
 */
final class ModelSets {
  /** Most lists kept; a power of two. */
  private static final int KEPT = 256;

  /** Most characters of a list that is kept. */
  private static final int LONGEST = 4096;

  private final List<ModelInfo> models;

  /**
   * Each list has one place, and a newer one takes it. Read and written without care: an entry is
   * immutable, and whoever does not see another thread's compiles the list again.
   */
  private final @Nullable Kept[] kept = new Kept[KEPT];

  private record Kept(List<String> patterns, ModelSet set) {}

  /** Models by their place in the catalog. */
  record PlacedModels(BitSet places) implements ModelSet {
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
    int hash = patterns.hashCode();
    int place = (hash ^ hash >>> 16) & KEPT - 1;
    Kept known = kept[place];
    if (known != null && known.patterns().equals(patterns)) {
      return known.set();
    }
    ModelSet set = compile(patterns);
    if (isShort(patterns)) {
      kept[place] = new Kept(List.copyOf(patterns), set);
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
    return new PlacedModels(places);
  }

  private static boolean isShort(List<String> patterns) {
    long characters = 0;
    for (String pattern : patterns) {
      characters += pattern.length() + 1;
    }
    return characters <= LONGEST;
  }
}
