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

/** Correct interceptors, and many that each break the contract in one way. */
final class BrokenInterceptors {
  private BrokenInterceptors() {}

  static InterceptorContract contract(Interceptor interceptor) {
    return new Contract(interceptor);
  }

  /** Returns the contract for an interceptor that acts on every request. */
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

  /** Returns the contract for an interceptor that must keep a word out of all requests. */
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

  private static List<Event> readAll(EventStream stream) {
    var events = new ArrayList<Event>();
    for (Event event = stream.next(); event != null; event = stream.next()) {
      events.add(event);
    }
    return events;
  }

  /** Correct: adds a note, and makes and settles a hold, for a request with the text "act". */
  static final class CorrectInterceptor implements Interceptor {
    @Override
    public EventStream intercept(InferenceRequest request, Chain chain) {
      if (Given.lastText(request).equals("act")) {
        chain.hold(new Usd(1), "reading").settle(Usd.ZERO);
        chain.note("read");
      }
      return chain.proceed(request);
    }
  }

  /** Correct: refuses each request on which it acts. */
  static final class CorrectBlocker implements Interceptor {
    @Override
    public EventStream intercept(InferenceRequest request, Chain chain) {
      if (!Given.lastText(request).equals("act")) {
        return chain.proceed(request);
      }
      chain.note("refused");
      var error = GatewayError.of(ErrorCode.CONTENT_POLICY_VIOLATION, "not permitted here");
      return EventStream.of(List.of(new Event.Failed(error, null)));
    }
  }

  /** Refuses, by an exception, a request that has the forbidden word in any text. */
  static final class CorrectThrower implements Interceptor {
    private final ErrorCode code;

    CorrectThrower(ErrorCode code) {
      this.code = code;
    }

    @Override
    public EventStream intercept(InferenceRequest request, Chain chain) {
      request.editTexts(
          (text, kind) -> {
            if (text.contains(Redactor.WORD)) {
              throw GatewayError.of(code, "not permitted here").toException();
            }
            return text;
          });
      return chain.proceed(request);
    }
  }

  /** Correct: changes every request. */
  static final class CorrectEverywhere implements Interceptor {
    @Override
    public EventStream intercept(InferenceRequest request, Chain chain) {
      return chain.proceed(request.toBuilder().user("house").build());
    }
  }

  /** Passes on all events of an answer except the final one. */
  static final class OmitsEnd implements Interceptor {
    @Override
    public EventStream intercept(InferenceRequest request, Chain chain) {
      try (EventStream stream = chain.proceed(request)) {
        List<Event> events = readAll(stream);
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

  static final class UsesNetworkUndeclared implements Interceptor {
    @Override
    public EventStream intercept(InferenceRequest request, Chain chain) {
      try (HttpClient client = HttpClient.newHttpClient()) {
        chain.note("asked by " + client.version());
      }
      return chain.proceed(request);
    }
  }

  /** Calls a library that sleeps. */
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

  static final class ProceedsTwice implements Interceptor {
    @Override
    public EventStream intercept(InferenceRequest request, Chain chain) {
      chain.proceed(request).close();
      return chain.proceed(request);
    }
  }

  static final class CollectsPieces implements Interceptor {
    @Override
    public EventStream intercept(InferenceRequest request, Chain chain) {
      try (EventStream stream = chain.proceed(request)) {
        return EventStream.of(readAll(stream));
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
          // does not close the stream
        }
      };
    }
  }

  static final class ForgetsToCloseAfterFailure implements Interceptor {
    @Override
    public EventStream intercept(InferenceRequest request, Chain chain) {
      EventStream stream = chain.proceed(request);
      List<Event> events = readAll(stream);
      stream.close();
      return EventStream.of(events);
    }
  }

  static final class EndsTwice implements Interceptor {
    @Override
    public EventStream intercept(InferenceRequest request, Chain chain) {
      try (EventStream stream = chain.proceed(request)) {
        List<Event> events = readAll(stream);
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

  static final class NotesCount implements Interceptor {
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
        return EventStream.of(List.of()); // does not pass the request on
      }
      return chain.proceed(request);
    }
  }

  /** The texts that a redactor may overlook. */
  enum TextPlace {
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

  /** Replaces a word in the texts at these places, and always in messages. */
  record Redactor(Set<TextPlace> places) implements Interceptor, TextEditor {
    static final String WORD = "sesame";

    static Redactor without(TextPlace overlooked) {
      return new Redactor(EnumSet.complementOf(EnumSet.of(overlooked)));
    }

    @Override
    public EventStream intercept(InferenceRequest request, Chain chain) {
      return chain.proceed(redacted(request));
    }

    InferenceRequest redacted(InferenceRequest request) {
      InferenceRequest edited = request.editTexts(this);
      if (!places.contains(TextPlace.INSTRUCTIONS)) {
        edited = edited.toBuilder().instructions(request.instructions()).build();
      }
      Json metadata = request.members().get("metadata");
      if (!places.contains(TextPlace.METADATA) && metadata != null) {
        edited = edited.toBuilder().member("metadata", metadata).build();
      }
      if (!places.contains(TextPlace.LATER_PARTS) || !places.contains(TextPlace.FILES)) {
        edited = edited.toBuilder().messages(withOverlookedParts(request, edited)).build();
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
        case TOOL_RESULT -> places.contains(TextPlace.TOOL_RESULTS);
        case TOOL_ARGUMENTS -> places.contains(TextPlace.ARGUMENTS);
        case THINKING -> places.contains(TextPlace.THOUGHTS);
        case TOOL_DECLARATION -> places.contains(TextPlace.DECLARATIONS);
        case SETTING -> places.contains(TextPlace.SETTINGS);
        case OTHER -> places.contains(TextPlace.OTHERS);
      };
    }

    @Override
    public List<String> editAdjacent(List<String> texts, TextKind kind) {
      return places.contains(TextPlace.SPLIT_TEXTS)
          ? TextEditor.super.editAdjacent(texts, kind)
          : texts;
    }

    /** Returns the edited messages, with the original parts at the places that are overlooked. */
    private List<Message> withOverlookedParts(InferenceRequest request, InferenceRequest edited) {
      var messages = new ArrayList<Message>();
      for (int i = 0; i < edited.messages().size(); i++) {
        Message message = edited.messages().get(i);
        List<Part> originals = request.messages().get(i).parts();
        var parts = new ArrayList<>(message.parts());
        for (int part = 0; part < parts.size(); part++) {
          boolean file =
              originals.get(part) instanceof Part.File && !places.contains(TextPlace.FILES);
          if (file || part > 0 && !places.contains(TextPlace.LATER_PARTS)) {
            parts.set(part, originals.get(part));
          }
        }
        messages.add(parts.equals(message.parts()) ? message : message.withParts(parts));
      }
      return messages;
    }
  }

  /** Replaces the word in the JSON text of arguments, and so misses it where it is escaped. */
  static final class ReplacesInText implements Interceptor {
    @Override
    public EventStream intercept(InferenceRequest request, Chain chain) {
      var messages = request.messages().stream().map(ReplacesInText::replaced).toList();
      InferenceRequest replaced = request.toBuilder().messages(messages).build();
      return chain.proceed(Redactor.without(TextPlace.ARGUMENTS).redacted(replaced));
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
    private volatile String text = "";

    @Override
    public EventStream intercept(InferenceRequest request, Chain chain) {
      text = Given.lastText(request);
      EventStream stream = chain.proceed(request);
      if (text.equals("act")) {
        chain.note("acted");
      }
      return stream;
    }
  }

  /** Returns a complete answer instead of a cancelled one. */
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
