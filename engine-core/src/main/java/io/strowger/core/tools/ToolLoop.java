package io.strowger.core.tools;

import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.provider.JsonCodec;

/**
 * Runs the gateway's own tools for a model: each turn is a call of its own, decided and paid anew.
 * The innermost of what stands around a request, for one request. Plugins fact sheet, section 12.
 *
 * <p>A turn that also calls functions of the caller's ends the answer: those are the caller's to
 * make. What the gateway's tools gave in it is handed out beside them and comes back with the next
 * request (open questions, 61).
 */
public final class ToolLoop implements Interceptor {
  /** What the trace calls it. */
  public static final String ID = "server-tools";

  private final OfferedTools tools;
  private final ToolTally tally;
  private final JsonCodec codec;

  /**
   * @param tools at least one
   * @param tally told of each call
   * @param codec reads the arguments models write
   */
  public ToolLoop(OfferedTools tools, ToolTally tally, JsonCodec codec) {
    this.tools = tools;
    this.tally = tally;
    this.codec = codec;
  }

  @Override
  public Scope scope() {
    return Scope.REQUEST;
  }

  @Override
  public EventStream intercept(InferenceRequest request, Chain chain) {
    InferenceRequest first = ToolRequests.first(request, tools);
    var run = new ToolRun(tools, tally, codec, chain);
    return new LoopStream(chain, run, StopRules.of(request), tally, first);
  }
}
