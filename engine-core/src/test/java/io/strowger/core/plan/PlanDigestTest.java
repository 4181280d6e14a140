package io.strowger.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.NoSuchAlgorithmException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@DisplayName("A thousand plans are the same")
class PlanDigestTest {
  /**
   * Changes only when decisions change, not with the machine or the JVM, since recorded decisions
   * must be reproducible.
   */
  private static final String EXPECTED = "2224cea9342a68d9092a739aaaa12d82";

  @Test
  @DisplayName("in every JVM")
  void always() throws NoSuchAlgorithmException {
    assertThat(PlanDigest.compute()).isEqualTo(EXPECTED);
  }

  @Tag("full")
  @Test
  @DisplayName("in a JVM without a compiler and with other identity hash codes")
  void interpreted() throws IOException, InterruptedException {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    Process other =
        new ProcessBuilder(
                java.toString(),
                "-Xint",
                "-XX:+UseSerialGC",
                "-XX:+UnlockExperimentalVMOptions",
                "-XX:hashCode=2",
                "-cp",
                System.getProperty("java.class.path"),
                PlanDigest.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String digest = new String(other.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(other.waitFor()).isZero();
    assertThat(digest).isEqualTo(EXPECTED);
  }
}
