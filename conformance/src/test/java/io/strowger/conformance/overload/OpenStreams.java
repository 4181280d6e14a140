package io.strowger.conformance.overload;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Requests for streams, each on a connection that stays open. Not thread-safe. */
final class OpenStreams implements AutoCloseable {
  private static final int READ_TIMEOUT_MILLIS = 60_000;

  private final int port;
  private final String key;
  private final List<Socket> open = new ArrayList<>();

  OpenStreams(int port, String key) {
    this.port = port;
    this.key = key;
  }

  /**
   * Requests another stream and waits for the beginning of its answer.
   *
   * @param bytes the size of the prompt
   * @return the HTTP status
   */
  int open(int bytes) throws IOException {
    String body =
        "{\"model\":\"acme/large\",\"stream\":true,\"messages\":[{\"role\":\"user\",\"content\":\""
            + "a".repeat(bytes)
            + "\"}]}";
    var socket = new Socket(InetAddress.getLoopbackAddress(), port);
    open.add(socket);
    socket.setSoTimeout(READ_TIMEOUT_MILLIS);
    OutputStream out = socket.getOutputStream();
    String head =
        "POST /api/v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n"
                .formatted(key)
            + "Content-Type: application/json\r\nConnection: close\r\nContent-Length: %d\r\n\r\n"
                .formatted(body.length());
    out.write((head + body).getBytes(StandardCharsets.US_ASCII));
    out.flush();
    byte[] line = socket.getInputStream().readNBytes("HTTP/1.1 200".length());
    if (line.length < "HTTP/1.1 200".length()) {
      throw new IOException("the connection was closed without an answer");
    }
    return Integer.parseInt(new String(line, 9, 3, StandardCharsets.US_ASCII));
  }

  /** Reads every answer to its end. */
  void readAllToEnd() throws IOException {
    for (Socket socket : open) {
      socket.getInputStream().transferTo(OutputStream.nullOutputStream());
    }
  }

  @Override
  public void close() throws IOException {
    for (Socket socket : open) {
      socket.close();
    }
  }
}
