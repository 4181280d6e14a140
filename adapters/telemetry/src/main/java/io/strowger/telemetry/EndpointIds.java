package io.strowger.telemetry;

/** Takes the ids of endpoints apart, which are the model, an at sign and a tag. */
final class EndpointIds {
  private EndpointIds() {}

  /** Returns the model of {@link io.strowger.spi.catalog.Endpoint#id()}. */
  static String model(String endpoint) {
    int at = endpoint.lastIndexOf('@');
    return at < 0 ? endpoint : endpoint.substring(0, at);
  }
}
