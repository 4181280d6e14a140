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

/** What upstreams send, each kind in a process of its own. An error for lack of memory ends it. */
@Tag("full")
@Tag("long")
@Timeout(300)
@DisplayName("A host with 256 MiB of heap, whose providers mean harm,")
class HostileProvidersHostTest {
  private static final String OK = "HTTP/1.1 200 OK\r\n";
  private static final String EVENTS = OK + "Content-Type: text/event-stream\r\n\r\n";
  private static final String TEXT =
      "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hi\"}}]}\n\n";
  private static final String VALUES = "[" + "1,".repeat(99_990) + "1]";
  private static final String GOOD =
      "{\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":\"all is"
          + " well\"},\"finish_reason\":\"stop\"}]}";

  private static final String LAST =
      "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n"
          + "data: [DONE]\n\n";

  private static final String MESSAGES = ",\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}]";
  private static final String PLAIN = "\"stream\":false" + MESSAGES;
  private static final String STREAM = "\"stream\":true" + MESSAGES;

  private static final int LITTLE = 4 << 10;

  @TempDir private Path folder;

  private final TestAmbient ambient = TestAmbient.realTime();
  private final List<AutoCloseable> open = new ArrayList<>();

  /** How far a client reads. */
  enum Reads {
    ALL,
    FIRST_BYTE,
    /** Up to where a stream of {@code /responses} begins to say all of it again. */
    UP_TO_THE_END
  }

  /**
   * A kind of harm.
   *
   * @param clients at once
   * @param asked members of each request beside its model and its prompt; with {@code input} it
   *     goes to {@code /responses}
   * @param reads what each client reads of its answer before it stops
   * @param begin of each response
   * @param again the pieces that follow without end; null: it is over
   */
  record Harm(
      String name,
      String protocol,
      String asked,
      int clients,
      Reads reads,
      String begin,
      IntFunction<String> again) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Harm> harms() {
    String pad = "x".repeat(500_000);
    String large =
        "{\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":\"Hi\",\"images\":[{\"type\":\"image_url\",\"image_url\":{\"url\":\"data:image/png;base64,"
            + "x".repeat(12 << 20)
            + "\"}}]},\"finish_reason\":\"stop\"}]}";
    String said =
        "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"%s\"}}]}\n\n"
            .formatted("y".repeat(1000));
    return Stream.of(
        new Harm(
            "frames of values before content",
            "openai-chat",
            STREAM,
            4,
            Reads.ALL,
            EVENTS,
            i -> "data: {\"x\":" + VALUES + "}\n\n"),
        new Harm(
            "frames of values behind content",
            "openai-chat",
            STREAM,
            12,
            Reads.ALL,
            EVENTS + TEXT,
            i -> "data: {\"a\":[" + (VALUES + ",").repeat(8) + "1]}\n\n"),
        new Harm(
            "usage of ever new names",
            "anthropic-messages",
            STREAM,
            1,
            Reads.ALL,
            EVENTS
                + "data:"
                + " {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"Hi\"}}\n\n",
            i ->
                "data: {\"type\":\"message_delta\",\"delta\":{},\"pad\":\"%s\",\"usage\":{\"k%d\":1}}\n\n"
                    .formatted(pad, i)),
        new Harm(
            "trailers",
            "openai-chat",
            PLAIN,
            45,
            Reads.ALL,
            OK + "Transfer-Encoding: chunked\r\n\r\n0\r\n",
            i -> "X-A: " + "b".repeat(16_000) + "\r\n"),
        new Harm(
            "large answers that nobody reads",
            "openai-chat",
            PLAIN,
            24,
            Reads.FIRST_BYTE,
            document(large),
            i -> ""),
        new Harm(
            "large answers that nobody reads, through a plugin",
            "openai-chat",
            PLAIN
                + ",\"response_format\":{\"type\":\"json_object\"},\"plugins\":[{\"id\":\"response-healing\"}]",
            24,
            Reads.FIRST_BYTE,
            document(large),
            i -> ""),
        new Harm(
            "long responses whose end nobody reads",
            "openai-chat",
            "\"stream\":true,\"input\":\"Hi\"",
            8,
            Reads.UP_TO_THE_END,
            EVENTS,
            i -> i < 60 ? said.repeat(100) : i == 60 ? LAST : ""));
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
  @MethodSource("harms")
  @DisplayName("goes on serving")
  void goesOn(Harm harm) throws Exception {
    RawUpstream harmful =
        closing(RawUpstream.start(ambient, false, connection -> say(harm, connection)));
    RawUpstream good = closing(RawUpstream.start(ambient, false, HostileProvidersHostTest::answer));
    SmallHost host = closing(SmallHost.start(config(harm, harmful, good)));
    var over = new ArrayList<CompletableFuture<String>>();
    for (int i = 0; i < harm.clients; i++) {
      Socket client = closing(ask(host, "harm", harm.asked));
      switch (harm.reads) {
        case ALL -> over.add(reading(client));
        case FIRST_BYTE ->
            assertThat(client.getInputStream().read()).as("its answer begins").isEqualTo('H');
        case UP_TO_THE_END -> readTo(client, "response.output_text.done");
      }
    }
    for (CompletableFuture<String> one : over) {
      one.get(60, TimeUnit.SECONDS);
    }
    assertThat(reading(closing(ask(host, "good", PLAIN))).get(60, TimeUnit.SECONDS))
        .contains("all is well");
    assertThat(host.isAlive()).isTrue();
    assertThat(host.usedMebibytes()).isLessThan(harm.reads == Reads.ALL ? 64 : 192);
  }

  private static void say(Harm harm, RawUpstream.Connection connection) throws IOException {
    while (true) {
      connection.readRequest();
      connection.write(harm.begin);
      for (int i = 0; !harm.again.apply(i).isEmpty(); i++) {
        connection.write(harm.again.apply(i));
      }
    }
  }

  private static void answer(RawUpstream.Connection connection) throws IOException {
    while (true) {
      connection.readRequest();
      connection.write(OK + "Content-Length: " + GOOD.length() + "\r\n\r\n" + GOOD);
    }
  }

  private Path config(Harm harm, RawUpstream harmful, RawUpstream good) throws IOException {
    String file =
        """
        {"timeouts": {"total_ms": 8000},
         "providers": [{"slug": "harm", "protocol": "%s", "base_url": "%s/v1"},
                       {"slug": "good", "protocol": "openai-chat", "base_url": "%s/v1"}],
         "models": [{"id": "acme/harm", "endpoints": [{"provider": "harm"}]},
                    {"id": "acme/good", "endpoints": [{"provider": "good"}]}],
         "keys": [{"name": "app", "key": "sk-app"}], "store": {"url": "memory:"}}
        """
            .formatted(harm.protocol, harmful.baseUri(), good.baseUri());
    return Files.writeString(folder.resolve("gateway.json"), file);
  }

  private static Socket ask(SmallHost host, String model, String asked) throws IOException {
    var socket = new Socket();
    socket.setReceiveBufferSize(LITTLE); // what is not read waits in the host
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), host.port()));
    String body = "{\"model\":\"acme/%s\",%s}".formatted(model, asked);
    String path = asked.contains("\"input\"") ? "responses" : "chat/completions";
    OutputStream out = socket.getOutputStream();
    out.write(
        "POST /api/v1/%s HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer sk-app\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
            .formatted(path, body.length(), body)
            .getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  /** Takes what comes up to these words, and no more than a buffer behind them. */
  private static void readTo(Socket client, String words) throws IOException {
    var piece = new byte[LITTLE];
    var last = "";
    while (!last.contains(words)) {
      int read = client.getInputStream().read(piece);
      assertThat(read).as("comes behind " + last).isPositive();
      String tail = last.substring(Math.max(0, last.length() - words.length()));
      last = tail + new String(piece, 0, read, StandardCharsets.ISO_8859_1);
    }
  }

  /** All that comes, at most its end. */
  private CompletableFuture<String> reading(Socket client) {
    var all = new CompletableFuture<String>();
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
            all.complete(last);
          } catch (IOException hungUp) {
            all.complete(last);
          }
        });
    return all;
  }
}
