package io.strowger.stores;

/**
 * Computes how often a test repeats something slow, such as starting and killing a process. {@code
 * -Dstrowger.effort=25} makes it a quarter of the usual number, for a build that has little time.
 */
public final class KillCount {
  private KillCount() {}

  /**
   * @param all the usual number, at least 1
   * @return the number for this build, at least 1
   */
  public static int of(int all) {
    return Math.ceilDiv(all * Integer.getInteger("strowger.effort", 100), 100);
  }
}
