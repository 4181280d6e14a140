package io.strowger.simulated;

import io.strowger.spi.json.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a simulated model answers, and how. Immutable. */
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

  /** A function the simulated model wants called. */
  public record ToolCall(String id, String name, String arguments) {}

  /** When a stream says what it used. A whole answer always does, unless NEVER. */
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

  /** Answers this text in four chunks, at once. */
  public static Script answer(String text) {
    return builder().text(text).build();
  }

  /** An answer that goes wrong. */
  public static Script failing(ScriptedFault scriptedFault) {
    return builder().fault(scriptedFault).build();
  }

  /** Refuses with a status and the usual error body. */
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
   * The text is what the model says instead of an answer, in whatever form the dialect has for it;
   * the gemini dialect has no words for it.
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

  /** Describes a script. What is not said: a short text in four chunks, at once, ten tokens in. */
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

    /** Says this instead of an answer. */
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

    /** Time before the head of the response. */
    public Builder latency(Duration time) {
      latency = time;
      return this;
    }

    /** Time before each chunk but the first. */
    public Builder chunkDelay(Duration time) {
      chunkDelay = time;
      return this;
    }

    /** What the answer claims to have used, the cached and the reasoning tokens included. */
    public Builder tokens(int prompt, int completion) {
      promptTokens = prompt;
      completionTokens = completion;
      return this;
    }

    /** How many of the prompt tokens came from a cache, of the completion were reasoning. */
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

    /** Further members of the answer and of each chunk. */
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
