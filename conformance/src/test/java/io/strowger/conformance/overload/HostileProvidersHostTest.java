package io.strowger.conformance.overload;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.tck.RawUpstream;
import io.strowger.tck.TestAmbient;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Attacks of upstreams by what they send, each against a new host process, which ends at an {@code
 * OutOfMemoryError}.
 */
@Tag("full")
@Tag("long")
@Timeout(300)
@DisplayName("A host with 256 MiB of heap and a hostile provider")
class HostileProvidersHostTest {
  private static final String OK = "HTTP/1.1 200 OK\r\n";
  private static final String EVENTS = OK + "Content-Type: text/event-stream\r\n\r\n";
  private static final String TEXT =
      "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hi\"}}]}\n\n";
  private static final String VALUES = "[" + "1,".repeat(99_990) + "1]";
  private static final String GOOD_ANSWER =
      "{\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":\"all is"
          + " well\"},\"finish_reason\":\"stop\"}]}";

  private static final String LAST =
      "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n"
          + "data: [DONE]\n\n";

  private static final String MESSAGES = ",\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}]";
  private static final String PLAIN = "\"stream\":false" + MESSAGES;
  private static final String STREAM = "\"stream\":true" + MESSAGES;

  private static final int CLIENT_BUFFER = 4 << 10;

  @TempDir private Path folder;

  private final TestAmbient ambient = TestAmbient.realTime();
  private final List<AutoCloseable> open = new ArrayList<>();

  /** How far a client reads. */
  enum ReadExtent {
    ALL,
    FIRST_BYTE,
    /** Up to where a stream of {@code /responses} begins to repeat the whole text. */
    UP_TO_REPETITION
  }

  /**
   * An attack.
   *
   * @param protocol the protocol of the hostile provider
   * @param request the members of each request beside its model; with {@code input} the request
   *     goes to {@code /responses}
   * @param clients the number of requests at once
   * @param reads how much of its answer each client reads before it stops
   * @param begin the start of each response
   * @param pieces the pieces that follow, by index; the first empty piece ends the response
   */
  record Attack(
      String name,
      String protocol,
      String request,
      int clients,
      ReadExtent reads,
      String begin,
      IntFunction<String> pieces) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Attack> attacks() {
    String pad = "x".repeat(500_000);
    String large =
        "{\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":\"Hi\",\"images\":[{\"type\":\"image_url\",\"image_url\":{\"url\":\"data:image/png;base64,"
            + "x".repeat(12 << 20)
            + "\"}}]},\"finish_reason\":\"stop\"}]}";
    String text =
        "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"%s\"}}]}\n\n"
            .formatted("y".repeat(1000));
    return Stream.of(
        new Attack(
            "frames of values before content",
            "openai-chat",
            STREAM,
            4,
            ReadExtent.ALL,
            EVENTS,
            i -> "data: {\"x\":" + VALUES + "}\n\n"),
        new Attack(
            "frames of values after content",
            "openai-chat",
            STREAM,
            12,
            ReadExtent.ALL,
            EVENTS + TEXT,
            i -> "data: {\"a\":[" + (VALUES + ",").repeat(8) + "1]}\n\n"),
        new Attack(
            "usage reports with ever new names",
            "anthropic-messages",
            STREAM,
            1,
            ReadExtent.ALL,
            EVENTS
                + "data:"
                + " {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"Hi\"}}\n\n",
            i ->
                "data: {\"type\":\"message_delta\",\"delta\":{},\"pad\":\"%s\",\"usage\":{\"k%d\":1}}\n\n"
                    .formatted(pad, i)),
        new Attack(
            "trailers without end",
            "openai-chat",
            PLAIN,
            45,
            ReadExtent.ALL,
            OK + "Transfer-Encoding: chunked\r\n\r\n0\r\n",
            i -> "X-A: " + "b".repeat(16_000) + "\r\n"),
        new Attack(
            "large answers that the client does not read",
            "openai-chat",
            PLAIN,
            24,
            ReadExtent.FIRST_BYTE,
            document(large),
            i -> ""),
        new Attack(
            "large answers that the client does not read, through a plugin",
            "openai-chat",
            PLAIN
                + ",\"response_format\":{\"type\":\"json_object\"},\"plugins\":[{\"id\":\"response-healing\"}]",
            24,
            ReadExtent.FIRST_BYTE,
            document(large),
            i -> ""),
        new Attack(
            "long responses whose end the client does not read",
            "openai-chat",
            "\"stream\":true,\"input\":\"Hi\"",
            8,
            ReadExtent.UP_TO_REPETITION,
            EVENTS,
            i -> i < 60 ? text.repeat(100) : i == 60 ? LAST : ""));
  }

  private static String document(String body) {
    return OK
        + "Content-Type: application/json\r\nContent-Length: %d\r\n\r\n".formatted(body.length())
        + body;
  }

  @AfterEach
  void closeAll() throws Exception {
    for (AutoCloseable one : open.reversed()) {
      one.close();
    }
    ambient.assertNoThreadsLeft();
  }

  private <T extends AutoCloseable> T closing(T resource) {
    open.add(resource);
    return resource;
  }

  @ParameterizedTest
  @MethodSource("attacks")
  @DisplayName("keeps serving, with")
  void keepsServing(Attack attack) throws Exception {
    RawUpstream hostile =
        closing(RawUpstream.start(ambient, false, connection -> send(attack, connection)));
    RawUpstream good = closing(RawUpstream.start(ambient, false, HostileProvidersHostTest::answer));
    SmallHost host = closing(SmallHost.start(config(attack, hostile, good)));
    var ends = new ArrayList<CompletableFuture<String>>();
    for (int i = 0; i < attack.clients; i++) {
      Socket client = closing(ask(host, "hostile", attack.request));
      switch (attack.reads) {
        case ALL -> ends.add(readInBackground(client));
        case FIRST_BYTE ->
            assertThat(client.getInputStream().read()).as("the answer has begun").isEqualTo('H');
        case UP_TO_REPETITION -> readTo(client, "response.output_text.done");
      }
    }
    for (CompletableFuture<String> one : ends) {
      one.get(60, TimeUnit.SECONDS);
    }
    assertThat(readInBackground(closing(ask(host, "good", PLAIN))).get(60, TimeUnit.SECONDS))
        .contains("all is well");
    assertThat(host.isAlive()).isTrue();
    assertThat(host.usedMebibytes()).isLessThan(attack.reads == ReadExtent.ALL ? 64 : 192);
  }

  private static void send(Attack attack, RawUpstream.Connection connection) throws IOException {
    while (true) {
      connection.readRequest();
      connection.write(attack.begin);
      for (int i = 0; !attack.pieces.apply(i).isEmpty(); i++) {
        connection.write(attack.pieces.apply(i));
      }
    }
  }

  private static void answer(RawUpstream.Connection connection) throws IOException {
    while (true) {
      connection.readRequest();
      connection.write(OK + "Content-Length: " + GOOD_ANSWER.length() + "\r\n\r\n" + GOOD_ANSWER);
    }
  }

  private Path config(Attack attack, RawUpstream hostile, RawUpstream good) throws IOException {
    String file =
        """
        {"timeouts": {"total_ms": 8000},
         "providers": [{"slug": "hostile", "protocol": "%s", "base_url": "%s/v1"},
                       {"slug": "good", "protocol": "openai-chat", "base_url": "%s/v1"}],
         "models": [{"id": "acme/hostile", "endpoints": [{"provider": "hostile"}]},
                    {"id": "acme/good", "endpoints": [{"provider": "good"}]}],
         "keys": [{"name": "app", "key": "sk-app"}], "store": {"url": "memory:"}}
        """
            .formatted(attack.protocol, hostile.baseUri(), good.baseUri());
    return Files.writeString(folder.resolve("gateway.json"), file);
  }

  private static Socket ask(SmallHost host, String model, String request) throws IOException {
    var socket = new Socket();
    socket.setReceiveBufferSize(CLIENT_BUFFER); // so that the host holds what is not read
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), host.port()));
    String body = "{\"model\":\"acme/%s\",%s}".formatted(model, request);
    String path = request.contains("\"input\"") ? "responses" : "chat/completions";
    OutputStream out = socket.getOutputStream();
    out.write(
        "POST /api/v1/%s HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer sk-app\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
            .formatted(path, body.length(), body)
            .getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  /** ReadExtent until these words, and at most a buffer more. */
  private static void readTo(Socket client, String words) throws IOException {
    var piece = new byte[CLIENT_BUFFER];
    var last = "";
    while (!last.contains(words)) {
      int read = client.getInputStream().read(piece);
      assertThat(read).as("bytes after " + last).isPositive();
      String tail = last.substring(Math.max(0, last.length() - words.length()));
      last = tail + new String(piece, 0, read, StandardCharsets.ISO_8859_1);
    }
  }

  /** ReadExtent to the end in another thread, and returns the last piece. */
  private CompletableFuture<String> readInBackground(Socket client) {
    var lastPiece = new CompletableFuture<String>();
    ambient.start(
        "client",
        () -> {
          var last = "";
          var piece = new byte[64 << 10];
          try {
            for (int read = client.getInputStream().read(piece);
                read >= 0;
                read = client.getInputStream().read(piece)) {
              last = new String(piece, 0, read, StandardCharsets.ISO_8859_1);
            }
            lastPiece.complete(last);
          } catch (IOException disconnected) {
            lastPiece.complete(last);
          }
        });
    return lastPiece;
  }
}
