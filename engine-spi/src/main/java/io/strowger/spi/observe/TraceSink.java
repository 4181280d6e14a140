package io.strowger.spi.observe;

/** Receives finished calls. */
@FunctionalInterface
public interface TraceSink {
  /**
   * One call is over. Called once per request, on the request's thread after the answer was
   * delivered; must return quickly. What it throws is logged and changes nothing.
   */
  void accept(CallRecord record);
}
