package io.strowger.conformance.overload;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Sends a request over a new socket. Reads while it writes, so it gets an answer even if the host
 * sends that before it has read the body.
 */
final class Upload {
  private static final int PIECE = 64 * 1024;
  private static final int READ_TIMEOUT_MILLIS = 60_000;

  private Upload() {}

  /**
   * An answer.
   *
   * @param status the HTTP status; 0 when no complete answer came
   * @param retryAfter the header of this name; empty when there was none
   */
  record Answer(int status, String retryAfter, String body) {
    static final Answer LOST = new Answer(0, "", "");
  }

  /**
   * The body of a chat request.
   *
   * @param before its beginning
   * @param filler the text that is repeated in the middle
   * @param times how often the filler is repeated
   * @param after its end
   */
  record Body(String before, String filler, int times, String after) {
    private static final String MODEL =
        "{\"model\":\"acme/large\",\"messages\":[{\"role\":\"user\",\"content\":\"";

    /** Returns a body with one long text. */
    static Body text(int bytes) {
      return new Body(MODEL, "a", bytes, "\"}]}");
    }

    /** Returns a body with lists of 90,000 numbers each in the parameters of a tool. */
    static Body values(int lists) {
      String tool =
          "hi\"}],\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"f\",\"parameters\":{\"x\":[";
      return new Body(MODEL + tool, "[" + "1,".repeat(89_999) + "1],", lists, "1]}}}]}");
    }

    private long length() {
      return before.length() + (long) filler.length() * times + after.length();
    }
  }

  /** Sends a request and reads its answer. */
  static Answer chat(int port, String key, Body body) {
    String head =
        "POST /api/v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
            + key
            + "\r\nContent-Type: application/json\r\nContent-Length: "
            + body.length()
            + "\r\n\r\n";
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(READ_TIMEOUT_MILLIS);
      Thread writer = Thread.ofVirtual().start(() -> write(socket, head, body));
      Answer answer = read(socket.getInputStream());
      socket.shutdownOutput();
      writer.interrupt();
      return answer;
    } catch (IOException lost) {
      return Answer.LOST;
    }
  }

  private static void write(Socket socket, String head, Body body) {
    int repetitions = Math.max(1, PIECE / body.filler().length());
    byte[] piece = body.filler().repeat(repetitions).getBytes(StandardCharsets.US_ASCII);
    try {
      OutputStream out = socket.getOutputStream();
      out.write((head + body.before()).getBytes(StandardCharsets.US_ASCII));
      for (int left = body.times(); left > 0; left -= repetitions) {
        out.write(piece, 0, Math.min(repetitions, left) * body.filler().length());
      }
      out.write(body.after().getBytes(StandardCharsets.US_ASCII));
      out.flush();
    } catch (IOException answered) {
      // the answer came first, and the other thread reads it
    }
  }

  private static Answer read(InputStream in) throws IOException {
    var head = new ByteArrayOutputStream();
    while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
      int one = in.read();
      if (one < 0) {
        return Answer.LOST;
      }
      head.write(one);
    }
    String[] lines = head.toString(StandardCharsets.ISO_8859_1).split("\r\n");
    int length = Integer.parseInt(header(lines, "content-length"));
    byte[] body = in.readNBytes(length);
    return body.length < length
        ? Answer.LOST
        : new Answer(
            Integer.parseInt(lines[0].substring("HTTP/1.1 ".length()).substring(0, 3)),
            header(lines, "retry-after"),
            new String(body, StandardCharsets.UTF_8));
  }

  private static String header(String[] lines, String name) {
    for (String line : lines) {
      if (line.toLowerCase(Locale.ROOT).startsWith(name + ":")) {
        return line.substring(name.length() + 1).strip();
      }
    }
    return "";
  }
}
