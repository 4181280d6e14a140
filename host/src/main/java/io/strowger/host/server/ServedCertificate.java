package io.strowger.host.server;

import io.helidon.common.configurable.Resource;
import io.helidon.common.pki.Keys;
import io.helidon.common.pki.PemKeys;
import io.helidon.common.tls.Tls;
import io.strowger.core.config.TlsFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The TLS certificate of a host. It can be replaced while the host listens: open connections keep
 * the previous certificate. Safe on any thread.
 */
public final class ServedCertificate {
  private static final byte[] SAMPLE =
      "is this key the certificate's?".getBytes(StandardCharsets.US_ASCII);

  private final Tls tls;
  private final ReentrantLock lock = new ReentrantLock();
  private LoadedCertificate served; // guarded by the lock

  private ServedCertificate(LoadedCertificate first) {
    this.tls = first.tls;
    this.served = first;
  }

  /** A certificate and key that were read and checked, and are not served yet. */
  public static final class LoadedCertificate {
    private final TlsFiles files;
    private final List<FileTime> modificationTimes;
    private final Tls tls;

    private LoadedCertificate(TlsFiles files, List<FileTime> modificationTimes, Tls tls) {
      this.files = files;
      this.modificationTimes = modificationTimes;
      this.tls = tls;
    }
  }

  /**
   * Reads a certificate and its key.
   *
   * @throws IOException when they cannot be used; its message says why and contains nothing of the
   *     key
   */
  public static LoadedCertificate load(TlsFiles files) throws IOException {
    // read first, so that a file written meanwhile is read again by renew
    List<FileTime> modificationTimes = lastModified(files);
    return new LoadedCertificate(files, modificationTimes, tls(files));
  }

  /**
   * Reads a certificate to serve until it is replaced or renewed.
   *
   * @throws IOException as {@link #load}
   */
  public static ServedCertificate read(TlsFiles files) throws IOException {
    return new ServedCertificate(load(files));
  }

  /** Serves another certificate from now on. */
  public void replace(LoadedCertificate next) {
    lock.lock();
    try {
      tls.reload(next.tls);
      served = next;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Reads the certificate's files again if they were modified since, and serves the new
   * certificate. If this throws, the previous certificate remains in use.
   *
   * @return whether another certificate is served now
   * @throws IOException as {@link #load}
   */
  public boolean renew() throws IOException {
    lock.lock();
    try {
      if (lastModified(served.files).equals(served.modificationTimes)) {
        return false;
      }
      replace(load(served.files));
      return true;
    } finally {
      lock.unlock();
    }
  }

  private static List<FileTime> lastModified(TlsFiles files) throws IOException {
    return List.of(lastModified(files.certificate()), lastModified(files.key()));
  }

  private static FileTime lastModified(Path file) throws IOException {
    try {
      return Files.getLastModifiedTime(file);
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  Tls tls() {
    return tls;
  }

  private static Tls tls(TlsFiles files) throws IOException {
    byte[] certificate = content(files.certificate());
    byte[] key = content(files.key());
    List<X509Certificate> chain = chain(files.certificate(), certificate);
    PrivateKey privateKey = key(files.key(), key);
    if (!belongTogether(privateKey, chain.getFirst())) {
      throw new IOException(
          "%s is not the key of the first certificate in %s"
              .formatted(files.key(), files.certificate()));
    }
    return Tls.builder()
        .privateKey(privateKey)
        .privateKeyCertChain(chain)
        .enabledProtocols(List.of("TLSv1.3", "TLSv1.2"))
        .build();
  }

  private static byte[] content(Path file) throws IOException {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  private static IOException unreadable(Path file, IOException e) {
    return switch (e) {
      case NoSuchFileException noSuchFile ->
          new IOException("cannot read " + file + ": no such file", e);
      case AccessDeniedException denied ->
          new IOException("cannot read " + file + ": permission denied", e);
      default -> e;
    };
  }

  private static List<X509Certificate> chain(Path file, byte[] pem) throws IOException {
    try {
      var resource = Resource.create(file.toString(), pem);
      List<X509Certificate> chain =
          Keys.builder().pem(PemKeys.builder().certChain(resource).build()).build().certChain();
      if (!chain.isEmpty()) {
        return chain;
      }
    } catch (RuntimeException e) {
      // the exception below says so
    }
    throw new IOException(file + " holds no certificate in PEM form");
  }

  /**
   * Reads the private key. The exception has no cause, because a cause might contain parts of the
   * key.
   */
  private static PrivateKey key(Path file, byte[] pem) throws IOException {
    try {
      var resource = Resource.create(file.toString(), pem);
      var key = Keys.builder().pem(PemKeys.builder().key(resource).build()).build().privateKey();
      if (key.isPresent()) {
        return key.get();
      }
    } catch (RuntimeException e) {
      // the exception below says so
    }
    throw new IOException(
        file + " holds no private key in PEM form (PKCS #8, BEGIN PRIVATE KEY, no password)");
  }

  private static boolean belongTogether(PrivateKey key, X509Certificate certificate) {
    String algorithm =
        switch (key.getAlgorithm()) {
          case "RSA" -> "SHA256withRSA";
          case "EC" -> "SHA256withECDSA";
          default -> key.getAlgorithm();
        };
    try {
      Signature signature = Signature.getInstance(algorithm);
      signature.initSign(key);
      signature.update(SAMPLE);
      byte[] signatureBytes = signature.sign();
      signature.initVerify(certificate.getPublicKey());
      signature.update(SAMPLE);
      return signature.verify(signatureBytes);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }
}
