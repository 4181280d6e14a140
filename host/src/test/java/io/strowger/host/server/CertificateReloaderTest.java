package io.strowger.host.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.config.TlsFiles;
import io.strowger.tck.TestAmbient;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A certificate whose files are renewed")
class CertificateReloaderTest {
  @TempDir private Path folder;
  private final TestAmbient ambient = TestAmbient.at("2026-11-22T12:00:00Z");
  private Instant written = Instant.parse("2026-11-22T12:00:00Z");
  private Path certificate;
  private Path key;
  private HttpHost host;
  private CertificateReloader reloader;

  @BeforeEach
  void start() throws IOException {
    certificate = folder.resolve("own.pem");
    key = folder.resolve("own.key");
    write("one.pem", certificate);
    write("one.key", key);
    ServedCertificate served = ServedCertificate.read(new TlsFiles(certificate, key));
    host =
        HttpHost.start(
            new FakeApi(),
            new HttpHost.Settings(
                "127.0.0.1",
                0,
                1_000,
                Duration.ZERO,
                Duration.ZERO,
                Duration.ofSeconds(30),
                served),
            TestAmbient.realTime());
    reloader = new CertificateReloader(served, ambient);
  }

  @AfterEach
  void stop() {
    host.close();
    reloader.close();
    ambient.assertNoThreadsLeft();
  }

  /** Copies a resource to a file, each time with a later time of modification. */
  private void write(String resource, Path to) throws IOException {
    try (InputStream in = HttpHost.class.getResourceAsStream("tls/" + resource)) {
      Files.copy(Objects.requireNonNull(in), to, StandardCopyOption.REPLACE_EXISTING);
    }
    written = written.plusSeconds(1);
    Files.setLastModifiedTime(to, FileTime.from(written));
  }

  private String servedName() throws Exception {
    return ServedName.of(host.uri());
  }

  private void awaitCheck() {
    ambient.awaitSleepers(1);
    ambient.advance(CertificateReloader.INTERVAL);
    ambient.awaitSleepers(1);
  }

  @Test
  @DisplayName("is served within a minute")
  void renewed() throws Exception {
    write("two.pem", certificate);
    write("two.key", key);
    assertThat(servedName()).isEqualTo("CN=one.test");
    awaitCheck();
    assertThat(servedName()).isEqualTo("CN=two.test");
    write("rsa.pem", certificate);
    write("rsa.key", key);
    awaitCheck();
    assertThat(servedName()).isEqualTo("CN=rsa.test");
  }

  @Test
  @DisplayName("is not served while only one file is new, nor while one is missing or malformed")
  void halfway() throws Exception {
    write("two.pem", certificate);
    awaitCheck();
    assertThat(servedName()).isEqualTo("CN=one.test");
    Files.delete(key);
    awaitCheck();
    Files.writeString(key, "no key");
    awaitCheck();
    assertThat(servedName()).isEqualTo("CN=one.test");
    write("two.key", key);
    awaitCheck();
    assertThat(servedName()).isEqualTo("CN=two.test");
  }
}
