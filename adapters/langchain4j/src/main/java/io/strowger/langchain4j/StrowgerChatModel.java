package io.strowger.langchain4j;

import dev.langchain4j.exception.UnsupportedFeatureException;
import dev.langchain4j.model.chat.Capability;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.listener.ChatModelListener;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
import dev.langchain4j.model.chat.response.ChatResponse;
import io.strowger.core.client.ChatClient;
import io.strowger.spi.error.GatewayException;
import java.util.List;
import java.util.Set;

/**
 * A chat model of LangChain4j that a gateway in the same process answers.
 *
 * <pre>{@code
 * ChatModel model =
 *     StrowgerChatModel.builder(gateway.chat("sk-...")).modelName("acme/large").build();
 * }</pre>
 *
 * <p>A call blocks its thread until the whole answer has come. The response's metadata is a {@link
 * StrowgerChatResponseMetadata} with the cost and the endpoint that answered. Failures are
 * LangChain4j's exceptions with the {@link GatewayException} as their cause. There are no retries
 * here: the gateway tries other endpoints itself. Safe on any thread.
 */
public final class StrowgerChatModel implements ChatModel {
  private final ModelSettings settings;

  private StrowgerChatModel(ModelSettings settings) {
    this.settings = settings;
  }

  /**
   * Returns a builder.
   *
   * @param client the client from {@code gateway.chat(key)}; the key's rights and limits apply
   */
  public static Builder builder(ChatClient client) {
    return new Builder(client);
  }

  /**
   * Sends a request and waits for the answer.
   *
   * @throws UnsupportedFeatureException when the request has something that a gateway does not
   *     support; the message names it
   */
  @Override
  public ChatResponse doChat(ChatRequest request) {
    var gatewayRequest =
        RequestWriter.write(request.messages(), request.parameters(), settings.client());
    try {
      return ResponseReader.response(gatewayRequest.call());
    } catch (GatewayException failure) {
      throw ErrorMapping.toLangChain4j(failure);
    }
  }

  @Override
  public StrowgerChatRequestParameters defaultRequestParameters() {
    return settings.parameters();
  }

  @Override
  public List<ChatModelListener> listeners() {
    return settings.listeners();
  }

  @Override
  public Set<Capability> supportedCapabilities() {
    return settings.capabilities();
  }

  /** Builds a model. For one thread. */
  public static final class Builder {
    private ModelSettings settings;

    private Builder(ChatClient client) {
      settings = ModelSettings.of(client);
    }

    /**
     * Sets the model or router for requests that name none, such as {@code acme/large}. Default:
     * the account's default model.
     */
    public Builder modelName(String name) {
      return defaultRequestParameters(
          StrowgerChatRequestParameters.builder().modelName(name).build());
    }

    /**
     * Sets defaults for parameters that requests do not set, in addition to those set before.
     * {@link StrowgerChatRequestParameters} has the parameters specific to a gateway.
     *
     * @throws UnsupportedFeatureException for parameters of another provider
     */
    public Builder defaultRequestParameters(ChatRequestParameters parameters) {
      settings = settings.with(parameters);
      return this;
    }

    /** Sets the listeners that are notified of requests, answers and errors. Default: none. */
    public Builder listeners(List<ChatModelListener> listeners) {
      settings = settings.with(listeners);
      return this;
    }

    /**
     * Sets the capabilities that AI services may rely on. Default: {@link
     * Capability#RESPONSE_FORMAT_JSON_SCHEMA}, so that they send the schema of an answer. Set an
     * empty set for models that support no schemas: AI services then describe the answer's form in
     * the prompt.
     */
    public Builder supportedCapabilities(Set<Capability> capabilities) {
      settings = settings.with(capabilities);
      return this;
    }

    /** Returns the model. */
    public StrowgerChatModel build() {
      return new StrowgerChatModel(settings);
    }
  }
}
