package io.strowger.host.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.core.secret.SecretCipher;
import io.strowger.core.secret.SecretKeyException;
import io.strowger.spi.provider.Credential;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The secret key of a data directory")
class SecretKeyFileTest {
  @TempDir private Path directory;

  @Test
  @DisplayName("is created when it is first needed, readable only by its owner, and stays the same")
  void made() throws IOException, SecretKeyException {
    Path data = directory.resolve("data");
    var first = new SecretKeyFile(data);
    assertThat(data).as("before a key is needed").doesNotExist();
    String sealed = new SecretCipher(first, byte[]::new).seal(new Credential("own"), "place");
    Path file = data.resolve("secret.key");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(data).isDirectoryNotContaining("glob:**.new");
    var restarted = new SecretCipher(new SecretKeyFile(data), byte[]::new);
    assertThat(restarted.open(sealed, "place").reveal()).isEqualTo("own");
  }

  @Test
  @DisplayName("differs from directory to directory")
  void own() throws IOException {
    new SecretKeyFile(directory.resolve("a")).key();
    new SecretKeyFile(directory.resolve("b")).key();
    assertThat(directory.resolve("a/secret.key"))
        .content()
        .isNotEqualTo(Files.readString(directory.resolve("b/secret.key")));
  }

  @Test
  @DisplayName("never replaces a file that is not a key; the message says what to do")
  void spoiled() throws IOException {
    Path file = Files.writeString(directory.resolve("secret.key"), "half a k");
    assertThatThrownBy(() -> new SecretKeyFile(directory).key())
        .isInstanceOf(IOException.class)
        .hasMessage(file + " is not a secret key: put back the file that was there, from a backup");
    assertThat(file).hasContent("half a k");
  }

  @Test
  @DisplayName("is created even if an earlier start was interrupted while creating it")
  void cutOff() throws IOException {
    Files.writeString(directory.resolve("secret.key.new"), "half a k");
    assertThat(new SecretKeyFile(directory).key()).isNotNull();
  }
}
