package io.strowger.conformance.operations;

import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.JsonCodec.MalformedJsonException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * An answer, whole, over a connection of its own: whoever asks shares none with earlier requests,
 * so that it is the server alone which decides whether a request fails.
 *
 * @param status of HTTP
 * @param head with its lines
 * @param body as it came, with the sizes of its chunks where it has some
 */
record HttpAnswer(int status, String head, String body) {
  private static final int PATIENCE_MILLIS = 50_000;

  /**
   * Asks on loopback.
   *
   * @param request method and path, such as {@code GET /readyz}
   * @param key empty for none
   * @param body empty for none
   * @throws IOException when there is no whole answer
   */
  static HttpAnswer of(int port, String request, String key, String body) throws IOException {
    String head =
        "%s HTTP/1.1\r\nHost: gateway\r\nConnection: close\r\n%sContent-Length: %d\r\n\r\n"
            .formatted(
                request,
                key.isEmpty() ? "" : "Authorization: Bearer " + key + "\r\n",
                body.length());
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port);
        InputStream in = socket.getInputStream()) {
      socket.setSoTimeout(PATIENCE_MILLIS);
      socket.getOutputStream().write((head + body).getBytes(StandardCharsets.US_ASCII));
      return read(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  private static HttpAnswer read(String text) throws IOException {
    int end = text.indexOf("\r\n\r\n");
    if (end < 0 || !text.startsWith("HTTP/1.1 ")) {
      throw new IOException("no answer but: " + text);
    }
    String head = text.substring(0, end);
    String body = text.substring(end + 4);
    boolean chunked = head.toLowerCase(Locale.ROOT).contains("transfer-encoding: chunked");
    if (chunked && !body.endsWith("\r\n0\r\n\r\n")) {
      throw new IOException("the answer broke off: " + body);
    }
    return new HttpAnswer(Integer.parseInt(text.substring(9, 12)), head, body);
  }

  /** The value of a header; empty when there is none. */
  String header(String name) {
    for (String line : head.split("\r\n")) {
      if (line.regionMatches(true, 0, name + ":", 0, name.length() + 1)) {
        return line.substring(name.length() + 1).strip();
      }
    }
    return "";
  }

  /** The object in the body. */
  Json.Obj json() {
    String object = body.substring(body.indexOf('{'), body.lastIndexOf('}') + 1);
    try {
      return (Json.Obj) new JacksonCodec().parse(object.getBytes(StandardCharsets.UTF_8));
    } catch (MalformedJsonException e) {
      throw new IllegalStateException(body, e);
    }
  }
}
