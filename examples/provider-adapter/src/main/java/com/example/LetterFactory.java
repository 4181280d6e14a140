package com.example;

import io.strowger.spi.error.Failure;
import io.strowger.spi.error.FailureKind;
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
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.provider.JsonCodec;
import io.strowger.spi.provider.ProviderFactory;
import io.strowger.spi.provider.ProviderSettings;
import io.strowger.spi.provider.Transport;
import io.strowger.spi.provider.UpstreamException;
import io.strowger.spi.routing.Loss;
import java.io.IOException;
import java.net.ProtocolException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;

/**
 * Creates adapters for upstreams that do not stream: they accept turns of text and answer {@code
 * {"text","in","out"}}.
 */
public record LetterFactory(Transport transport) implements ProviderFactory {
  private static final int MAX_BYTES = 1 << 20;

  @Override
  public String protocol() {
    return "example-letters";
  }

  @Override
  public ChatProvider create(ProviderSettings settings) {
    return new LetterProvider(transport, settings);
  }

  private record LetterProvider(Transport transport, ProviderSettings settings)
      implements ChatProvider {
    @Override
    public Json body(Call call) {
      InferenceRequest request = call.request();
      var turns = new ArrayList<Json>();
      if (request.instructions() != null) {
        turns.add(turn(request.instructions(), call));
      }
      request.messages().forEach(message -> turns.add(turn(message, call)));
      reportLosses(call);
      return Json.object()
          .put("model", call.endpoint().upstreamModel())
          .put("turns", Json.array(turns.toArray(new Json[0])))
          .build();
    }

    private static Json turn(Message message, Call call) {
      var text = new StringBuilder();
      for (Part part : message.parts()) {
        if (part instanceof Part.Text textPart) {
          text.append(textPart.text().text());
        } else {
          report(call, "a part of a message that is not text");
        }
      }
      return Json.object()
          .put("role", message.role().wireName())
          .put("text", text.toString())
          .build();
    }

    /**
     * Reports all that a request has besides its conversation: this protocol has no form for it.
     */
    private static void reportLosses(Call call) {
      GenerationParameters parameters = call.request().generationParameters();
      parameters.values().forEach((parameter, value) -> report(call, parameter.wireName()));
      parameters.dialectMembers().forEach((member, value) -> report(call, member));
      reportIf(call, !parameters.stopSequences().isEmpty(), "stop");
      reportIf(call, parameters.format() != null, "response_format");
      reportIf(call, !call.request().tools().isEmpty(), "tools");
      reportIf(call, parameters.toolChoice() != null, "tool_choice");
      reportIf(call, parameters.parallelToolCalls() != null, "parallel_tool_calls");
      reportIf(call, !parameters.reasoning().equals(ReasoningOptions.NONE), "reasoning");
      reportIf(call, parameters.serviceTier() != null, "service_tier");
      reportIf(call, parameters.cacheControl() != null, "cache_control");
      reportIf(call, call.endUser() != null, "user");
    }

    private static void reportIf(Call call, boolean isSet, String what) {
      if (isSet) {
        report(call, what);
      }
    }

    private static void report(Call call, String what) {
      call.losses().accept(new Loss(what, Loss.Kind.DROPPED, "has no form in this protocol"));
    }

    @Override
    public EventStream open(Call call) throws UpstreamException {
      var body = new JsonOutput(1024);
      body(call).writeTo(body);
      var headers = new HashMap<>(settings.headers());
      headers.put("Authorization", "Bearer " + call.credential().reveal());
      var request =
          new Transport.Request(
              settings.baseUri(),
              headers,
              body,
              settings.connectTimeout(),
              call.readTimeout(),
              call.cancellation());
      try (Transport.Response response = transport.send(request)) {
        if (response.status() != 200) {
          throw new UpstreamException(refusal(response));
        }
        byte[] document = response.body().readNBytes(MAX_BYTES);
        if (!(settings.codec().parse(document) instanceof Json.Obj letter)
            || letter.text("text") == null) {
          throw new ProtocolException("the answer has no text");
        }
        return answer(call, letter);
      } catch (IOException | JsonCodec.MalformedJsonException e) {
        throw new UpstreamException(failure(e, call.cancellation().cause()));
      }
    }

    private static EventStream answer(Call call, Json.Obj letter) {
      Usage usage =
          Usage.builder()
              .freshInput(Math.max(0, letter.longValue("in", 0)))
              .outputText(Math.max(0, letter.longValue("out", 0)))
              .build();
      var answer =
          new Answer(
              List.of(new Part.Text(letter.text("text"))),
              StopReason.END,
              null,
              usage,
              call.request().dialect(),
              null);
      return EventStream.of(
          List.of(new Event.UsageReport(usage, null), new Event.CompleteAnswer(answer)));
    }

    private static Failure refusal(Transport.Response response) {
      int status = response.status();
      String wait = response.header("Retry-After");
      long seconds = wait != null && wait.matches("[0-9]{1,9}") ? Long.parseLong(wait) : -1;
      return new Failure(
          FailureKind.ofStatus(status), status, seconds, "the upstream answered " + status);
    }

    private static Failure failure(Exception e, Cancellation.Cause cause) {
      if (cause != null) {
        return Failure.of(
            cause.isTimeout() ? FailureKind.TIMEOUT : FailureKind.CANCELLED, "ended: " + cause);
      }
      boolean malformed =
          e instanceof ProtocolException || e instanceof JsonCodec.MalformedJsonException;
      return malformed
          ? Failure.of(FailureKind.PROTOCOL, "the upstream sent something other than an answer")
          : Failure.ofLostConnection(FailureKind.UNAVAILABLE, "the connection failed");
    }

    @Override
    public void close() {
      // no connection stays open after an answer
    }
  }
}
