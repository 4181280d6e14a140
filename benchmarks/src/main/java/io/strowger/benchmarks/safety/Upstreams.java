package io.strowger.benchmarks.safety;

import io.strowger.benchmarks.http.ChildProcess;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** An upstream process whose models behave as good and bad upstreams do. */
final class Upstreams {
  private static final Duration ANSWER_DELAY = Duration.ofMillis(10);
  private static final byte[] ANSWER =
      http(
          "application/json",
          """
          {"id":"x","object":"chat.completion","created":1,"model":"honest","choices":[{"index":0,"message":\
          {"role":"assistant","content":"Very well, thank you."},"finish_reason":"stop"}],\
          "usage":{"prompt_tokens":10,"completion_tokens":6,"total_tokens":16}}\
          """);
  private static final byte[] STREAM_HEAD =
      bytes("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n");
  private static final byte[] DOCUMENT_HEAD =
      bytes(
          "HTTP/1.1 200 OK\r\n"
              + "Content-Type: application/json\r\n"
              + "Connection: close\r\n\r\n"
              + "{\"id\":\"");
  private static final byte[] CHUNK =
      bytes(
          """
          data: {"id":"x","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,\
          "delta":{"content":"word "},"finish_reason":null}]}

          """);
  private static final byte[] COMMENT = bytes(": still here\n\n");

  /** The behaviour of a model, which has the same name. */
  enum Behaviour {
    /** A short answer after 10 ms. */
    HONEST,
    /** An endless stream of words, as fast as the client reads. */
    ENDLESS,
    /** One word, then endless comments. */
    COMMENTS,
    /** An endless document. */
    DOCUMENT,
    /** Varying bytes that are not a valid HTTP response. */
    GARBAGE;

    String model() {
      return name().toLowerCase(Locale.ROOT);
    }

    private static Behaviour of(String request) {
      for (Behaviour behaviour : values()) {
        if (request.contains("\"" + behaviour.model() + "\"")) {
          return behaviour;
        }
      }
      return GARBAGE;
    }
  }

  private Upstreams() {}

  public static void main(String[] args) throws IOException {
    // closed with the process
    var server = new ServerSocket(0, 500, InetAddress.getLoopbackAddress());
    var threads = new Threads();
    threads.start("accept", () -> accept(server, threads));
    ChildProcess.announceAndWait("http://127.0.0.1:" + server.getLocalPort() + "/v1");
  }

  private static void accept(ServerSocket server, Threads threads) {
    try {
      while (true) {
        Socket socket = server.accept();
        threads.start("upstream", () -> serve(socket));
      }
    } catch (IOException closed) {
      // the process ends
    }
  }

  private static void serve(Socket socket) {
    try (socket) {
      socket.setTcpNoDelay(true);
      InputStream in = new BufferedInputStream(socket.getInputStream());
      OutputStream out = socket.getOutputStream();
      int requests = 0;
      for (String body = request(in); body != null; body = request(in)) {
        Behaviour behaviour = Behaviour.of(body);
        if (behaviour != Behaviour.HONEST) {
          answer(behaviour, requests, out);
          return;
        }
        Threads.pause(ANSWER_DELAY);
        out.write(ANSWER);
        requests++;
      }
    } catch (IOException gone) {
      // the gateway closed the connection
    }
  }

  private static void answer(Behaviour behaviour, int requests, OutputStream out)
      throws IOException {
    switch (behaviour) {
      case HONEST -> out.write(ANSWER);
      case ENDLESS -> endless(STREAM_HEAD, CHUNK, CHUNK, out);
      case COMMENTS -> endless(STREAM_HEAD, CHUNK, COMMENT, out);
      case DOCUMENT -> endless(DOCUMENT_HEAD, bytes("x"), bytes("x".repeat(1000)), out);
      case GARBAGE -> out.write(garbage(System.nanoTime() + requests));
    }
  }

  private static void endless(byte[] head, byte[] first, byte[] repeated, OutputStream out)
      throws IOException {
    out.write(head);
    out.write(first);
    int times = Math.max(1, 16_384 / repeated.length);
    byte[] block = bytes(new String(repeated, StandardCharsets.US_ASCII).repeat(times));
    while (true) {
      out.write(block);
    }
  }

  private static byte[] garbage(long seed) {
    return switch ((int) Math.floorMod(seed, 5L)) {
      case 0 -> bytes("HTTP/1.1 000 \r\n\r\n");
      case 1 -> bytes("SSH-2.0-OpenSSH_9.6\r\n");
      case 2 -> bytes("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n{\"a\":1}{\"a\":1}");
      case 3 -> bytes("HTTP/1.1 200 OK\r\nX: " + "y".repeat(20_000));
      default -> new byte[] {0, 1, 2, 3, (byte) 0xff, (byte) 0xfe, '\r', '\n'};
    };
  }

  /** Returns the body of the next request; null at the end of the connection. */
  private static @Nullable String request(InputStream in) throws IOException {
    var head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int b = in.read();
      if (b < 0) {
        return null;
      }
      head.append((char) b);
    }
    String fields = head.toString().toLowerCase(Locale.ROOT);
    int length = fields.indexOf("content-length:");
    if (length < 0) {
      return "";
    }
    int end = fields.indexOf("\r\n", length);
    int count = Integer.parseInt(fields.substring(length + 15, end).strip());
    return new String(in.readNBytes(count), StandardCharsets.UTF_8);
  }

  private static byte[] http(String type, String body) {
    return bytes(
        "HTTP/1.1 200 OK\r\nContent-Type: "
            + type
            + "\r\nContent-Length: "
            + body.length()
            + "\r\n\r\n"
            + body);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
