package io.strowger.core.client;

import io.strowger.spi.json.Json;
import java.util.Objects;

/**
 * A function of this process that a model may call. Module {@code strowger-typed} makes one from a
 * record and a function. Run by {@link ChatRequest#callWithTools}; must be safe on all threads that
 * use it.
 */
public interface ChatTool {
  /** Returns the name of the function: letters, digits, {@code _} and {@code -}; at most 64. */
  String name();

  /** Returns the description of the function, which the model reads. */
  String description();

  /** Returns the JSON Schema of the arguments, which are an object. */
  Json.Obj parameters();

  /**
   * Runs one call, on the thread that sent the request.
   *
   * @param arguments the JSON the model wrote; may be malformed or not follow the schema
   * @return the result, which the model reads
   * @throws JsonMismatchException when the arguments do not fit; the model reads every problem and
   *     may call again
   * @throws Exception when the call fails; the model reads that it failed and the simple name of
   *     the exception's class, but not its message, which may be confidential. To tell the model
   *     more, return a text
   */
  String run(String arguments) throws Exception;

  /** Runs a call, like {@link ChatTool#run}. */
  @FunctionalInterface
  interface Function {
    /** Runs a call and returns the result, which the model reads. */
    String run(String arguments) throws Exception;
  }

  /**
   * Returns a tool that runs a function.
   *
   * @param parameters the JSON Schema of the arguments, which are an object
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
