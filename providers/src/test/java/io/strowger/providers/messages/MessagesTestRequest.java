package io.strowger.providers.messages;

import io.strowger.core.decode.Problems;
import io.strowger.core.dialect.chat.ChatDecoder;
import io.strowger.core.dialect.messages.MessagesDecoder;
import io.strowger.core.dialect.responses.ResponsesDecoder;
import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Tool;
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
import org.jspecify.annotations.Nullable;

/**
 * A request that is sent to a messages upstream, and the losses of its translation. All JSON here
 * has single quotes instead of double ones.
 */
final class MessagesTestRequest {
  static final JsonCodec CODEC = new JacksonCodec();
  static final String HI = "{'role':'user','content':'hi'}";

  private final InferenceRequest request;
  private final List<Loss> losses = new ArrayList<>();
  private Endpoint endpoint =
      Given.endpoint("alpha", "lab/model", "1").toBuilder()
          .upstreamModel("their-name")
          .maxOutputTokens(8000)
          .build();
  private ModelInfo.Reasoning reasoning = new ModelInfo.Reasoning(false, List.of(), true);
  private int cap;
  private int hold;
  private @Nullable String user;

  MessagesTestRequest(InferenceRequest request) {
    this.request = request;
  }

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

  /** Returns a chat request with these messages, followed by more members. */
  static MessagesTestRequest chat(String messages, String... more) {
    Json.Obj body = json("{'model':'m','messages':[" + messages + "]" + tail(more) + "}");
    var problems = new Problems();
    return new MessagesTestRequest(
        problems.requireValid(new ChatDecoder((e, at, found) -> {}).decode(body, problems)));
  }

  static MessagesTestRequest messages(String messages, String... more) {
    return messagesBody("{'model':'m','messages':[" + messages + "]" + tail(more) + "}");
  }

  static MessagesTestRequest messagesBody(String body) {
    var problems = new Problems();
    return new MessagesTestRequest(
        problems.requireValid(
            new MessagesDecoder((e, at, found) -> {}).decode(json(body), problems)));
  }

  static MessagesTestRequest responses(String input, String... more) {
    Json.Obj body = json("{'model':'m','input':[" + input + "]" + tail(more) + "}");
    var problems = new Problems();
    return new MessagesTestRequest(
        problems.requireValid(new ResponsesDecoder((e, at, found) -> {}).decode(body, problems)));
  }

  private static String tail(String... more) {
    return more.length == 0 ? "" : "," + String.join(",", more);
  }

  MessagesTestRequest endpoint(Endpoint.Builder newEndpoint) {
    endpoint = newEndpoint.build();
    return this;
  }

  Endpoint.Builder endpoint() {
    return endpoint.toBuilder();
  }

  MessagesTestRequest lacking(Parameter... parameters) {
    return endpoint(endpoint().parameters(Parameter.ALL & ~Parameter.mask(List.of(parameters))));
  }

  MessagesTestRequest reasoning(boolean mandatory, boolean budget, String... efforts) {
    reasoning = new ModelInfo.Reasoning(mandatory, List.of(efforts), budget);
    return this;
  }

  MessagesTestRequest cap(int tokens) {
    cap = tokens;
    return this;
  }

  /** Sets the number of output tokens that the hold covers, which may exceed the cap. */
  MessagesTestRequest hold(int tokens) {
    hold = tokens;
    return this;
  }

  MessagesTestRequest user(String hash) {
    user = hash;
    return this;
  }

  MessagesTestRequest features(String... names) {
    return with(request.toBuilder().upstreamFeatures(List.of(names)).build());
  }

  /** Returns a request with a function of any name, even one that the chat dialect forbids. */
  MessagesTestRequest declaring(String name) {
    Tool tool = new Tool.Function(name, null, null, Json.Obj.EMPTY, null);
    return with(request.toBuilder().tools(List.of(tool)).build());
  }

  MessagesTestRequest with(InferenceRequest changed) {
    MessagesTestRequest other = new MessagesTestRequest(changed);
    other.endpoint = endpoint;
    other.reasoning = reasoning;
    other.cap = cap;
    other.hold = hold;
    other.user = user;
    return other;
  }

  InferenceRequest decoded() {
    return request;
  }

  Call call() {
    return new Call(
        endpoint,
        Credential.NONE,
        request,
        cap,
        Math.max(cap, hold),
        user,
        Duration.ofSeconds(30),
        reasoning,
        losses::add,
        new Cancellation());
  }

  static MessagesCodec codec() {
    return new MessagesCodec(URI.create("http://a/v1"), CODEC);
  }

  /** Returns the body that is sent upstream. */
  String written() {
    byte[] body = codec().body(call()).toByteArray();
    return new String(body, StandardCharsets.UTF_8).replace('"', '\'');
  }

  /** Returns a member of the body; {@code absent} if it has no such member. */
  String member(String name) {
    Json value =
        parsed(new String(codec().body(call()).toByteArray(), StandardCharsets.UTF_8)).get(name);
    return value == null
        ? "absent"
        : new String(value.toBytes(), StandardCharsets.UTF_8).replace('"', '\'');
  }

  /**
   * Returns the subjects of the losses that {@link #written} and {@link #member} reported, each
   * after {@code -} if it was dropped, or after {@code ~} if it was changed.
   */
  List<String> lost() {
    return losses.stream()
        .map(loss -> (loss.kind() == Loss.Kind.DROPPED ? "-" : "~") + loss.subject())
        .distinct()
        .toList();
  }
}
