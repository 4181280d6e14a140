package io.strowger.core.plan;

import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.plugin.ModelSet;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Compiles lists of patterns to sets of a catalog's models. Accounts and callers repeat their
 * lists, so the sets of some lists are cached. The number and length of cached lists are bounded; a
 * list that was evicted is compiled again. Thread-safe.
 */
final class ModelSets {
  /** Maximum number of cached lists; a power of two. */
  private static final int CACHE_SIZE = 256;

  /** Maximum length of a cached list: its characters, plus one per pattern. */
  private static final int MAX_LENGTH = 4096;

  private final List<ModelInfo> models;

  /**
   * Each list has one slot, which it may share: a newer list replaces the older one. Accessed
   * without synchronization: entries are immutable, and a thread that does not see another's entry
   * compiles the list again.
   */
  private final @Nullable CachedSet[] cache = new CachedSet[CACHE_SIZE];

  private record CachedSet(List<String> patterns, ModelSet set) {}

  /** A set of models, by ordinal. */
  record OrdinalSet(BitSet ordinals) implements ModelSet {
    @Override
    public boolean contains(int index) {
      return ordinals.get(index);
    }

    @Override
    public int size() {
      return ordinals.cardinality();
    }
  }

  ModelSets(List<ModelInfo> models) {
    this.models = models;
  }

  /** Returns the models whose ids match one of these patterns. */
  ModelSet matching(List<String> patterns) {
    int hash = patterns.hashCode();
    int slot = (hash ^ hash >>> 16) & CACHE_SIZE - 1;
    CachedSet cached = cache[slot];
    if (cached != null && cached.patterns().equals(patterns)) {
      return cached.set();
    }
    ModelSet set = compile(patterns);
    if (isShort(patterns)) {
      cache[slot] = new CachedSet(List.copyOf(patterns), set);
    }
    return set;
  }

  private ModelSet compile(List<String> patterns) {
    var matcher = new ModelPatterns(patterns);
    var ordinals = new BitSet(models.size());
    for (ModelInfo model : models) {
      if (matcher.matches(model.id())) {
        ordinals.set(model.ordinal());
      }
    }
    return new OrdinalSet(ordinals);
  }

  private static boolean isShort(List<String> patterns) {
    long characters = 0;
    for (String pattern : patterns) {
      characters += pattern.length() + 1;
    }
    return characters <= MAX_LENGTH;
  }
}
