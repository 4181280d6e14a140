package io.strowger.conformance.dialects;

import io.strowger.core.attempt.GatewayMembers;
import io.strowger.core.json.JacksonCodec;
import io.strowger.providers.chat.OpenAiChatFactory;
import io.strowger.providers.gemini.GeminiFactory;
import io.strowger.providers.http.AnswerMemory;
import io.strowger.providers.messages.AnthropicMessagesFactory;
import io.strowger.providers.responses.OpenAiResponsesFactory;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.provider.ProviderFactory;
import io.strowger.spi.provider.ProviderSettings;
import io.strowger.spi.provider.Transport;
import io.strowger.spi.provider.UpstreamException;
import io.strowger.spi.routing.Loss;
import io.strowger.tck.Given;
import io.strowger.tck.TestAmbient;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The upstream adapters, one for each dialect; their endpoint supports every parameter. */
public enum Upstream {
  CHAT,
  MESSAGES,
  RESPONSES,
  GEMINI;

  /** The body sent to an upstream, and what it could not express. */
  public record Sent(Json.Obj body, List<Loss> losses) {}

  private ProviderFactory factory(Transport transport, AnswerMemory memory) {
    return switch (this) {
      case CHAT -> new OpenAiChatFactory(transport, memory);
      case MESSAGES -> new AnthropicMessagesFactory(transport, memory);
      case RESPONSES -> new OpenAiResponsesFactory(transport, memory);
      case GEMINI -> new GeminiFactory(transport, memory);
    };
  }

  private ChatProvider adapter(Transport transport) {
    return adapter(transport, AnswerMemory.ofHeap(), URI.create("http://upstream.test"));
  }

  /**
   * Returns the adapter of a provider at this address; other settings are equal in all dialects.
   */
  public ChatProvider adapter(Transport transport, AnswerMemory memory, URI address) {
    return factory(transport, memory)
        .create(
            new ProviderSettings(
                "alpha",
                URI.create(address + "/v1"),
                Map.of(),
                Duration.ofSeconds(30),
                new JacksonCodec(),
                TestAmbient.at("2026-01-01T00:00:00Z")));
  }

  private static Call call(InferenceRequest request, List<Loss> losses) {
    return call(request, Duration.ofSeconds(30), losses, new Cancellation());
  }

  /**
   * Returns a call that sends the request.
   *
   * @param silence how long the upstream may be silent
   * @param losses the list to which everything that cannot be sent is added
   */
  public static Call call(
      InferenceRequest request, Duration silence, List<Loss> losses, Cancellation cancellation) {
    Endpoint endpoint =
        Given.endpoint("alpha", "lab/model", "1").toBuilder()
            .upstreamModel("their-name")
            .parameters(Parameter.ALL)
            .build();
    return new Call(
        endpoint,
        Credential.NONE,
        GatewayMembers.removeFrom(request, null),
        0,
        null,
        silence,
        new ModelInfo.Reasoning(false, List.of(), true),
        losses::add,
        cancellation);
  }

  /** Returns what this dialect's adapter would send for a request. */
  public Sent send(InferenceRequest request) {
    var losses = new ArrayList<Loss>();
    Json body =
        adapter(InMemoryTransport.document(new ByteArrayInputStream(new byte[0])))
            .body(call(request, losses));
    return new Sent((Json.Obj) body, losses);
  }

  /** Opens an answer that arrives as an event stream of these bytes. */
  public EventStream stream(InputStream bytes, InferenceRequest request) {
    return open(InMemoryTransport.stream(bytes), request);
  }

  /** Opens an answer that is this document. */
  public EventStream document(Json.Obj document, InferenceRequest request) {
    return open(InMemoryTransport.document(new ByteArrayInputStream(document.toBytes())), request);
  }

  private EventStream open(Transport transport, InferenceRequest request) {
    try {
      return adapter(transport).open(call(request, new ArrayList<>()));
    } catch (UpstreamException refused) {
      throw new IllegalStateException("a response with status 200 was refused", refused);
    }
  }
}
