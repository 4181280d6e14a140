package io.strowger.providers.http;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.apache.hc.core5.ssl.SSLContexts;
import org.jspecify.annotations.Nullable;

/**
 * What decides which upstreams are trusted, made once, when it is first asked for: reading the
 * certificates of the JDK takes a tenth of the processor time of a start. Safe on any thread.
 */
final class TlsContext {
  private final Supplier<SSLContext> maker;
  private final ReentrantLock making = new ReentrantLock();
  private volatile @Nullable SSLContext made;

  /**
   * @param maker called again after it has thrown
   */
  TlsContext(Supplier<SSLContext> maker) {
    this.maker = maker;
  }

  /** As the JDK is configured. */
  static TlsContext ofJdk() {
    return new TlsContext(SSLContexts::createDefault);
  }

  /**
   * Waits for whoever makes it.
   *
   * @throws SSLException when the JDK cannot make one
   */
  SSLContext get() throws SSLException {
    SSLContext known = made;
    return known == null ? make() : known;
  }

  private SSLContext make() throws SSLException {
    making.lock();
    try {
      SSLContext known = made;
      if (known == null) {
        known = maker.get();
        made = known;
      }
      return known;
    } catch (RuntimeException unusable) {
      throw new SSLException("TLS cannot be set up: " + unusable.getMessage(), unusable);
    } finally {
      making.unlock();
    }
  }
}
