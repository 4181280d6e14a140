package io.strowger.tck;

import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.TextEditor;
import io.strowger.spi.model.TextKind;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.provider.EventStream;
import java.net.http.HttpClient;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A good interceptor, and many that are each broken in one way. */
final class BrokenInterceptors {
  private BrokenInterceptors() {}

  static InterceptorContract contract(Interceptor interceptor) {
    return new Contract(interceptor);
  }

  /** The contract for those that act on every request. */
  static InterceptorContract everywhere(Interceptor interceptor) {
    return new InterceptorContract() {
      @Override
      protected Interceptor interceptor() {
        return interceptor;
      }

      @Override
      protected InferenceRequest actingRequest() {
        return Given.streaming("acme/one", "act");
      }

      @Override
      protected @Nullable InferenceRequest passingRequest() {
        return null;
      }
    };
  }

  /** The contract for those that let a word through to nobody. */
  static InterceptorContract redacting(Interceptor interceptor) {
    return new RedactorContract(interceptor);
  }

  private static final class RedactorContract extends InterceptorContract {
    private final Interceptor interceptor;

    RedactorContract(Interceptor interceptor) {
      this.interceptor = interceptor;
    }

    @Override
    protected Interceptor interceptor() {
      return interceptor;
    }

    @Override
    protected InferenceRequest actingRequest() {
      return Given.streaming("acme/one", Redactor.WORD);
    }

    @Override
    protected InferenceRequest passingRequest() {
      return Given.streaming("acme/one", "pass");
    }

    @Override
    protected Optional<String> forbiddenText() {
      return Optional.of(Redactor.WORD);
    }
  }

  private static final class Contract extends InterceptorContract {
    private final Interceptor interceptor;

    Contract(Interceptor interceptor) {
      this.interceptor = interceptor;
    }

    @Override
    protected Interceptor interceptor() {
      return interceptor;
    }

    @Override
    protected InferenceRequest actingRequest() {
      return Given.streaming("acme/one", "act");
    }

    @Override
    protected InferenceRequest passingRequest() {
      return Given.streaming("acme/one", "pass");
    }
  }

  private static List<Event> all(EventStream stream) {
    var events = new ArrayList<Event>();
    for (Event event = stream.next(); event != null; event = stream.next()) {
      events.add(event);
    }
    return events;
  }

  /** Leaves a note with a request that says so, and sets money aside for it meanwhile. */
  static final class Good implements Interceptor {
    @Override
    public EventStream intercept(InferenceRequest request, Chain chain) {
      if (Given.lastText(request).equals("act")) {
        chain.hold(new Usd(1), "reading").settle(Usd.ZERO);
        chain.note("read");
      }
      return chain.proceed(request);
    }
  }

  /** Lets no request through that it acts on: refuses it instead. */
  static final class GoodBlocker implements Interceptor {
    @Override
    public EventStream intercept(InferenceRequest request, Chain chain) {
      if (!Given.lastText(request).equals("act")) {
        return chain.proceed(request);
      }
      chain.note("refused");
      var error = GatewayError.of(ErrorCode.CONTENT_POLICY_VIOLATION, "not in this house");
      return EventStream.of(List.of(new Event.Failed(error, null)));
    }
  }

  /** Refuses a request with a forbidden word in any of its texts, by an exception. */
  static final class GoodThrower implements Interceptor {
    private final ErrorCode code;

    GoodThrower(ErrorCode code) {
      this.code = code;
    }

    @Override
    public EventStream intercept(InferenceRequest request, Chain chain) {
      request.editTexts(
          (text, kind) -> {
            if (text.contains(Redactor.WORD)) {
              throw GatewayError.of(code, "not in this house").toException();
            }
            return text;
          });
      return chain.proceed(request);
    }
  }

  /** Acts on every request there is. */
  static final class GoodEverywhere implements Interceptor {
    @Override
    public EventStream intercept(InferenceRequest request, Chain chain) {
      return chain.proceed(request.toBuilder().user("house").build());
    }
  }

  /** Gives on all of an answer but its end. */
  static final class NeverEnds implements Interceptor {
    @Override
    public EventStream intercept(InferenceRequest request, Chain chain) {
      try (EventStream stream = chain.proceed(request)) {
        List<Event> events = all(stream);
        events.removeIf(Event::isTerminal);
        return EventStream.of(events);
      }
    }
  }

  static final class ReadsClock implements Interceptor {
    @Override
    public EventStream intercept(InferenceRequest request, Chain chain) {
      chain.note(LocalDate.now(ZoneOffset.UTC).getYear() > 2000 ? "late" : "early");
      return chain.proceed(request);
    }
  }

  static final class MakesRandomIds implements Interceptor {
    @Override
    public EventStream intercept(InferenceRequest request, Chain chain) {
      return chain.proceed(request.toBuilder().user(UUID.randomUUID().toString()).build());
    }
  }

  static final class CallsHomeUnsaid implements Interceptor {
    @Override
    public EventStream intercept(InferenceRequest request, Chain chain) {
      try (HttpClient client = HttpClient.newHttpClient()) {
        chain.note("asked by " + client.version());
      }
      return chain.proceed(request);
    }
  }

  /** Has a library wait for it. */
  static final class SleepsInLibrary implements Interceptor {
    @Override
    public EventStream intercept(InferenceRequest request, Chain chain) {
      try {
        TestAmbient.realTime().sleep(Duration.ofMillis(1));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return chain.proceed(request);
    }
  }

  static final class LeavesPool implements Interceptor {
    private final ExecutorService pool =
        Executors.newSingleThreadExecutor(
            task -> {
              var thread = new Thread(task, "scanner");
              thread.setDaemon(true);
              return thread;
            });

    @Override
    public EventStream intercept(InferenceRequest request, Chain chain) {
      pool.execute(() -> {});
      return chain.proceed(request);
    }
  }

  static final class LeavesVirtualThread implements Interceptor {
    @Override
    public EventStream intercept(InferenceRequest request, Chain chain) {
      Thread.ofVirtual().start(() -> BrokenRouters.linger());
      return chain.proceed(request);
    }
  }

  static final class CopiesWhatItPasses implements Interceptor {
    @Override
    public EventStream intercept(InferenceRequest request, Chain chain) {
      return chain.proceed(request.toBuilder().build());
    }
  }

  static final class AsksTwice implements Interceptor {
    @Override
    public EventStream intercept(InferenceRequest request, Chain chain) {
      chain.proceed(request).close();
      return chain.proceed(request);
    }
  }

  static final class HoldsBackPieces implements Interceptor {
    @Override
    public EventStream intercept(InferenceRequest request, Chain chain) {
      try (EventStream stream = chain.proceed(request)) {
        return EventStream.of(all(stream));
      }
    }
  }

  static final class ForgetsToClose implements Interceptor {
    @Override
    public EventStream intercept(InferenceRequest request, Chain chain) {
      EventStream stream = chain.proceed(request);
      return new EventStream() {
        @Override
        public @Nullable Event next() {
          return stream.next();
        }

        @Override
        public boolean ready() {
          return stream.ready();
        }

        @Override
        public void close() {
          // forgotten
        }
      };
    }
  }

  static final class ForgetsToCloseAfterFailure implements Interceptor {
    @Override
    public EventStream intercept(InferenceRequest request, Chain chain) {
      EventStream stream = chain.proceed(request);
      List<Event> events = all(stream);
      stream.close();
      return EventStream.of(events);
    }
  }

  static final class EndsTwice implements Interceptor {
    @Override
    public EventStream intercept(InferenceRequest request, Chain chain) {
      try (EventStream stream = chain.proceed(request)) {
        List<Event> events = all(stream);
        events.add(new Event.CompleteAnswer(Given.answer("again")));
        return EventStream.of(events);
      }
    }
  }

  static final class KeepsMoney implements Interceptor {
    @Override
    public EventStream intercept(InferenceRequest request, Chain chain) {
      chain.hold(new Usd(1), "reading");
      return chain.proceed(request);
    }
  }

  static final class ClearsInterruption implements Interceptor {
    @Override
    public EventStream intercept(InferenceRequest request, Chain chain) {
      Thread.interrupted();
      return chain.proceed(request);
    }
  }

  static final class NotesSomethingElse implements Interceptor {
    private final AtomicInteger count = new AtomicInteger();

    @Override
    public EventStream intercept(InferenceRequest request, Chain chain) {
      if (Given.lastText(request).equals("act")) {
        chain.note("the " + count.incrementAndGet() + "th");
      }
      return chain.proceed(request);
    }
  }

  static final class AnswersInChatOnly implements Interceptor {
    @Override
    public EventStream intercept(InferenceRequest request, Chain chain) {
      return request.dialect() == Dialect.CHAT
          ? chain.proceed(request)
          : chain.proceed(
              InferenceRequest.builder(Dialect.CHAT, request.members())
                  .models(request.models())
                  .messages(request.messages())
                  .build());
    }
  }

  static final class TrustsFirstMessage implements Interceptor {
    @Override
    public EventStream intercept(InferenceRequest request, Chain chain) {
      if (!(request.messages().getFirst().parts().getFirst() instanceof Part.Text)) {
        return EventStream.of(List.of()); // nothing to say of it
      }
      return chain.proceed(request);
    }
  }

  /** What a redactor looks into. */
  enum Look {
    INSTRUCTIONS,
    LATER_PARTS,
    SPLIT_TEXTS,
    FILES,
    METADATA,
    TOOL_RESULTS,
    ARGUMENTS,
    THOUGHTS,
    DECLARATIONS,
    SETTINGS,
    OTHERS
  }

  /** Takes a word out of what it looks into: messages always. */
  record Redactor(Set<Look> looks) implements Interceptor, TextEditor {
    static final String WORD = "sesame";

    static Redactor without(Look overlooked) {
      return new Redactor(EnumSet.complementOf(EnumSet.of(overlooked)));
    }

    @Override
    public EventStream intercept(InferenceRequest request, Chain chain) {
      return chain.proceed(redacted(request));
    }

    InferenceRequest redacted(InferenceRequest request) {
      InferenceRequest edited = request.editTexts(this);
      if (!looks.contains(Look.INSTRUCTIONS)) {
        edited = edited.toBuilder().instructions(request.instructions()).build();
      }
      Json metadata = request.members().get("metadata");
      if (!looks.contains(Look.METADATA) && metadata != null) {
        edited = edited.toBuilder().member("metadata", metadata).build();
      }
      if (!looks.contains(Look.LATER_PARTS) || !looks.contains(Look.FILES)) {
        edited = edited.toBuilder().messages(overlooked(request, edited)).build();
      }
      return edited;
    }

    @Override
    public String edit(String text, TextKind kind) {
      return text.replace(WORD, "...");
    }

    @Override
    public boolean edits(TextKind kind) {
      return switch (kind) {
        case INSTRUCTIONS, USER, ASSISTANT -> true;
        case TOOL_RESULT -> looks.contains(Look.TOOL_RESULTS);
        case TOOL_ARGUMENTS -> looks.contains(Look.ARGUMENTS);
        case THINKING -> looks.contains(Look.THOUGHTS);
        case TOOL_DECLARATION -> looks.contains(Look.DECLARATIONS);
        case SETTING -> looks.contains(Look.SETTINGS);
        case OTHER -> looks.contains(Look.OTHERS);
      };
    }

    @Override
    public List<String> editAdjacent(List<String> texts, TextKind kind) {
      return looks.contains(Look.SPLIT_TEXTS) ? TextEditor.super.editAdjacent(texts, kind) : texts;
    }

    /** The edited messages with what is overlooked as it was. */
    private List<Message> overlooked(InferenceRequest request, InferenceRequest edited) {
      var messages = new ArrayList<Message>();
      for (int i = 0; i < edited.messages().size(); i++) {
        Message message = edited.messages().get(i);
        List<Part> was = request.messages().get(i).parts();
        var parts = new ArrayList<>(message.parts());
        for (int part = 0; part < parts.size(); part++) {
          boolean file = was.get(part) instanceof Part.File && !looks.contains(Look.FILES);
          if (file || part > 0 && !looks.contains(Look.LATER_PARTS)) {
            parts.set(part, was.get(part));
          }
        }
        messages.add(parts.equals(message.parts()) ? message : message.withParts(parts));
      }
      return messages;
    }
  }

  /** Sees of arguments what is written, not what a tool reads. */
  static final class ReplacesInText implements Interceptor {
    @Override
    public EventStream intercept(InferenceRequest request, Chain chain) {
      var messages = request.messages().stream().map(ReplacesInText::replaced).toList();
      InferenceRequest replaced = request.toBuilder().messages(messages).build();
      return chain.proceed(Redactor.without(Look.ARGUMENTS).redacted(replaced));
    }

    private static Message replaced(Message message) {
      return message.withParts(message.parts().stream().map(ReplacesInText::replaced).toList());
    }

    private static Part replaced(Part part) {
      if (!(part instanceof Part.ToolCall call)) {
        return part;
      }
      Json.Str arguments = Json.of(call.arguments().text().replace(Redactor.WORD, "..."));
      return new Part.ToolCall(call.id(), call.name(), arguments, call.extras(), null);
    }
  }

  static final class KeepsRequestInField implements Interceptor {
    private volatile String asked = "";

    @Override
    public EventStream intercept(InferenceRequest request, Chain chain) {
      asked = Given.lastText(request);
      EventStream stream = chain.proceed(request);
      if (asked.equals("act")) {
        chain.note("acted");
      }
      return stream;
    }
  }

  /** Makes a complete answer of one that was cancelled. */
  static final class SwallowsCancellation implements Interceptor {
    @Override
    public EventStream intercept(InferenceRequest request, Chain chain) {
      EventStream stream = chain.proceed(request);
      return new EventStream() {
        private boolean ended;

        @Override
        public @Nullable Event next() {
          if (ended) {
            return null;
          }
          Event event;
          try {
            event = stream.next();
          } catch (RuntimeException e) {
            event = null;
          }
          if (chain.cancellation().isCancelled() && (event == null || event.isTerminal())) {
            ended = true;
            return new Event.CompleteAnswer(Given.answer("all is well"));
          }
          return event;
        }

        @Override
        public boolean ready() {
          return stream.ready();
        }

        @Override
        public void close() {
          stream.close();
        }
      };
    }
  }
}
