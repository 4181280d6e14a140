package io.strowger.plugins.autorouter;

import io.strowger.spi.plugin.Candidates;
import io.strowger.spi.plugin.ModelSet;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects the few best models that are eligible: usable and not restricted. For one decision. */
final class TopModels {
  /** The chosen model and three fallbacks. Open question 49. */
  private static final int MOST = 4;

  private final Candidates candidates;
  private final @Nullable ModelSet allowed;
  private final @Nullable ModelSet excluded;
  private final int[] places = new int[MOST];
  private int size;

  /** Decides which models of a ranking to accept. */
  @FunctionalInterface
  interface Filter {
    boolean wants(int place);
  }

  /**
   * @param allowed the models that may be chosen; null allows every model
   * @param excluded the models that are never chosen; null excludes none
   */
  TopModels(Candidates candidates, @Nullable ModelSet allowed, @Nullable ModelSet excluded) {
    this.candidates = candidates;
    this.allowed = allowed;
    this.excluded = excluded;
  }

  boolean isEligible(int place) {
    return (allowed == null || allowed.contains(place))
        && (excluded == null || !excluded.contains(place))
        && candidates.isUsable(place);
  }

  /**
   * Adds the first models of a ranking that the filter accepts and that are eligible, until four
   * are chosen.
   */
  void fill(int[] ranking, Filter filter) {
    for (int i = 0; i < ranking.length && size < MOST; i++) {
      if (filter.wants(ranking[i]) && isEligible(ranking[i])) {
        places[size++] = ranking[i];
      }
    }
  }

  /** Adds only the first eligible model of a ranking. */
  void fillOne(int[] ranking) {
    for (int place : ranking) {
      if (isEligible(place)) {
        places[size++] = place;
        return;
      }
    }
  }

  boolean isEmpty() {
    return size == 0;
  }

  /**
   * Returns the ids, best first; a model that served the conversation before goes in front.
   *
   * @param pinned the ordinal of a model to put first, even if it was not added; -1 for none
   */
  List<String> ids(int pinned) {
    var ids = new ArrayList<String>(MOST);
    add(pinned, ids);
    for (int i = 0; i < size; i++) {
      if (candidates.isSticky(places[i])) {
        add(places[i], ids);
        break;
      }
    }
    for (int i = 0; i < size; i++) {
      add(places[i], ids);
    }
    return ids;
  }

  private void add(int place, List<String> ids) {
    if (place >= 0 && ids.size() < MOST && !ids.contains(candidates.model(place).id())) {
      ids.add(candidates.model(place).id());
    }
  }
}
