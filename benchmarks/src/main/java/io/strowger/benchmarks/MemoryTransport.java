package io.strowger.benchmarks;

import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.provider.Transport;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * An upstream without a network: every request is answered at once with the same stream. For one
 * thread.
 */
final class MemoryTransport implements Transport {
  private final byte[] stream;
  private @Nullable JsonOutput lastBody;

  MemoryTransport(byte[] stream) {
    this.stream = stream;
  }

  @Override
  public Response send(Request request) {
    lastBody = request.body();
    return new StreamResponse(new ByteArrayInputStream(stream));
  }

  /** Returns the body of the last request; null before the first one. */
  @Nullable JsonOutput lastBody() {
    return lastBody;
  }

  @Override
  public void close() {}

  private record StreamResponse(InputStream body) implements Response {
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
