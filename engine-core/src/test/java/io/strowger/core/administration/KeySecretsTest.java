package io.strowger.core.administration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.core.ambient.SecureBytes;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The plaintext of a new key")
class KeySecretsTest {
  private static final int BYTES = 32;

  private static byte[] randomPart(String plaintext) {
    assertThat(plaintext).startsWith("sk-");
    return Base64.getUrlDecoder().decode(plaintext.substring("sk-".length()));
  }

  @Test
  @DisplayName("contains all of the 256 bits that it takes from the source of random bytes")
  void bits() {
    List<byte[]> taken = new ArrayList<>();
    var random = new SecureBytes();
    var secrets =
        new KeySecrets(
            size -> {
              byte[] bytes = random.apply(size);
              taken.add(bytes);
              return bytes;
            });
    Set<String> plaintexts = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      String plaintext = secrets.next();
      assertThat(randomPart(plaintext)).hasSize(BYTES).isEqualTo(taken.getLast());
      plaintexts.add(plaintext);
    }
    assertThat(taken).hasSize(100);
    assertThat(plaintexts).hasSize(100);
  }

  @Test
  @DisplayName("is not created when the source returns fewer bytes")
  void fewerBytes() {
    var secrets = new KeySecrets(size -> new byte[size - 1]);
    assertThatThrownBy(secrets::next)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("32 random bytes, got 31");
  }
}
