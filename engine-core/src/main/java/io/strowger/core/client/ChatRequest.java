package io.strowger.core.client;

import io.strowger.core.flow.Reply;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.Cancellation;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A chat request that is being put together. Every method returns the request itself. What is set
 * twice is what was set last; messages are added one after the other.
 *
 * <p>Nothing is checked before {@link #call} or {@link #stream}: then the request is read like one
 * that came over HTTP, and every problem is named at once. A request may be sent several times. For
 * one thread at a time. Contract: "Chat request body".
 */
public final class ChatRequest {
  private final ChatClient.Service service;
  private final Map<String, Json> members = new LinkedHashMap<>();
  private final List<Json> messages = new ArrayList<>();
  private final List<Json> tools = new ArrayList<>();
  private final List<Json> plugins = new ArrayList<>();
  private final RoutingPreferences preferences = new RoutingPreferences();
  private Cancellation cancellation = new Cancellation();

  ChatRequest(ChatClient.Service service) {
    this.service = service;
  }

  ChatRequest models(String first, String... fallbacks) {
    member("model", Json.of(first));
    if (fallbacks.length > 0) {
      member("models", texts(Stream.concat(Stream.of(first), Stream.of(fallbacks)).toList()));
    }
    return this;
  }

  /** Adds a system message. */
  public ChatRequest system(String text) {
    return message("system", text);
  }

  /** Adds a developer message. */
  public ChatRequest developer(String text) {
    return message("developer", text);
  }

  /** Adds a user message. */
  public ChatRequest user(String text) {
    return message("user", text);
  }

  /** Adds a message the assistant is supposed to have written. */
  public ChatRequest assistant(String text) {
    return message("assistant", text);
  }

  /**
   * Adds an answer of the assistant as it was given, with its tool calls and what proves its
   * reasoning, so that the conversation can go on.
   */
  public ChatRequest assistant(ChatAnswer answer) {
    return message(answer.toMessage());
  }

  /**
   * Adds the result of a tool call.
   *
   * @param call of an answer that was added before
   */
  public ChatRequest toolResult(ToolCall call, String result) {
    return message(
        Json.object()
            .put("role", "tool")
            .put("tool_call_id", call.id())
            .put("content", result)
            .build());
  }

  /**
   * Adds a message in the form of the contract, for content that is no text.
   *
   * @param message an item of {@code messages}
   */
  public ChatRequest message(Json.Obj message) {
    messages.add(Objects.requireNonNull(message, "message"));
    return this;
  }

  private ChatRequest message(String role, String text) {
    return message(Json.object().put("role", role).put("content", text).build());
  }

  /** Sets the sampling temperature, from 0 to 2. */
  public ChatRequest temperature(double value) {
    return number("temperature", value);
  }

  /** Sets the share of probability that tokens are sampled from, above 0 and up to 1. */
  public ChatRequest topP(double value) {
    return number("top_p", value);
  }

  /** Sets how many tokens the answer may have, reasoning included; at least 1. */
  public ChatRequest maxTokens(int tokens) {
    return member("max_tokens", Json.of(tokens));
  }

  /** Sets up to four texts that end the answer. */
  public ChatRequest stop(String... texts) {
    return member("stop", texts(List.of(texts)));
  }

  /** Sets the seed of the model's own chance, where the model has one. */
  public ChatRequest seed(long value) {
    return member("seed", Json.of(value));
  }

  /** Sets what groups requests and keeps them on one endpoint; at most 256 characters. */
  public ChatRequest session(String id) {
    return member("session_id", Json.of(id));
  }

  /** Sets your own end user; at most 256 characters. */
  public ChatRequest endUser(String id) {
    return member("user", Json.of(id));
  }

  /**
   * Offers the model a function, which you run when the answer calls it.
   *
   * @param name letters, digits, {@code _} and {@code -}; at most 64
   * @param parameters JSON Schema of the arguments, an object
   */
  public ChatRequest tool(String name, String description, Json.Obj parameters) {
    Json.Obj function =
        Json.object()
            .put("name", name)
            .put("description", description)
            .put("parameters", parameters)
            .build();
    return tool(Json.object().put("type", "function").put("function", function).build());
  }

  /**
   * Offers the model a tool that the gateway runs, such as {@code router:datetime}.
   *
   * @param parameters of the tool; empty for its defaults
   */
  public ChatRequest serverTool(String type, Json.Obj parameters) {
    Json.Obj.Builder tool = Json.object().put("type", type);
    return tool(parameters.size() == 0 ? tool.build() : tool.put("parameters", parameters).build());
  }

  private ChatRequest tool(Json.Obj tool) {
    tools.add(tool);
    return this;
  }

  /**
   * Has the answer follow a schema.
   *
   * @param name letters, digits, {@code _} and {@code -}; at most 64
   * @param schema JSON Schema of the answer
   */
  public ChatRequest answerSchema(String name, Json.Obj schema) {
    Json.Obj format =
        Json.object().put("name", name).put("strict", Json.TRUE).put("schema", schema).build();
    return member(
        "response_format",
        Json.object().put("type", "json_schema").put("json_schema", format).build());
  }

  /** Says which providers may answer, and which are preferred. */
  public ChatRequest prefer(Consumer<RoutingPreferences> how) {
    how.accept(preferences);
    return this;
  }

  /**
   * Runs a plugin on the request.
   *
   * @param config members of the plugin's entry besides its id; empty for the defaults
   */
  public ChatRequest plugin(String id, Json.Obj config) {
    plugins.add(Json.object().put("id", id).putAll(config).build());
    return this;
  }

  /** Merges a preset under the request. */
  public ChatRequest preset(String slug) {
    return member("preset", Json.of(slug));
  }

  /**
   * Sets a member of the body that has no method here.
   *
   * @param name such as {@code logit_bias}
   * @throws IllegalArgumentException for a member that other methods here put together
   */
  public ChatRequest set(String name, Json value) {
    switch (name) {
      case "messages", "tools", "plugins", "provider", "stream" ->
          throw new IllegalArgumentException(name + " has methods of its own");
      default -> member(name, value);
    }
    return this;
  }

  /** Ends the request when this trips; it is billed for what it delivered until then. */
  public ChatRequest cancelledBy(Cancellation value) {
    cancellation = Objects.requireNonNull(value, "cancellation");
    return this;
  }

  private ChatRequest member(String name, Json value) {
    members.put(name, Objects.requireNonNull(value, name));
    return this;
  }

  private ChatRequest number(String name, double value) {
    if (!Double.isFinite(value)) {
      throw new IllegalArgumentException(name + " must be a finite number, was " + value);
    }
    return member(name, Json.of(BigDecimal.valueOf(value)));
  }

  private static Json.Arr texts(List<String> texts) {
    return Json.array(texts.stream().map(Json::of).toList());
  }

  /** Returns the body that {@link #call} sends, as {@code POST /chat/completions} takes it. */
  public Json.Obj toJson() {
    return toJson(false);
  }

  private Json.Obj toJson(boolean streaming) {
    Json.Obj.Builder body = Json.object();
    members.forEach(body::put);
    body.put("messages", Json.array(messages));
    if (!tools.isEmpty()) {
      body.put("tools", Json.array(tools));
    }
    if (!plugins.isEmpty()) {
      body.put("plugins", Json.array(plugins));
    }
    Json.Obj provider = preferences.toJson();
    if (provider.size() > 0) {
      body.put("provider", provider);
    }
    if (streaming) {
      body.put("stream", Json.TRUE);
    }
    return body.build();
  }

  /**
   * Sends the request and waits for the whole answer.
   *
   * @throws GatewayException when it is refused or the answer fails, with the code of the contract
   *     and every problem. An answer that fails behind its first words is an exception too; use
   *     {@link #stream} to keep what was said until then
   */
  public ChatAnswer call() {
    try (ChatStream stream = begun(false)) {
      return stream.answer();
    }
  }

  /**
   * Sends the request and waits for the first content only. Close the stream: an answer that nobody
   * closes goes on.
   *
   * @throws GatewayException when it is refused before its first content
   */
  public ChatStream stream() {
    return begun(true);
  }

  private ChatStream begun(boolean streaming) {
    return switch (service.serve(toJson(streaming), cancellation)) {
      case Reply.Refused refused -> throw refused.error().toException();
      case Reply.Answered answered -> new ChatStream(answered);
    };
  }
}
