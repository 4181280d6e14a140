package io.strowger.tck;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.error.Failure;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.model.Tool;
import io.strowger.spi.model.Usage;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.provider.JsonCodec.MalformedJsonException;
import io.strowger.spi.provider.ProviderFactory;
import io.strowger.spi.provider.ProviderSettings;
import io.strowger.spi.provider.Transport;
import io.strowger.spi.provider.UpstreamException;
import io.strowger.spi.routing.Loss;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.ProtocolException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A correct adapter, and many that each break the contract in one way. */
final class BrokenAdapters {
  private BrokenAdapters() {}

  /** A fault of an adapter. */
  enum Bug {
    NONE,
    /** No fault if the author declares it. */
    HAS_NO_STREAMS,
    SENDS_OWN_USER,
    SENDS_OTHER_THAN_IT_SHOWS,
    FORGETS_USER,
    RECORDS_ANOTHER_LOSS,
    SENDS_EVERY_PARAMETER,
    DROPS_SILENTLY,
    DROPS_STOP,
    DROPS_TOOLS,
    DROPS_FORMAT,
    SENDS_EVERY_TOOL,
    KEEPS_OWN_LIMIT,
    FORGETS_INSTRUCTIONS,
    FORGETS_ANSWERS,
    FORGETS_TOOLS,
    FORGETS_CALLS,
    FORGETS_RESULTS,
    ONLY_CHAT,
    FORGETS_USAGE,
    FORGETS_STATUS,
    FORGETS_RETRY_AFTER,
    CALLS_ALL_UNAVAILABLE,
    SWALLOWS_CUT,
    IGNORES_CANCELLATION,
    FORGETS_CREDENTIAL,
    FORGETS_HEADERS,
    TRIES_AGAIN,
    LEAVES_REFUSALS_OPEN,
    /** No fault: the factory closes the connection that its adapters share. */
    SHARES_CONNECTION,
    LEAVES_SHARED_OPEN,
    LEAVES_THREAD,
    LEAVES_VIRTUAL_THREAD
  }

  static ChatProviderContract contract(Bug bug) {
    return contract(bug, true);
  }

  /**
   * Returns the contract for an adapter with one fault.
   *
   * @param streams whether the author declares that the protocol has streams
   */
  static ChatProviderContract contract(Bug bug, boolean streams) {
    return new ChatProviderContract() {
      @Override
      protected ProviderSetup connect(TestAmbient ambient) {
        return setup(bug, ambient);
      }

      @Override
      protected boolean streams() {
        return streams;
      }
    };
  }

  static ChatProviderContract.ProviderSetup setup(Bug bug, TestAmbient ambient) {
    return new ScriptedUpstream(ambient, new TurnsProtocol(bug));
  }

  private static final class Factory implements ProviderFactory {
    private final Bug bug;
    private final Transport transport;
    private @Nullable Socket shared;

    Factory(Bug bug, Transport transport) {
      this.bug = bug;
      this.transport = transport;
    }

    @Override
    public String protocol() {
      return "turns";
    }

    @Override
    public ChatProvider create(ProviderSettings settings) {
      if (bug == Bug.SHARES_CONNECTION || bug == Bug.LEAVES_SHARED_OPEN) {
        try {
          shared = new Socket(settings.baseUri().getHost(), settings.baseUri().getPort());
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
      return new Adapter(bug, transport, settings);
    }

    @Override
    public void close() {
      if (shared != null && bug != Bug.LEAVES_SHARED_OPEN) {
        try {
          shared.close();
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    }
  }

  /** The protocol of the upstream of these adapters: turns in, lines out. */
  private record TurnsProtocol(Bug bug) implements ScriptedUpstream.Protocol {
    @Override
    public ProviderFactory factory(Transport transport) {
      return new Factory(bug, transport);
    }

    @Override
    public Endpoint endpoint() {
      return Given.endpoint("acme", "acme/one", "1").toBuilder()
          .upstreamModel("one-large")
          .parameters(
              Parameter.mask(List.of(Parameter.TEMPERATURE, Parameter.MAX_TOKENS, Parameter.TOOLS)))
          .build();
    }

    @Override
    public String lastText(Json.Obj request) {
      List<Json> turns = Objects.requireNonNull(request.list("turns"));
      return turns.isEmpty()
          ? ""
          : Objects.requireNonNullElse(((Json.Obj) turns.getLast()).text("text"), "");
    }

    @Override
    public String answer(String text) {
      return Json.object().put("text", text).put("in", 3).put("out", 5).build() + "\n";
    }

    @Override
    public String piece(String text) {
      return Json.object().put("text", text).build() + "\n";
    }

    @Override
    public String end() {
      return "{\"in\":3,\"out\":5}\n";
    }
  }

  /** An adapter for this protocol that is correct except for one fault. */
  private static final class Adapter implements ChatProvider {
    private static final int MAX_LINE = 1 << 20;

    private final Bug bug;
    private final Transport transport;
    private final ProviderSettings settings;
    private final Set<Cancellation> open = ConcurrentHashMap.newKeySet();

    Adapter(Bug bug, Transport transport, ProviderSettings settings) {
      this.bug = bug;
      this.transport = transport;
      this.settings = settings;
    }

    @Override
    public Json body(Call call) {
      return body(call, bug);
    }

    private static Json body(Call call, Bug bug) {
      InferenceRequest request = call.request();
      boolean streaming = request.streaming() && bug != Bug.HAS_NO_STREAMS;
      var body =
          Json.object().put("model", call.endpoint().upstreamModel()).put("stream", streaming);
      body.put("turns", Json.array(turns(request, bug).toArray(new Json[0])));
      tools(call, bug, body);
      long cap = bug == Bug.KEEPS_OWN_LIMIT ? request.maxOutputTokens() : call.outputCap();
      if (cap > 0) {
        body.put("limit", cap);
      }
      user(call, bug, body);
      request
          .generationParameters()
          .values()
          .forEach(
              (parameter, value) -> {
                boolean supported =
                    call.endpoint().supports(parameter) || bug == Bug.SENDS_EVERY_PARAMETER;
                if (parameter == Parameter.TEMPERATURE && supported) {
                  body.put("temperature", value);
                } else if (bug != Bug.DROPS_SILENTLY) {
                  recordLoss(call, parameter.wireName());
                }
              });
      if (!request.generationParameters().stopSequences().isEmpty() && bug != Bug.DROPS_STOP) {
        recordLoss(call, "stop");
      }
      if (request.generationParameters().format() != null && bug != Bug.DROPS_FORMAT) {
        recordLoss(call, "response_format");
      }
      return body.build();
    }

    private static void tools(Call call, Bug bug, Json.Obj.Builder body) {
      List<Tool> tools = call.request().tools();
      if (call.endpoint().supports(Parameter.TOOLS) || bug == Bug.SENDS_EVERY_TOOL) {
        if (bug != Bug.FORGETS_TOOLS) {
          body.put("tools", Json.array(tools.stream().map(Adapter::tool).toArray(Json[]::new)));
        }
      }
      if (!call.endpoint().supports(Parameter.TOOLS)
          && !tools.isEmpty()
          && bug != Bug.DROPS_TOOLS) {
        recordLoss(call, "tools");
      }
    }

    private static void user(Call call, Bug bug, Json.Obj.Builder body) {
      String user = bug == Bug.SENDS_OWN_USER ? call.request().user() : call.endUser();
      if (bug == Bug.RECORDS_ANOTHER_LOSS) {
        recordLoss(call, "seed");
      } else if (user != null && bug != Bug.FORGETS_USER) {
        body.put("user", user);
      }
    }

    private static List<Json> turns(InferenceRequest request, Bug bug) {
      var turns = new ArrayList<Json>();
      if (request.instructions() instanceof Message first && bug != Bug.FORGETS_INSTRUCTIONS) {
        turns.add(turn(first, bug));
      }
      if (bug == Bug.ONLY_CHAT && request.dialect() != Dialect.CHAT) {
        return turns;
      }
      for (Message message : request.messages()) {
        if (bug != Bug.FORGETS_ANSWERS || message.role() != Message.Role.ASSISTANT) {
          turns.add(turn(message, bug));
        }
      }
      return turns;
    }

    private static Json turn(Message message, Bug bug) {
      var turn = Json.object().put("role", message.role().wireName());
      for (Part part : message.parts()) {
        switch (part) {
          case Part.Text text -> turn.put("text", text.text().text());
          case Part.ToolCall call when bug != Bug.FORGETS_CALLS ->
              turn.put("call", call.name()).put("arguments", call.arguments().text());
          case Part.ToolResult result when bug != Bug.FORGETS_RESULTS ->
              turn.put("result", ((Part.Text) result.content().getFirst()).text().text());
          default -> turn.put("lost", true);
        }
      }
      return turn.build();
    }

    private static Json tool(Tool tool) {
      var function = (Tool.Function) tool;
      return Json.object()
          .put("name", function.name())
          .put("purpose", Objects.requireNonNull(function.description()))
          .put("arguments", Objects.requireNonNull(function.parameters()))
          .build();
    }

    private static void recordLoss(Call call, String what) {
      call.losses().accept(new Loss(what, Loss.Kind.DROPPED, "this protocol has none"));
    }

    @Override
    public EventStream open(Call call) throws UpstreamException {
      try {
        return send(call);
      } catch (UpstreamException failure) {
        if (bug == Bug.TRIES_AGAIN && failure.kind() == FailureKind.OVERLOADED) {
          return send(call);
        }
        throw failure;
      }
    }

    private Map<String, String> headers(Call call) {
      var headers = new HashMap<String, String>();
      if (bug != Bug.FORGETS_HEADERS) {
        headers.putAll(settings.headers());
      }
      if (bug != Bug.FORGETS_CREDENTIAL) {
        headers.put("Authorization", "Bearer " + call.credential().reveal());
      }
      return headers;
    }

    private EventStream send(Call call) throws UpstreamException {
      var body = new JsonOutput(1024);
      body(call, bug == Bug.SENDS_OTHER_THAN_IT_SHOWS ? Bug.SENDS_OWN_USER : bug).writeTo(body);
      leaveThread();
      Cancellation whole =
          bug == Bug.IGNORES_CANCELLATION ? new Cancellation() : call.cancellation();
      Cancellation.Child until = whole.child(); // cancelled by the caller and by close()
      open.add(until.cancellation());
      try {
        var request =
            new Transport.Request(
                settings.baseUri(),
                headers(call),
                body,
                settings.connectTimeout(),
                call.readTimeout(),
                until.cancellation());
        Transport.Response response = transport.send(request);
        if (response.status() == 200) {
          return new LineStream(call.request(), until, response);
        }
        try {
          throw refusal(response);
        } finally {
          if (bug != Bug.LEAVES_REFUSALS_OPEN) {
            response.close();
          }
        }
      } catch (IOException e) {
        release(until);
        throw new UpstreamException(failure(e, until.cancellation()));
      } catch (UpstreamException refused) {
        release(until);
        throw refused;
      }
    }

    private void leaveThread() {
      if (bug == Bug.LEAVES_THREAD) {
        Thread.ofPlatform().daemon().name("keep-alive").start(Adapter::waitForever);
      } else if (bug == Bug.LEAVES_VIRTUAL_THREAD) {
        Thread.startVirtualThread(Adapter::waitForever);
      }
    }

    private static void waitForever() {
      while (!Thread.currentThread().isInterrupted()) {
        LockSupport.park();
      }
    }

    private UpstreamException refusal(Transport.Response response) {
      int status = response.status();
      if (bug == Bug.FORGETS_STATUS) {
        return new UpstreamException(Failure.of(FailureKind.ofStatus(status), "no"));
      }
      FailureKind kind =
          bug == Bug.CALLS_ALL_UNAVAILABLE ? FailureKind.UNAVAILABLE : FailureKind.ofStatus(status);
      String wait = Objects.requireNonNullElse(response.header("Retry-After"), "");
      boolean hasWait = wait.matches("[0-9]{1,9}") && bug != Bug.FORGETS_RETRY_AFTER;
      return new UpstreamException(
          new Failure(
              kind,
              status,
              hasWait ? Long.parseLong(wait) : -1,
              "the upstream answered " + status));
    }

    private static Failure failure(Exception e, Cancellation until) {
      Cancellation.Cause cause = until.cause();
      if (cause != null) {
        return Failure.of(
            cause.isTimeout() ? FailureKind.TIMEOUT : FailureKind.CANCELLED, "ended: " + cause);
      }
      boolean malformed = e instanceof ProtocolException || e instanceof MalformedJsonException;
      return malformed
          ? Failure.of(FailureKind.PROTOCOL, "the response is not valid")
          : e instanceof SocketTimeoutException
              ? Failure.of(FailureKind.TIMEOUT, "the upstream is silent")
              : Failure.ofLostConnection(FailureKind.UNAVAILABLE, "no connection, or it broke");
    }

    private void release(Cancellation.Child until) {
      until.link().close();
      open.remove(until.cancellation());
    }

    @Override
    public void close() {
      open.forEach(each -> each.cancel(Cancellation.Cause.SHUTDOWN));
    }

    private final class LineStream implements EventStream {
      private final InferenceRequest request;
      private final Cancellation.Child until;
      private final Transport.Response response;
      private final InputStream in;
      private final Deque<Event> read = new ArrayDeque<>();
      private volatile boolean closed;

      LineStream(InferenceRequest request, Cancellation.Child until, Transport.Response response) {
        this.request = request;
        this.until = until;
        this.response = response;
        this.in = new BufferedInputStream(response.body());
      }

      @Override
      public @Nullable Event next() {
        while (read.isEmpty() && !closed) {
          try {
            readLine();
          } catch (IOException | MalformedJsonException e) {
            if (bug == Bug.SWALLOWS_CUT && until.cancellation().cause() == null) {
              read.add(new Event.Finished(StopReason.END, null, null));
              continue;
            }
            read.add(Event.Failed.upstream(failure(e, until.cancellation())));
          }
        }
        Event event = closed ? null : read.poll();
        if (event != null && event.isTerminal()) {
          close();
        }
        return event;
      }

      private void readLine() throws IOException, MalformedJsonException {
        var line = new ByteArrayOutputStream();
        for (int b = in.read(); b != '\n'; b = in.read()) {
          if (b < 0 || line.size() == MAX_LINE) {
            throw new ProtocolException(
                "an answer that ends too early, or a line that does not end");
          }
          line.write(b);
        }
        if (!(settings.codec().parse(line.toByteArray()) instanceof Json.Obj object)) {
          throw new ProtocolException("a line that is not an object");
        }
        boolean streaming = request.streaming() && bug != Bug.HAS_NO_STREAMS;
        String text = Objects.requireNonNullElse(object.text("text"), "");
        if (streaming && !text.isEmpty()) {
          read.add(new Event.TextDelta(text));
        }
        if (object.has("out")) {
          end(streaming, text, Given.usage(object.longValue("in", 0), object.longValue("out", 0)));
        }
      }

      private void end(boolean streaming, String text, Usage usage) {
        if (bug != Bug.FORGETS_USAGE) {
          read.add(new Event.UsageReport(usage, null));
        }
        var answer =
            new Answer(
                List.of(new Part.Text(text)), StopReason.END, null, usage, request.dialect(), null);
        read.add(
            streaming
                ? new Event.Finished(StopReason.END, null, null)
                : new Event.CompleteAnswer(answer));
      }

      @Override
      public boolean ready() {
        return closed || !read.isEmpty();
      }

      @Override
      public void close() {
        closed = true;
        response.close();
        release(until);
      }
    }
  }
}
