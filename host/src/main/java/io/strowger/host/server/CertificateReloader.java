package io.strowger.host.server;

import io.strowger.core.ambient.ThreadJoiner;
import io.strowger.spi.ambient.Ambient;
import java.io.IOException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks at an interval of {@link #INTERVAL} whether the files of a certificate were renewed, and
 * serves the new certificate. Programs that renew certificates write files and rarely know which
 * process to notify. While the files cannot be used, for example when only one of the two has been
 * written, the previous certificate remains in use.
 */
public final class CertificateReloader implements AutoCloseable {
  /** The most time until a renewed certificate is served. */
  public static final Duration INTERVAL = Duration.ofMinutes(1);

  private static final Logger LOG = LoggerFactory.getLogger("gateway");

  private final ServedCertificate certificate;
  private final Ambient ambient;
  private final Thread thread;
  private volatile boolean closed;
  private String lastFailure = ""; // the failure logged last; confined to the thread

  /** Starts a thread that checks the files until this is closed. */
  public CertificateReloader(ServedCertificate certificate, Ambient ambient) {
    this.certificate = certificate;
    this.ambient = ambient;
    this.thread = ambient.startService("certificate-renewal", this::run);
  }

  private void run() {
    try {
      while (!closed) {
        ambient.sleep(INTERVAL);
        checkForRenewal();
      }
    } catch (InterruptedException closing) {
      // interrupted by close
    }
  }

  private void checkForRenewal() {
    try {
      if (certificate.renew()) {
        LOG.info("the renewed certificate is now served");
      }
      lastFailure = "";
    } catch (IOException | RuntimeException e) {
      String failure = String.valueOf(e.getMessage());
      if (!failure.equals(lastFailure) && !closed) {
        LOG.error(
            "the new certificate cannot be used; the previous one is still served: {}", failure);
      }
      lastFailure = failure;
    }
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    ThreadJoiner.joinUninterruptibly(thread);
  }
}
