package io.strowger.core.plan;

import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.plugin.ModelSet;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Compiles lists of patterns to sets of a catalog's models. Lists recur, since accounts and callers
 * repeat theirs, so some are cached: their number and length are bounded, and a list that was
 * evicted is compiled again. Thread-safe.
 */
final class ModelSets {
  /** Maximum number of cached lists; a power of two. */
  private static final int CACHE_SIZE = 256;

  /** Maximum length of a cached list: its characters, plus one per pattern. */
  private static final int LONGEST = 4096;

  private final List<ModelInfo> models;

  /**
   * Each list has one slot, where a newer list replaces it. Accessed without synchronization:
   * entries are immutable, and a thread that does not see another's entry compiles the list again.
   */
  private final @Nullable Kept[] kept = new Kept[CACHE_SIZE];

  private record Kept(List<String> patterns, ModelSet set) {}

  /** A set of models, by ordinal. */
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

  /** Returns the models whose ids match one of these patterns. */
  ModelSet matching(List<String> patterns) {
    int hash = patterns.hashCode();
    int place = (hash ^ hash >>> 16) & CACHE_SIZE - 1;
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
