package io.strowger.springai;

import io.micrometer.observation.ObservationRegistry;
import io.strowger.core.client.ChatClient;
import io.strowger.spi.error.GatewayException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.observation.ChatModelObservationContext;
import org.springframework.ai.chat.observation.ChatModelObservationConvention;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingManager;
import reactor.core.publisher.Flux;

/**
 * A chat model of Spring AI 2 that a gateway in the same process answers.
 *
 * <pre>{@code
 * ChatModel model =
 *     StrowgerChatModel.builder(gateway.chat("sk-..."))
 *         .options(StrowgerChatOptions.builder().model("acme/large").build())
 *         .build();
 * String text = ChatClient.create(model).prompt("Hi").call().content();
 * }</pre>
 *
 * <p>A call blocks its thread until the whole answer has come. A stream is read on virtual threads
 * of the gateway, as fast as its subscriber asks for more; when it is cancelled the upstream's
 * answer ends, and what was delivered is billed. {@link GatewayMetadata} has the cost and the
 * endpoint of a response. Failures are Spring AI's {@code TransientAiException} and {@code
 * NonTransientAiException} with the {@link GatewayException} as their cause. There are no retries
 * here: the gateway tries other endpoints itself. Like all models of Spring AI 2, it runs no tools:
 * Spring AI's {@code ChatClient} runs them. Safe on any thread.
 */
public final class StrowgerChatModel implements ChatModel {
  private final ChatExchange exchange;
  private final StrowgerChatOptions options;

  private StrowgerChatModel(Builder builder) {
    options = builder.options;
    exchange =
        new ChatExchange(
            builder.client,
            builder.toolCallingManager,
            builder.observationRegistry,
            builder.observationConvention);
  }

  /**
   * Returns a builder.
   *
   * @param client the client from {@code gateway.chat(key)}; the key's rights and limits apply
   */
  public static Builder builder(ChatClient client) {
    return new Builder(client);
  }

  /** Returns the default options of prompts. */
  @Override
  public ChatOptions getOptions() {
    return options;
  }

  /**
   * Sends a prompt and waits for the answer.
   *
   * @throws IllegalArgumentException when the prompt contains something that a gateway does not
   *     support; the message names it
   */
  @Override
  public ChatResponse call(Prompt prompt) {
    StrowgerChatOptions mergedOptions = optionsOf(prompt);
    return exchange.call(withOptions(prompt, mergedOptions), mergedOptions);
  }

  /** Returns the answer piece by piece; each subscriber sends the prompt. */
  @Override
  public Flux<ChatResponse> stream(Prompt prompt) {
    StrowgerChatOptions mergedOptions = optionsOf(prompt);
    Prompt completePrompt = withOptions(prompt, mergedOptions);
    return exchange.stream(
        completePrompt,
        mergedOptions,
        () ->
            ChatModelObservationContext.builder()
                .prompt(completePrompt)
                .provider(ChatExchange.PROVIDER)
                .streaming(true)
                .build());
  }

  private static Prompt withOptions(Prompt prompt, StrowgerChatOptions mergedOptions) {
    return prompt.mutate().chatOptions(mergedOptions).build();
  }

  /**
   * Returns the options of a prompt. A {@code ChatClient} has already merged the model's options
   * into them, so {@link StrowgerChatOptions} can lack only the model and its fallbacks.
   */
  private StrowgerChatOptions optionsOf(Prompt prompt) {
    ChatOptions promptOptions = prompt.getOptions();
    if (promptOptions == null) {
      return options;
    }
    if (!(promptOptions instanceof StrowgerChatOptions strowgerOptions)) {
      return options.mutate().combineWith(promptOptions.mutate()).build();
    }
    return strowgerOptions.getModel() == null
        ? strowgerOptions
            .mutate()
            .model(options.getModel())
            .fallbackModels(options.getFallbackModels().toArray(new String[0]))
            .build()
        : strowgerOptions;
  }

  /** Builds a model. Not thread-safe. */
  public static final class Builder {
    private final ChatClient client;
    private StrowgerChatOptions options = StrowgerChatOptions.builder().build();
    private ToolCallingManager toolCallingManager = ToolCallingManager.builder().build();
    private ObservationRegistry observationRegistry = ObservationRegistry.NOOP;
    private @Nullable ChatModelObservationConvention observationConvention;

    private Builder(ChatClient client) {
      this.client = Objects.requireNonNull(client, "client");
    }

    /**
     * Sets the default options of prompts. A prompt's own options override them. They do not change
     * a prompt's {@link StrowgerChatOptions}, except that one without a model gets their model and
     * fallback models; a {@code ChatClient} merges the rest. Without a model in either, the
     * account's default model answers.
     */
    public Builder options(StrowgerChatOptions value) {
      options = Objects.requireNonNull(value, "options");
      return this;
    }

    /** Sets the manager that resolves the tools' definitions. Default: a new manager. */
    public Builder toolCallingManager(ToolCallingManager manager) {
      toolCallingManager = Objects.requireNonNull(manager, "manager");
      return this;
    }

    /** Sets the registry that observes calls. Default: calls are not observed. */
    public Builder observationRegistry(ObservationRegistry registry) {
      observationRegistry = Objects.requireNonNull(registry, "registry");
      return this;
    }

    /** Sets how observations are named and tagged. Default: as Spring AI does it. */
    public Builder observationConvention(ChatModelObservationConvention convention) {
      observationConvention = Objects.requireNonNull(convention, "convention");
      return this;
    }

    /** Returns the model. */
    public StrowgerChatModel build() {
      return new StrowgerChatModel(this);
    }
  }
}
