package io.strowger.langchain4j;

import dev.langchain4j.exception.UnsupportedFeatureException;
import dev.langchain4j.model.chat.Capability;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.listener.ChatModelListener;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.model.chat.response.StreamingHandle;
import io.strowger.core.client.ChatClient;
import java.util.List;
import java.util.Set;

/**
 * A streaming chat model of LangChain4j that a gateway in the same process answers.
 *
 * <p>A call returns at once; the handler is called on a virtual thread of the gateway, by one
 * thread at a time. The handler gets the text, the reasoning and the tool calls as they come. At
 * the end it gets the whole response, with a {@link StrowgerChatResponseMetadata} as its metadata,
 * or one of LangChain4j's exceptions. {@link StreamingHandle#cancel} ends the upstream's answer;
 * the handler is not called any more, and what was delivered is billed. Safe on any thread.
 */
public final class StrowgerStreamingChatModel implements StreamingChatModel {
  private final ModelSettings settings;

  private StrowgerStreamingChatModel(ModelSettings settings) {
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
   * Sends a request and lets the handler follow the answer.
   *
   * @throws UnsupportedFeatureException at once, when the request has something that a gateway does
   *     not support; the message names it
   */
  @Override
  public void doChat(ChatRequest request, StreamingChatResponseHandler handler) {
    var gatewayRequest =
        RequestWriter.write(request.messages(), request.parameters(), settings.client());
    settings.client().executor().execute(new StreamTask(gatewayRequest, handler));
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
    public StrowgerStreamingChatModel build() {
      return new StrowgerStreamingChatModel(settings);
    }
  }
}
