package io.strowger.springai;

import io.strowger.core.client.ChatRequest;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.DefaultChatOptionsBuilder;
import org.springframework.ai.model.tool.DefaultStructuredOutputChatOptions;
import org.springframework.ai.model.tool.DefaultToolCallingChatOptions;
import org.springframework.ai.model.tool.StructuredOutputChatOptions;
import org.springframework.ai.model.tool.ToolCallingChatOptions;

/**
 * The options of a prompt, including those specific to a gateway. Immutable.
 *
 * <pre>{@code
 * StrowgerChatOptions.builder()
 *     .model("acme/large")
 *     .fallbackModels("acme/small")
 *     .customizeRequest(r -> r.session("s-1").prefer(p -> p.sort(ProviderSort.Key.PRICE)))
 *     .build();
 * }</pre>
 */
public final class StrowgerChatOptions extends DefaultToolCallingChatOptions
    implements StructuredOutputChatOptions {
  private final List<String> fallbackModels;
  private final @Nullable String outputSchema;
  private final @Nullable Boolean strictOutputSchema;
  private final @Nullable Consumer<ChatRequest> requestCustomizer;

  private StrowgerChatOptions(ToolCallingChatOptions common, Builder builder) {
    super(
        common.getToolCallbacks(),
        common.getToolContext(),
        common.getModel(),
        common.getFrequencyPenalty(),
        common.getMaxTokens(),
        common.getPresencePenalty(),
        common.getStopSequences(),
        common.getTemperature(),
        common.getTopK(),
        common.getTopP());
    fallbackModels = builder.fallbackModels;
    outputSchema = builder.outputSchema;
    strictOutputSchema = builder.strictOutputSchema;
    requestCustomizer = builder.requestCustomizer;
  }

  /** Returns a builder of options that leave everything to the gateway. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns the models to try, in this order, when the first cannot answer; may be empty. */
  public List<String> getFallbackModels() {
    return fallbackModels;
  }

  @Override
  public @Nullable String getOutputSchema() {
    return outputSchema;
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
  public Builder mutate() {
    Builder copy =
        builder()
            .model(getModel())
            .frequencyPenalty(getFrequencyPenalty())
            .maxTokens(getMaxTokens())
            .presencePenalty(getPresencePenalty())
            .stopSequences(getStopSequences())
            .temperature(getTemperature())
            .topK(getTopK())
            .topP(getTopP())
            .toolCallbacks(getToolCallbacks())
            .toolContext(getToolContext())
            .outputSchema(outputSchema);
    copy.fallbackModels = fallbackModels;
    copy.strictOutputSchema = strictOutputSchema;
    copy.requestCustomizer = requestCustomizer;
    return copy;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return super.equals(other)
        && other instanceof StrowgerChatOptions that
        && fallbackModels.equals(that.fallbackModels)
        && Objects.equals(outputSchema, that.outputSchema)
        && Objects.equals(strictOutputSchema, that.strictOutputSchema)
        && Objects.equals(requestCustomizer, that.requestCustomizer);
  }

  @Override
  public int hashCode() {
    return Objects.hash(
        super.hashCode(), fallbackModels, outputSchema, strictOutputSchema, requestCustomizer);
  }

  /** Builds options; the gateway chooses what is not set. For one thread. */
  public static final class Builder extends DefaultToolCallingChatOptions.Builder<Builder>
      implements StructuredOutputChatOptions.Builder<Builder> {
    /** The builders whose options belong to no other provider. */
    private static final Set<Class<?>> PORTABLE_BUILDERS =
        Set.of(
            Builder.class,
            DefaultChatOptionsBuilder.class,
            DefaultToolCallingChatOptions.Builder.class,
            DefaultStructuredOutputChatOptions.Builder.class);

    private List<String> fallbackModels = List.of();
    private @Nullable String outputSchema;
    private @Nullable Boolean strictOutputSchema;
    private @Nullable Consumer<ChatRequest> requestCustomizer;

    private Builder() {}

    /** Sets the models to try, in this order, when the first cannot answer. */
    public Builder fallbackModels(String... models) {
      fallbackModels = List.of(models);
      return this;
    }

    /** Sets the JSON Schema of the answer, as text; null for an answer in words. */
    @Override
    public Builder outputSchema(@Nullable String schema) {
      outputSchema = schema;
      return this;
    }

    /**
     * Sets whether the provider enforces the output schema. All objects in the schema must then
     * have {@code additionalProperties: false} and require all of their members. Default: false,
     * the schema is a strong hint.
     */
    public Builder strictOutputSchema(boolean strict) {
      strictOutputSchema = strict;
      return this;
    }

    /**
     * Adds a function that customizes the gateway's request before it is sent, after everything
     * else is set: preferences for providers, plugins, a preset, a session, a seed, the tool
     * choice, the reasoning effort and everything else that {@link ChatRequest} has.
     */
    public Builder customizeRequest(Consumer<ChatRequest> customizer) {
      requestCustomizer =
          requestCustomizer == null ? customizer : requestCustomizer.andThen(customizer);
      return this;
    }

    /**
     * Overrides this builder's options with those that another builder sets; a {@link
     * #customizeRequest} function of the other runs after this builder's.
     *
     * @throws IllegalArgumentException for the options of another provider, some of which would be
     *     lost
     */
    @Override
    public Builder combineWith(ChatOptions.Builder<?> other) {
      if (!PORTABLE_BUILDERS.contains(other.getClass())) {
        throw new IllegalArgumentException(
            other.build().getClass().getSimpleName()
                + " has options that a gateway does not know; use StrowgerChatOptions");
      }
      super.combineWith(other);
      if (other.build() instanceof StructuredOutputChatOptions structured
          && structured.getOutputSchema() != null) {
        outputSchema = structured.getOutputSchema();
      }
      if (other instanceof Builder strowgerBuilder) {
        fallbackModels =
            strowgerBuilder.fallbackModels.isEmpty()
                ? fallbackModels
                : strowgerBuilder.fallbackModels;
        strictOutputSchema =
            strowgerBuilder.strictOutputSchema == null
                ? strictOutputSchema
                : strowgerBuilder.strictOutputSchema;
        if (strowgerBuilder.requestCustomizer != null) {
          customizeRequest(strowgerBuilder.requestCustomizer);
        }
      }
      return this;
    }

    @Override
    public StrowgerChatOptions build() {
      return new StrowgerChatOptions(super.build(), this);
    }
  }
}
