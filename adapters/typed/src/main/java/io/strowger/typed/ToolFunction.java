package io.strowger.typed;

import org.jspecify.annotations.Nullable;

/**
 * A function that a model calls with a record.
 *
 * @param <Q> the type of the arguments
 */
@FunctionalInterface
public interface ToolFunction<Q> {
  /**
   * Runs one call, on the thread that asked the model.
   *
   * @return what the model reads: text as it is, everything else as JSON
   * @throws Exception when the call fails; the model is told so, but not given the message
   */
  @Nullable Object run(Q arguments) throws Exception;
}
