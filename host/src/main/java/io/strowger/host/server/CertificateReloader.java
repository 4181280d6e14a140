package io.strowger.host.server;

import io.strowger.core.ambient.ThreadJoiner;
import io.strowger.spi.ambient.Ambient;
import java.io.IOException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks {@link #EVERY} whether somebody renewed the files of a certificate, and serves what they
 * hold: programs that renew certificates write files and rarely know whom to signal. While the
 * files cannot be used, such as between the writing of the one and of the other, the certificate in
 * force is served on.
 */
public final class CertificateReloader implements AutoCloseable {
  /** How long a renewed certificate may wait. */
  public static final Duration EVERY = Duration.ofMinutes(1);

  private static final Logger LOG = LoggerFactory.getLogger("gateway");

  private final ServedCertificate certificate;
  private final Ambient ambient;
  private final Thread thread;
  private volatile boolean closed;
  private String complaint = ""; // the thread's own; what was said last

  /** Looks from now on, until it is closed. */
  public CertificateReloader(ServedCertificate certificate, Ambient ambient) {
    this.certificate = certificate;
    this.ambient = ambient;
    this.thread = ambient.startService("certificate-renewal", this::run);
  }

  private void run() {
    try {
      while (!closed) {
        ambient.sleep(EVERY);
        look();
      }
    } catch (InterruptedException closing) {
      // nobody is served any more
    }
  }

  private void look() {
    try {
      if (certificate.renew()) {
        LOG.info("the renewed certificate is now served");
      }
      complaint = "";
    } catch (IOException | RuntimeException e) {
      String why = String.valueOf(e.getMessage());
      if (!why.equals(complaint) && !closed) {
        LOG.error("the new certificate cannot be used; the previous one is still served: {}", why);
      }
      complaint = why;
    }
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    ThreadJoiner.joinUninterruptibly(thread);
  }
}
