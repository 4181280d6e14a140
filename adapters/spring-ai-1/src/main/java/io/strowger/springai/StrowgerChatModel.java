package io.strowger.springai;

import io.micrometer.observation.ObservationRegistry;
import io.strowger.core.client.ChatClient;
import io.strowger.spi.error.GatewayException;
import java.math.BigDecimal;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.metadata.ChatResponseMetadata;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.observation.ChatModelObservationContext;
import org.springframework.ai.chat.observation.ChatModelObservationConvention;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.DefaultToolExecutionEligibilityPredicate;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.model.tool.ToolExecutionEligibilityPredicate;
import org.springframework.ai.model.tool.ToolExecutionResult;
import org.springframework.ai.model.tool.internal.ToolCallReactiveContextHolder;
import org.springframework.ai.support.UsageCalculator;
import reactor.core.publisher.Flux;

/**
 * A chat model of Spring AI 1 that a gateway in the same process answers.
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
 * endpoint of a response; usage and cost are those of all turns. Failures are Spring AI's {@code
 * TransientAiException} and {@code NonTransientAiException} with the {@link GatewayException} as
 * their cause. There are no retries here: the gateway tries other endpoints itself. Like all models
 * of Spring AI 1, it runs the tools that the model calls, unless the options say otherwise. Safe on
 * any thread.
 */
public final class StrowgerChatModel implements ChatModel {
  private final ChatExchange exchange;
  private final StrowgerChatOptions options;
  private final ToolExecutionEligibilityPredicate toolEligibility;

  private StrowgerChatModel(Builder builder) {
    options = builder.options;
    toolEligibility = builder.toolEligibility;
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

  /** Returns a copy of the default options of prompts. */
  @Override
  public ChatOptions getDefaultOptions() {
    return options.copy();
  }

  /**
   * Sends a prompt, runs the tools that the model calls, and waits for the last answer.
   *
   * @throws IllegalArgumentException when the prompt contains something that a gateway does not
   *     support; the message names it
   */
  @Override
  public ChatResponse call(Prompt prompt) {
    StrowgerChatOptions mergedOptions = options.overriddenBy(prompt.getOptions());
    Prompt turn = prompt.mutate().chatOptions(mergedOptions).build();
    ChatResponse previous = null;
    while (true) {
      ChatResponse response = withTotals(exchange.call(turn, mergedOptions), previous);
      if (!toolEligibility.isToolExecutionRequired(mergedOptions, response)) {
        return response;
      }
      ToolExecutionResult results = exchange.tools().executeToolCalls(turn, response);
      if (results.returnDirect()) {
        return directResponse(response, results);
      }
      turn = new Prompt(results.conversationHistory(), mergedOptions);
      previous = response;
    }
  }

  /** Returns the answers piece by piece; each subscriber sends the prompt. */
  @Override
  public Flux<ChatResponse> stream(Prompt prompt) {
    StrowgerChatOptions mergedOptions = options.overriddenBy(prompt.getOptions());
    return stream(prompt.mutate().chatOptions(mergedOptions).build(), mergedOptions, null);
  }

  private Flux<ChatResponse> stream(
      Prompt turn, StrowgerChatOptions mergedOptions, @Nullable ChatResponse previous) {
    return exchange.stream(
            turn,
            mergedOptions,
            () ->
                ChatModelObservationContext.builder()
                    .prompt(turn)
                    .provider(ChatExchange.PROVIDER)
                    .build())
        .concatMap(
            piece -> {
              ChatResponse response = withTotals(piece, previous);
              return toolEligibility.isToolExecutionRequired(mergedOptions, response)
                  ? continueAfterTools(turn, mergedOptions, response)
                  : Flux.just(response);
            },
            0); // prefetch of 0: requests a piece only when the subscriber does
  }

  /**
   * Runs the tools on the calling thread, one of the gateway's, and continues with the next turn.
   */
  private Flux<ChatResponse> continueAfterTools(
      Prompt turn, StrowgerChatOptions mergedOptions, ChatResponse response) {
    return Flux.deferContextual(
        view -> {
          // the last piece of a stream lacks the earlier text, which the conversation needs
          ChatResponse completeResponse =
              GatewayMetadata.answer(response).map(ResponseReader::response).orElse(response);
          ToolExecutionResult results;
          ToolCallReactiveContextHolder.setContext(view);
          try {
            results = exchange.tools().executeToolCalls(turn, completeResponse);
          } finally {
            ToolCallReactiveContextHolder.clearContext();
          }
          return results.returnDirect()
              ? Flux.just(directResponse(response, results))
              : stream(
                  new Prompt(results.conversationHistory(), mergedOptions),
                  mergedOptions,
                  response);
        });
  }

  private static ChatResponse directResponse(ChatResponse response, ToolExecutionResult results) {
    return ChatResponse.builder()
        .from(response)
        .generations(ToolExecutionResult.buildGenerations(results))
        .build();
  }

  /** Returns a response with the usage and cost of earlier turns added if it has a cost. */
  private static ChatResponse withTotals(ChatResponse response, @Nullable ChatResponse previous) {
    Optional<BigDecimal> cost = GatewayMetadata.cost(response);
    if (previous == null || cost.isEmpty()) {
      return response;
    }
    ChatResponseMetadata metadata = response.getMetadata();
    ChatResponseMetadata.Builder totals =
        ChatResponseMetadata.builder()
            .id(metadata.getId())
            .model(metadata.getModel())
            .usage(UsageCalculator.getCumulativeUsage(metadata.getUsage(), previous))
            .keyValue(
                GatewayMetadata.COST,
                cost.get().add(GatewayMetadata.cost(previous).orElse(BigDecimal.ZERO)));
    GatewayMetadata.servedBy(response)
        .ifPresent(servedBy -> totals.keyValue(GatewayMetadata.SERVED_BY, servedBy));
    GatewayMetadata.answer(response)
        .ifPresent(answer -> totals.keyValue(GatewayMetadata.ANSWER, answer));
    return new ChatResponse(response.getResults(), totals.build());
  }

  /** Builds a model. For one thread. */
  public static final class Builder {
    private final ChatClient client;
    private StrowgerChatOptions options = StrowgerChatOptions.builder().build();
    private ToolCallingManager toolCallingManager = ToolCallingManager.builder().build();
    private ToolExecutionEligibilityPredicate toolEligibility =
        new DefaultToolExecutionEligibilityPredicate();
    private ObservationRegistry observationRegistry = ObservationRegistry.NOOP;
    private @Nullable ChatModelObservationConvention observationConvention;

    private Builder(ChatClient client) {
      this.client = Objects.requireNonNull(client, "client");
    }

    /**
     * Sets the default options of prompts; a prompt's own options override them. Without a model in
     * either, the account's default model answers.
     */
    public Builder options(StrowgerChatOptions value) {
      options = value.copy();
      return this;
    }

    /** Sets the manager that resolves and runs the tools. Default: a new manager. */
    public Builder toolCallingManager(ToolCallingManager manager) {
      toolCallingManager = Objects.requireNonNull(manager, "manager");
      return this;
    }

    /**
     * Sets the predicate that decides when tools are run. Default: when a response calls some,
     * unless the options forbid it.
     */
    public Builder toolExecutionEligibilityPredicate(ToolExecutionEligibilityPredicate predicate) {
      toolEligibility = Objects.requireNonNull(predicate, "predicate");
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
