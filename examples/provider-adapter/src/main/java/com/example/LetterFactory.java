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

/** Speaks to upstreams without streams, which take turns of text and answer {"text","in","out"}. */
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
      drop(call);
      return Json.object()
          .put("model", call.endpoint().upstreamModel())
          .put("turns", Json.array(turns.toArray(new Json[0])))
          .build();
    }

    private static Json turn(Message message, Call call) {
      var text = new StringBuilder();
      for (Part part : message.parts()) {
        if (part instanceof Part.Text said) {
          text.append(said.text().text());
        } else {
          lost(call, "a part of a message that is not text");
        }
      }
      return Json.object()
          .put("role", message.role().wireName())
          .put("text", text.toString())
          .build();
    }

    /** All that a request may say besides its conversation, and this protocol has no word for. */
    private static void drop(Call call) {
      GenerationParameters asked = call.request().generationParameters();
      asked.values().forEach((parameter, value) -> lost(call, parameter.wireName()));
      asked.dialectMembers().forEach((member, value) -> lost(call, member));
      lostIf(call, !asked.stopSequences().isEmpty(), "stop");
      lostIf(call, asked.format() != null, "response_format");
      lostIf(call, !call.request().tools().isEmpty(), "tools");
      lostIf(call, asked.toolChoice() != null, "tool_choice");
      lostIf(call, asked.parallelToolCalls() != null, "parallel_tool_calls");
      lostIf(call, !asked.reasoning().equals(ReasoningOptions.NONE), "reasoning");
      lostIf(call, asked.serviceTier() != null, "service_tier");
      lostIf(call, asked.cacheControl() != null, "cache_control");
      lostIf(call, call.endUser() != null, "user");
    }

    private static void lostIf(Call call, boolean said, String what) {
      if (said) {
        lost(call, what);
      }
    }

    private static void lost(Call call, String what) {
      call.losses().accept(new Loss(what, Loss.Kind.DROPPED, "this protocol has none"));
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
        if (!(settings.codec().parse(document) instanceof Json.Obj said)
            || said.text("text") == null) {
          throw new ProtocolException("no text in the answer");
        }
        return answer(call, said);
      } catch (IOException | JsonCodec.MalformedJsonException e) {
        throw new UpstreamException(failure(e, call.cancellation().cause()));
      }
    }

    private static EventStream answer(Call call, Json.Obj said) {
      Usage usage =
          Usage.builder()
              .freshInput(Math.max(0, said.longValue("in", 0)))
              .outputText(Math.max(0, said.longValue("out", 0)))
              .build();
      var answer =
          new Answer(
              List.of(new Part.Text(said.text("text"))),
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
          ? Failure.of(FailureKind.PROTOCOL, "what came is no answer")
          : Failure.ofLostConnection(FailureKind.UNAVAILABLE, "no connection, or it broke");
    }

    @Override
    public void close() {
      // nothing is open once an answer is there
    }
  }
}
