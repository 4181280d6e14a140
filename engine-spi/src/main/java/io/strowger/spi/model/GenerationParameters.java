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
 * The parameters of a request beside its conversation, in the engine's own words. What means the
 * same in every dialect that has it is kept as the JSON it was, by parameter; what dialects spell
 * differently has a type here. Immutable. Translation fact sheet, section 1.
 */
public final class GenerationParameters {
  public static final GenerationParameters NONE = builder().build();

  private final Map<Parameter, Json> values;
  private final List<String> stop;
  private final @Nullable ToolChoice toolChoice;
  private final @Nullable Boolean parallelToolCalls;
  private final @Nullable OutputFormat format;
  private final ReasoningOptions reasoning;
  private final @Nullable String serviceTier;
  private final Json.@Nullable Obj cacheControl;
  private final Map<String, Json> others;

  private GenerationParameters(Builder from) {
    values = Collections.unmodifiableMap(new EnumMap<>(from.values));
    stop = List.copyOf(from.stop);
    toolChoice = from.toolChoice;
    parallelToolCalls = from.parallelToolCalls;
    format = from.format;
    reasoning = from.reasoning;
    serviceTier = from.serviceTier;
    cacheControl = from.cacheControl;
    others =
        from.others.isEmpty()
            ? Map.of()
            : Collections.unmodifiableMap(new LinkedHashMap<>(from.others));
  }

  /** Reads the members of one dialect. Safe on any thread, keeps nothing. */
  @FunctionalInterface
  public interface Reader {
    /** For a dialect that no caller speaks. */
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
     * Returns the parameters that the members of a body say.
     *
     * @param members valid: they have been through their decoder
     */
    GenerationParameters read(Json.Obj members);
  }

  /**
   * A parameter every dialect that has it writes alike: temperature, top_p, top_k, min_p, top_a,
   * the penalties, seed, logit_bias, logprobs, top_logprobs, prediction, verbosity,
   * web_search_options. Null when absent or null.
   */
  public @Nullable Json value(Parameter parameter) {
    return values.get(parameter);
  }

  /** All of those, in the order of the parameters. Unmodifiable. */
  public Map<Parameter, Json> values() {
    return values;
  }

  /** Texts that end the answer; empty when none. */
  public List<String> stop() {
    return stop;
  }

  public @Nullable ToolChoice toolChoice() {
    return toolChoice;
  }

  /** Whether several calls may come at once; null when it was not said. */
  public @Nullable Boolean parallelToolCalls() {
    return parallelToolCalls;
  }

  public @Nullable OutputFormat format() {
    return format;
  }

  /** {@link ReasoningOptions#NONE} when nothing was said. */
  public ReasoningOptions reasoning() {
    return reasoning;
  }

  /** As the caller wrote it; null when it was not said. */
  public @Nullable String serviceTier() {
    return serviceTier;
  }

  /** A cache mark on the request as a whole: {@code type}, {@code ttl}; null when there is none. */
  public Json.@Nullable Obj cacheControl() {
    return cacheControl;
  }

  /**
   * Members no other dialect has a form for, by their name in this one, in their order.
   * Unmodifiable. What leaves in another dialect leaves without them. An adapter finds none here
   * that only the gateway reads; a plugin around the request does.
   */
  public Map<String, Json> dialectMembers() {
    return others;
  }

  /** The same, but no tool may be called. */
  GenerationParameters withoutToolUse() {
    Builder copy = toBuilder();
    copy.toolChoice = ToolChoice.Plain.NONE;
    return copy.build();
  }

  private Builder toBuilder() {
    Builder copy = builder();
    copy.values.putAll(values);
    copy.stop = stop;
    copy.toolChoice = toolChoice;
    copy.parallelToolCalls = parallelToolCalls;
    copy.format = format;
    copy.reasoning = reasoning;
    copy.serviceTier = serviceTier;
    copy.cacheControl = cacheControl;
    copy.others.putAll(others);
    return copy;
  }

  public static Builder builder() {
    return new Builder();
  }

  /** Collects parameters. Not for use by several threads. */
  public static final class Builder {
    private final Map<Parameter, Json> values = new EnumMap<>(Parameter.class);
    private List<String> stop = List.of();
    private @Nullable ToolChoice toolChoice;
    private @Nullable Boolean parallelToolCalls;
    private @Nullable OutputFormat format;
    private ReasoningOptions reasoning = ReasoningOptions.NONE;
    private @Nullable String serviceTier;
    private Json.@Nullable Obj cacheControl;
    private final Map<String, Json> others = new LinkedHashMap<>();

    private Builder() {}

    public Builder value(Parameter parameter, Json value) {
      values.put(parameter, value);
      return this;
    }

    public Builder stop(List<String> texts) {
      stop = texts;
      return this;
    }

    public Builder toolChoice(@Nullable ToolChoice choice) {
      toolChoice = choice;
      return this;
    }

    public Builder parallelToolCalls(@Nullable Boolean several) {
      parallelToolCalls = several;
      return this;
    }

    public Builder format(@Nullable OutputFormat wanted) {
      format = wanted;
      return this;
    }

    public Builder reasoning(ReasoningOptions wish) {
      reasoning = wish;
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

    /** A member of the dialect that has no form here. */
    public Builder other(String name, Json value) {
      others.put(name, value);
      return this;
    }

    public GenerationParameters build() {
      return new GenerationParameters(this);
    }
  }
}
