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

/** The words tests of this package describe calls and their bodies with. JSON in single quotes. */
final class Asked {
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

  Asked(InferenceRequest request) {
    this.request = request;
  }

  static Json.Obj json(String text) {
    return parsed(text.replace('\'', '"'));
  }

  static Json.Obj parsed(String text) {
    try {
      return (Json.Obj) CODEC.parse(text.getBytes(StandardCharsets.UTF_8));
    } catch (JsonCodec.MalformedJsonException wrong) {
      throw new AssertionError(text, wrong);
    }
  }

  /** A chat request of these messages, with more members behind. */
  static Asked chat(String messages, String... more) {
    Json.Obj body = json("{'model':'m','messages':[" + messages + "]" + tail(more) + "}");
    var problems = new Problems();
    return new Asked(
        problems.requireValid(new ChatDecoder((e, at, found) -> {}).decode(body, problems)));
  }

  static Asked messages(String messages, String... more) {
    return messagesBody("{'model':'m','messages':[" + messages + "]" + tail(more) + "}");
  }

  static Asked messagesBody(String body) {
    var problems = new Problems();
    return new Asked(
        problems.requireValid(
            new MessagesDecoder((e, at, found) -> {}).decode(json(body), problems)));
  }

  static Asked responses(String input, String... more) {
    Json.Obj body = json("{'model':'m','input':[" + input + "]" + tail(more) + "}");
    var problems = new Problems();
    return new Asked(
        problems.requireValid(new ResponsesDecoder((e, at, found) -> {}).decode(body, problems)));
  }

  private static String tail(String... more) {
    return more.length == 0 ? "" : "," + String.join(",", more);
  }

  Asked endpoint(Endpoint.Builder changed) {
    endpoint = changed.build();
    return this;
  }

  Endpoint.Builder endpoint() {
    return endpoint.toBuilder();
  }

  Asked lacking(Parameter... parameters) {
    return endpoint(endpoint().parameters(Parameter.ALL & ~Parameter.mask(List.of(parameters))));
  }

  Asked reasoning(boolean mandatory, boolean budget, String... efforts) {
    reasoning = new ModelInfo.Reasoning(mandatory, List.of(efforts), budget);
    return this;
  }

  Asked cap(int tokens) {
    cap = tokens;
    return this;
  }

  /** What is paid for, where the upstream need not be told. */
  Asked hold(int tokens) {
    hold = tokens;
    return this;
  }

  Asked user(String hash) {
    user = hash;
    return this;
  }

  Asked features(String... names) {
    return with(request.toBuilder().upstreamFeatures(List.of(names)).build());
  }

  /** Declares a function of whatever name: other dialects than chat allow more characters. */
  Asked declaring(String name) {
    Tool tool = new Tool.Function(name, null, null, Json.Obj.EMPTY, null);
    return with(request.toBuilder().tools(List.of(tool)).build());
  }

  Asked with(InferenceRequest changed) {
    Asked other = new Asked(changed);
    other.endpoint = endpoint;
    other.reasoning = reasoning;
    other.cap = cap;
    other.hold = hold;
    other.user = user;
    return other;
  }

  InferenceRequest request() {
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

  static MessagesCodec wire() {
    return new MessagesCodec(URI.create("http://a/v1"), CODEC);
  }

  /** The body that leaves, as text with single quotes. */
  String written() {
    byte[] body = wire().body(call()).toByteArray();
    return new String(body, StandardCharsets.UTF_8).replace('"', '\'');
  }

  /** One member of it as text with single quotes; {@code absent}. */
  String member(String name) {
    Json value =
        parsed(new String(wire().body(call()).toByteArray(), StandardCharsets.UTF_8)).get(name);
    return value == null
        ? "absent"
        : new String(value.toBytes(), StandardCharsets.UTF_8).replace('"', '\'');
  }

  /** What was told to be lost by {@link #written} or {@link #member}. */
  List<String> lost() {
    return losses.stream()
        .map(loss -> (loss.kind() == Loss.Kind.DROPPED ? "-" : "~") + loss.subject())
        .distinct()
        .toList();
  }
}
