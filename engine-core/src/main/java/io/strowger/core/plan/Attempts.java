package io.strowger.core.plan;

import io.strowger.spi.routing.Candidate;
import java.util.Arrays;
import java.util.List;

/** Attempts of one decision while it is made, in order. */
final class Attempts {
  private Candidate[] all;
  private int size;

  Attempts(int expected) {
    all = new Candidate[expected];
  }

  void add(Candidate candidate) {
    if (size == all.length) {
      all = Arrays.copyOf(all, Math.max(4, size * 2));
    }
    all[size++] = candidate;
  }

  void addAll(Attempts others) {
    for (int i = 0; i < others.size; i++) {
      add(others.all[i]);
    }
  }

  int size() {
    return size;
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

  List<Candidate> toList() {
    return List.of(size == all.length ? all : Arrays.copyOf(all, size));
  }
}
