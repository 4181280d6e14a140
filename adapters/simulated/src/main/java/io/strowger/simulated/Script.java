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
  private final boolean refused;
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
  private final ScriptedFault scriptedFault;

  /** A call of a function that the simulated model requests. */
  public record ToolCall(String id, String name, String arguments) {}

  /**
   * When a stream reports its usage. An answer that is not streamed always reports it, except with
   * {@link #NEVER}.
   */
  public enum UsageStyle {
    /** In a chunk of its own after the finish, when the request asks for it. */
    WHEN_ASKED,
    /** On the finish chunk, asked or not. */
    ON_FINISH,
    NEVER
  }

  private Script(Builder from) {
    text = from.text;
    refused = from.refused;
    reasoning = from.reasoning;
    toolCalls = List.copyOf(from.toolCalls);
    chunks = from.chunks;
    latency = from.latency;
    chunkDelay = from.chunkDelay;
    promptTokens = from.promptTokens;
    completionTokens = from.completionTokens;
    cachedTokens = from.cachedTokens;
    reasoningTokens = from.reasoningTokens;
    finishReason = from.finishReason;
    usage = from.usage;
    extras = from.extras;
    scriptedFault = from.scriptedFault;
  }

  /** Returns a script that answers this text in four chunks without delay. */
  public static Script answer(String text) {
    return builder().text(text).build();
  }

  /** Returns a script with a fault. */
  public static Script failing(ScriptedFault scriptedFault) {
    return builder().fault(scriptedFault).build();
  }

  /** Returns a script that refuses with a status and the usual error body. */
  public static Script status(int status) {
    String body =
        Json.object()
            .put("error", Json.object().put("message", "simulated " + status).build())
            .build()
            .toString();
    return failing(new ScriptedFault.Refuse(status, Map.of(), body));
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
  public boolean refused() {
    return refused;
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
    return scriptedFault;
  }

  /** Builds a script. Default: a short text in four chunks without delay, ten prompt tokens. */
  public static final class Builder {
    private String text = "Hello from a simulated model.";
    private boolean refused;
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
    private ScriptedFault scriptedFault = new ScriptedFault.None();

    private Builder() {}

    public Builder text(String value) {
      text = Objects.requireNonNull(value, "text");
      return this;
    }

    /** Sets a refusal in place of the text. */
    public Builder refusal(String value) {
      refused = true;
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
    public Builder details(int cached, int reasoned) {
      cachedTokens = cached;
      reasoningTokens = reasoned;
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
      scriptedFault = value;
      return this;
    }

    public Script build() {
      return new Script(this);
    }
  }
}
