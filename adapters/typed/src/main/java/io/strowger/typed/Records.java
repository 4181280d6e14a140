package io.strowger.typed;

import io.strowger.core.client.AnswerType;
import io.strowger.core.client.ChatTool;
import io.strowger.core.client.JsonMismatchException;
import io.strowger.spi.json.Json;
import java.util.Objects;

/**
 * Creates answer types and tools from record classes.
 *
 * <pre>{@code
 * record Weather(String city, @JsonPropertyDescription("in degrees Celsius") int temperature) {}
 * Weather weather = chat.ask("acme/large").user("...").call(Records.answer(Weather.class)).value();
 * }</pre>
 *
 * <p>The schema is one that strict structured output accepts: every object has {@code
 * additionalProperties: false} and requires all of its members; a component of type {@code
 * Optional} or with an annotation {@code Nullable}, of any package, may be null. Components are
 * records, enums, text, numbers, booleans, {@code UUID}, {@code URI}, the types of java.time that
 * represent an instant, a date, a time or a duration, lists, sets and arrays of those, and, in
 * arguments of tools only, maps. Annotations of Jackson name components ({@code JsonProperty}),
 * describe them ({@code JsonPropertyDescription}, {@code JsonClassDescription}) and leave them out
 * ({@code JsonIgnore}).
 *
 * <p>Reading is strict: a member that is missing, unknown, null or of another kind does not fit (a
 * time may also come as a number of seconds), and neither does a value that the record's
 * constructor rejects with an exception; the exception's message is then part of the error. A
 * nullable member may also be missing. Answer types and tools are safe on any thread; make them
 * once and keep them. Contract: "Chat request body", {@code response_format} and {@code tools}.
 */
public final class Records {
  private Records() {}

  /**
   * Returns the answer type of a record.
   *
   * @throws IllegalArgumentException when no strict schema can be made of the class; the message
   *     names the component and says what to do
   */
  public static <T> AnswerType<T> answer(Class<T> type) {
    Json.Obj schema = RecordSchema.strict(type);
    return new AnswerType<>() {
      @Override
      public String name() {
        return RecordSchema.name(type);
      }

      @Override
      public Json.Obj schema() {
        return schema;
      }

      @Override
      public T read(String json) throws JsonMismatchException {
        return RecordJson.read(type, json);
      }

      @Override
      public String toString() {
        return "AnswerType[" + type.getName() + "]";
      }
    };
  }

  /**
   * Returns a tool whose arguments are a record. Unlike an answer's, its schema may have maps:
   * upstreams are not asked to enforce it, and arguments that do not fit are reported to the model.
   *
   * @param name letters, digits, {@code _} and {@code -}; at most 64
   * @param description what the function does, for the model
   * @throws IllegalArgumentException when no schema can be made of the class, as {@link #answer}
   */
  public static <Q> ChatTool tool(
      String name, String description, Class<Q> arguments, ToolFunction<Q> function) {
    Objects.requireNonNull(function, "function");
    return ChatTool.of(
        name,
        description,
        RecordSchema.withMaps(arguments),
        json -> RecordJson.text(function.run(RecordJson.read(arguments, json))));
  }
}
