package io.strowger.conformance.upstreams;

import io.strowger.core.Gateway;
import io.strowger.core.config.ConfigReader;
import io.strowger.core.json.JacksonCodec;
import io.strowger.core.wire.WireBody;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.providers.chat.OpenAiChatFactory;
import io.strowger.providers.gemini.GeminiFactory;
import io.strowger.providers.http.AnswerMemory;
import io.strowger.providers.http.ApacheTransport;
import io.strowger.providers.messages.AnthropicMessagesFactory;
import io.strowger.providers.responses.OpenAiResponsesFactory;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.provider.Cancellation;
import io.strowger.tck.RawUpstream;
import io.strowger.tck.TestAmbient;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A gateway for two keys, and an upstream for which a test writes every byte. For each dialect the
 * upstream is two providers, {@code DIALECT-one} and {@code DIALECT-two}, with a credential each.
 * The model {@code lab/PROVIDER} has one of them as its endpoint, {@code lab/PROVIDER-or-good} also
 * a provider that works.
 */
final class HostileUpstreamGateway implements AutoCloseable {
  static final String FIRST_KEY = "sk-first-0123456789abcdef0123456789abcdef";
  static final String SECOND_KEY = "sk-second-0123456789abcdef0123456789abcde";
  static final List<String> DIALECTS =
      List.of("openai-chat", "anthropic-messages", "openai-responses", "gemini");
  static final String GOOD = "all is well";

  /**
   * The output that all requests together may collect, in bytes; less than the longest answer that
   * a hold pays for, so that this limit is reached first.
   */
  static final long COLLECTED = 2 << 20;

  private final TestAmbient ambient = TestAmbient.realTime();
  private final Queue<CallRecord> records = new ConcurrentLinkedQueue<>();
  private final ApacheTransport transport;
  private final RawUpstream upstream;
  private final RawUpstream good;
  private final Gateway gateway;

  /** The response of the gateway. */
  record Reply(int status, Map<String, String> headers, String body) {}

  HostileUpstreamGateway(AnswerMemory memory, RawUpstream.Handler handler) {
    this(memory, new ApacheTransport(), Duration.ofSeconds(2), handler);
  }

  /**
   * Starts the gateway and the upstream.
   *
   * @param transport the transport of all providers; is closed with this object
   * @param connect how long a request may wait for a connection, new or pooled
   * @param handler writes the answers of the upstream
   */
  HostileUpstreamGateway(
      AnswerMemory memory,
      ApacheTransport transport,
      Duration connect,
      RawUpstream.Handler handler) {
    this.transport = transport;
    upstream = RawUpstream.start(ambient, false, handler);
    good =
        RawUpstream.start(
            ambient,
            false,
            connection -> {
              while (true) {
                boolean streaming = connection.readRequest().contains("\"stream\":true");
                connection.write(streaming ? stream(GOOD) : response(answer(GOOD)));
              }
            });
    gateway =
        Gateway.builder(
                new ConfigReader(new JacksonCodec(), name -> null)
                    .read(config(connect).getBytes(StandardCharsets.UTF_8))
                    .orThrow())
            .provider(new OpenAiChatFactory(transport, memory))
            .provider(new AnthropicMessagesFactory(transport, memory))
            .provider(new OpenAiResponsesFactory(transport, memory))
            .provider(new GeminiFactory(transport, memory))
            .sink(records::add)
            .collectedOutputBytes(COLLECTED)
            .ambient(ambient)
            .build();
  }

  private String config(Duration connect) {
    var providers = new ArrayList<String>();
    var models = new ArrayList<String>();
    providers.add(provider("good", "openai-chat", good));
    for (String dialect : DIALECTS) {
      for (String number : List.of("one", "two")) {
        String name = dialect + "-" + number;
        providers.add(provider(name, dialect, upstream));
        models.add(model(name, name));
        models.add(model(name + "-or-good", name, "good"));
      }
    }
    return "{\"timeouts\":{\"connect_ms\":%d},\"providers\":[%s],\"models\":[%s],\"keys\":[{\"name\":\"first\",\"key\":\"%s\"},{\"name\":\"second\",\"key\":\"%s\"}]}"
        .formatted(
            connect.toMillis(),
            String.join(",", providers),
            String.join(",", models),
            FIRST_KEY,
            SECOND_KEY);
  }

  private static String provider(String name, String protocol, RawUpstream at) {
    return "{\"slug\":\"%s\",\"name\":\"%s\",\"protocol\":\"%s\",\"base_url\":\"%s/v1\",\"api_key\":\"secret-of-%s\"}"
        .formatted(name, name, protocol, at.baseUri(), name);
  }

  private static String model(String name, String... providers) {
    var endpoints = new ArrayList<String>();
    for (String provider : providers) {
      endpoints.add(
          "{\"provider\":\"%s\",\"upstream_model\":\"%s\",\"pricing\":{\"prompt\":\"0.000001\",\"completion\":\"0.000002\"}}"
              .formatted(provider, name));
    }
    return "{\"id\":\"lab/%s\",\"endpoints\":[%s]}".formatted(name, String.join(",", endpoints));
  }

  /** Sends a chat request with this key; the hostile provider is tried before the good one. */
  Reply ask(String key, String model, boolean streaming) throws IOException {
    String order =
        model.endsWith("-or-good")
            ? ",\"provider\":{\"order\":[\"" + model.replace("-or-good", "") + "\",\"good\"]}"
            : "";
    String body =
        "{\"model\":\"lab/%s\",\"stream\":%s,\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}]%s}"
            .formatted(model, streaming, order);
    return ask(key, "/chat/completions", body);
  }

  /** Requests a stream of the responses API, which repeats all of its text at the end. */
  Reply askForResponse(String key, String model) throws IOException {
    return ask(
        key,
        "/responses",
        "{\"model\":\"lab/%s\",\"stream\":true,\"input\":\"Hi\"}".formatted(model));
  }

  private WireResponse send(String key, String path, String body) {
    return gateway
        .wire()
        .handle(
            new WireRequest(
                "POST",
                path,
                "",
                name -> name.equalsIgnoreCase("Authorization") ? "Bearer " + key : null,
                new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)),
                new Cancellation()));
  }

  /** Returns the pieces of a streamed answer: one text for each write to the client's socket. */
  List<String> pieces(String path, String body) throws IOException {
    var pieces = new ArrayList<String>();
    var out =
        new ByteArrayOutputStream() {
          @Override
          public void flush() {
            pieces.add(toString(StandardCharsets.UTF_8));
            reset();
          }
        };
    try (WireBody answer = send(FIRST_KEY, path, body).body()) {
      answer.transferTo(out);
    }
    out.flush();
    return pieces;
  }

  private Reply ask(String key, String path, String body) throws IOException {
    WireResponse response = send(key, path, body);
    var out = new ByteArrayOutputStream();
    try (WireBody answer = response.body()) {
      while (answer.writeNext(out)) {
        // reads to the end
      }
    }
    return new Reply(response.status(), response.headers(), out.toString(StandardCharsets.UTF_8));
  }

  /** Returns the records of all requests so far. */
  Queue<CallRecord> records() {
    return records;
  }

  /** Returns how many connections the upstream has accepted. */
  int connections() {
    return upstream.connections();
  }

  TestAmbient ambient() {
    return ambient;
  }

  /** Returns a complete answer of the chat dialect. */
  static String answer(String text) {
    return "{\"id\":\"x\",\"object\":\"chat.completion\",\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":\"%s\"},\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":3,\"total_tokens\":6}}"
        .formatted(text);
  }

  /** Returns the HTTP response of a streamed answer of the chat dialect. */
  static String stream(String text) {
    return "HTTP/1.1 200 OK\r\n"
        + "Content-Type: text/event-stream\r\n"
        + "Transfer-Encoding: chunked\r\n\r\n"
        + chunk(delta("{\"role\":\"assistant\",\"content\":\"" + text + "\"}", "null"))
        + chunk(delta("{}", "\"stop\"") + "data: [DONE]\n\n")
        + "0\r\n\r\n";
  }

  static String delta(String delta, String reason) {
    return "data: {\"id\":\"x\",\"object\":\"chat.completion.chunk\",\"choices\":[{\"index\":0,\"delta\":%s,\"finish_reason\":%s}]}\n\n"
        .formatted(delta, reason);
  }

  static String chunk(String bytes) {
    return Integer.toHexString(bytes.length()) + "\r\n" + bytes + "\r\n";
  }

  static String response(String body) {
    return "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
        .formatted(body.length(), body);
  }

  @Override
  public void close() {
    gateway.close();
    transport.close();
    upstream.close();
    good.close();
    ambient.assertNoThreadsLeft();
  }
}
