package io.strowger.langchain4j;

import dev.langchain4j.exception.UnsupportedFeatureException;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
import dev.langchain4j.model.chat.request.DefaultChatRequestParameters;
import io.strowger.core.client.ChatRequest;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a request, including those specific to a gateway. Immutable.
 *
 * <pre>{@code
 * StrowgerChatRequestParameters.builder()
 *     .modelName("acme/large")
 *     .fallbackModels("acme/small")
 *     .customizeRequest(r -> r.session("s-1").prefer(p -> p.sort(ProviderSort.Key.PRICE)))
 *     .build();
 * }</pre>
 */
public final class StrowgerChatRequestParameters extends DefaultChatRequestParameters {
  /** No parameters at all. */
  public static final StrowgerChatRequestParameters EMPTY = builder().build();

  private final List<String> fallbackModels;
  private final @Nullable Boolean strictJsonSchema;
  private final @Nullable Consumer<ChatRequest> requestCustomizer;

  private StrowgerChatRequestParameters(Builder builder) {
    super(builder);
    fallbackModels = List.copyOf(builder.fallbackModels);
    strictJsonSchema = builder.strictJsonSchema;
    requestCustomizer = builder.requestCustomizer;
  }

  public static Builder builder() {
    return new Builder();
  }

  /** Returns the models to try, in this order, when the first cannot answer; may be empty. */
  public List<String> fallbackModels() {
    return fallbackModels;
  }

  /** Returns whether the provider enforces the schema of the answer; null when not set. */
  public @Nullable Boolean strictJsonSchema() {
    return strictJsonSchema;
  }

  /**
   * Returns the function that customizes the gateway's request before it is sent; null for none.
   */
  public @Nullable Consumer<ChatRequest> requestCustomizer() {
    return requestCustomizer;
  }

  /**
   * Returns these parameters, overridden by those that {@code that} sets.
   *
   * @throws UnsupportedFeatureException for parameters of another provider
   */
  @Override
  public StrowgerChatRequestParameters overrideWith(ChatRequestParameters that) {
    return builder().overrideWith(this).overrideWith(that).build();
  }

  /**
   * Returns these parameters, with those of {@code that} where these set none.
   *
   * @throws UnsupportedFeatureException for parameters of another provider
   */
  @Override
  public StrowgerChatRequestParameters defaultedBy(ChatRequestParameters that) {
    return builder().overrideWith(that).overrideWith(this).build();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return super.equals(other)
        && other instanceof StrowgerChatRequestParameters that
        && fallbackModels.equals(that.fallbackModels)
        && Objects.equals(strictJsonSchema, that.strictJsonSchema)
        && Objects.equals(requestCustomizer, that.requestCustomizer);
  }

  @Override
  public int hashCode() {
    return Objects.hash(super.hashCode(), fallbackModels, strictJsonSchema, requestCustomizer);
  }

  /** Builds parameters; the gateway chooses those that are not set. For one thread. */
  public static final class Builder extends DefaultChatRequestParameters.Builder<Builder> {
    private List<String> fallbackModels = List.of();
    private @Nullable Boolean strictJsonSchema;
    private @Nullable Consumer<ChatRequest> requestCustomizer;

    private Builder() {}

    /**
     * Overrides this builder's parameters with those that {@code parameters} sets. A {@link
     * #customizeRequest} function in {@code parameters} runs after this builder's.
     *
     * @throws UnsupportedFeatureException for parameters of another provider, which would be lost
     */
    @Override
    public Builder overrideWith(ChatRequestParameters parameters) {
      super.overrideWith(parameters);
      if (parameters instanceof StrowgerChatRequestParameters strowgerParameters) {
        fallbackModels =
            strowgerParameters.fallbackModels.isEmpty()
                ? fallbackModels
                : strowgerParameters.fallbackModels;
        strictJsonSchema =
            strowgerParameters.strictJsonSchema == null
                ? strictJsonSchema
                : strowgerParameters.strictJsonSchema;
        if (strowgerParameters.requestCustomizer != null) {
          customizeRequest(strowgerParameters.requestCustomizer);
        }
      } else if (parameters.getClass() != DefaultChatRequestParameters.class) {
        throw new UnsupportedFeatureException(
            parameters.getClass().getSimpleName()
                + " has parameters that a gateway does not know; use"
                + " StrowgerChatRequestParameters");
      }
      return this;
    }

    /** Sets the models to try, in this order, when the first cannot answer. */
    public Builder fallbackModels(String... models) {
      fallbackModels = List.of(models);
      return this;
    }

    /**
     * Sets whether the provider enforces the schema of the answer: all members are then required,
     * and those that were optional may be null. Default: false, the schema is a strong hint.
     */
    public Builder strictJsonSchema(boolean strict) {
      strictJsonSchema = strict;
      return this;
    }

    /**
     * Adds a function that customizes the gateway's request before it is sent, after everything
     * else is set: preferences for providers, plugins, a preset, a session, a seed, the reasoning
     * effort and everything else that {@link ChatRequest} has.
     */
    public Builder customizeRequest(Consumer<ChatRequest> customizer) {
      requestCustomizer =
          requestCustomizer == null ? customizer : requestCustomizer.andThen(customizer);
      return this;
    }

    @Override
    public StrowgerChatRequestParameters build() {
      return new StrowgerChatRequestParameters(this);
    }
  }
}
