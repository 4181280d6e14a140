package io.strowger.spi.observe;

/** Receives finished calls. */
@FunctionalInterface
public interface TraceSink {
  /**
   * Receives the record of a finished request. Called once per request, on the request's thread
   * after the answer was delivered; must return quickly. An exception is logged and has no other
   * effect. When another node has taken over a request of a batch, only that node calls its sinks
   * for the request.
   *
   * <p>A retained record keeps the catalog and the plugins of its decision reachable, and so the
   * classes of their jars, since {@link CallRecord#trace} repeats the decision. A sink that keeps
   * data of many calls should copy the data from the record here and release the record; the
   * entries of a trace refer to no plugin.
   */
  void accept(CallRecord record);
}
