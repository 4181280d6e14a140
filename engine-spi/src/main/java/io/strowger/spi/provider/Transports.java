package io.strowger.spi.provider;

/**
 * The transports of one gateway, which all of its adapters and plugins share. Each has connections
 * of its own, so that fetching a page never waits for a provider. Safe on any thread.
 *
 * @see TransportFactory
 */
public interface Transports extends AutoCloseable {
  /** Returns the transport to addresses that the configuration names: those of providers. */
  Transport providers();

  /**
   * Returns the transport to addresses that callers, models and web sites name. It connects to
   * public addresses only, and to those that the operator allows.
   */
  Transport web();

  /**
   * Returns the transport to addresses that management keys name: observability destinations. It
   * connects to public addresses only, and to those that the operator allows.
   */
  Transport destinations();

  /** Closes all transports. Called once, after everything that uses them was closed. */
  @Override
  void close();
}
