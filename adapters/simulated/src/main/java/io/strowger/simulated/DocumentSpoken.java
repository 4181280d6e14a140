package io.strowger.simulated;

import io.strowger.spi.json.Json;
import java.util.List;

/** An answer that is never streamed. */
record DocumentSpoken(Json.Obj document) implements UpstreamProtocol.Spoken {
  @Override
  public List<byte[]> opening() {
    return List.of(document.toBytes());
  }

  @Override
  public List<byte[]> text() {
    return List.of();
  }

  @Override
  public List<byte[]> calls() {
    return List.of();
  }

  @Override
  public List<byte[]> ending() {
    return List.of();
  }
}
