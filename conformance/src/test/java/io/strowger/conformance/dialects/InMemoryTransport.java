package io.strowger.conformance.dialects;

import io.strowger.spi.provider.Transport;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** A transport that answers with status 200 and a body from memory: a stream or a document. */
record InMemoryTransport(InputStream body, String contentType) implements Transport {
  static InMemoryTransport stream(InputStream body) {
    return new InMemoryTransport(body, "text/event-stream");
  }

  static InMemoryTransport document(InputStream body) {
    return new InMemoryTransport(body, "application/json");
  }

  @Override
  public Response send(Request request) {
    return new Response() {
      @Override
      public int status() {
        return 200;
      }

      @Override
      public @Nullable String header(String name) {
        return name.equalsIgnoreCase("content-type") ? contentType : null;
      }

      @Override
      public InputStream body() {
        return body;
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public void close() {}
}
