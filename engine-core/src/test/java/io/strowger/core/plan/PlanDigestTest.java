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
  /** Changes when decisions do, never with a machine or a JVM: recorded decisions hang on it. */
  private static final String EXPECTED = "2224cea9342a68d9092a739aaaa12d82";

  @Test
  @DisplayName("in every JVM that ever made them")
  void always() throws NoSuchAlgorithmException {
    assertThat(PlanDigest.compute()).isEqualTo(EXPECTED);
  }

  @Tag("full")
  @Test
  @DisplayName("in a JVM that does not compile, and hashes otherwise")
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
    String said = new String(other.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(other.waitFor()).isZero();
    assertThat(said).isEqualTo(EXPECTED);
  }
}
