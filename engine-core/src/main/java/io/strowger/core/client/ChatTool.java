package io.strowger.core.client;

import io.strowger.spi.json.Json;
import java.util.Objects;

/**
 * A function of this process that a model may call. Module {@code strowger-typed} makes one of a
 * record and a function. Used by {@link ChatRequest#callWithTools}; safe on as many threads as use
 * it.
 */
public interface ChatTool {
  /** Returns the name of the function: letters, digits, {@code _} and {@code -}; at most 64. */
  String name();

  /** Returns what the function does, for the model. */
  String description();

  /** Returns the JSON Schema of the arguments, an object. */
  Json.Obj parameters();

  /**
   * Runs one call, on the thread that asked the model.
   *
   * @param arguments JSON as the model wrote it; it may be malformed, and may not follow the schema
   * @return what the model reads
   * @throws JsonMismatchException when the arguments do not fit: the model reads every problem and
   *     may call again
   * @throws Exception when the call fails: the model reads that it failed and the kind of the
   *     exception, and nothing of its message, which may hold what the model must not know. Return
   *     a text to tell it more
   */
  String run(String arguments) throws Exception;

  /** Runs a call; as {@link ChatTool#run}. */
  @FunctionalInterface
  interface Function {
    /** Returns what the model reads. */
    String run(String arguments) throws Exception;
  }

  /**
   * Returns a tool that runs a function.
   *
   * @param parameters JSON Schema of the arguments, an object
   */
  static ChatTool of(String name, String description, Json.Obj parameters, Function function) {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(description, "description");
    Objects.requireNonNull(parameters, "parameters");
    Objects.requireNonNull(function, "function");
    return new ChatTool() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public String description() {
        return description;
      }

      @Override
      public Json.Obj parameters() {
        return parameters;
      }

      @Override
      public String run(String arguments) throws Exception {
        return function.run(arguments);
      }

      @Override
      public String toString() {
        return "ChatTool[" + name + "]";
      }
    };
  }
}
