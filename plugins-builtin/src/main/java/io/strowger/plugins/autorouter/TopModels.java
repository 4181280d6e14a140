package io.strowger.plugins.autorouter;

import io.strowger.spi.plugin.Candidates;
import io.strowger.spi.plugin.ModelSet;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Collects up to four of the best models that are usable and that the lists of allowed and excluded
 * models permit. Used for one decision only.
 */
final class TopModels {
  /** The chosen model and three fallbacks. Open question 49. */
  private static final int MAX_MODELS = 4;

  private final Candidates candidates;
  private final @Nullable ModelSet allowedModels;
  private final @Nullable ModelSet excludedModels;
  private final int[] ordinals = new int[MAX_MODELS];
  private int size;

  /** Decides which models of a ranking to accept. */
  @FunctionalInterface
  interface Filter {
    boolean accepts(int ordinal);
  }

  /**
   * @param allowedModels the models that may be chosen; null allows every model
   * @param excludedModels the models that are never chosen; null excludes none
   */
  TopModels(
      Candidates candidates, @Nullable ModelSet allowedModels, @Nullable ModelSet excludedModels) {
    this.candidates = candidates;
    this.allowedModels = allowedModels;
    this.excludedModels = excludedModels;
  }

  boolean isEligible(int ordinal) {
    return (allowedModels == null || allowedModels.contains(ordinal))
        && (excludedModels == null || !excludedModels.contains(ordinal))
        && candidates.isUsable(ordinal);
  }

  /**
   * Adds the first models of a ranking that the filter accepts and that are eligible, until four
   * are chosen.
   */
  void fill(int[] ranking, Filter filter) {
    for (int i = 0; i < ranking.length && size < MAX_MODELS; i++) {
      if (filter.accepts(ranking[i]) && isEligible(ranking[i])) {
        ordinals[size++] = ranking[i];
      }
    }
  }

  /** Adds only the first eligible model of a ranking. */
  void fillOne(int[] ranking) {
    for (int ordinal : ranking) {
      if (isEligible(ordinal)) {
        ordinals[size++] = ordinal;
        return;
      }
    }
  }

  boolean isEmpty() {
    return size == 0;
  }

  /**
   * Returns at most four ids: the pinned model, then a model that served the conversation before,
   * then the others, best first.
   *
   * @param pinnedOrdinal the ordinal of the pinned model, which comes first even if it was not
   *     added; -1 for none
   */
  List<String> ids(int pinnedOrdinal) {
    var ids = new ArrayList<String>(MAX_MODELS);
    add(pinnedOrdinal, ids);
    for (int i = 0; i < size; i++) {
      if (candidates.isSticky(ordinals[i])) {
        add(ordinals[i], ids);
        break;
      }
    }
    for (int i = 0; i < size; i++) {
      add(ordinals[i], ids);
    }
    return ids;
  }

  private void add(int ordinal, List<String> ids) {
    if (ordinal >= 0 && ids.size() < MAX_MODELS && !ids.contains(candidates.model(ordinal).id())) {
      ids.add(candidates.model(ordinal).id());
    }
  }
}
