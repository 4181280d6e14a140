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
  private PlannedAttempt[] elements;
  private int size;

  AttemptList(int capacity) {
    elements = new PlannedAttempt[capacity];
  }

  void append(PlannedAttempt candidate) {
    if (size == elements.length) {
      elements = Arrays.copyOf(elements, Math.max(4, size * 2));
    }
    elements[size++] = candidate;
  }

  void appendAll(AttemptList list) {
    for (int i = 0; i < list.size; i++) {
      append(list.elements[i]);
    }
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public PlannedAttempt get(int index) {
    return elements[Objects.checkIndex(index, size)];
  }

  /** Returns the id of the model of all attempts; empty when there are none or several. */
  String model() {
    String model = size == 0 ? "" : elements[0].endpoint().model();
    for (int i = 1; i < size; i++) {
      if (!elements[i].endpoint().model().equals(model)) {
        return "";
      }
    }
    return model;
  }

  void truncate(int max) {
    size = Math.min(size, max);
  }

  /** Keeps the first attempt for each of the requested models. */
  void keepOnePerModel() {
    int count = 0;
    for (int i = 0; i < size; i++) {
      boolean first = true;
      for (int j = 0; j < count; j++) {
        first &= elements[j].modelIndex() != elements[i].modelIndex();
      }
      if (first) {
        elements[count++] = elements[i];
      }
    }
    size = count;
  }
}
