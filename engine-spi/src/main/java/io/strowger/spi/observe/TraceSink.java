package io.strowger.spi.observe;

/** Receives finished calls. */
@FunctionalInterface
public interface TraceSink {
  /**
   * Receives the record of a finished request. Called once per request, on the request's thread
   * after the answer was delivered; must return quickly. What it throws is logged and changes
   * nothing. A request of a batch that another node has taken over is not received here: that node
   * receives it.
   *
   * <p>A record that is kept keeps the catalog and the plugins that its decision was made with, and
   * so the classes of their jars, since {@link CallRecord#trace} repeats the decision. Whoever
   * keeps something of many calls takes it from the record here, and lets the record go; a trace
   * holds nothing of a plugin.
   */
  void accept(CallRecord record);
}
