package io.strowger.providers.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.apache.hc.core5.ssl.SSLContexts;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The TLS context")
class TlsContextTest {
  @Test
  @DisplayName("is created on first use, and only once for all threads")
  void once() {
    var created = new AtomicInteger();
    var tls =
        new TlsContext(
            () -> {
              created.incrementAndGet();
              return SSLContexts.createDefault();
            });
    assertThat(created).hasValue(0);
    Set<SSLContext> seen = ConcurrentHashMap.newKeySet();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 8; i++) {
        threads.submit(() -> seen.add(tls.get()));
      }
    }
    assertThat(seen).hasSize(1);
    assertThat(created).hasValue(1);
  }

  @Test
  @DisplayName("fails with a message when it cannot be created, and is tried again at the next use")
  void creationFails() throws SSLException {
    var tries = new AtomicInteger();
    SSLContext usable = SSLContexts.createDefault();
    var tls =
        new TlsContext(
            () -> {
              if (tries.incrementAndGet() == 1) {
                throw new IllegalStateException("no provider speaks TLS");
              }
              return usable;
            });
    assertThatThrownBy(tls::get)
        .isInstanceOf(SSLException.class)
        .hasMessage("TLS cannot be set up: no provider speaks TLS");
    assertThat(tls.get()).isSameAs(usable);
  }
}
