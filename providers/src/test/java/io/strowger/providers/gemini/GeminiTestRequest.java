package io.strowger.providers.gemini;

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
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A request of another dialect that is translated to the gemini dialect, with its losses. {@link
 * #jsonOf}, the factories and the returned texts use single quotes instead of double ones.
 */
final class GeminiTestRequest {
  static final JsonCodec CODEC = new JacksonCodec();
  private static final PluginChecks NO_PLUGINS = (entries, at, problems) -> {};

  private final InferenceRequest request;
  private final List<Loss> losses = new ArrayList<>();
  private Endpoint endpoint =
      Given.endpoint("alpha", "lab/model", "1").toBuilder().upstreamModel("their-name").build();
  private ModelInfo.Reasoning reasoning = ModelInfo.Reasoning.NONE;
  private int cap;
  private @Nullable String endUser;

  private GeminiTestRequest(InferenceRequest request) {
    this.request = request;
  }

  /** Returns an object that is written with single quotes. */
  static Json.Obj jsonOf(String text) {
    return parseObject(text.replace('\'', '"'));
  }

  /** Returns an object that is written with double quotes. */
  static Json.Obj parseObject(String text) {
    return (Json.Obj) parse(text);
  }

  /** Returns a value that is written with double quotes. */
  static Json parse(String text) {
    try {
      return CODEC.parse(text.getBytes(StandardCharsets.UTF_8));
    } catch (JsonCodec.MalformedJsonException malformed) {
      throw new AssertionError(text, malformed);
    }
  }

  /** Returns a chat request with these messages, followed by more members. */
  static GeminiTestRequest chat(String messages, String... more) {
    Json.Obj body = jsonOf("{'model':'lab/model','messages':[" + messages + "]" + rest(more) + "}");
    var problems = new Problems();
    InferenceRequest request = new ChatDecoder(NO_PLUGINS).decode(body, problems);
    problems.throwIfAny();
    return new GeminiTestRequest(request);
  }

  /** Returns a request of the messages dialect. */
  static GeminiTestRequest messages(String messages, String... more) {
    Json.Obj body =
        jsonOf(
            "{'model':'lab/model','max_tokens':900,'messages':["
                + messages
                + "]"
                + rest(more)
                + "}");
    var problems = new Problems();
    InferenceRequest request = new MessagesDecoder(NO_PLUGINS).decode(body, problems);
    problems.throwIfAny();
    return new GeminiTestRequest(request);
  }

  /** Returns a request of the responses dialect. */
  static GeminiTestRequest responses(String input, String... more) {
    Json.Obj body = jsonOf("{'model':'lab/model','input':[" + input + "]" + rest(more) + "}");
    var problems = new Problems();
    InferenceRequest request = new ResponsesDecoder(NO_PLUGINS).decode(body, problems);
    problems.throwIfAny();
    return new GeminiTestRequest(request);
  }

  private static String rest(String... members) {
    return members.length == 0 ? "" : "," + String.join(",", members);
  }

  static GeminiTestRequest of(InferenceRequest request) {
    return new GeminiTestRequest(request);
  }

  GeminiTestRequest endpoint(java.util.function.UnaryOperator<Endpoint.Builder> change) {
    endpoint = change.apply(endpoint.toBuilder()).build();
    return this;
  }

  GeminiTestRequest reasoning(boolean mandatory, boolean budgets, String... efforts) {
    reasoning = new ModelInfo.Reasoning(mandatory, List.of(efforts), budgets);
    return this;
  }

  GeminiTestRequest cap(int tokens) {
    cap = tokens;
    return this;
  }

  GeminiTestRequest endUser(String hash) {
    endUser = hash;
    return this;
  }

  InferenceRequest request() {
    return request;
  }

  Call call() {
    return new Call(
        endpoint,
        new Credential("key-1"),
        request,
        cap,
        endUser,
        Duration.ofSeconds(30),
        reasoning,
        losses::add,
        new Cancellation());
  }

  /** Returns the body that is sent upstream. */
  Json.Obj written() {
    losses.clear();
    return parseObject(
        new String(GeminiRequestWriter.of(call(), CODEC).toByteArray(), StandardCharsets.UTF_8));
  }

  /** Returns a member of the body with single quotes; empty when it is absent. */
  String member(String name) {
    Json value = written().get(name);
    return value == null ? "" : text(value);
  }

  /** Returns {@code contents} with one line for each content: its role and its parts. */
  String contents() {
    var lines = new ArrayList<String>();
    for (Json item : Objects.requireNonNull(written().list("contents"))) {
      var content = (Json.Obj) item;
      lines.add(content.text("role") + " " + text(Objects.requireNonNull(content.get("parts"))));
    }
    return String.join("\n", lines);
  }

  static String text(Json value) {
    return new String(value.toBytes(), StandardCharsets.UTF_8).replace('"', '\'');
  }

  /** Writes the body and returns its losses, each as its kind and its subject. */
  List<String> losses() {
    written();
    return losses.stream().map(loss -> loss.kind() + " " + loss.subject()).toList();
  }
}
