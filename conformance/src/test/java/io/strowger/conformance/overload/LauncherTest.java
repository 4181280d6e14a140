package io.strowger.conformance.overload;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The launcher")
class LauncherTest {
  @Test
  @DisplayName("ends the host when memory runs out, so that it does not live on without a listener")
  void outOfMemory() throws IOException {
    assertThat(Files.readAllLines(Path.of("..", "gateway")))
        .anyMatch(line -> line.matches("\\s*serve\\) .*-XX:\\+ExitOnOutOfMemoryError.*"));
  }
}
