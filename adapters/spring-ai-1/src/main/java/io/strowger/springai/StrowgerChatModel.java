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
 * their cause. There are no retries here: the gateway tries other endpoints itself. As all models
 * of Spring AI 1 it runs the tools that the model calls, unless the options say otherwise. Safe on
 * any thread.
 */
public final class StrowgerChatModel implements ChatModel {
  private final ChatExchange exchange;
  private final StrowgerChatOptions options;
  private final ToolExecutionEligibilityPredicate runsTools;

  private StrowgerChatModel(Builder from) {
    options = from.options;
    runsTools = from.runsTools;
    exchange =
        new ChatExchange(from.client, from.tools, from.observations, from.observationConvention);
  }

  /**
   * Returns a builder.
   *
   * @param client what {@code gateway.chat(key)} returns; the key's rights and limits hold
   */
  public static Builder builder(ChatClient client) {
    return new Builder(client);
  }

  /** Returns a copy of the options of prompts that set nothing else. */
  @Override
  public ChatOptions getDefaultOptions() {
    return options.copy();
  }

  /**
   * Sends a prompt, runs the tools that the model calls, and waits for the last answer.
   *
   * @throws IllegalArgumentException when the prompt has something that a gateway cannot be asked
   *     for; it says what
   */
  @Override
  public ChatResponse call(Prompt prompt) {
    StrowgerChatOptions all = options.overriddenBy(prompt.getOptions());
    Prompt turn = prompt.mutate().chatOptions(all).build();
    ChatResponse before = null;
    while (true) {
      ChatResponse response = withTotals(exchange.call(turn, all), before);
      if (!runsTools.isToolExecutionRequired(all, response)) {
        return response;
      }
      ToolExecutionResult results = exchange.tools().executeToolCalls(turn, response);
      if (results.returnDirect()) {
        return direct(response, results);
      }
      turn = new Prompt(results.conversationHistory(), all);
      before = response;
    }
  }

  /** Returns the answers piece by piece; each subscriber sends the prompt. */
  @Override
  public Flux<ChatResponse> stream(Prompt prompt) {
    StrowgerChatOptions all = options.overriddenBy(prompt.getOptions());
    return stream(prompt.mutate().chatOptions(all).build(), all, null);
  }

  private Flux<ChatResponse> stream(
      Prompt turn, StrowgerChatOptions all, @Nullable ChatResponse before) {
    return exchange.stream(
            turn,
            all,
            () ->
                ChatModelObservationContext.builder()
                    .prompt(turn)
                    .provider(ChatExchange.PROVIDER)
                    .build())
        .concatMap(
            piece -> {
              ChatResponse response = withTotals(piece, before);
              return runsTools.isToolExecutionRequired(all, response)
                  ? afterTools(turn, all, response)
                  : Flux.just(response);
            },
            0); // asks for no piece before it is asked for one
  }

  /** Runs the tools on this thread, which is one of the gateway's, and goes on with the answer. */
  private Flux<ChatResponse> afterTools(
      Prompt turn, StrowgerChatOptions all, ChatResponse response) {
    return Flux.deferContextual(
        view -> {
          // the last piece of a stream lacks the text before, which belongs to the conversation
          ChatResponse whole =
              GatewayMetadata.answer(response).map(ResponseReader::response).orElse(response);
          ToolExecutionResult results;
          ToolCallReactiveContextHolder.setContext(view);
          try {
            results = exchange.tools().executeToolCalls(turn, whole);
          } finally {
            ToolCallReactiveContextHolder.clearContext();
          }
          return results.returnDirect()
              ? Flux.just(direct(response, results))
              : stream(new Prompt(results.conversationHistory(), all), all, response);
        });
  }

  private static ChatResponse direct(ChatResponse response, ToolExecutionResult results) {
    return ChatResponse.builder()
        .from(response)
        .generations(ToolExecutionResult.buildGenerations(results))
        .build();
  }

  /** Returns a whole answer with the usage and cost of the turns before it. */
  private static ChatResponse withTotals(ChatResponse response, @Nullable ChatResponse before) {
    Optional<BigDecimal> cost = GatewayMetadata.cost(response);
    if (before == null || cost.isEmpty()) {
      return response;
    }
    ChatResponseMetadata metadata = response.getMetadata();
    ChatResponseMetadata.Builder totals =
        ChatResponseMetadata.builder()
            .id(metadata.getId())
            .model(metadata.getModel())
            .usage(UsageCalculator.getCumulativeUsage(metadata.getUsage(), before))
            .keyValue(
                GatewayMetadata.COST,
                cost.get().add(GatewayMetadata.cost(before).orElse(BigDecimal.ZERO)));
    GatewayMetadata.servedBy(response)
        .ifPresent(by -> totals.keyValue(GatewayMetadata.SERVED_BY, by));
    GatewayMetadata.answer(response)
        .ifPresent(answer -> totals.keyValue(GatewayMetadata.ANSWER, answer));
    return new ChatResponse(response.getResults(), totals.build());
  }

  /** Builds a model. For one thread. */
  public static final class Builder {
    private final ChatClient client;
    private StrowgerChatOptions options = StrowgerChatOptions.builder().build();
    private ToolCallingManager tools = ToolCallingManager.builder().build();
    private ToolExecutionEligibilityPredicate runsTools =
        new DefaultToolExecutionEligibilityPredicate();
    private ObservationRegistry observations = ObservationRegistry.NOOP;
    private @Nullable ChatModelObservationConvention observationConvention;

    private Builder(ChatClient client) {
      this.client = Objects.requireNonNull(client, "client");
    }

    /**
     * Sets the options of prompts that do not set them themselves. Without a model in them it is
     * the account's default model.
     */
    public Builder options(StrowgerChatOptions value) {
      options = value.copy();
      return this;
    }

    /** Sets what knows and runs the tools. Default: a new manager. */
    public Builder toolCallingManager(ToolCallingManager manager) {
      tools = Objects.requireNonNull(manager, "manager");
      return this;
    }

    /**
     * Sets when tools are run. Default: when a response calls some, unless the options forbid it.
     */
    public Builder toolExecutionEligibilityPredicate(ToolExecutionEligibilityPredicate predicate) {
      runsTools = Objects.requireNonNull(predicate, "predicate");
      return this;
    }

    /** Sets where calls are observed. Default: nowhere. */
    public Builder observationRegistry(ObservationRegistry registry) {
      observations = Objects.requireNonNull(registry, "registry");
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
