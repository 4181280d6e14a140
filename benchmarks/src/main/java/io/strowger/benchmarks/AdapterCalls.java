package io.strowger.benchmarks;

import io.strowger.core.ambient.SystemAmbient;
import io.strowger.core.attempt.GatewayMembers;
import io.strowger.core.decode.PluginChecks;
import io.strowger.core.decode.Problems;
import io.strowger.core.dialect.chat.ChatDecoder;
import io.strowger.core.dialect.messages.MessagesDecoder;
import io.strowger.core.dialect.responses.ResponsesDecoder;
import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ProviderInfo;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.provider.JsonCodec.MalformedJsonException;
import io.strowger.spi.provider.ProviderSettings;
import java.net.URI;
import java.time.Duration;
import java.util.Map;

/** Creates calls and settings for benchmarks that use an adapter directly. */
public final class AdapterCalls {
  private static final String END_USER = "f3a9c1"; // hashed

  private static final Endpoint ENDPOINT =
      Endpoint.builder(
              ChatBodies.MODEL, new ProviderInfo("alpha", "Alpha", false, false, null, false))
          .upstreamModel("large-2026-05-01")
          .build();

  private static final InferenceRequest STREAMING =
      read(ChatBodies.named("1k")).toBuilder().streaming(true).build();

  private AdapterCalls() {}

  static ProviderSettings settings() {
    return new ProviderSettings(
        "alpha",
        URI.create("http://localhost/v1"),
        Map.of(),
        Duration.ofSeconds(2),
        new JacksonCodec(),
        new SystemAmbient());
  }

  /** Returns a chat request as the engine decodes it. */
  public static InferenceRequest read(byte[] body) {
    return read(Api.CHAT, body);
  }

  /** Returns a request of a dialect as the engine decodes it. */
  static InferenceRequest read(Api api, byte[] body) {
    try {
      var problems = new Problems();
      InferenceRequest request = decode(api, (Json.Obj) new JacksonCodec().parse(body), problems);
      problems.throwIfAny();
      return request;
    } catch (MalformedJsonException impossible) {
      throw new IllegalArgumentException("the body of a benchmark must be valid JSON", impossible);
    }
  }

  private static InferenceRequest decode(Api api, Json.Obj body, Problems problems) {
    PluginChecks unchecked = (entries, at, noted) -> {};
    return switch (api) {
      case CHAT -> new ChatDecoder(unchecked).decode(body, problems);
      case MESSAGES -> new MessagesDecoder(unchecked).decode(body, problems);
      case RESPONSES -> new ResponsesDecoder(unchecked).decode(body, problems);
      case GEMINI -> throw new IllegalArgumentException("a gateway does not accept this dialect");
    };
  }

  /** Returns a call as the engine makes it: without the members that only the gateway reads. */
  static Call of(InferenceRequest request) {
    return new Call(
        ENDPOINT,
        Credential.NONE,
        GatewayMembers.removeFrom(request, END_USER),
        0,
        END_USER,
        Duration.ofMinutes(1),
        new Cancellation());
  }

  /** Returns a streaming call with a short prompt. */
  static Call streamingCall() {
    return of(STREAMING);
  }
}
