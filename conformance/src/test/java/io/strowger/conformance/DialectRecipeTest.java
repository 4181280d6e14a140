package io.strowger.conformance;

import io.strowger.providers.http.AnswerMemory;
import io.strowger.providers.upstream.EventReader;
import io.strowger.providers.upstream.HttpChatProvider;
import io.strowger.providers.upstream.TransportErrorClassifier;
import io.strowger.providers.upstream.UpstreamCodec;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.GenerationParameters;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.ReasoningOptions;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.model.Usage;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.ProviderFactory;
import io.strowger.spi.provider.ProviderSettings;
import io.strowger.spi.provider.Transport;
import io.strowger.spi.provider.UpstreamException;
import io.strowger.spi.routing.Loss;
import io.strowger.tck.ChatProviderContract;
import io.strowger.tck.Given;
import io.strowger.tck.ScriptedUpstream;
import io.strowger.tck.TestAmbient;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;

/**
 * Follows the recipe of CONTRIBUTING for a new dialect. Its requests are turns of text; its answers
 * are objects with {@code text}, of which the last has the token counts {@code in} and {@code out}.
 */
@DisplayName("The recipe that adds an upstream dialect gives an adapter that")
class DialectRecipeTest extends ChatProviderContract {
  // Step 1: an UpstreamCodec and an EventReader
  private record TurnsCodec(URI base) implements UpstreamCodec {
    @Override
    public String protocol() {
      return "acme-turns";
    }

    @Override
    public URI uri(Call call) {
      return UpstreamCodec.resolve(base, "turns");
    }

    @Override
    public Map<String, String> headers(Call call) {
      return Map.of("Authorization", "Bearer " + call.credential().reveal());
    }

    @Override
    public JsonOutput body(Call call) {
      InferenceRequest request = call.request();
      var turns = new ArrayList<Json>();
      if (request.instructions() instanceof Message first) {
        turns.add(turn(first, call));
      }
      request.messages().forEach(message -> turns.add(turn(message, call)));
      Json.Obj.Builder body =
          Json.object()
              .put("model", call.endpoint().upstreamModel())
              .put("stream", request.streaming())
              .put("turns", Json.array(turns))
              .putOrNull("user", call.endUser());
      if (call.outputCap() > 0) {
        body.put("limit", call.outputCap());
      }
      GenerationParameters parameters = request.generationParameters();
      parameters
          .values()
          .forEach(
              (parameter, value) -> {
                if (parameter == Parameter.TEMPERATURE && call.endpoint().supports(parameter)) {
                  body.put("temperature", value);
                } else {
                  lose(call, true, parameter.wireName());
                }
              });
      loseOtherParameters(call, parameters);
      JsonOutput out = UpstreamCodec.newOutput(call);
      body.build().writeTo(out);
      return out;
    }

    private static Json turn(Message message, Call call) {
      var text = new StringBuilder();
      for (Part part : message.parts()) {
        if (part instanceof Part.Text textPart) {
          text.append(textPart.text().text());
        } else {
          lose(call, true, "a part of a message that is not text");
        }
      }
      return Json.object()
          .put("role", message.role().wireName())
          .put("text", text.toString())
          .build();
    }

    private static void loseOtherParameters(Call call, GenerationParameters parameters) {
      parameters.dialectMembers().forEach((member, value) -> lose(call, true, member));
      lose(call, !parameters.stopSequences().isEmpty(), "stop");
      lose(call, parameters.format() != null, "response_format");
      lose(call, !call.request().tools().isEmpty(), "tools");
      lose(call, parameters.toolChoice() != null, "tool_choice");
      lose(call, parameters.parallelToolCalls() != null, "parallel_tool_calls");
      lose(call, !parameters.reasoning().equals(ReasoningOptions.NONE), "reasoning");
      lose(call, parameters.serviceTier() != null, "service_tier");
      lose(call, parameters.cacheControl() != null, "cache_control");
    }

    private static void lose(Call call, boolean isPresent, String what) {
      if (isPresent) {
        call.losses().accept(new Loss(what, Loss.Kind.DROPPED, "this dialect has none"));
      }
    }

    @Override
    public Answer answer(Json.Obj document, Call call) throws UpstreamException {
      if (!document.has("out")) {
        throw new UpstreamException(TransportErrorClassifier.protocolError("no answer"));
      }
      String text = Objects.requireNonNullElse(document.text("text"), "");
      return new Answer(
          List.of(new Part.Text(text)),
          StopReason.END,
          null,
          usage(document),
          call.request().dialect(),
          null);
    }

    static Usage usage(Json.Obj document) {
      return Usage.builder()
          .freshInput(Math.max(0, document.longValue("in", 0)))
          .outputText(Math.max(0, document.longValue("out", 0)))
          .build();
    }

    @Override
    public EventReader events(Call call) {
      return new TurnsReader();
    }
  }

  private static final class TurnsReader implements EventReader {
    private final Deque<Event> waiting = new ArrayDeque<>();
    private boolean finished;

    @Override
    public void readFrame(Json document, byte[] bytes, String name) {
      if (document instanceof Json.Obj frame && frame.text("text") instanceof String text) {
        waiting.add(new Event.TextDelta(text));
      } else if (document instanceof Json.Obj frame && frame.has("out")) {
        waiting.add(new Event.UsageReport(TurnsCodec.usage(frame), null));
        finished = true;
      } else {
        queueProtocolFailure("an unknown frame");
      }
    }

    @Override
    public Deque<Event> queue() {
      return waiting;
    }

    @Override
    public boolean isFinished() {
      return finished;
    }

    @Override
    public Event finish() {
      return new Event.Finished(StopReason.END, null, null);
    }
  }

  // Step 2: a ProviderFactory, which names the protocol and makes an HttpChatProvider of the codec
  private record TurnsFactory(Transport transport, AnswerMemory memory) implements ProviderFactory {
    @Override
    public String protocol() {
      return "acme-turns";
    }

    @Override
    public ChatProvider create(ProviderSettings settings) {
      var codec = new TurnsCodec(settings.baseUri());
      return new HttpChatProvider(transport, settings, codec, memory);
    }
  }

  // Step 3: ChatProviderContract in a test; a dialect of this project is in DialectUpstream as well
  @Override
  protected ProviderSetup connect(TestAmbient ambient) {
    return new ScriptedUpstream(ambient, new TurnsProtocol());
  }

  private static final class TurnsProtocol implements ScriptedUpstream.Protocol {
    @Override
    public ProviderFactory factory(Transport transport) {
      return new TurnsFactory(transport, AnswerMemory.ofHeap());
    }

    @Override
    public Endpoint endpoint() {
      return Given.endpoint("acme", "acme/one", "1").toBuilder()
          .upstreamModel("one-large")
          .parameters(Parameter.mask(List.of(Parameter.TEMPERATURE, Parameter.MAX_TOKENS)))
          .build();
    }

    @Override
    public String lastText(Json.Obj request) {
      Json.Arr turns = Objects.requireNonNull(request.list("turns"));
      return Objects.requireNonNull(((Json.Obj) turns.getLast()).text("text"));
    }

    @Override
    public String answer(String text) {
      return Json.object().put("text", text).put("in", 3).put("out", 5).build().toString();
    }

    @Override
    public String piece(String text) {
      return "data: " + Json.object().put("text", text).build() + "\n\n";
    }

    @Override
    public String end() {
      return "data: {\"in\":3,\"out\":5}\n\n";
    }
  }
}
