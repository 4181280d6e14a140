package io.strowger.simulated;

import io.strowger.spi.json.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Describes what a simulated model answers, and how. Immutable. */
public final class Script {
  private final String text;
  private final boolean refusal;
  private final @Nullable String reasoning;
  private final List<ToolCall> toolCalls;
  private final int chunks;
  private final Duration latency;
  private final Duration chunkDelay;
  private final int promptTokens;
  private final int completionTokens;
  private final int cachedTokens;
  private final int reasoningTokens;
  private final String finishReason;
  private final UsageStyle usage;
  private final Json.Obj extras;
  private final ScriptedFault fault;

  /** A call of a function that the simulated model requests. */
  public record ToolCall(String id, String name, String arguments) {}

  /**
   * When a stream reports its usage. An answer that is not streamed always reports it, except with
   * {@link #NEVER}.
   */
  public enum UsageStyle {
    /** In a chunk of its own after the finish, when the request asks for usage. */
    WHEN_ASKED,
    /** On the finish chunk, asked or not. */
    ON_FINISH,
    NEVER
  }

  private Script(Builder builder) {
    text = builder.text;
    refusal = builder.refusal;
    reasoning = builder.reasoning;
    toolCalls = List.copyOf(builder.toolCalls);
    chunks = builder.chunks;
    latency = builder.latency;
    chunkDelay = builder.chunkDelay;
    promptTokens = builder.promptTokens;
    completionTokens = builder.completionTokens;
    cachedTokens = builder.cachedTokens;
    reasoningTokens = builder.reasoningTokens;
    finishReason = builder.finishReason;
    usage = builder.usage;
    extras = builder.extras;
    fault = builder.fault;
  }

  /** Returns a script that answers this text in four chunks without delay. */
  public static Script answer(String text) {
    return builder().text(text).build();
  }

  /** Returns a script with a fault. */
  public static Script failing(ScriptedFault fault) {
    return builder().fault(fault).build();
  }

  /** Returns a script that answers every request with this status, these headers and this body. */
  public static Script responding(int status, Map<String, String> headers, String body) {
    return failing(new ScriptedFault.RawResponse(status, headers, body));
  }

  /** Returns a script that refuses with a status and the usual error body. */
  public static Script status(int status) {
    String body =
        Json.object()
            .put("error", Json.object().put("message", "simulated " + status).build())
            .build()
            .toString();
    return responding(status, Map.of(), body);
  }

  public static Builder builder() {
    return new Builder();
  }

  public String text() {
    return text;
  }

  /**
   * Returns whether the text is a refusal, sent in the form that the dialect has for one; the
   * gemini dialect has no form for its text.
   */
  public boolean isRefusal() {
    return refusal;
  }

  public @Nullable String reasoning() {
    return reasoning;
  }

  public List<ToolCall> toolCalls() {
    return toolCalls;
  }

  public int chunks() {
    return chunks;
  }

  public Duration latency() {
    return latency;
  }

  public Duration chunkDelay() {
    return chunkDelay;
  }

  public int promptTokens() {
    return promptTokens;
  }

  public int completionTokens() {
    return completionTokens;
  }

  public int cachedTokens() {
    return cachedTokens;
  }

  public int reasoningTokens() {
    return reasoningTokens;
  }

  public String finishReason() {
    return toolCalls.isEmpty() || !finishReason.equals("stop") ? finishReason : "tool_calls";
  }

  public UsageStyle usage() {
    return usage;
  }

  public Json.Obj extras() {
    return extras;
  }

  public ScriptedFault fault() {
    return fault;
  }

  /** Builds a script. Default: a short text in four chunks without delay, ten prompt tokens. */
  public static final class Builder {
    private String text = "Hello from a simulated model.";
    private boolean refusal;
    private @Nullable String reasoning;
    private final List<ToolCall> toolCalls = new ArrayList<>();
    private int chunks = 4;
    private Duration latency = Duration.ZERO;
    private Duration chunkDelay = Duration.ZERO;
    private int promptTokens = 10;
    private int completionTokens = 8;
    private int cachedTokens;
    private int reasoningTokens;
    private String finishReason = "stop";
    private UsageStyle usage = UsageStyle.WHEN_ASKED;
    private Json.Obj extras = Json.Obj.EMPTY;
    private ScriptedFault fault = new ScriptedFault.None();

    private Builder() {}

    public Builder text(String value) {
      text = Objects.requireNonNull(value, "text");
      return this;
    }

    /** Sets a refusal in place of the text. */
    public Builder refusal(String value) {
      refusal = true;
      return text(value);
    }

    public Builder reasoning(String value) {
      reasoning = value;
      return this;
    }

    public Builder toolCall(String id, String name, String arguments) {
      toolCalls.add(new ToolCall(id, name, arguments));
      return this;
    }

    /**
     * @param count how many pieces the text is cut into when streamed; at least 1
     */
    public Builder chunks(int count) {
      if (count < 1) {
        throw new IllegalArgumentException("chunks must be at least 1, was " + count);
      }
      chunks = count;
      return this;
    }

    /** Sets the time before the head of the response. */
    public Builder latency(Duration time) {
      latency = time;
      return this;
    }

    /** Sets the time before each chunk but the first. */
    public Builder chunkDelay(Duration time) {
      chunkDelay = time;
      return this;
    }

    /** Sets the reported usage in tokens, the cached and the reasoning ones included. */
    public Builder tokens(int prompt, int completion) {
      promptTokens = prompt;
      completionTokens = completion;
      return this;
    }

    /** Sets how many prompt tokens were cached and how many completion tokens were reasoning. */
    public Builder tokenDetails(int cachedPromptTokens, int reasoningCompletionTokens) {
      cachedTokens = cachedPromptTokens;
      reasoningTokens = reasoningCompletionTokens;
      return this;
    }

    public Builder finishReason(String word) {
      finishReason = word;
      return this;
    }

    public Builder usage(UsageStyle style) {
      usage = style;
      return this;
    }

    /** Sets further members of the answer and of each chunk. */
    public Builder extras(Json.Obj members) {
      extras = members;
      return this;
    }

    public Builder fault(ScriptedFault value) {
      fault = value;
      return this;
    }

    public Script build() {
      return new Script(this);
    }
  }
}
