package io.strowger.spi.model;

import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.json.Json;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a request besides its conversation, independent of the dialect. A parameter
 * that dialects write alike is kept as its original JSON; one that they write differently has a
 * typed accessor. Immutable. Translation fact sheet, section 1.
 */
public final class GenerationParameters {
  public static final GenerationParameters NONE = builder().build();

  private final Map<Parameter, Json> values;
  private final List<String> stopSequences;
  private final @Nullable ToolChoice toolChoice;
  private final @Nullable Boolean parallelToolCalls;
  private final @Nullable OutputFormat format;
  private final ReasoningOptions reasoning;
  private final @Nullable String serviceTier;
  private final Json.@Nullable Obj cacheControl;
  private final Map<String, Json> dialectMembers;

  private GenerationParameters(Builder builder) {
    values = Collections.unmodifiableMap(new EnumMap<>(builder.values));
    stopSequences = List.copyOf(builder.stopSequences);
    toolChoice = builder.toolChoice;
    parallelToolCalls = builder.parallelToolCalls;
    format = builder.format;
    reasoning = builder.reasoning;
    serviceTier = builder.serviceTier;
    cacheControl = builder.cacheControl;
    dialectMembers =
        builder.dialectMembers.isEmpty()
            ? Map.of()
            : Collections.unmodifiableMap(new LinkedHashMap<>(builder.dialectMembers));
  }

  /** Reads the parameters from the members of one dialect. Thread-safe and stateless. */
  @FunctionalInterface
  public interface Reader {
    /** Reads no parameters: for a dialect that callers cannot use. */
    Reader NONE = members -> GenerationParameters.NONE;

    /** Returns the reader of a dialect's own members. */
    static Reader of(Dialect dialect) {
      return switch (dialect) {
        case CHAT -> ChatParameters.READER;
        case MESSAGES -> MessagesParameters.READER;
        case RESPONSES -> ResponsesParameters.READER;
        case GEMINI -> NONE;
      };
    }

    /**
     * Returns the parameters that the members of a body contain.
     *
     * @param members the members of a body that its decoder has validated
     */
    GenerationParameters read(Json.Obj members);
  }

  /**
   * Returns a parameter that dialects write alike: temperature, top_p, top_k, min_p, top_a, the
   * penalties, seed, logit_bias, logprobs, top_logprobs, prediction, verbosity, web_search_options.
   * Null when the member is absent or an explicit null.
   */
  public @Nullable Json value(Parameter parameter) {
    return values.get(parameter);
  }

  /** Returns all parameters that {@link #value} returns, in enum order. Unmodifiable. */
  public Map<Parameter, Json> values() {
    return values;
  }

  /** Returns the texts that end the answer; empty when there are none. */
  public List<String> stopSequences() {
    return stopSequences;
  }

  public @Nullable ToolChoice toolChoice() {
    return toolChoice;
  }

  /** Returns whether the model may call several tools at once; null when not given. */
  public @Nullable Boolean parallelToolCalls() {
    return parallelToolCalls;
  }

  public @Nullable OutputFormat format() {
    return format;
  }

  /** Returns the reasoning options; {@link ReasoningOptions#NONE} when none were given. */
  public ReasoningOptions reasoning() {
    return reasoning;
  }

  /** Returns the service tier as the caller wrote it; null when not given. */
  public @Nullable String serviceTier() {
    return serviceTier;
  }

  /**
   * Returns the {@code cache_control} of the whole request, an object with {@code type} and {@code
   * ttl}; null when there is none.
   */
  public Json.@Nullable Obj cacheControl() {
    return cacheControl;
  }

  /**
   * Returns the dialect's members that have no typed form, by name, in request order. Unmodifiable.
   * An adapter of another dialect omits those it cannot express. Members that only the gateway
   * reads are here for a plugin around the request, but not for an adapter.
   */
  public Map<String, Json> dialectMembers() {
    return dialectMembers;
  }

  /** Returns a copy with which no tool may be called. */
  GenerationParameters withoutToolUse() {
    Builder copy = toBuilder();
    copy.toolChoice = ToolChoice.Mode.NONE;
    return copy.build();
  }

  private Builder toBuilder() {
    Builder copy = builder();
    copy.values.putAll(values);
    copy.stopSequences = stopSequences;
    copy.toolChoice = toolChoice;
    copy.parallelToolCalls = parallelToolCalls;
    copy.format = format;
    copy.reasoning = reasoning;
    copy.serviceTier = serviceTier;
    copy.cacheControl = cacheControl;
    copy.dialectMembers.putAll(dialectMembers);
    return copy;
  }

  public static Builder builder() {
    return new Builder();
  }

  /** Builds parameters. Not thread-safe. */
  public static final class Builder {
    private final Map<Parameter, Json> values = new EnumMap<>(Parameter.class);
    private List<String> stopSequences = List.of();
    private @Nullable ToolChoice toolChoice;
    private @Nullable Boolean parallelToolCalls;
    private @Nullable OutputFormat format;
    private ReasoningOptions reasoning = ReasoningOptions.NONE;
    private @Nullable String serviceTier;
    private Json.@Nullable Obj cacheControl;
    private final Map<String, Json> dialectMembers = new LinkedHashMap<>();

    private Builder() {}

    public Builder value(Parameter parameter, Json value) {
      values.put(parameter, value);
      return this;
    }

    public Builder stopSequences(List<String> texts) {
      stopSequences = texts;
      return this;
    }

    public Builder toolChoice(@Nullable ToolChoice choice) {
      toolChoice = choice;
      return this;
    }

    public Builder parallelToolCalls(@Nullable Boolean value) {
      parallelToolCalls = value;
      return this;
    }

    public Builder format(@Nullable OutputFormat value) {
      format = value;
      return this;
    }

    public Builder reasoning(ReasoningOptions options) {
      reasoning = options;
      return this;
    }

    public Builder serviceTier(@Nullable String tier) {
      serviceTier = tier;
      return this;
    }

    public Builder cacheControl(Json.@Nullable Obj mark) {
      cacheControl = mark;
      return this;
    }

    /** Adds a member of the dialect that has no typed form. */
    public Builder dialectMember(String name, Json value) {
      dialectMembers.put(name, value);
      return this;
    }

    public GenerationParameters build() {
      return new GenerationParameters(this);
    }
  }
}
