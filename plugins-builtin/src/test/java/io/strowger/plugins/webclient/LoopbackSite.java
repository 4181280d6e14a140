package io.strowger.plugins.webclient;

import io.strowger.tck.RawUpstream;
import io.strowger.tck.TestAmbient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import java.util.zip.GZIPOutputStream;

/** A web site or service on loopback; a function of the request line gives each response. */
public final class LoopbackSite implements AutoCloseable {
  private final TestAmbient ambient = TestAmbient.realTime();
  private final List<String> requests = Collections.synchronizedList(new ArrayList<>());
  private final RawUpstream server;

  /**
   * @param answer gives the response for a request line such as {@code GET /page HTTP/1.1}
   */
  public LoopbackSite(Function<String, byte[]> answer) {
    server =
        RawUpstream.start(
            ambient,
            false,
            connection -> {
              String head = connection.readHead();
              String body = connection.readBody(head);
              requests.add(head + body);
              connection.write(answer.apply(head.lines().findFirst().orElse("")));
              connection.end();
            });
  }

  public URI at(String path) {
    return URI.create(server.baseUri() + path);
  }

  /** Returns the requests in order, each with its head and body. */
  public List<String> requests() {
    return List.copyOf(requests);
  }

  /** Returns a response with this content type. */
  public static byte[] page(String type, String body) {
    return page(200, "Content-Type: " + type, body.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Returns a response.
   *
   * @param headers one or more header lines
   */
  public static byte[] page(int status, String headers, byte[] body) {
    var all = new ByteArrayOutputStream();
    all.writeBytes(
        "HTTP/1.1 %d Whatever\r\n%s\r\nContent-Length: %d\r\n\r\n"
            .formatted(status, headers, body.length)
            .getBytes(StandardCharsets.ISO_8859_1));
    all.writeBytes(body);
    return all.toByteArray();
  }

  public static byte[] redirect(String location) {
    return page(302, "Location: " + location, new byte[0]);
  }

  /** Returns this many zeros, compressed by gzip. */
  public static byte[] bomb(int bytes) {
    try {
      var all = new ByteArrayOutputStream();
      try (var gzip = new GZIPOutputStream(all)) {
        byte[] zeros = new byte[1 << 16];
        for (int written = 0; written < bytes; written += zeros.length) {
          gzip.write(zeros);
        }
      }
      return all.toByteArray();
    } catch (IOException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  @Override
  public void close() {
    server.close();
    ambient.assertNoThreadsLeft();
  }
}
