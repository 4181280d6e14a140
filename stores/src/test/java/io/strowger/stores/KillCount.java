package io.strowger.stores;

/**
 * How often a test starts and kills a process. {@code -Dstrowger.effort=25} makes it a quarter of
 * that, for a build that has no time for all.
 */
public final class KillCount {
  private KillCount() {}

  /**
   * @param all at least 1
   * @return of these, at least 1
   */
  public static int of(int all) {
    return Math.ceilDiv(all * Integer.getInteger("strowger.effort", 100), 100);
  }
}
