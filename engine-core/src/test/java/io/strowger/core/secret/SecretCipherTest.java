package io.strowger.core.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.core.config.SecretKey;
import io.strowger.spi.provider.Credential;
import java.io.IOException;
import java.util.Base64;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The cipher for secrets")
class SecretCipherTest {
  private static final SecretKey KEY = SecretKey.of(new byte[SecretKey.BYTES]);
  private static final Credential SECRET = new Credential("sk-provider-0123456789");

  private final AtomicInteger draws = new AtomicInteger();
  private final SecretCipher cipher = new SecretCipher(() -> KEY, this::random);

  private byte[] random(int count) {
    byte[] bytes = new byte[count];
    bytes[0] = (byte) draws.incrementAndGet();
    return bytes;
  }

  @Test
  @DisplayName("opens what it sealed for the same record, also after a restart")
  void roundTrip() throws SecretKeyException {
    String sealed = cipher.seal(SECRET, "byok/1");
    assertThat(sealed).startsWith("v1.").doesNotContain("provider");
    assertThat(cipher.open(sealed, "byok/1").reveal()).isEqualTo(SECRET.reveal());
    var restarted = new SecretCipher(() -> SecretKey.of(new byte[32]), this::random);
    assertThat(restarted.open(sealed, "byok/1").reveal()).isEqualTo(SECRET.reveal());
  }

  @Test
  @DisplayName("never seals the same secret into the same text")
  void fresh() throws SecretKeyException {
    assertThat(cipher.seal(SECRET, "a")).isNotEqualTo(cipher.seal(SECRET, "a"));
  }

  @Test
  @DisplayName("does not open what was sealed for another record")
  void moved() throws SecretKeyException {
    String sealed = cipher.seal(SECRET, "byok/1");
    assertThatThrownBy(() -> cipher.open(sealed, "byok/2"))
        .isInstanceOf(SecretKeyException.class)
        .hasMessage("it was modified, or copied from another record");
  }

  @Test
  @DisplayName("does not open a sealed text in which any byte was changed")
  void tampered() throws SecretKeyException {
    String sealed = cipher.seal(SECRET, "p");
    String head = sealed.substring(0, sealed.lastIndexOf('.') + 1);
    byte[] bytes = Base64.getUrlDecoder().decode(sealed.substring(head.length()));
    for (int i = 0; i < bytes.length; i++) {
      byte[] changed = bytes.clone();
      changed[i] ^= 1;
      String text = head + Base64.getUrlEncoder().withoutPadding().encodeToString(changed);
      assertThatThrownBy(() -> cipher.open(text, "p")).isInstanceOf(SecretKeyException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "v1", "v2.66687aad.AAAA", "v1.66687aad.", "v1.66687aad.%%", "a.b.c.d"})
  @DisplayName("does not open a text that was never sealed")
  void foreign(String text) {
    assertThatThrownBy(() -> cipher.open(text, "p")).isInstanceOf(SecretKeyException.class);
  }

  @Test
  @DisplayName("names both keys by their ids, not by their values, when a text needs another key")
  void otherKey() throws SecretKeyException {
    byte[] bytes = new byte[32];
    bytes[31] = 1;
    var other = new SecretCipher(() -> SecretKey.of(bytes), this::random);
    String sealed = cipher.seal(SECRET, "p");
    assertThatThrownBy(() -> other.open(sealed, "p"))
        .hasMessageMatching(
            "it was encrypted with the secret key [0-9a-f]{8}, but the configured one is"
                + " [0-9a-f]{8}");
  }

  @Test
  @DisplayName(
      "says what to configure when there is no key, and looks for a key again the next time")
  void none() throws SecretKeyException {
    var lookups = new AtomicInteger();
    var late = new SecretCipher(() -> lookups.incrementAndGet() == 1 ? null : KEY, this::random);
    assertThatThrownBy(() -> late.seal(SECRET, "p"))
        .isInstanceOf(SecretKeyException.class)
        .hasMessageContaining("set store.secret_key in the configuration");
    assertThat(late.open(late.seal(SECRET, "p"), "p").reveal()).isEqualTo(SECRET.reveal());
    assertThat(lookups).as("a key that was found is not looked up again").hasValue(2);
  }

  @Test
  @DisplayName("reports why a key cannot be read")
  void broken() {
    var broken =
        new SecretCipher(
            () -> {
              throw new IOException("the file is not readable");
            },
            this::random);
    assertThatThrownBy(() -> broken.seal(SECRET, "p")).hasMessage("the file is not readable");
  }

  @Test
  @DisplayName("does not show its key, and accepts only keys of 32 bytes")
  void shown() {
    assertThat(KEY).hasToString("secret key ***");
    assertThat(SecretKey.isBase64(Base64.getEncoder().encodeToString(new byte[32]))).isTrue();
    for (String wrong :
        new String[] {"", "no", "%", Base64.getEncoder().encodeToString(new byte[31])}) {
      assertThat(SecretKey.isBase64(wrong)).isFalse();
    }
    assertThatThrownBy(() -> SecretKey.of(new byte[16]))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
