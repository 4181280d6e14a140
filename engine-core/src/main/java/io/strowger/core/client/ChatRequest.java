package io.strowger.core.client;

import io.strowger.core.inference.Reply;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Effort;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.model.ToolChoice;
import io.strowger.spi.provider.Cancellation;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Builds a chat request and sends it. Every setter returns this request. Setting a value again
 * replaces it; messages are added in order.
 *
 * <p>{@link #call} and {@link #stream} check the request as if it came over HTTP and report every
 * problem at once. A request may be sent several times. For one thread at a time. Contract: "Chat
 * request body".
 */
public final class ChatRequest {
  private final ChatClient.Service service;
  private final Map<String, Json> members = new LinkedHashMap<>();
  private final List<Json> messages = new ArrayList<>();
  private final List<Json> tools = new ArrayList<>();
  private final ToolRunner toolRunner = new ToolRunner();
  private final Set<String> declaredFunctions = new HashSet<>(); // functions the application runs
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

  /** Adds a user message of several parts, such as a text and an image. */
  public ChatRequest user(ContentPart... parts) {
    return message("user", content(List.of(parts)));
  }

  /** Adds an assistant message with this text. */
  public ChatRequest assistant(String text) {
    return message("assistant", text);
  }

  /**
   * Adds an earlier answer, with its tool calls and the signatures of its reasoning, to continue
   * the conversation.
   */
  public ChatRequest assistant(ChatAnswer answer) {
    return message(answer.toMessage());
  }

  /**
   * Adds an earlier answer that was stored as these values. For an answer of this process use
   * {@link #assistant(ChatAnswer)}.
   *
   * @param text the text of the answer; null when it had none
   * @param calls the tool calls of the answer; may be empty
   * @param reasoningDetails {@link ChatAnswer#reasoningDetails} of the answer, which some models
   *     require to continue after a tool call; may be empty
   */
  public ChatRequest assistant(
      @Nullable String text, List<ToolCall> calls, Json.Arr reasoningDetails) {
    Json.Obj.Builder message = Json.object().put("role", "assistant").putOrNull("content", text);
    if (!reasoningDetails.isEmpty()) {
      message.put("reasoning_details", reasoningDetails);
    }
    if (!calls.isEmpty()) {
      message.put("tool_calls", Json.array(calls.stream().map(ChatRequest::toolCall).toList()));
    }
    return message(message.build());
  }

  private static Json.Obj toolCall(ToolCall call) {
    Json.Obj function =
        Json.object().put("name", call.name()).put("arguments", call.arguments()).build();
    return Json.object()
        .put("id", call.id())
        .put("type", "function")
        .put("function", function)
        .build();
  }

  /**
   * Adds the result of a tool call.
   *
   * @param call a tool call of an answer that was added before
   */
  public ChatRequest toolResult(ToolCall call, String result) {
    return toolResult(call.id(), Json.of(result));
  }

  /**
   * Adds the result of a tool call, of several parts.
   *
   * @param callId the id of a tool call of an answer that was added before
   */
  public ChatRequest toolResult(String callId, ContentPart... result) {
    return toolResult(callId, content(List.of(result)));
  }

  private ChatRequest toolResult(String callId, Json content) {
    return message(
        Json.object()
            .put("role", "tool")
            .put("tool_call_id", callId)
            .put("content", content)
            .build());
  }

  private static Json.Arr content(List<ContentPart> parts) {
    return Json.array(parts.stream().map(ContentPart::toJson).toList());
  }

  /**
   * Adds a message in the form of the contract, for content other than text.
   *
   * @param message one item of the conversation, as the body of chat has it
   */
  public ChatRequest message(Json.Obj message) {
    messages.add(Objects.requireNonNull(message, "message"));
    return this;
  }

  private ChatRequest message(String role, String text) {
    return message(role, Json.of(text));
  }

  private ChatRequest message(String role, Json content) {
    return message(Json.object().put("role", role).put("content", content).build());
  }

  /** Sets the sampling temperature, from 0 to 2. */
  public ChatRequest temperature(double value) {
    return number("temperature", value);
  }

  /** Sets the probability mass that tokens are sampled from, above 0 and up to 1. */
  public ChatRequest topP(double value) {
    return number("top_p", value);
  }

  /**
   * Sets how many of the likeliest tokens are sampled from; 1 allows only the likeliest, 0 all. Not
   * all providers support it.
   */
  public ChatRequest topK(int tokens) {
    return member("top_k", Json.of(tokens));
  }

  /** Sets the penalty of tokens by how often they already occur, from -2 to 2. */
  public ChatRequest frequencyPenalty(double value) {
    return number("frequency_penalty", value);
  }

  /** Sets the penalty of tokens that already occur, from -2 to 2. */
  public ChatRequest presencePenalty(double value) {
    return number("presence_penalty", value);
  }

  /** Sets how much the model reasons before it answers. */
  public ChatRequest reasoning(Effort effort) {
    return member("reasoning_effort", Json.of(effort.wireName()));
  }

  /** Sets the most tokens the answer may have, including reasoning; at least 1. */
  public ChatRequest maxTokens(int tokens) {
    return member("max_tokens", Json.of(tokens));
  }

  /** Sets up to four stop sequences, each of which ends the answer. */
  public ChatRequest stop(String... texts) {
    return member("stop", texts(List.of(texts)));
  }

  /** Sets the seed for the model's sampling, for models that support one. */
  public ChatRequest seed(long value) {
    return member("seed", Json.of(value));
  }

  /** Sets the session that keeps requests on one endpoint; at most 256 characters. */
  public ChatRequest session(String id) {
    return member("session_id", Json.of(id));
  }

  /** Sets the id of your end user; at most 256 characters. */
  public ChatRequest endUser(String id) {
    return member("user", Json.of(id));
  }

  /**
   * Offers the model a function that you run yourself when the answer calls it.
   *
   * @param name letters, digits, {@code _} and {@code -}; at most 64
   * @param description what the function does, for the model; null for none
   * @param parameters JSON Schema of the arguments, an object
   * @throws IllegalArgumentException when a {@link ChatTool} of the request has the same name
   */
  public ChatRequest tool(String name, @Nullable String description, Json.Obj parameters) {
    return tool(name, description, parameters, false);
  }

  /**
   * Offers the model a function that you run yourself, and may require its arguments to fit the
   * schema.
   *
   * @param name letters, digits, {@code _} and {@code -}; at most 64
   * @param description what the function does, for the model; null for none
   * @param parameters JSON Schema of the arguments, an object
   * @param strict whether the provider enforces the schema, which must then forbid additional
   *     members in all objects and require all listed ones
   * @throws IllegalArgumentException when a {@link ChatTool} of the request has the same name
   */
  public ChatRequest tool(
      String name, @Nullable String description, Json.Obj parameters, boolean strict) {
    toolRunner.requireUnused(name);
    declaredFunctions.add(name);
    return function(name, description, parameters, strict);
  }

  /**
   * Offers the model a function of this process, which {@link #callWithTools} runs. {@link #call}
   * and {@link #stream} do not run it: run it yourself.
   *
   * @throws IllegalArgumentException when another tool of the request has the same name
   */
  public ChatRequest tool(ChatTool tool) {
    if (declaredFunctions.contains(tool.name())) {
      throw new IllegalArgumentException("two tools have the name " + tool.name());
    }
    toolRunner.add(tool);
    return function(tool.name(), tool.description(), tool.parameters(), false);
  }

  private ChatRequest function(
      String name, @Nullable String description, Json.Obj parameters, boolean strict) {
    Json.Obj.Builder function = Json.object().put("name", name);
    if (description != null) {
      function.put("description", description);
    }
    function.put("parameters", parameters);
    if (strict) {
      function.put("strict", Json.TRUE);
    }
    return tool(Json.object().put("type", "function").put("function", function.build()).build());
  }

  /**
   * Sets whether the model decides to call tools, must not call any, must call one, or must call a
   * given one.
   */
  public ChatRequest toolChoice(ToolChoice choice) {
    return member(
        "tool_choice",
        switch (choice) {
          case ToolChoice.Mode mode -> Json.of(mode.name().toLowerCase(Locale.ROOT));
          case ToolChoice.Named(String name) ->
              Json.object()
                  .put("type", "function")
                  .put("function", Json.object().put("name", name).build())
                  .build();
          case ToolChoice.Other(Json source) -> source;
        });
  }

  /** Sets whether an answer may call several tools at once; the model decides when not set. */
  public ChatRequest parallelToolCalls(boolean allowed) {
    return member("parallel_tool_calls", Json.of(allowed));
  }

  /**
   * Offers the model a tool that the gateway runs, such as {@code router:datetime}.
   *
   * @param parameters the parameters of the tool; empty for its defaults
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
   * Requires the answer to follow a JSON Schema.
   *
   * @param name letters, digits, {@code _} and {@code -}; at most 64
   * @param schema JSON Schema of the answer
   */
  public ChatRequest answerSchema(String name, Json.Obj schema) {
    return answerSchema(name, schema, true);
  }

  /**
   * Asks for an answer that follows a JSON Schema.
   *
   * @param name letters, digits, {@code _} and {@code -}; at most 64
   * @param schema JSON Schema of the answer
   * @param strict whether the provider enforces the schema, which must then forbid additional
   *     members in all objects and require all listed ones
   */
  public ChatRequest answerSchema(String name, Json.Obj schema, boolean strict) {
    return member("response_format", format(name, schema, strict));
  }

  /** Requires the answer to be a JSON object; say in a message which members it has. */
  public ChatRequest answerJson() {
    return member("response_format", Json.object().put("type", "json_object").build());
  }

  private static Json.Obj format(String name, Json.Obj schema, boolean strict) {
    Json.Obj format =
        Json.object()
            .put("name", name)
            .put("strict", Json.of(strict))
            .put("schema", schema)
            .build();
    return Json.object().put("type", "json_schema").put("json_schema", format).build();
  }

  /** Sets which providers may answer and which are preferred. */
  public ChatRequest prefer(Consumer<RoutingPreferences> configurer) {
    configurer.accept(preferences);
    return this;
  }

  /**
   * Runs a plugin on the request.
   *
   * @param config the members of the plugin's entry except its id; empty for the defaults
   */
  public ChatRequest plugin(String id, Json.Obj config) {
    plugins.add(Json.object().put("id", id).putAll(config).build());
    return this;
  }

  /** Sets a preset, whose members apply where the request does not set them. */
  public ChatRequest preset(String slug) {
    return member("preset", Json.of(slug));
  }

  /**
   * Sets a member of the body that has no method here.
   *
   * @param name the name of the member, such as {@code logit_bias}
   * @throws IllegalArgumentException for a member that other methods of this class build
   */
  public ChatRequest set(String name, Json value) {
    switch (name) {
      case "messages", "tools", "plugins", "provider", "stream" ->
          throw new IllegalArgumentException(name + " has its own methods; use them");
      default -> member(name, value);
    }
    return this;
  }

  /** Sets a cancellation that ends the request when it is tripped; what was delivered is billed. */
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

  /** Returns the body that {@link #call} sends, in the form of {@code POST /chat/completions}. */
  public Json.Obj toJson() {
    return toJson(false, null);
  }

  /**
   * Returns the body to send.
   *
   * @param type the type of the answer; null for the format set in the request
   */
  private Json.Obj toJson(boolean streaming, @Nullable AnswerType<?> type) {
    Json.Obj.Builder body = Json.object();
    var bodyMembers = new LinkedHashMap<>(members);
    if (type != null) {
      bodyMembers.put("response_format", format(type.name(), type.schema(), true));
    }
    bodyMembers.forEach(body::put);
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
   * @throws GatewayException when the request is refused or the answer fails, with the code of the
   *     contract and every problem. An answer that fails after its first words throws too; use
   *     {@link #stream} to keep its beginning
   */
  public ChatAnswer call() {
    return answer(null);
  }

  /**
   * Sends the request, requires the answer to follow the schema of a type, and reads it. This call
   * ignores an {@link #answerSchema}.
   *
   * @throws GatewayException as {@link #call()}. Also with {@link
   *     ErrorCode#CONTENT_POLICY_VIOLATION} when the model refuses, and with {@link
   *     ErrorCode#PROVIDER_ERROR} and each mismatch when its answer does not fit; {@code
   *     generation_id} of the metadata is the id of the answer, which is billed
   */
  public <T> TypedAnswer<T> call(AnswerType<T> type) {
    return read(type, answer(type));
  }

  /**
   * Sends the request, runs the functions of this process that the model calls, sends their
   * results, and repeats this until the model calls none of them. The calls of one answer run one
   * after the other on this thread. The model reads their results, or that a function failed, got
   * arguments that do not fit, or does not exist.
   *
   * <p>Each answer whose calls were run is added to the request with its results, as {@link
   * #assistant(ChatAnswer)} and {@link #toolResult} do; the returned answer is not. So you can
   * continue the conversation, and send a request that failed in a later turn again without running
   * a function twice.
   *
   * <p>When an answer also calls a function offered by {@link #tool(String, String, Json.Obj)}, it
   * is returned and none of its calls is run. The same holds for the last allowed turn when it
   * still calls functions: see {@link ChatAnswer#toolCalls}.
   *
   * @param maxTurns how many answers the model may give, at least 1; each is billed
   * @return the last answer, with the usage and cost of all turns and {@link
   *     ChatAnswer#earlierTurns}
   * @throws GatewayException as {@link #call()}, in any turn; with {@link
   *     ErrorCode#CLIENT_CLOSED_REQUEST} when the request is cancelled or this thread is
   *     interrupted in a function: then no further function runs. Exceptions of functions are
   *     reported to the model instead
   * @throws IllegalArgumentException when {@code maxTurns} is less than 1
   */
  public ChatAnswer callWithTools(int maxTurns) {
    return converse(maxTurns, null);
  }

  /**
   * Does the same as {@link #callWithTools(int)} and reads the last answer as a type.
   *
   * @throws GatewayException as {@link #callWithTools(int)} and {@link #call(AnswerType)}; also
   *     with {@link ErrorCode#PROVIDER_ERROR} when the last answer has only function calls and no
   *     words
   */
  public <T> TypedAnswer<T> callWithTools(int maxTurns, AnswerType<T> type) {
    return read(type, converse(maxTurns, type));
  }

  private ChatAnswer converse(int maxTurns, @Nullable AnswerType<?> type) {
    if (maxTurns < 1) {
      throw new IllegalArgumentException("maxTurns must be at least 1, was " + maxTurns);
    }
    var turns = new ArrayList<ChatAnswer>();
    while (true) {
      ChatAnswer answer = answer(type);
      List<ToolCall> calls = answer.toolCalls();
      boolean callsDeclaredFunction =
          calls.stream().map(ToolCall::name).anyMatch(declaredFunctions::contains);
      if (calls.isEmpty() || callsDeclaredFunction || turns.size() == maxTurns - 1) {
        return answer.withEarlierTurns(turns);
      }
      assistant(answer);
      addResults(calls);
      turns.add(answer);
    }
  }

  /** Adds a result for every call even when one throws, so that no completed call runs again. */
  private void addResults(List<ToolCall> calls) {
    int added = 0;
    try {
      for (ToolCall call : calls) {
        toolResult(call, toolRunner.run(call, cancellation));
        added++;
      }
    } finally {
      for (ToolCall remaining : calls.subList(added, calls.size())) {
        toolResult(remaining, "The function was not run to its end");
      }
    }
  }

  private ChatAnswer answer(@Nullable AnswerType<?> type) {
    try (ChatStream stream = start(toJson(false, type))) {
      return stream.answer();
    }
  }

  private static <T> TypedAnswer<T> read(AnswerType<T> type, ChatAnswer answer) {
    String refusal = answer.refusal();
    if (refusal != null) {
      throw unusable(
          answer,
          GatewayError.of(ErrorCode.CONTENT_POLICY_VIOLATION, "The model refused: " + refusal));
    }
    try {
      return new TypedAnswer<>(type.read(answer.text()), answer);
    } catch (JsonMismatchException e) {
      String message = "The answer does not match the type " + type.name() + messageEnding(answer);
      throw unusable(answer, GatewayError.of(ErrorCode.PROVIDER_ERROR, message, e.problems()));
    }
  }

  /** Returns the end of the error message, with the reason why the answer may be incomplete. */
  private static String messageEnding(ChatAnswer answer) {
    if (!answer.toolCalls().isEmpty()) {
      return "; it calls functions instead:";
    }
    return answer.stopReason() == StopReason.LENGTH ? "; it was cut at its limit of tokens:" : ":";
  }

  private static GatewayException unusable(ChatAnswer answer, GatewayError error) {
    return error.withMetadata("generation_id", Json.of(answer.id())).toException();
  }

  /**
   * Sends the request and waits only for the first content. Close the stream; an answer that is not
   * closed continues.
   *
   * @throws GatewayException when the request is refused before its first content
   */
  public ChatStream stream() {
    return start(toJson(true, null));
  }

  private ChatStream start(Json.Obj body) {
    return switch (service.serve(body, cancellation)) {
      case Reply.Refused refused -> throw refused.error().toException();
      case Reply.Answered answered -> new ChatStream(answered);
    };
  }
}
