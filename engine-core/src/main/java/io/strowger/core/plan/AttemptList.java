package io.strowger.core.plan;

import io.strowger.core.routing.PlannedAttempt;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.Objects;
import java.util.RandomAccess;

/**
 * The attempts of one decision, in order. Grows while the decision is made; read-only through the
 * {@link java.util.List} interface.
 */
final class AttemptList extends AbstractList<PlannedAttempt> implements RandomAccess {
  private PlannedAttempt[] all;
  private int size;

  AttemptList(int expected) {
    all = new PlannedAttempt[expected];
  }

  void append(PlannedAttempt candidate) {
    if (size == all.length) {
      all = Arrays.copyOf(all, Math.max(4, size * 2));
    }
    all[size++] = candidate;
  }

  void appendAll(AttemptList others) {
    for (int i = 0; i < others.size; i++) {
      append(others.all[i]);
    }
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public PlannedAttempt get(int index) {
    return all[Objects.checkIndex(index, size)];
  }

  /** Returns the id of the model of all attempts; empty when there are none or several. */
  String model() {
    String model = size == 0 ? "" : all[0].endpoint().model();
    for (int i = 1; i < size; i++) {
      if (!all[i].endpoint().model().equals(model)) {
        return "";
      }
    }
    return model;
  }

  void truncate(int most) {
    size = Math.min(size, most);
  }

  /** Keeps the first attempt for each of the requested models. */
  void keepOnePerModel() {
    int kept = 0;
    for (int i = 0; i < size; i++) {
      boolean first = true;
      for (int j = 0; j < kept; j++) {
        first &= all[j].model() != all[i].model();
      }
      if (first) {
        all[kept++] = all[i];
      }
    }
    size = kept;
  }
}
