package io.strowger.spring;

import io.strowger.core.Gateway;
import io.strowger.core.Readiness;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.observe.LoadSnapshot;
import java.time.Duration;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Waits for the requests under way when the application stops. This lifecycle stops in the phase of
 * the web server's graceful shutdown, so that no new requests arrive meanwhile, and before the web
 * server and beans are destroyed. After the timeout the lifecycle closes the gateway, which ends
 * and settles the remaining requests. Safe on any thread.
 */
final class GatewayLifecycle implements SmartLifecycle {
  /** The phase in which Boot's web server refuses new requests and waits for the others. */
  static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 1024;

  private static final Logger log = LoggerFactory.getLogger(GatewayLifecycle.class);
  private static final Duration POLL_INTERVAL = Duration.ofMillis(20);

  private final Gateway gateway;
  private final Ambient ambient;
  private final Duration timeout;
  private volatile boolean running;
  private volatile boolean draining;

  /**
   * Creates the lifecycle of a gateway.
   *
   * @param timeout how long requests under way may continue; not negative
   */
  GatewayLifecycle(Gateway gateway, Ambient ambient, Duration timeout) {
    this.gateway = Objects.requireNonNull(gateway, "gateway");
    this.ambient = Objects.requireNonNull(ambient, "ambient");
    this.timeout = Objects.requireNonNull(timeout, "timeout");
  }

  /**
   * Returns the readiness of the gateway; {@link Readiness#DRAINING} once this has been stopped.
   */
  Readiness readiness() {
    return draining ? Readiness.DRAINING : gateway.readiness();
  }

  @Override
  public void start() {
    draining = false;
    running = true;
  }

  /** Waits on the calling thread. Boot calls {@link #stop(Runnable)} instead. */
  @Override
  public void stop() {
    draining = true;
    drain();
    running = false;
  }

  @Override
  public void stop(Runnable callback) {
    draining = true;
    ambient.start(
        "strowger-shutdown",
        () -> {
          try {
            drain();
          } finally {
            running = false;
            callback.run();
          }
        });
  }

  private void drain() {
    long start = ambient.nanoTime();
    int remaining = requestsUnderWay();
    if (remaining > 0) {
      log.info(
          "the application is stopping; requests under way: {}; waiting up to {} for them",
          remaining,
          timeout);
    }
    try {
      while (remaining > 0 && ambient.nanoTime() - start < timeout.toNanos()) {
        ambient.sleep(POLL_INTERVAL);
        remaining = requestsUnderWay();
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    if (remaining > 0) {
      log.warn(
          "ending {} requests with an error, because they have not ended;"
              + " strowger.shutdown-timeout is {}",
          remaining,
          timeout);
      gateway.close();
    }
  }

  private int requestsUnderWay() {
    if (gateway.readiness() == Readiness.DRAINING) { // already closed
      return 0;
    }
    LoadSnapshot load = gateway.load();
    return load.inFlight() + load.queued();
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  @Override
  public int getPhase() {
    return PHASE;
  }
}
