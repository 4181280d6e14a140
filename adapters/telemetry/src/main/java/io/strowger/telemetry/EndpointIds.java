package io.strowger.telemetry;

/** Parses the ids of endpoints, which consist of the model, an at sign and a tag. */
final class EndpointIds {
  private EndpointIds() {}

  /** Returns the model of {@link io.strowger.spi.catalog.Endpoint#id()}. */
  static String model(String endpoint) {
    int at = endpoint.lastIndexOf('@');
    return at < 0 ? endpoint : endpoint.substring(0, at);
  }
}
