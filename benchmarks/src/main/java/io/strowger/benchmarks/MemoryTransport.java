package io.strowger.benchmarks;

import io.strowger.spi.provider.Transport;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** An upstream without a network: every request is answered at once with the same stream. */
record MemoryTransport(byte[] stream) implements Transport {
  @Override
  public Response send(Request request) {
    return new Streamed(new ByteArrayInputStream(stream));
  }

  @Override
  public void close() {}

  private record Streamed(InputStream body) implements Response {
    @Override
    public int status() {
      return 200;
    }

    @Override
    public @Nullable String header(String name) {
      return name.equalsIgnoreCase("content-type") ? "text/event-stream" : null;
    }

    @Override
    public void close() {}
  }
}
