package io.strowger.conformance.dialects;

import io.strowger.spi.provider.Transport;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** A transport whose one answer is there already; of a stream, or of a document. */
record Memory(InputStream body, String contentType) implements Transport {
  static Memory stream(InputStream body) {
    return new Memory(body, "text/event-stream");
  }

  static Memory document(InputStream body) {
    return new Memory(body, "application/json");
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
