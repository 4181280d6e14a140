package io.strowger.host.server;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;

/** Reads the name in the certificate that a server presents, without verifying it. */
public final class ServedName {
  private ServedName() {}

  public static String of(URI server) throws IOException, GeneralSecurityException {
    var seen = new AtomicReference<String>();
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {new RecordingTrustManager(seen)}, null);
    try (var socket =
        (SSLSocket) context.getSocketFactory().createSocket(server.getHost(), server.getPort())) {
      socket.startHandshake();
    }
    return Objects.requireNonNull(seen.get());
  }

  private static final class RecordingTrustManager extends PermissiveTrustManager {
    private final AtomicReference<String> seen;

    RecordingTrustManager(AtomicReference<String> seen) {
      this.seen = seen;
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {
      seen.set(chain[0].getSubjectX500Principal().getName());
    }
  }
}
