package io.strowger.conformance.overload;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Requests for streams, each on a connection that stays open. For one thread. */
final class OpenStreams implements AutoCloseable {
  private static final int PATIENCE_MILLIS = 60_000;

  private final int port;
  private final String key;
  private final List<Socket> open = new ArrayList<>();

  OpenStreams(int port, String key) {
    this.port = port;
    this.key = key;
  }

  /**
   * Asks for one more stream and waits for the beginning of its answer.
   *
   * @param bytes of the prompt
   * @return the status
   */
  int open(int bytes) throws IOException {
    String body =
        "{\"model\":\"acme/large\",\"stream\":true,\"messages\":[{\"role\":\"user\",\"content\":\""
            + "a".repeat(bytes)
            + "\"}]}";
    var socket = new Socket(InetAddress.getLoopbackAddress(), port);
    open.add(socket);
    socket.setSoTimeout(PATIENCE_MILLIS);
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
      throw new IOException("no answer");
    }
    return Integer.parseInt(new String(line, 9, 3, StandardCharsets.US_ASCII));
  }

  /** Returns when every answer has ended. */
  void readToTheirEnds() throws IOException {
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
