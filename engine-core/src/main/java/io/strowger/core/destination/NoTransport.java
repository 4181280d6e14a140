package io.strowger.core.destination;

import io.strowger.spi.provider.Transport;
import java.io.IOException;

/** The transport of a gateway without exporters: every request fails. */
public final class NoTransport implements Transport {
  @Override
  public Response send(Request request) throws IOException {
    throw new IOException("this gateway was given no transport for destinations");
  }

  @Override
  public void close() {
    // nothing is open
  }
}
