package io.strowger.springai;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.contextpropagation.ObservationThreadLocalAccessor;
import io.strowger.core.client.ChatClient;
import io.strowger.core.client.ChatRequest;
import io.strowger.spi.error.GatewayException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.MessageAggregator;
import org.springframework.ai.chat.observation.ChatModelObservationContext;
import org.springframework.ai.chat.observation.ChatModelObservationConvention;
import org.springframework.ai.chat.observation.ChatModelObservationDocumentation;
import org.springframework.ai.chat.observation.DefaultChatModelObservationConvention;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingManager;
import reactor.core.publisher.Flux;

/** Sends one prompt to the gateway and reads the answer, observed as Spring AI observes models. */
final class ChatExchange {
  static final String PROVIDER = "strowger";

  private static final ChatModelObservationConvention STANDARD =
      new DefaultChatModelObservationConvention();

  private final ChatClient client;
  private final ToolCallingManager tools;
  private final ObservationRegistry observations;
  private final @Nullable ChatModelObservationConvention convention;

  ChatExchange(
      ChatClient client,
      ToolCallingManager tools,
      ObservationRegistry observations,
      @Nullable ChatModelObservationConvention convention) {
    this.client = client;
    this.tools = tools;
    this.observations = observations;
    this.convention = convention;
  }

  ToolCallingManager tools() {
    return tools;
  }

  /** Returns the answer to a prompt; runs no tools. */
  ChatResponse call(Prompt prompt, StrowgerChatOptions options) {
    ChatRequest request = PromptWriter.write(prompt.getInstructions(), options, client, tools);
    ChatModelObservationContext context =
        ChatModelObservationContext.builder().prompt(prompt).provider(PROVIDER).build();
    Observation observation = observation(context).start();
    try (Observation.Scope ignored = observation.openScope()) {
      ChatResponse response = ResponseReader.response(request.call());
      context.setResponse(response);
      return response;
    } catch (GatewayException failure) {
      RuntimeException mapped = ErrorMapping.toSpringAi(failure);
      observation.error(mapped);
      throw mapped;
    } finally {
      observation.stop();
    }
  }

  /** Returns the answer to a prompt piece by piece; runs no tools. */
  Flux<ChatResponse> stream(
      Prompt prompt,
      StrowgerChatOptions options,
      Supplier<ChatModelObservationContext> contextSupplier) {
    return Flux.deferContextual(
        view -> {
          ChatModelObservationContext context = contextSupplier.get();
          ChatRequest request =
              PromptWriter.write(prompt.getInstructions(), options, client, tools);
          Observation observation = observation(context);
          observation.parentObservation(
              view.getOrDefault(ObservationThreadLocalAccessor.KEY, null));
          observation.start();
          Flux<ChatResponse> observed =
              StreamReader.read(request, client.executor())
                  .doOnError(observation::error)
                  .doFinally(end -> observation.stop())
                  .contextWrite(to -> to.put(ObservationThreadLocalAccessor.KEY, observation));
          return new MessageAggregator().aggregate(observed, context::setResponse);
        });
  }

  private Observation observation(ChatModelObservationContext context) {
    return ChatModelObservationDocumentation.CHAT_MODEL_OPERATION.observation(
        convention, STANDARD, () -> context, observations);
  }
}
