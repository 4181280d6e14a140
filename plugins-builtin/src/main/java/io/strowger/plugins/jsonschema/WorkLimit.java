package io.strowger.plugins.jsonschema;

/**
 * Limits the cost of one check: steps, each about one comparison, and levels of nested keywords.
 * Confined to one thread.
 */
final class WorkLimit {
  private static final long MAX_STEPS = 2_000_000;
  private static final int MAX_LEVELS = 256;

  private long steps;
  private int levels;

  long steps() {
    return steps;
  }

  void charge(long cost) {
    steps += cost;
    if (cost < 0 || steps > MAX_STEPS) {
      throw new UncheckableException("takes too long to check");
    }
  }

  void enter() {
    if (++levels > MAX_LEVELS) {
      throw new UncheckableException("refers to itself without end or is nested too deep");
    }
  }

  void leave() {
    levels--;
  }
}
