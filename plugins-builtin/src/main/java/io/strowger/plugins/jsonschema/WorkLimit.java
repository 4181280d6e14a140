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

  /** Thrown to stop a check that is too large, too deep or not possible in linear time. */
  static final class Exceeded extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final String reason;

    /**
     * @param reason the rest of a sentence about the schema or value, such as "is too large"
     */
    Exceeded(String reason) {
      super(reason, null, false, false);
      this.reason = reason;
    }

    @Override
    public String getMessage() {
      return reason;
    }
  }

  long steps() {
    return steps;
  }

  void charge(long cost) {
    steps += cost;
    if (cost < 0 || steps > MAX_STEPS) {
      throw new Exceeded("takes too long to check");
    }
  }

  void enter() {
    if (++levels > MAX_LEVELS) {
      throw new Exceeded("goes on without end or is nested too deep");
    }
  }

  void leave() {
    levels--;
  }
}
