package io.strowger.conformance.operations;

import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.JsonCodec.MalformedJsonException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * A complete HTTP response. Each request uses a new connection, so that a stale pooled connection
 * cannot make it fail.
 *
 * @param status the HTTP status
 * @param head the status line and the headers
 * @param body the body as it was sent, with the sizes of its chunks if it is chunked
 */
record HttpAnswer(int status, String head, String body) {
  private static final int READ_TIMEOUT_MILLIS = 50_000;

  /**
   * Sends a request to a port of the loopback address and reads the response.
   *
   * @param request the method and path, such as {@code GET /readyz}
   * @param key the API key; empty for none
   * @param body the body in ASCII; empty for none
   * @throws IOException when there is no response, or it breaks off
   */
  static HttpAnswer send(int port, String request, String key, String body) throws IOException {
    String head =
        "%s HTTP/1.1\r\nHost: gateway\r\nConnection: close\r\n%sContent-Length: %d\r\n\r\n"
            .formatted(
                request,
                key.isEmpty() ? "" : "Authorization: Bearer " + key + "\r\n",
                body.length());
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port);
        InputStream in = socket.getInputStream()) {
      socket.setSoTimeout(READ_TIMEOUT_MILLIS);
      socket.getOutputStream().write((head + body).getBytes(StandardCharsets.US_ASCII));
      return read(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  private static HttpAnswer read(String text) throws IOException {
    int end = text.indexOf("\r\n\r\n");
    if (end < 0 || !text.startsWith("HTTP/1.1 ")) {
      throw new IOException("not an HTTP/1.1 response: " + text);
    }
    String head = text.substring(0, end);
    String body = text.substring(end + 4);
    var answer = new HttpAnswer(Integer.parseInt(text.substring(9, 12)), head, body);
    String length = answer.header("Content-Length");
    boolean complete =
        answer.header("Transfer-Encoding").equalsIgnoreCase("chunked")
            ? body.endsWith("\r\n0\r\n\r\n")
            : length.equals(String.valueOf(body.getBytes(StandardCharsets.UTF_8).length));
    if (!complete) {
      throw new IOException("the response broke off: " + text);
    }
    return answer;
  }

  /** Returns the value of a header; empty when there is none. */
  String header(String name) {
    for (String line : head.split("\r\n")) {
      if (line.regionMatches(true, 0, name + ":", 0, name.length() + 1)) {
        return line.substring(name.length() + 1).strip();
      }
    }
    return "";
  }

  /** Returns the JSON object in the body. */
  Json.Obj json() {
    String object = body.substring(body.indexOf('{'), body.lastIndexOf('}') + 1);
    try {
      return (Json.Obj) new JacksonCodec().parse(object.getBytes(StandardCharsets.UTF_8));
    } catch (MalformedJsonException e) {
      throw new IllegalStateException(body, e);
    }
  }
}
