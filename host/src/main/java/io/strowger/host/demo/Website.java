package io.strowger.host.demo;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/** A small website on loopback: one page, and a search service that finds it. */
final class Website implements AutoCloseable {
  private static final String PAGE =
      """
      <!doctype html><html><head><title>The harbour</title><script>track()</script></head><body>
      <nav>Home</nav><main><h1>Opening hours</h1><p>The harbour opens at six.</p></main></body></html>
      """;

  private final HttpServer server;

  Website() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot listen on a loopback port", e);
    }
    server.createContext("/find", exchange -> answer(exchange, "application/json", searchAnswer()));
    server.createContext("/harbour", exchange -> answer(exchange, "text/html", PAGE));
    server.start();
  }

  private String searchAnswer() {
    return "{\"found\":[{\"url\":\"%s/harbour\",\"title\":\"The harbour\",\"text\":\"It opens at six.\"}]}"
        .formatted(address());
  }

  private static void answer(HttpExchange exchange, String type, String text) throws IOException {
    try (exchange) {
      byte[] body = text.getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().add("Content-Type", type + "; charset=utf-8");
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  String address() {
    return "http://127.0.0.1:" + port();
  }

  int port() {
    return server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
