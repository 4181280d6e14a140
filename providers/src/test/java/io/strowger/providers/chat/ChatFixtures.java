package io.strowger.providers.chat;

import io.strowger.core.decode.PluginChecks;
import io.strowger.core.decode.Problems;
import io.strowger.core.dialect.chat.ChatDecoder;
import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.provider.JsonCodec;
import io.strowger.tck.Given;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Requests, calls and JSON for the tests of the chat adapter. */
final class ChatFixtures {
  static final String UPSTREAM_MODEL = "their-name";
  static final String HASH = "user-5f2c";
  static final JsonCodec CODEC = new JacksonCodec();

  private static final PluginChecks NO_PLUGINS = (entries, at, problems) -> {};

  private ChatFixtures() {}

  /** Parses a JSON object that is written with single quotes instead of double ones. */
  static Json.Obj json(String text) {
    return parsed(text.replace('\'', '"'));
  }

  static Json.Obj parsed(String text) {
    try {
      return (Json.Obj) CODEC.parse(text.getBytes(StandardCharsets.UTF_8));
    } catch (JsonCodec.MalformedJsonException malformed) {
      throw new AssertionError(text, malformed);
    }
  }

  /** Decodes a request as the engine does. */
  static InferenceRequest request(String text) {
    return decoded(json(text));
  }

  static InferenceRequest decoded(Json.Obj body) {
    var problems = new Problems();
    InferenceRequest request = new ChatDecoder(NO_PLUGINS).decode(body, problems);
    problems.throwIfAny();
    return request;
  }

  static Endpoint endpoint() {
    return Given.endpoint("alpha", "lab/model", "1").toBuilder()
        .upstreamModel(UPSTREAM_MODEL)
        .build();
  }

  static Endpoint supporting(long parameters) {
    return endpoint().toBuilder().parameters(parameters).build();
  }

  static Call call(InferenceRequest request) {
    return call(endpoint(), request, 0, null);
  }

  static Call call(Endpoint endpoint, InferenceRequest request, int cap, @Nullable String user) {
    return new Call(
        endpoint, Credential.NONE, request, cap, user, Duration.ofSeconds(30), new Cancellation());
  }

  /** Returns the body that is sent upstream for a call, as text. */
  static String written(Call call) {
    return new String(ChatRequestWriter.of(call).toByteArray(), StandardCharsets.UTF_8);
  }
}
