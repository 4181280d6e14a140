package io.strowger.springai;

import io.strowger.core.client.ChatRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.DefaultChatOptions;
import org.springframework.ai.model.tool.DefaultToolCallingChatOptions;
import org.springframework.ai.model.tool.StructuredOutputChatOptions;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.tool.ToolCallback;

/**
 * The options of a prompt, including those specific to a gateway.
 *
 * <pre>{@code
 * StrowgerChatOptions.builder()
 *     .model("acme/large")
 *     .fallbackModels("acme/small")
 *     .customizeRequest(r -> r.session("s-1").prefer(p -> p.sort(ProviderSort.Key.PRICE)))
 *     .build();
 * }</pre>
 *
 * <p>Mutable: Spring AI changes the options of a prompt while it prepares the prompt. Do not share
 * an instance between threads that change it.
 */
public final class StrowgerChatOptions
    implements ToolCallingChatOptions, StructuredOutputChatOptions {
  private final DefaultToolCallingChatOptions common = new DefaultToolCallingChatOptions();
  private List<String> fallbackModels = List.of();
  private @Nullable String outputSchema;
  private @Nullable Boolean strictOutputSchema;
  private @Nullable Consumer<ChatRequest> requestCustomizer;

  private StrowgerChatOptions() {}

  /** Returns a builder of options that leave everything to the gateway. */
  public static Builder builder() {
    return new Builder();
  }

  @Override
  public @Nullable String getModel() {
    return common.getModel();
  }

  @Override
  public @Nullable Double getFrequencyPenalty() {
    return common.getFrequencyPenalty();
  }

  @Override
  public @Nullable Integer getMaxTokens() {
    return common.getMaxTokens();
  }

  @Override
  public @Nullable Double getPresencePenalty() {
    return common.getPresencePenalty();
  }

  @Override
  public @Nullable List<String> getStopSequences() {
    return common.getStopSequences();
  }

  @Override
  public @Nullable Double getTemperature() {
    return common.getTemperature();
  }

  @Override
  public @Nullable Integer getTopK() {
    return common.getTopK();
  }

  @Override
  public @Nullable Double getTopP() {
    return common.getTopP();
  }

  @Override
  public List<ToolCallback> getToolCallbacks() {
    return common.getToolCallbacks();
  }

  @Override
  public void setToolCallbacks(List<ToolCallback> tools) {
    common.setToolCallbacks(tools);
  }

  @Override
  public Set<String> getToolNames() {
    return common.getToolNames();
  }

  @Override
  public void setToolNames(Set<String> names) {
    common.setToolNames(names);
  }

  @Override
  public @Nullable Boolean getInternalToolExecutionEnabled() {
    return common.getInternalToolExecutionEnabled();
  }

  @Override
  public void setInternalToolExecutionEnabled(@Nullable Boolean enabled) {
    common.setInternalToolExecutionEnabled(enabled);
  }

  @Override
  public Map<String, Object> getToolContext() {
    return common.getToolContext();
  }

  @Override
  public void setToolContext(Map<String, Object> context) {
    common.setToolContext(context);
  }

  /** Returns the models to try, in this order, when the first cannot answer; may be empty. */
  public List<String> getFallbackModels() {
    return fallbackModels;
  }

  @Override
  public @Nullable String getOutputSchema() {
    return outputSchema;
  }

  @Override
  public void setOutputSchema(@Nullable String schema) {
    outputSchema = schema;
  }

  /** Returns whether the provider enforces the output schema; null when not set. */
  public @Nullable Boolean getStrictOutputSchema() {
    return strictOutputSchema;
  }

  /**
   * Returns the function that customizes the gateway's request before it is sent; null for none.
   */
  public @Nullable Consumer<ChatRequest> getRequestCustomizer() {
    return requestCustomizer;
  }

  @Override
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // as Spring AI declares it
  public <T extends ChatOptions> T copy() {
    var copy = new StrowgerChatOptions();
    copy.overrideWith(this);
    return (T) copy;
  }

  /**
   * Returns these options, overridden by those that a prompt sets.
   *
   * @param promptOptions the prompt's options; null for none
   * @throws IllegalArgumentException for the options of another provider, some of which would be
   *     lost
   */
  StrowgerChatOptions overriddenBy(@Nullable ChatOptions promptOptions) {
    StrowgerChatOptions merged = copy();
    if (promptOptions != null) {
      merged.overrideWith(promptOptions);
    }
    return merged;
  }

  private void overrideWith(ChatOptions that) {
    if (!(that instanceof StrowgerChatOptions)
        && that.getClass() != DefaultChatOptions.class
        && that.getClass() != DefaultToolCallingChatOptions.class) {
      throw new IllegalArgumentException(
          that.getClass().getSimpleName()
              + " has options that a gateway does not know; use StrowgerChatOptions");
    }
    common.setModel(firstSet(that, ChatOptions::getModel));
    common.setFrequencyPenalty(firstSet(that, ChatOptions::getFrequencyPenalty));
    common.setMaxTokens(firstSet(that, ChatOptions::getMaxTokens));
    common.setPresencePenalty(firstSet(that, ChatOptions::getPresencePenalty));
    common.setStopSequences(firstSet(that, ChatOptions::getStopSequences));
    common.setTemperature(firstSet(that, ChatOptions::getTemperature));
    common.setTopK(firstSet(that, ChatOptions::getTopK));
    common.setTopP(firstSet(that, ChatOptions::getTopP));
    if (that instanceof ToolCallingChatOptions tools) {
      mergeTools(tools);
    }
    if (that instanceof StrowgerChatOptions strowgerOptions) {
      mergeStrowgerOptions(strowgerOptions);
    }
  }

  private <T> @Nullable T firstSet(ChatOptions that, Function<ChatOptions, @Nullable T> getter) {
    T value = getter.apply(that);
    return value == null ? getter.apply(this) : value;
  }

  private void mergeTools(ToolCallingChatOptions that) {
    setToolCallbacks(
        ToolCallingChatOptions.mergeToolCallbacks(that.getToolCallbacks(), getToolCallbacks()));
    setToolNames(ToolCallingChatOptions.mergeToolNames(that.getToolNames(), getToolNames()));
    setToolContext(
        ToolCallingChatOptions.mergeToolContext(that.getToolContext(), getToolContext()));
    if (that.getInternalToolExecutionEnabled() != null) {
      setInternalToolExecutionEnabled(that.getInternalToolExecutionEnabled());
    }
  }

  private void mergeStrowgerOptions(StrowgerChatOptions that) {
    fallbackModels = that.fallbackModels.isEmpty() ? fallbackModels : that.fallbackModels;
    outputSchema = that.outputSchema == null ? outputSchema : that.outputSchema;
    strictOutputSchema =
        that.strictOutputSchema == null ? strictOutputSchema : that.strictOutputSchema;
    if (that.requestCustomizer != null
        && that.requestCustomizer != requestCustomizer) { // not applied twice
      requestCustomizer =
          requestCustomizer == null
              ? that.requestCustomizer
              : requestCustomizer.andThen(that.requestCustomizer);
    }
  }

  /** Builds options; the gateway chooses what is not set. For one thread. */
  public static final class Builder {
    private final StrowgerChatOptions options = new StrowgerChatOptions();

    private Builder() {}

    /** Sets the model or router, such as {@code acme/large}. */
    public Builder model(@Nullable String model) {
      options.common.setModel(model);
      return this;
    }

    /** Sets the models to try, in this order, when the first cannot answer. */
    public Builder fallbackModels(String... models) {
      options.fallbackModels = List.of(models);
      return this;
    }

    /** Sets the sampling temperature, from 0 to 2. */
    public Builder temperature(@Nullable Double value) {
      options.common.setTemperature(value);
      return this;
    }

    /** Sets the probability mass that tokens are sampled from, above 0 and up to 1. */
    public Builder topP(@Nullable Double value) {
      options.common.setTopP(value);
      return this;
    }

    /** Sets how many of the likeliest tokens are sampled from. */
    public Builder topK(@Nullable Integer value) {
      options.common.setTopK(value);
      return this;
    }

    /** Sets the penalty for tokens by how often the text already has them, from -2 to 2. */
    public Builder frequencyPenalty(@Nullable Double value) {
      options.common.setFrequencyPenalty(value);
      return this;
    }

    /** Sets the penalty for tokens that the text already has, from -2 to 2. */
    public Builder presencePenalty(@Nullable Double value) {
      options.common.setPresencePenalty(value);
      return this;
    }

    /** Sets the most tokens the answer may have, including reasoning; at least 1. */
    public Builder maxTokens(@Nullable Integer value) {
      options.common.setMaxTokens(value);
      return this;
    }

    /** Sets up to four stop sequences, each of which ends the answer. */
    public Builder stopSequences(@Nullable List<String> texts) {
      options.common.setStopSequences(texts == null ? null : new ArrayList<>(texts));
      return this;
    }

    /** Sets the tools that the model may call. */
    public Builder toolCallbacks(ToolCallback... tools) {
      options.setToolCallbacks(List.of(tools));
      return this;
    }

    /** Sets the names of tools that the {@code ToolCallingManager} knows. */
    public Builder toolNames(String... names) {
      options.setToolNames(Set.of(names));
      return this;
    }

    /** Sets the values that tools receive besides their arguments; the model does not see them. */
    public Builder toolContext(Map<String, Object> context) {
      options.setToolContext(context);
      return this;
    }

    /** Sets whether {@link StrowgerChatModel} runs the tools that are called. Default: true. */
    public Builder internalToolExecutionEnabled(@Nullable Boolean enabled) {
      options.setInternalToolExecutionEnabled(enabled);
      return this;
    }

    /** Sets the JSON Schema of the answer, as text; null for an answer in words. */
    public Builder outputSchema(@Nullable String schema) {
      options.outputSchema = schema;
      return this;
    }

    /**
     * Sets whether the provider enforces the output schema. All objects in the schema must then
     * have {@code additionalProperties: false} and require all of their members. Default: false,
     * the schema is a strong hint.
     */
    public Builder strictOutputSchema(boolean strict) {
      options.strictOutputSchema = strict;
      return this;
    }

    /**
     * Adds a function that customizes the gateway's request before it is sent, after everything
     * else is set: preferences for providers, plugins, a preset, a session, a seed, the tool
     * choice, the reasoning effort and everything else that {@link ChatRequest} has.
     */
    public Builder customizeRequest(Consumer<ChatRequest> customizer) {
      options.requestCustomizer =
          options.requestCustomizer == null
              ? customizer
              : options.requestCustomizer.andThen(customizer);
      return this;
    }

    /** Returns the options; the builder can still be used. */
    public StrowgerChatOptions build() {
      return options.copy();
    }
  }
}
