package io.strowger.core.client;

import java.util.Objects;

/**
 * A function call that a model asks for.
 *
 * @param id names the call; its result refers to it
 * @param name of the function
 * @param arguments JSON as the model wrote it; may be malformed, and may not follow the schema
 */
public record ToolCall(String id, String name, String arguments) {
  public ToolCall {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(arguments, "arguments");
  }
}
