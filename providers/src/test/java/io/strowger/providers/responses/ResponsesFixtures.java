package io.strowger.providers.responses;

import io.strowger.core.decode.PluginChecks;
import io.strowger.core.decode.Problems;
import io.strowger.core.dialect.chat.ChatDecoder;
import io.strowger.core.dialect.messages.MessagesDecoder;
import io.strowger.core.dialect.responses.ResponsesDecoder;
import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.provider.JsonCodec;
import io.strowger.spi.routing.Loss;
import io.strowger.tck.Given;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Requests, JSON and sent bodies for the tests of the responses adapter. */
final class ResponsesFixtures {
  static final String UPSTREAM_MODEL = "their-name";
  static final String HASH = "user-5f2c";
  static final JsonCodec CODEC = new JacksonCodec();

  private static final PluginChecks NO_PLUGINS = (entries, at, problems) -> {};

  /** A body that was sent upstream, with the losses of its translation. */
  record SentBody(String text, List<Loss> losses) {
    Json.Obj json() {
      return parsed(text);
    }

    @Nullable Json get(String member) {
      return json().get(member);
    }

    /** Returns the subject and kind of each loss. */
    List<String> lost() {
      return losses.stream().map(loss -> loss.subject() + " " + loss.kind()).toList();
    }
  }

  private ResponsesFixtures() {}

  /** Parses a JSON object that is written with single quotes instead of double ones. */
  static Json.Obj json(String text) {
    return parsed(text.replace('\'', '"'));
  }

  static Json value(String text) {
    return Objects.requireNonNull(json("{'v':" + text + "}").get("v"));
  }

  static Json.Obj parsed(String text) {
    try {
      return (Json.Obj) CODEC.parse(text.getBytes(StandardCharsets.UTF_8));
    } catch (JsonCodec.MalformedJsonException malformed) {
      throw new AssertionError(text, malformed);
    }
  }

  static InferenceRequest responses(String text) {
    var problems = new Problems();
    InferenceRequest request = new ResponsesDecoder(NO_PLUGINS).decode(json(text), problems);
    problems.throwIfAny();
    return request;
  }

  static InferenceRequest chat(String text) {
    var problems = new Problems();
    InferenceRequest request = new ChatDecoder(NO_PLUGINS).decode(json(text), problems);
    problems.throwIfAny();
    return request;
  }

  static InferenceRequest messages(String text) {
    var problems = new Problems();
    Json.Obj body = json(text).with("model", Json.of("lab/model")); // a mandatory member
    InferenceRequest request = new MessagesDecoder(NO_PLUGINS).decode(body, problems);
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

  static ModelInfo.Reasoning efforts(String... names) {
    return new ModelInfo.Reasoning(false, List.of(names), false);
  }

  static SentBody sent(InferenceRequest request) {
    return sent(endpoint(), request, 0, null, ModelInfo.Reasoning.NONE);
  }

  static SentBody sent(Endpoint endpoint, InferenceRequest request) {
    return sent(endpoint, request, 0, null, ModelInfo.Reasoning.NONE);
  }

  static SentBody sent(InferenceRequest request, ModelInfo.Reasoning reasoning) {
    return sent(endpoint(), request, 0, null, reasoning);
  }

  static SentBody sent(
      Endpoint endpoint,
      InferenceRequest request,
      int cap,
      @Nullable String user,
      ModelInfo.Reasoning reasoning) {
    var losses = new ArrayList<Loss>();
    var call =
        new Call(
            endpoint,
            Credential.NONE,
            request,
            cap,
            user,
            Duration.ofSeconds(30),
            reasoning,
            losses::add,
            new Cancellation());
    var codec = new ResponsesCodec(URI.create("http://alpha.example/v1"));
    return new SentBody(
        new String(codec.body(call).toByteArray(), StandardCharsets.UTF_8), List.copyOf(losses));
  }
}
