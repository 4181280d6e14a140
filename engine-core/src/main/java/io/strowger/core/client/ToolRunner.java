package io.strowger.core.client;

import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.provider.Cancellation;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the tools of one request that are functions of this process. For one thread. */
final class ToolRunner {
  private static final Logger log = LoggerFactory.getLogger(ToolRunner.class);

  private final Map<String, ChatTool> tools = new LinkedHashMap<>();

  /**
   * Adds a tool.
   *
   * @throws IllegalArgumentException when another tool has the same name
   */
  void add(ChatTool tool) {
    requireUnused(tool.name());
    tools.put(tool.name(), tool);
  }

  /**
   * Checks that no tool has this name.
   *
   * @throws IllegalArgumentException when a tool has this name
   */
  void requireUnused(String name) {
    if (tools.containsKey(name)) {
      throw new IllegalArgumentException("two tools have the name " + name);
    }
  }

  /**
   * Runs a call.
   *
   * @return the result for the model, also when the call failed
   * @throws io.strowger.spi.error.GatewayException when the request was cancelled, or this thread
   *     was interrupted while the tool ran
   */
  String run(ToolCall call, Cancellation cancellation) {
    requireNotCancelled(cancellation);
    ChatTool tool = tools.get(call.name());
    if (tool == null) {
      return "There is no function " + call.name() + "; there are " + new TreeSet<>(tools.keySet());
    }
    try {
      String result = tool.run(call.arguments());
      return result == null ? "null" : result;
    } catch (JsonMismatchException e) {
      return "The arguments do not fit: " + e.getMessage();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw interrupted(call);
    } catch (Exception failure) {
      if (Thread.currentThread().isInterrupted()) { // the tool reported it as another exception
        throw interrupted(call);
      }
      log.warn("the tool {} failed; the model is told that it did", call.name(), failure);
      return "The function failed (" + failure.getClass().getSimpleName() + ")";
    }
  }

  private static GatewayException interrupted(ToolCall call) {
    return GatewayError.of(
            ErrorCode.CLIENT_CLOSED_REQUEST,
            "The thread was interrupted while the tool " + call.name() + " ran")
        .toException();
  }

  private static void requireNotCancelled(Cancellation cancellation) {
    if (cancellation.isCancelled()) {
      throw GatewayError.of(
              ErrorCode.CLIENT_CLOSED_REQUEST, "The request was cancelled between two turns")
          .toException();
    }
  }
}
