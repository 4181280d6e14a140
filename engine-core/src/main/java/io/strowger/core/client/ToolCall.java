package io.strowger.core.client;

import java.util.Objects;

/**
 * A function call that a model asks for.
 *
 * @param id the id of the call, to which its result refers
 * @param name the name of the function
 * @param arguments the JSON the model wrote; may be malformed or not follow the schema
 */
public record ToolCall(String id, String name, String arguments) {
  public ToolCall {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(arguments, "arguments");
  }
}
