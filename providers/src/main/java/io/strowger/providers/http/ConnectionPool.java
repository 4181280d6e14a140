package io.strowger.providers.http;

import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLContext;
import org.apache.hc.client5.http.HttpRoute;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.impl.io.DefaultHttpClientConnectionOperator;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.client5.http.io.HttpClientConnectionOperator;
import org.apache.hc.client5.http.io.ManagedHttpClientConnection;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.apache.hc.client5.http.ssl.TlsSocketStrategy;
import org.apache.hc.core5.http.URIScheme;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.config.RegistryBuilder;
import org.apache.hc.core5.http.io.HttpConnectionFactory;
import org.apache.hc.core5.http.io.SocketConfig;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.pool.PoolReusePolicy;
import org.apache.hc.core5.pool.StrictConnPool;
import org.apache.hc.core5.util.TimeValue;

/**
 * The client's pool, of connections that are looked at whenever they are taken, put back or swept.
 * Their sockets are those of channels, which alone can be asked without waiting whether there is
 * something to read or the stream has ended.
 */
final class ConnectionPool extends PoolingHttpClientConnectionManager {
  /** A head is kept in memory whole, and so is a line of any kind: each ends here. */
  private static final Http1Config BOUNDED_LINES =
      Http1Config.custom().setMaxLineLength(16 << 10).setMaxHeaderCount(200).build();

  private static final int MOST_HEAD_BYTES = 64 << 10;

  private final StrictConnPool<HttpRoute, ManagedHttpClientConnection> pool;

  private ConnectionPool(
      HttpClientConnectionOperator operator,
      StrictConnPool<HttpRoute, ManagedHttpClientConnection> pool,
      HttpConnectionFactory<ManagedHttpClientConnection> connections) {
    super(operator, pool, connections);
    this.pool = pool;
  }

  static ConnectionPool of(int perRoute, int total, SSLContext security) {
    var pool =
        new ConnectionPool(
            new DefaultHttpClientConnectionOperator(
                proxy -> SocketChannel.open().socket(),
                null,
                null,
                RegistryBuilder.<TlsSocketStrategy>create()
                    .register(URIScheme.HTTPS.id, new DefaultClientTlsStrategy(security))
                    .build()),
            new StrictConnPool<>(
                perRoute,
                total,
                TimeValue.NEG_ONE_MILLISECOND,
                PoolReusePolicy.LIFO, // the rest is swept once it expired
                null),
            unbound -> PooledConnection.create(BOUNDED_LINES, MOST_HEAD_BYTES));
    pool.setDefaultSocketConfig(SocketConfig.custom().setTcpNoDelay(true).build());
    pool.setDefaultConnectionConfig(
        ConnectionConfig.custom()
            .setValidateAfterInactivity(TimeValue.ZERO_MILLISECONDS) // always
            .build());
    return pool;
  }

  /**
   * Closes every waiting connection whose upstream has said something or has gone, and those that
   * have waited too long.
   */
  void sweep() {
    pool.enumAvailable(
        entry -> {
          boolean expired = entry.getExpiryDeadline().isExpired();
          if (expired || !isQuiet(entry.getConnection())) {
            entry.discardConnection(CloseMode.IMMEDIATE);
          }
        });
  }

  private static boolean isQuiet(ManagedHttpClientConnection waiting) {
    try {
      return !(waiting instanceof PooledConnection ours) || ours.isQuiet();
    } catch (RuntimeException unexpected) {
      return false; // what cannot be looked at is not used again either
    }
  }
}
